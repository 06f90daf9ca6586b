// Unique node names in a graph, chosen as torch.fx.graph._Namespace chooses them.
#ifndef QCONFORM_REFERENCE_IR_NAME_SPACE_H_
#define QCONFORM_REFERENCE_IR_NAME_SPACE_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace qconform {

class NameSpace {
 public:
  // A name that was not handed out before: the candidate itself where possible,
  // else candidate_<n>. Names of Python builtins and keywords get a suffix.
  std::string Create(std::string candidate);

 private:
  std::unordered_set<std::string> used_;
  std::unordered_map<std::string, int64_t> base_count_;
};

// The candidate that torch.fx derives from a call target: last part of the public
// name, snake case ("torch.nn.functional.relu" -> "relu").
std::string CandidateName(const std::string& target);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_NAME_SPACE_H_
