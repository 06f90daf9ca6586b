// Runs a lowered program with a backend: what it declares and accepts it computes,
// the scalar definitions compute the rest, the interpreter the float islands. All
// three are counted.
#ifndef QCONFORM_CONFORMANCE_HOST_PROGRAM_RUNNER_H_
#define QCONFORM_CONFORMANCE_HOST_PROGRAM_RUNNER_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "conformance/host/call_target.h"
#include "reference/config/backend_config.h"
#include "reference/lower/program.h"

namespace qconform {

struct ProgramRun {
  std::vector<Tensor> values;  // in the order of program.values
  int64_t backend_operators = 0;
  int64_t reference_operators = 0;
  int64_t float_islands = 0;
  // Node to the scheme in which the backend computed it.
  std::unordered_map<std::string, std::string> schemes;
  // How the backend failed in the middle: its node and outcome; then values are empty.
  std::string failed_node;
  CallOutcome failure;
};

// The call of one operator on given inputs; outputs are described, without data.
OperatorCall CallOf(const Program& program, const ProgramOperator& step,
                    const std::vector<const Tensor*>& inputs);

// config nullptr: the backend declares nothing, so query alone decides.
ProgramRun RunProgramOnBackend(const Program& program, const std::vector<Tensor>& inputs,
                               CallTarget& target, const BackendConfig* config);

// The reference's values under the schemes that the backend used.
std::vector<Tensor> ReferenceProgramValues(
    const Program& program, const std::vector<Tensor>& inputs,
    const std::unordered_map<std::string, std::string>& schemes);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_PROGRAM_RUNNER_H_
