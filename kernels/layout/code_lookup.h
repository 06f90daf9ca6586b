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

  // Whether rows are as fast as memory: the table bounds codes and does nothing else.
  bool only_clamps() const { return clamps_ != nullptr; }

  // to[i] = table[from[i]]; they may be the same.
  void Row(const uint8_t* from, uint8_t* to, int64_t count) const;

 private:
  // clamp(byte ^ flip, low, high) ^ flip, which is how s8 codes compare as bytes.
  struct Bounds {
    uint8_t flip, low, high;
  };
  friend struct CodeClamp;

  CodeTable table_;
  CodeTable parts_;  // the table as vectors_ wants it
  Bounds bounds_;
  void (*clamps_)(Bounds bounds, const uint8_t* from, uint8_t* to, int64_t count);
  // Looks up some codes, in whole vectors; answers with how many.
  int64_t (*vectors_)(const CodeTable& parts, const uint8_t* from, uint8_t* to,
                      int64_t count);
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LAYOUT_CODE_LOOKUP_H_
