// The arguments of one graph node by torch's positions and keywords, with everything
// that follows from shapes already put in.
#ifndef QCONFORM_REFERENCE_LOWER_NODE_ARGUMENTS_H_
#define QCONFORM_REFERENCE_LOWER_NODE_ARGUMENTS_H_

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/lower/example_values.h"

namespace qconform {

// Thrown while an operator form is built; lowering catches it and leaves the node in
// float with what() as the reason.
class NoOperatorForm : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Replaces nodes that are shape values by what they are.
Argument Folded(const Argument& argument, const NodeExamples& examples);

class NodeArguments {
 public:
  NodeArguments(const Node& node, const NodeExamples& examples);

  size_t count() const { return args_.size(); }
  // nullptr if not given.
  const Argument* Find(size_t position, const char* keyword) const;
  // The tensor argument, nullptr if absent, None or a number.
  const Node* NodeAt(size_t position, const char* keyword) const;
  // The accessors below throw NoOperatorForm if the argument is of another kind.
  int64_t Integer(size_t position, const char* keyword, int64_t fallback) const;
  double Real(size_t position, const char* keyword, double fallback) const;
  bool Boolean(size_t position, const char* keyword, bool fallback) const;
  std::string Text(size_t position, const char* keyword, const char* fallback) const;
  // One integer or several; empty if not given or None.
  std::vector<int64_t> Integers(size_t position, const char* keyword) const;
  // The same for arguments that may also be spread: permute(0, 2, 1).
  std::vector<int64_t> SpreadIntegers(size_t position, const char* keyword) const;

 private:
  std::vector<Argument> args_;
  OrderedMap<Argument> kwargs_;
};

// One integer or a sequence of them; throws NoOperatorForm that calls it `what`.
std::vector<int64_t> IntegersOf(const Argument& argument, const std::string& what);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LOWER_NODE_ARGUMENTS_H_
