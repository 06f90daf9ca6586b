// A pattern over the nodes of a graph: a module class, a function, a method
// name, a literal, the wildcard, or a tuple of a head and the patterns of its
// positional arguments.
#ifndef QCONFORM_REFERENCE_CONFIG_PATTERN_H_
#define QCONFORM_REFERENCE_CONFIG_PATTERN_H_

#include <string>
#include <utility>
#include <vector>

#include "reference/ir/argument.h"

namespace qconform {

class Pattern {
 public:
  enum class Kind {
    kMatchAll,  // torch.ao.quantization.utils.MatchAllNode
    kModule,    // canonical class name
    kFunction,  // canonical function name
    kMethod,    // a method name; as an argument pattern also a string literal
    kLiteral,
    kTuple,
  };

  Pattern() = default;  // MatchAllNode
  static Pattern MatchAll() { return Pattern(); }
  static Pattern Module(std::string name) { return {Kind::kModule, std::move(name)}; }
  static Pattern Function(std::string name) { return {Kind::kFunction, std::move(name)}; }
  static Pattern Method(std::string name) { return {Kind::kMethod, std::move(name)}; }
  static Pattern Literal(Argument value);
  static Pattern Tuple(std::vector<Pattern> items);
  // By the spelling of the name: "MatchAllNode"; no dot and lower case is a
  // method; "aten." and the other operator libraries, and a last part in lower
  // case, are functions; the rest are module classes.
  static Pattern FromName(const std::string& name);

  Kind kind() const { return kind_; }
  const std::string& name() const { return name_; }
  const Argument& literal() const { return literal_; }
  const std::vector<Pattern>& items() const { return items_; }
  bool IsTuple() const { return kind_ == Kind::kTuple; }
  // The last operation: of a tuple its first part, else itself.
  const Pattern& Head() const { return IsTuple() && !items_.empty() ? items_[0] : *this; }

  // The number of its parts that are not tuples.
  int AtomCount() const;
  // Equal patterns have equal texts: the key of maps. Numbers compare as in
  // Python, so 3 and 3.0 have one text.
  std::string Text() const;
  // As Python would print it, for people: "(torch.nn.ReLU, torch.nn.Conv2d)".
  std::string HumanText() const;
  bool operator==(const Pattern& other) const;

 private:
  Pattern(Kind kind, std::string name) : kind_(kind), name_(std::move(name)) {}

  Kind kind_ = Kind::kMatchAll;
  std::string name_;
  Argument literal_;
  std::vector<Pattern> items_;
};

// The order in which patterns are stored and matched: the last operation first,
// then its arguments. (a, b) -> (b, a); (a, b, c) -> (c, (b, a)); anything else
// that is not a tuple stays. Throws PipelineError("ValueError") for a tuple of
// another length. Only the outer tuple is touched.
Pattern ReversedNested(const Pattern& execution_order);

// Python's == between two argument values: numbers and booleans by value,
// sequences by kind and elements.
bool PythonEqual(const Argument& a, const Argument& b);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_PATTERN_H_
