// Codes looked up in a table, many at once.
#ifndef QCONFORM_KERNELS_LAYOUT_CODE_LOOKUP_H_
#define QCONFORM_KERNELS_LAYOUT_CODE_LOOKUP_H_

#include <cstdint>

#include "kernels/layout/code_table.h"
#include "kernels/target/path.h"

namespace qconform::kernels {

class CodeLookup {
 public:
  CodeLookup(const CodeTable& table, Path path);

  uint8_t operator[](uint8_t byte) const { return table_[byte]; }

  // to[i] = table[from[i]]; they may be the same.
  void Row(const uint8_t* from, uint8_t* to, int64_t count) const;

 private:
  CodeTable table_;
  CodeTable differences_;
  // Looks up some codes, in whole vectors; answers with how many.
  int64_t (*vectors_)(const CodeTable& differences, const uint8_t* from, uint8_t* to,
                      int64_t count);
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LAYOUT_CODE_LOOKUP_H_
