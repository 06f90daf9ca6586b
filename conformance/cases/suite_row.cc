#include "conformance/cases/suite_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "conformance/host/operator_call.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

// Larger dimensions are a slip of the pen.
constexpr int64_t kLargestNumber = 1 << 20;

void Default(Numbers& numbers, size_t rank, int64_t value) {
  if (numbers.empty()) numbers.assign(rank, value);
}

bool AllAre(const Numbers& numbers, int64_t value) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [value](int64_t n) { return n == value; });
}

std::string SignedText(int64_t value) {
  return value < 0 ? "m" + std::to_string(-value) : std::to_string(value);
}

void Expect(bool holds, const std::string& where, const char* what,
            const char* expected) {
  if (!holds) throw InputError(where, what, expected);
}

void CheckZeroPoint(qc_dtype dtype, int32_t zero_point, const std::string& where) {
  CallTensor tensor;
  tensor.dtype = dtype;
  const CodeBounds bounds = BoundsOf(tensor);
  const bool is_code = dtype == QC_U8 || dtype == QC_S8;
  Expect(is_code ? zero_point >= bounds.min && zero_point <= bounds.max : zero_point == 0,
         where, "a zero point outside the codes of its dtype",
         "one of the codes; 0 for f32 and s32");
}

}  // namespace

Numbers ParseNumbers(const std::string& text, const std::string& where) {
  Numbers numbers;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at < end) {
    int64_t value = 0;
    const auto [stop, error] = std::from_chars(at, end, value);
    if (error != std::errc() || value < 0 || value > kLargestNumber ||
        (stop < end && (*stop != 'x' || stop + 1 == end))) {
      throw InputError(where, "'" + text + "' is no list of sizes",
                       "numbers with x between them, like 3x3");
    }
    numbers.push_back(value);
    at = stop + 1;
  }
  return numbers;
}

std::string NumbersText(const Numbers& numbers) {
  return fmt::format("{}", fmt::join(numbers, "x"));
}

Numbers OutputSize(const SuiteRow& row) {
  Numbers output;
  for (size_t d = 0; d < row.size.size(); ++d) {
    const int64_t reach = row.dilation[d] * (row.kernel[d] - 1) + 1;
    const int64_t room =
        row.size[d] + row.padding_before[d] + row.padding_after[d] - reach;
    output.push_back(room / row.stride[d] + 1);
  }
  return output;
}

void CompleteRow(SuiteRow& row, const std::string& where) {
  Expect(row.w == QC_S8 || row.w == QC_U8, where, "weights of a strange dtype",
         "s8 or u8");
  Expect(row.x == QC_U8 || row.x == QC_S8, where, "activations of a strange dtype",
         "u8 or s8");
  Expect(row.y == QC_U8 || row.y == QC_S8 || row.y == QC_F32, where,
         "an output of a strange dtype", "u8, s8 or f32");
  Expect(row.bias == "none" || row.bias == "f32" || row.bias == "s32" ||
             row.bias == "f32_rounded",
         where, "a bias of a strange dtype", "none, f32, s32 or f32_rounded");
  Expect(!row.n.empty(), where, "no batch", "at least one number");
  CheckZeroPoint(row.x, row.zx, where);
  CheckZeroPoint(row.w, row.zw, where);
  CheckZeroPoint(row.y, row.zy, where);
  if (row.is_linear()) {
    Expect(row.size.empty() && row.kernel.empty() && row.stride.empty() &&
               row.dilation.empty() && row.padding_before.empty() && row.groups == 1 &&
               row.n.size() < QC_MAX_RANK,
           where, "a linear with a convolution's columns", "them to be empty");
    return;
  }
  const size_t rank = row.size.size();
  Expect(row.operator_name == fmt::format("conv{}d", rank) && rank >= 1 && rank <= 3,
         where, "operator and number of sizes differ", "conv1d to conv3d, or linear");
  Default(row.kernel, rank, 1);
  Default(row.stride, rank, 1);
  Default(row.dilation, rank, 1);
  Default(row.padding_before, rank, 0);
  if (row.padding_after.empty()) row.padding_after = row.padding_before;
  for (const Numbers* numbers :
       {&row.kernel, &row.stride, &row.dilation, &row.padding_before, &row.padding_after})
    Expect(numbers->size() == rank, where, "numbers for another count of dimensions",
           "one a spatial dimension");
  for (const Numbers* numbers : {&row.kernel, &row.stride, &row.dilation})
    for (const int64_t number : *numbers)
      Expect(number >= 1, where, "a kernel, stride or dilation of 0", "at least 1");
  for (size_t d = 0; d < rank; ++d)
    Expect(row.size[d] + row.padding_before[d] + row.padding_after[d] >
               row.dilation[d] * (row.kernel[d] - 1),
           where, "a kernel larger than the padded input", "torch to accept it");
  Expect(row.n.size() == 1, where, "a batch of more than one dimension", "one number");
  Expect(row.groups >= 1 && row.c % row.groups == 0 && row.o % row.groups == 0, where,
         "groups that do not divide the channels", "a divisor of both");
}

std::string GroupOf(const SuiteRow& row) {
  return fmt::format("{}/{}.{}{}{}.{}", row.suite, row.operator_name, AbiDTypeName(row.x),
                     AbiDTypeName(row.w), AbiDTypeName(row.y),
                     row.per_channel ? "per_channel" : "per_tensor");
}

std::string IdOf(const SuiteRow& row) {
  std::string id = GroupOf(row);
  if (row.bias != "none") id += ".bias_" + row.bias;
  if (row.relu) id += ".relu";
  if (row.is_linear()) {
    id += fmt::format("/m{}.k{}.n{}", NumbersText(row.n), row.c, row.o);
  } else {
    id += fmt::format("/n{}.c{}.i{}.o{}.k{}", NumbersText(row.n), row.c,
                      NumbersText(row.size), row.o, NumbersText(row.kernel));
    if (!AllAre(row.stride, 1)) id += ".s" + NumbersText(row.stride);
    if (!AllAre(row.dilation, 1)) id += ".d" + NumbersText(row.dilation);
    if (!AllAre(row.padding_before, 0) || !AllAre(row.padding_after, 0)) {
      id += ".p" + NumbersText(row.padding_before);
      if (row.padding_after != row.padding_before)
        id += "_" + NumbersText(row.padding_after);
    }
    if (row.groups != 1) id += ".g" + std::to_string(row.groups);
  }
  id += ".zx" + SignedText(row.zx);
  if (row.zw != 0) id += ".zw" + SignedText(row.zw);
  if (row.y != QC_F32) id += ".zy" + SignedText(row.zy);
  return id + "/" + FillName(row.fill);
}

}  // namespace qconform
