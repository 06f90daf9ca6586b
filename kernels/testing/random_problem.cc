#include <random>
#include <sstream>

#include "kernels/testing/problem.h"

namespace qconform::kernels {

Problem RandomProblem(uint32_t seed, qc_operator_kind kind) {
  std::mt19937 random(seed * 2654435761u + 17);
  const auto below = [&](uint32_t n) { return static_cast<int64_t>(random() % n); };
  const auto one_in = [&](uint32_t n) { return random() % n == 0; };
  Problem p;
  p.kind = kind;
  p.seed = seed;
  p.input_dtype = one_in(2) ? QC_U8 : QC_S8;
  p.output_dtype = one_in(2) ? QC_U8 : QC_S8;
  p.input_zero_point =
      static_cast<int32_t>(below(256)) - (p.input_dtype == QC_S8 ? 128 : 0);
  p.output_zero_point =
      static_cast<int32_t>(below(256)) - (p.output_dtype == QC_S8 ? 128 : 0);
  if (one_in(4)) p.weight_zero_point = static_cast<int32_t>(below(256)) - 128;
  p.per_channel = one_in(2);
  p.powers_of_two = one_in(2);
  p.extreme = one_in(8);
  p.bias = static_cast<Bias>(below(3));
  const char* schemes[] = {nullptr, "f32/one/even/bias_f32/zp_after",
                           "f32/one/even/bias_s32/zp_after"};
  p.scheme = schemes[below(3)];
  p.activation = static_cast<qc_activation>(below(4));
  p.input_layout = static_cast<Layout>(below(3));
  p.output_layout = static_cast<Layout>(below(3));
  p.threads = 1 + static_cast<int>(below(3));
  if (kind == QC_LINEAR) {
    p.batch = one_in(12) ? 0 : one_in(3) ? 1 + below(4) : 1 + below(40);
    p.group_inputs = one_in(12) ? below(2) : 1 + below(100);
    p.group_outputs = one_in(12) ? below(2) : 1 + below(150);
    return p;
  }
  p.spatial_rank = one_in(3) ? 1 : 2;
  p.batch = one_in(16) ? 0 : 1 + below(3);
  if (one_in(3)) {  // depthwise, perhaps with a multiplier
    p.groups = 2 + below(40);
    p.group_outputs = 1 + below(one_in(3) ? 3 : 1);
  } else {
    if (one_in(3)) p.groups = 1 + below(4);
    p.group_inputs = 1 + below(20);
    p.group_outputs = 1 + below(40);
  }
  for (int i = 0; i < p.spatial_rank; ++i) {
    p.kernel[i] = 1 + below(one_in(4) ? 9 : 4);
    p.stride[i] = 1 + below(one_in(2) ? 1 : 4);
    p.dilation[i] = 1 + below(one_in(2) ? 1 : 3);
    p.before[i] = below(4);
    p.after[i] = below(4);
    p.input[i] = 1 + below(14);
  }
  if (p.spatial_rank == 2 && one_in(6)) {  // a column
    p.input[1] = p.kernel[1] = 1;
    p.before[1] = p.after[1] = 0;
  }
  return p;
}

std::string Describe(const Problem& p) {
  std::ostringstream text;
  text << (p.kind == QC_CONV ? "conv" : "linear") << " seed " << p.seed << " batch "
       << p.batch << " groups " << p.groups << " channels " << p.group_inputs << " -> "
       << p.group_outputs;
  for (int i = 0; p.kind == QC_CONV && i < p.spatial_rank; ++i) {
    text << " [" << p.input[i] << " k" << p.kernel[i] << " s" << p.stride[i] << " d"
         << p.dilation[i] << " p" << p.before[i] << "," << p.after[i] << "]";
  }
  text << " zx " << p.input_zero_point << " zw " << p.weight_zero_point << " threads "
       << p.threads;
  return text.str();
}

}  // namespace qconform::kernels
