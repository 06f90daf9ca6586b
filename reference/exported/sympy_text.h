// Expressions over sizes as torch.export writes them: sympy's srepr.
#ifndef QCONFORM_REFERENCE_EXPORTED_SYMPY_TEXT_H_
#define QCONFORM_REFERENCE_EXPORTED_SYMPY_TEXT_H_

#include <string>
#include <string_view>

namespace qconform {

// "Add(Integer(1), Mul(Integer(2), Symbol('s0', integer=True)))" -> "2*s0 + 1": sums and
// products with their numbers in sympy's places, other functions by their names. Equal
// expressions give equal texts. Throws InputError "where: ..." on other text, and on
// expressions that are nested deeper than 64 levels.
std::string SympyText(std::string_view srepr, const std::string& where);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPORTED_SYMPY_TEXT_H_
