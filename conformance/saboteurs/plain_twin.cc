#include "conformance/saboteurs/plain_twin.h"

#include <cstring>

#include "conformance/cases/build_call.h"
#include "conformance/cases/golden_cases.h"
#include "conformance/cases/suite_row.h"
#include "datasets/fills.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

template <typename T, typename Value>
void Store(CallTensor& tensor, const std::vector<Value>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<T>(values[i]);
    std::memcpy(&tensor.data[i * sizeof(T)], &value, sizeof(T));
  }
}

// Channels are dimension 1 of activations in torch's order.
void MakeUniform(CallTensor& tensor, const CallTensor& codes, const FillStream& stream) {
  const CodeBounds bounds = BoundsOf(codes);
  const CodeRangeOf range{bounds.min, bounds.max, codes.zero_point[0]};
  if (tensor.dtype == QC_F32) {
    Store<float>(
        tensor, FloatValues(Fill::kUniform, stream, tensor.shape, 1, codes.scale, range));
  } else {
    Store<uint8_t>(tensor,
                   ActivationCodes(Fill::kUniform, stream, tensor.shape, 1, range));
  }
}

bool HoldsCodes(const CallTensor& tensor) {
  return (tensor.dtype == QC_U8 || tensor.dtype == QC_S8) && !tensor.zero_point.empty();
}

std::optional<ConformanceCase> UniformCall(ConformanceCase c) {
  for (size_t i = 0; i < c.call.inputs.size(); ++i) {
    std::optional<CallTensor>& input = c.call.inputs[i];
    if (!input || input->constant) continue;
    const CallTensor& codes = input->dtype == QC_F32 ? c.call.outputs[0] : *input;
    if (!HoldsCodes(codes)) return std::nullopt;
    MakeUniform(*input, codes, FillStream(c.id, "input " + std::to_string(i)));
  }
  auto want = ReferenceOutputs(c.call, c.call.scheme);
  if (!want) return std::nullopt;
  c.want = std::move(*want);
  c.fill = FillName(Fill::kUniform);
  return c;
}

}  // namespace

std::optional<ConformanceCase> PlainTwin(const std::string& id, const Golden& golden) {
  if (id.ends_with("/real")) {
    auto real = GoldenOperatorCase(golden, id);
    return real ? UniformCall(std::move(*real)) : std::nullopt;
  }
  try {
    SuiteRow row = RowFromId(id);
    row.fill = Fill::kUniform;
    row.codes.clear();
    row.values.clear();
    CompleteRow(row, "the plain twin of " + id);
    return BuildCase(row);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace qconform
