// Calls of linear or convolution whose accumulators are chosen: how a black box is asked
// what it makes of them.
#ifndef QCONFORM_CONFORMANCE_PROBE_CHOSEN_ACCUMULATORS_H_
#define QCONFORM_CONFORMANCE_PROBE_CHOSEN_ACCUMULATORS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/host/code_element.h"
#include "conformance/host/operator_call.h"

namespace qconform {

// Which operator carries the accumulators, and in what dtypes. Weights are s8 with zero
// point 0.
struct ProbeForm {
  enum class Bias { kNone, kF32, kS32 };

  qc_operator_kind kind = QC_LINEAR;  // or CONV, 1x1 over a row of pixels
  qc_dtype x = QC_U8;
  qc_dtype y = QC_U8;
  bool per_channel = false;
  Bias bias = Bias::kF32;  // the kind that the backend takes

  // "linear u8*s8->u8 per tensor, bias f32"
  std::string Text() const;
  // Codes of the output, and a zero point in their middle.
  CodeBounds bounds() const { return AllCodes(y); }
  int32_t middle() const { return y == QC_U8 ? 100 : 0; }
};

// Those that are tried, in this order; each also without a bias.
const std::vector<ProbeForm>& ProbeForms();

// What is asked: output i is the code of accumulators[i].
struct ProbeQuestion {
  float input_scale = 1;
  float weight_scale = 1;
  float output_scale = 1;
  int32_t zero_point = 0;  // of the output
  std::optional<float> bias;
  std::optional<int32_t> bias_code;
  qc_activation activation = QC_ACTIVATION_NONE;
  std::vector<int32_t> accumulators;

  // (sx * sw) / so, as a real number.
  double multiplier() const;
  // "acc=5 + bias 0.4 at 0.5" for one of the accumulators, bias in units of them.
  std::string Text(size_t index) const;
};

// No product and no sum of two neighbours leaves 16 bits, on paper and after activations
// are shifted by 128. Accumulators may be any that fit 2^26 and whose number of terms
// fits memory.
OperatorCall CallOf(const ProbeForm& form, const ProbeQuestion& question);

// x less its zero point, and w.
using Product = std::pair<int16_t, int16_t>;

// One output, the sum of these products in this order; the question's accumulators are
// not looked at. x lies in [0, 255] for u8 and [-128, 127] for s8.
OperatorCall CallOf(const ProbeForm& form, const ProbeQuestion& question,
                    const std::vector<Product>& products);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_PROBE_CHOSEN_ACCUMULATORS_H_
