// A place where torch does not do what it declares.
#ifndef QCONFORM_REFERENCE_CONFIG_MODE_DIFFERENCE_H_
#define QCONFORM_REFERENCE_CONFIG_MODE_DIFFERENCE_H_

#include <string>
#include <vector>

namespace qconform {

// Found in both modes; what is done depends on the mode.
struct ModeDifference {
  std::string kind;     // "shared_module_fused"; reference/README.md lists them
  std::string subject;  // a node, an observer, an observer's constructor
  std::string torch;    // what torch does
  std::string strict;   // what strict mode does
};
using ModeDifferences = std::vector<ModeDifference>;

// "SUBJECT: torch TORCH; strict mode STRICT"
inline std::string ToText(const ModeDifference& difference) {
  return difference.subject + ": torch " + difference.torch + "; strict mode " +
         difference.strict;
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_MODE_DIFFERENCE_H_
