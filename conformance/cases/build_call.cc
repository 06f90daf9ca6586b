#include "conformance/cases/build_call.h"

#include "conformance/cases/input_data.h"
#include "conformance/cases/output_scale.h"
#include "conformance/cases/row_operator.h"
#include "conformance/compare/exact.h"
#include "conformance/metamorphic/relation.h"
#include "reference/ir/error.h"
#include "reference/numerics/scheme.h"

namespace qconform {
namespace {

constexpr char kQ31One[] = "q31/one/up/bias_s32/zp_after";
constexpr char kQ31Two[] = "q31/two/up/bias_s32/zp_after";

// "": the first one of the operator's definition.
std::string SchemeOf(const SuiteRow& row) {
  if (row.scheme == "real") return kRealSchemeName;
  if (row.scheme == "q31_one") return kQ31One;
  if (row.scheme == "q31_two") return kQ31Two;
  return row.bias == "f32_rounded" ? kRoundedBiasSchemeName : "";
}

OperatorCall DrawnCall(const SuiteRow& row) {
  const RowOperator& op = *FindRowOperator(row.operator_name);
  CallDraft draft = op.draft(row);
  if (!row.range.empty()) {
    draft.outputs[0].quant_min = static_cast<int32_t>(row.range[0]);
    draft.outputs[0].quant_max = static_cast<int32_t>(row.range[1]);
  }
  OperatorCall call;
  call.kind = op.kind;
  call.attributes = AttributesOf(row);
  call.scheme = SchemeOf(row);
  call.inputs = InputsWithData(row, draft);
  call.outputs = std::move(draft.outputs);
  SetOutputQparams(row, call);
  if (call.scheme.empty()) call.scheme = ReferenceScheme(call);
  return call;
}

// More than any row of the suites needs by far.
constexpr int kDraws = 16;

}  // namespace

OperatorCall BuildCall(const SuiteRow& row) {
  if (!row.data_seed || HoldsWholeDomain(row)) return DrawnCall(row);
  // Nobody has looked at what a seed draws, as at the suites' own data: where few numbers
  // are tame by chance, the next draw takes their place.
  SuiteRow drawn = row;
  for (drawn.draw = 0; drawn.draw < kDraws; ++drawn.draw) {
    OperatorCall call = DrawnCall(drawn);
    const auto want = ReferenceOutputs(call, call.scheme);
    if (want && ReasonForMistrust(call, *want).empty()) return call;
  }
  return DrawnCall(row);
}

ConformanceCase BuildCase(const SuiteRow& row) {
  ConformanceCase result;
  result.id = IdOf(row);
  result.suite = row.suite;
  result.group = GroupOf(row);
  result.fill = FillName(row.fill);
  if (HoldsWholeDomain(row)) result.domain = "whole";
  result.literal = row.fill == Fill::kCodes || row.fill == Fill::kValues;
  result.foreign_scheme = !row.scheme.empty() && row.scheme != "own";
  result.only_declared = row.expect == "declared";
  result.call = BuildCall(row);
  if (const Relation* relation = FindRelation(row.relation)) {
    result.relation = row.relation;
    if (relation->prepare != nullptr) relation->prepare(result.call);
  }
  auto want = ReferenceOutputs(result.call, result.call.scheme);
  if (!want) {
    throw InputError("case '" + result.id + "'", "the reference does not compute it",
                     "data that it does, such as indices inside the table");
  }
  result.want = std::move(*want);
  return result;
}

}  // namespace qconform
