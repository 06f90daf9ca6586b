#include "reference/convert/custom_conversion.h"

namespace qconform {

NameTable<CustomConversion>& UserConversions() {
  static auto* const table =
      new NameTable<CustomConversion>("conversion of the observed class");
  return *table;
}

}  // namespace qconform
