#include "conformance/cases/suite_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "conformance/cases/row_check.h"
#include "conformance/cases/row_operator.h"
#include "conformance/compare/reference_outputs.h"
#include "conformance/host/operator_call.h"
#include "conformance/metamorphic/relation.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

// More elements than this are a slip of the pen; fewer codes than 2^31 would not show
// an index of 32 bits.
constexpr double kLargestTensor = 0x1p33;

void Expect(bool holds, const std::string& where, const std::string& what,
            const std::string& expected) {
  if (!holds) throw InputError(where, what, expected);
}

void CheckZeroPoint(qc_dtype dtype, int64_t zero_point, const std::string& where) {
  const bool is_code = dtype == QC_U8 || dtype == QC_S8 || dtype == QC_S32;
  const CodeBounds bounds = BoundsOf(TensorOf(dtype, {}));
  Expect(is_code ? zero_point >= bounds.min && zero_point <= bounds.max : zero_point == 0,
         where, "a zero point outside the codes of its dtype",
         "one of the codes; 0 for f32 and s32");
}

void CheckDTypes(const SuiteRow& row, const RowOperator& op, const std::string& where) {
  const bool second = row.w != kNoDType;
  Expect(op.operands == "x(w)y" || second == (op.operands == "xwy"), where,
         second ? "a dtype of weights" : "no dtype of weights",
         row.operator_name + (second ? " to have none" : " to have weights"));
  CheckZeroPoint(row.x, row.zx, where);
  for (const int64_t zero_point : row.zw)
    if (second) CheckZeroPoint(row.w, zero_point, where);
  CheckZeroPoint(row.y, row.zy, where);
  CheckZeroPoint(row.y == QC_F32 ? row.x : row.y, row.zr, where);
  for (const int64_t zero_point : row.zs) CheckZeroPoint(row.x, zero_point, where);
  for (const Reals* scales : {&row.sx, &row.sw, &row.sy, &row.sr})
    for (const float scale : *scales)
      Expect(scale > 0 && scale < HUGE_VALF, where, "a scale that is not above 0",
             "a finite number above 0");
}

// Texts that are not there get their first choice, lists their neutral number once a
// dimension.
void Default(SuiteRow& row, const RowOperator& op, size_t rank) {
  for (const RowField& field : RowFields()) {
    if (!Uses(op, field)) continue;
    if (auto* text = std::get_if<std::string SuiteRow::*>(&field.member)) {
      if ((row.**text).empty()) row.** text = field.choices[0];
    } else if (auto* numbers = std::get_if<Numbers SuiteRow::*>(&field.member)) {
      if ((row.**numbers).empty() && field.neutral >= 0)
        (row.**numbers).assign(rank, field.neutral);
    } else if (auto* sides = std::get_if<Sides SuiteRow::*>(&field.member)) {
      Numbers& before = (row.**sides).before;
      if (before.empty()) before.assign(rank, field.neutral);
      if ((row.**sides).after.empty()) (row.**sides).after = before;
    }
  }
}

void CheckWindows(const SuiteRow& row, const RowOperator& op, const std::string& where) {
  const size_t rank = op.spatial_rank;
  Expect(row.size.size() == rank, where, "operator and number of sizes differ",
         fmt::format("{} sizes for {}", rank, row.operator_name));
  Expect(row.n.size() == 1, where, "a batch of more than one dimension", "one number");
  for (const Numbers* numbers :
       {&row.kernel, &row.stride, &row.dilation, &row.padding.before, &row.padding.after})
    Expect(numbers->size() == rank, where, "numbers for another count of dimensions",
           "one a spatial dimension");
  for (const Numbers* numbers : {&row.kernel, &row.stride, &row.dilation})
    for (const int64_t number : *numbers)
      Expect(number >= 1, where, "a kernel, stride or dilation of 0", "at least 1");
  if (op.kind == QC_CONV_TRANSPOSE) {
    Expect(row.output_padding.size() == rank, where,
           "numbers for another count of dimensions", "one a spatial dimension");
    for (const int64_t count : WindowCounts(row))
      Expect(count >= 0, where, "an output of negative size", "torch to accept it");
  } else {
    for (size_t d = 0; d < rank; ++d)
      Expect(row.size[d] + row.padding.before[d] + row.padding.after[d] >
                 row.dilation[d] * (row.kernel[d] - 1),
             where, "a kernel larger than the padded input", "torch to accept it");
  }
  if (op.kind == QC_MAX_POOL || op.kind == QC_AVG_POOL) return;
  Expect(row.groups >= 1 && row.c % row.groups == 0 && row.o % row.groups == 0, where,
         "groups that do not divide the channels", "a divisor of both");
}

// What the definition of the operator in reference/numerics says to it.
void CheckDefined(const SuiteRow& row, const RowOperator& op, const std::string& where) {
  OperatorCall call;
  call.kind = op.kind;
  call.attributes = AttributesOf(row);
  const CallDraft draft = op.draft(row);
  const auto check_size = [&](const CallTensor& tensor) {
    Expect(tensor.shape.size() <= QC_MAX_RANK, where, "more than 8 dimensions", "fewer");
    double elements = 1;
    for (const int64_t size : tensor.shape) elements *= static_cast<double>(size);
    Expect(elements <= kLargestTensor, where, "a tensor of more than 2^33 elements",
           "fewer");
  };
  const auto add_scales = [&](CallTensor& tensor) {
    if (tensor.dtype == QC_F32) return;
    const int64_t count =
        tensor.axis < 0 ? 1 : tensor.shape[static_cast<size_t>(tensor.axis)];
    tensor.scale.assign(static_cast<size_t>(count), 1.0f);
    tensor.zero_point.assign(static_cast<size_t>(count), 0);
  };
  for (const auto& input : draft.inputs) {
    call.inputs.emplace_back();
    if (!input) continue;
    check_size(input->tensor);
    call.inputs.back() = input->tensor;
    if (input->role == InputRole::kActivation || input->role == InputRole::kWeight)
      add_scales(*call.inputs.back());
  }
  call.outputs = draft.outputs;
  for (CallTensor& output : call.outputs) {
    check_size(output);
    if (output.dtype != QC_S32 && op.kind != QC_DYNAMIC_QUANTIZE) add_scales(output);
  }
  const std::string objection = ReferenceObjection(call);
  Expect(objection.empty(), where, "the reference has no definition: " + objection,
         "a case that it defines");
  if (const Relation* relation = FindRelation(row.relation)) {
    const std::string wanted = relation->objection(call);
    Expect(wanted.empty(), where, "relation " + row.relation + " says nothing about it",
           wanted);
  }
}

}  // namespace

void CompleteRow(SuiteRow& row, const std::string& where) {
  const RowOperator& op = RowOperatorOf(row, where);
  if (row.zw.empty()) row.zw = {0};
  CheckDTypes(row, op, where);
  Default(row, op, op.spatial_rank > 0 ? op.spatial_rank : row.shape.size());
  if (op.spatial_rank > 0) CheckWindows(row, op, where);
  CheckRow(row, op.kind, where);
  CheckDefined(row, op, where);
}

}  // namespace qconform
