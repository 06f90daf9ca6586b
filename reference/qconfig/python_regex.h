// Regular expressions as Python's re module understands them.
#ifndef QCONFORM_REFERENCE_QCONFIG_PYTHON_REGEX_H_
#define QCONFORM_REFERENCE_QCONFIG_PYTHON_REGEX_H_

#include <memory>
#include <string>

namespace qconform {

// Compiled by PCRE2 after a translation of what the two spell differently. Everything
// that Python refuses is refused, but for lookbehinds whose alternatives have
// different lengths; of what Python accepts, \N{NAME} and (?a:...) are refused.
class PythonRegex {
 public:
  // `where` begins the line of the InputError that a wrong expression throws.
  PythonRegex(const std::string& expression, const std::string& where);

  // re.match: anchored at the start, not at the end. Throws InputError if the search
  // takes too many steps.
  bool MatchesAtStart(const std::string& text) const;

 private:
  struct Code;
  std::shared_ptr<const Code> code_;
  std::string where_;
};

// The same expression in PCRE2's spelling. Throws InputError.
struct PcreExpression {
  std::string text;
  bool ascii = false;  // (?a): \w and its kin match ASCII only
};
PcreExpression TranslatePythonRegex(const std::string& expression,
                                    const std::string& where);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QCONFIG_PYTHON_REGEX_H_
