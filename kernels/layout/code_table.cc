#include "kernels/layout/code_table.h"

#include <span>
#include <vector>

#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/scheme.h"

namespace qconform::kernels {
namespace {

// `like` as one row of bytes.
qc_tensor Row(const qc_tensor& like, std::span<uint8_t> bytes) {
  qc_tensor row = like;
  row.rank = 1;
  row.shape[0] = static_cast<int64_t>(bytes.size());
  row.stride[0] = 1;
  row.data = bytes.data();
  return row;
}

}  // namespace

CodeTable RescaledCodes(const qc_tensor& x, const qc_tensor& y,
                        const std::string& scheme) {
  CodeTable table;
  for (size_t i = 0; i < table.size(); ++i) table[i] = static_cast<uint8_t>(i);
  const std::optional<Scheme> parsed = ParseScheme(scheme);
  if (!parsed || parsed->copy) return table;
  const std::vector<float> values = ReadReal(Row(x, table));
  qc_tensor to = Row(y, table);
  WriteReal(to, values, *parsed);
  return table;
}

uint8_t CodeByte(float value, const qc_tensor& y, const std::string& scheme) {
  uint8_t byte = 0;
  qc_tensor to = Row(y, {&byte, 1});
  if (const std::optional<Scheme> parsed = ParseScheme(scheme); parsed)
    WriteReal(to, {&value, 1}, *parsed);
  return byte;
}

bool IsIdentity(const CodeTable& table) {
  for (size_t i = 0; i < table.size(); ++i)
    if (table[i] != i) return false;
  return true;
}

}  // namespace qconform::kernels
