// A call before it has data: what tensors it has, and what each is for.
#ifndef QCONFORM_CONFORMANCE_CASES_CALL_DRAFT_H_
#define QCONFORM_CONFORMANCE_CASES_CALL_DRAFT_H_

#include <optional>
#include <string>
#include <vector>

#include "conformance/cases/suite_row.h"
#include "conformance/host/operator_call.h"

namespace qconform {

// Where the data of an input come from.
enum class InputRole {
  kActivation,  // codes or, in f32, what a quantization at run time reads
  kWeight,      // codes, constant
  kBias,        // in units of the accumulator, constant
  kGamma,       // f32 per channel about 1, of either sign; constant, as the next three
  kBeta,        // f32 about 0
  kVariance,    // f32 above 0
  kState,       // f32 in [-1, 1]
  kIndex,       // row of a table
  kOffset,      // where bags begin
};

struct DraftInput {
  std::string name;  // keys its data
  InputRole role = InputRole::kActivation;
  CallTensor tensor;  // dtype, shape, axis
  int64_t zero_point = 0;
  Numbers channel_zero_points = {};  // of a weight with an axis, instead of one for all
  Reals float_zero_points = {};      // of a table's rows, instead of both
  Reals scale = {};                  // empty: the fill's
  int channel_axis = -1;             // of activations; -1: the last
  int64_t limit = 0;                 // of indices
};

struct CallDraft {
  std::vector<std::optional<DraftInput>> inputs;
  std::vector<CallTensor> outputs;
};

// One tensor each. Float dtypes have no qparams whatever they are given.
DraftInput ActivationInput(const std::string& name, qc_dtype dtype, Shape shape,
                           int64_t zero_point, Reals scale, int channel_axis = 1);
DraftInput ConstantInput(const std::string& name, InputRole role, qc_dtype dtype,
                         Shape shape);
CallTensor TensorOf(qc_dtype dtype, Shape shape);

// By the kind of operator.
CallDraft DraftWeighted(const SuiteRow& row);  // convolution and its transpose
CallDraft DraftLinear(const SuiteRow& row);
CallDraft DraftMatmul(const SuiteRow& row);
CallDraft DraftBinary(const SuiteRow& row);     // broadcast, or with a number
CallDraft DraftSameShape(const SuiteRow& row);  // x -> y
CallDraft DraftBatchNorm(const SuiteRow& row);
CallDraft DraftNorm(const SuiteRow& row);  // by the input's own statistics
CallDraft DraftPrelu(const SuiteRow& row);
CallDraft DraftPixelShuffle(const SuiteRow& row);
CallDraft DraftPixelUnshuffle(const SuiteRow& row);
CallDraft DraftDynamicQuantize(const SuiteRow& row);
CallDraft DraftEmbedding(const SuiteRow& row);
CallDraft DraftEmbeddingBag(const SuiteRow& row);
CallDraft DraftLstm(const SuiteRow& row);
CallDraft DraftGru(const SuiteRow& row);
CallDraft DraftPool(const SuiteRow& row);
CallDraft DraftResize(const SuiteRow& row);  // [n, c, size] -> [n, c, out]
CallDraft DraftMean(const SuiteRow& row);
CallDraft DraftConcat(const SuiteRow& row);
CallDraft DraftReshape(const SuiteRow& row);
CallDraft DraftTranspose(const SuiteRow& row);
CallDraft DraftSlice(const SuiteRow& row);
CallDraft DraftPad(const SuiteRow& row);

// Output sizes of the windows of a completed convolution or pooling row.
Numbers WindowCounts(const SuiteRow& row);

qc_attributes AttributesOf(const SuiteRow& row);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_CALL_DRAFT_H_
