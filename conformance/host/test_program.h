// Programs that tests write step by step.
#ifndef QCONFORM_CONFORMANCE_HOST_TEST_PROGRAM_H_
#define QCONFORM_CONFORMANCE_HOST_TEST_PROGRAM_H_

#include <utility>
#include <vector>

#include "conformance/host/operator_call.h"
#include "reference/lower/program.h"

namespace qconform {

// An operator in real numbers behind the last step, named after its output.
inline ProgramOperator& AddStep(Program& program, qc_operator_kind kind,
                                std::vector<int> inputs, int output) {
  ProgramOperator op{};
  op.kind = kind;
  op.attributes = EmptyAttributes();
  op.attributes.alpha = 1;
  op.inputs = std::move(inputs);
  op.outputs = {output};
  op.node = program.values[static_cast<size_t>(output)].name;
  op.scheme = "real/one/even/bias_f32/zp_after";
  program.steps.emplace_back(std::move(op));
  return std::get<ProgramOperator>(program.steps.back());
}

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_TEST_PROGRAM_H_
