// Keyword arguments of an observer's constructor, read once each and typed.
#ifndef QCONFORM_REFERENCE_OBSERVE_OBSERVER_ARGUMENTS_H_
#define QCONFORM_REFERENCE_OBSERVE_OBSERVER_ARGUMENTS_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "reference/config/mode.h"
#include "reference/ir/argument.h"
#include "reference/ir/dtype.h"
#include "reference/ir/ordered_map.h"
#include "reference/numerics/qscheme.h"

namespace qconform {

// None counts as absent. Every reader throws PipelineError("TypeError") for a value
// of another type.
class ObserverArguments {
 public:
  ObserverArguments(std::string class_name, OrderedMap<Argument> values,
                    Mode mode = Mode::kTorch)
      : class_name_(std::move(class_name)), values_(std::move(values)), mode_(mode) {}

  const std::string& class_name() const { return class_name_; }
  const OrderedMap<Argument>& values() const { return values_; }
  // What the observer is to do where torch differs from its documentation.
  Mode mode() const { return mode_; }

  bool Has(const std::string& name);
  DType TakeDType(const std::string& name, DType fallback);
  QScheme TakeQScheme(const std::string& name, QScheme fallback);
  bool TakeBoolean(const std::string& name, bool fallback);
  std::optional<int64_t> TakeInteger(const std::string& name);
  // Integers are accepted too.
  std::optional<double> TakeReal(const std::string& name);

  // Marks a name as known without reading it.
  void Ignore(const std::string& name) { taken_.insert(name); }
  // Throws PipelineError("TypeError") if a keyword was given that nobody took.
  void RejectOthers() const;

 private:
  // nullptr for an absent value or None.
  const Argument* Take(const std::string& name);
  [[noreturn]] void WrongType(const std::string& name, const std::string& expected) const;

  std::string class_name_;
  OrderedMap<Argument> values_;
  Mode mode_;
  std::set<std::string> taken_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_OBSERVER_ARGUMENTS_H_
