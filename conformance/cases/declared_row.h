// Which row of a backend's config declares a call, if any does.
#ifndef QCONFORM_CONFORMANCE_CASES_DECLARED_ROW_H_
#define QCONFORM_CONFORMANCE_CASES_DECLARED_ROW_H_

#include <string>
#include <vector>

#include "conformance/host/operator_call.h"
#include "reference/config/backend_config.h"

namespace qconform {

// The pattern of the first row whose operator, fused activation and one of whose
// dtype configs (dtypes, code bounds, scale and zero point constraints) hold for the
// call, as text for people. Empty: the config does not declare it.
std::string DeclaredRow(const BackendConfig& config, const OperatorCall& call);

// Whether any row computes what the call asks for, whatever its dtypes.
bool HasOperator(const BackendConfig& config, const OperatorCall& call);

// Every row's pattern as DeclaredRow spells it, in the config's order. Entries without
// dtype configs only fuse and declare nothing.
std::vector<std::string> RowNames(const BackendConfig& config);

// The operator that the pattern computes (pattern_operator.h): "conv2d", "conv2d.relu"
// with a fused ReLU. Empty: no call of the ABI can ask for it.
std::string OperatorOfPattern(const Pattern& pattern);

// Rows whose operator no call of the ABI can name: only pipelines are judged on them.
std::vector<std::string> RowsWithoutOperator(const BackendConfig& config);

// Whether the pattern computes what the call asks for, whatever its dtypes.
bool ComputesSame(const Pattern& pattern, const OperatorCall& call);

// Which of a dtype config's operands an input is; kOther: one that it says nothing about.
enum class OperandRole { kInput, kWeight, kOther };
OperandRole RoleOf(const OperatorCall& call, size_t input);

// Whether every operand has the dtype that the config names, whatever its qparams.
bool HasDTypes(const DTypeConfig& config, const OperatorCall& call);

// The pattern as the config's author wrote it.
const Pattern& PatternOf(const BackendConfig::Entry& entry);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_DECLARED_ROW_H_
