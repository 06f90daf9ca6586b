// GoogleTest's filter grammar: patterns between colons, `*` and `?`, and after one
// minus the patterns of what is left out.
#ifndef QCONFORM_CONFORMANCE_CASES_FILTER_H_
#define QCONFORM_CONFORMANCE_CASES_FILTER_H_

#include <string>
#include <string_view>
#include <vector>

namespace qconform {

class Filter {
 public:
  // "" and "*" select everything; "-x" selects all but x.
  explicit Filter(std::string_view text = "");
  // A pattern may leave the seed of an id out: `*/uniform` has
  // s/what/shape/uniform/seed.7 too.
  bool Selects(std::string_view id) const;

 private:
  std::vector<std::string> positive_;
  std::vector<std::string> negative_;
};

// `*` is any text, `?` any one character. Linear in the product of the lengths.
bool MatchesWildcard(std::string_view pattern, std::string_view text);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_FILTER_H_
