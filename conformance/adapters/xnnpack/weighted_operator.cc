// CONV and LINEAR: qs8 of one scale, qc8 of a scale a channel, qu8 of u8 codes and one
// scale, with weights as u8 codes about 128.
#include <cmath>
#include <cstring>
#include <vector>

#include "conformance/adapters/peer_call/peer_call.h"
#include "conformance/adapters/xnnpack/image_view.h"
#include "conformance/adapters/xnnpack/xnnpack_operator.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/scheme.h"

namespace qconform::xnnpack {
namespace {

constexpr int kShift = 128;

bool HasScales(const qc_tensor& weight) {
  return weight.quantized_axis >= 0 && weight.qparam_count > 1;
}

struct Codes {
  int32_t input_zero_point, zero_point, least, most;
};

// Less 128 where the operator's codes are s8 and the call's are not.
Codes CodesOf(const qc_descriptor& descriptor, bool shifts) {
  const ResultBounds bounds = ResultBoundsOf(descriptor);
  const int32_t zero_point = ZeroPointAt(*descriptor.outputs[0]);
  const int shift = shifts ? kShift : 0;
  const CodeBounds own = BoundsOf(*descriptor.outputs[0]);
  const auto code = [&](float bound) {
    // relu6 may lie beyond the last code, or at a zero point that is the last.
    const double value = static_cast<double>(bound) + zero_point;
    return static_cast<int32_t>(value < own.min   ? own.min
                                : value > own.max ? own.max
                                                  : value) -
           shift;
  };
  return {ZeroPointAt(*descriptor.inputs[0]) - shift, zero_point - shift,
          code(bounds.lower), code(bounds.upper)};
}

// [O, I, kernel] as XNNPACK wants it, [O, kernel, I]; as u8 codes about 128 or as they
// are.
std::vector<int8_t> PackedLast(const qc_tensor& weight, bool as_u8) {
  const int64_t outputs = weight.shape[0], inputs = weight.shape[1];
  int64_t taps = 1;
  for (int i = 2; i < weight.rank; ++i) taps *= weight.shape[i];
  const auto* from = static_cast<const int8_t*>(weight.data);
  std::vector<int8_t> packed(static_cast<size_t>(outputs * inputs * taps));
  for (int64_t o = 0; o < outputs; ++o) {
    for (int64_t i = 0; i < inputs; ++i) {
      for (int64_t t = 0; t < taps; ++t) {
        const int8_t code = from[(o * inputs + i) * taps + t];
        packed[static_cast<size_t>((o * taps + t) * inputs + i)] =
            static_cast<int8_t>(as_u8 ? code ^ kShift : code);
      }
    }
  }
  return packed;
}

class Maker {
 public:
  Maker(const qc_descriptor& descriptor, const qc_tensor* const* constants)
      : descriptor_(descriptor), weight_(*descriptor.inputs[1]) {
    const bool u8 = descriptor.inputs[0]->dtype == QC_U8;
    made_.shifts = u8 && HasScales(weight_);
    as_u8_ = u8 && !made_.shifts;
    codes_ = CodesOf(descriptor, made_.shifts);
    kernel_ = PackedLast(*constants[1], as_u8_);
    if (BiasOf(descriptor) != nullptr) bias_ = BiasInProducts(descriptor, *constants[2]);
    for (int64_t o = 0; o < weight_.shape[0]; ++o) {
      scales_.push_back(ScaleAt(weight_, HasScales(weight_) ? o : 0));
    }
    made_.memory_formats = PeerMemoryFormats(descriptor);
    made_.scheme = kRoundedBiasSchemeName;
  }

  Operator Make() && {
    if (descriptor_.kind == QC_LINEAR) {
      MakeLinear();
    } else {
      const qc_attributes& attributes = *descriptor_.attributes;
      const auto groups =
          static_cast<uint32_t>(attributes.groups == 0 ? 1 : attributes.groups);
      MakeConvolution(WindowOf(attributes, weight_.shape + 2, false), groups,
                      ImageOf(*descriptor_.inputs[0]));
    }
    return std::move(made_);
  }

 private:
  // `head` is what XNNPACK's function has before its codes, `kernel` what it has between
  // the input's scale and the weights.
  template <typename Code, typename Create, typename Head, typename... Kernel>
  void Created(Create create, const Head& head, Kernel... kernel) {
    xnn_operator_t created = nullptr;
    const auto* weights = reinterpret_cast<const Code*>(kernel_.data());
    const auto code = [](int32_t value) { return static_cast<Code>(value); };
    CheckCreated(std::apply(
        [&](auto... sizes) {
          return create(sizes..., code(codes_.input_zero_point),
                        ScaleAt(*descriptor_.inputs[0]), kernel..., weights,
                        bias_.empty() ? nullptr : bias_.data(), code(codes_.zero_point),
                        ScaleAt(*descriptor_.outputs[0]), code(codes_.least),
                        code(codes_.most), kFlags, &created);
        },
        head));
    made_.handle.reset(created);
  }

  void MakeLinear() {
    const size_t inputs = static_cast<size_t>(weight_.shape[1]);
    const size_t outputs = static_cast<size_t>(weight_.shape[0]);
    const size_t rows =
        static_cast<size_t>(ElementCount(*descriptor_.outputs[0])) / outputs;
    // Without a form of many scales: a convolution of single pixels is the same.
    if (HasScales(weight_)) return MakeConvolution({}, 1, {1, inputs, 1, rows});
    const std::tuple head(inputs, outputs, inputs, outputs);
    if (as_u8_) {
      Created<uint8_t>(xnn_create_fully_connected_nc_qu8, head, uint8_t{kShift},
                       scales_[0]);
      Set<uint8_t>(xnn_setup_fully_connected_nc_qu8, rows);
    } else {
      Created<int8_t>(xnn_create_fully_connected_nc_qs8, head, scales_[0]);
      Set<int8_t>(xnn_setup_fully_connected_nc_qs8, rows);
    }
  }

  void MakeConvolution(const Window& window, uint32_t groups, const Image& image) {
    const size_t outputs = static_cast<size_t>(weight_.shape[0]);
    const size_t inputs = image.channels;
    const std::tuple head(window.top, window.right, window.bottom, window.left,
                          window.kernel[0], window.kernel[1], window.stride[0],
                          window.stride[1], window.dilation[0], window.dilation[1],
                          groups, inputs / groups, outputs / groups, inputs, outputs);
    if (HasScales(weight_)) {
      Created<int8_t>(xnn_create_convolution2d_nhwc_qc8, head,
                      static_cast<const float*>(scales_.data()));
      Set<int8_t>(xnn_setup_convolution2d_nhwc_qc8, image.batch, image.height,
                  image.width);
    } else if (as_u8_) {
      Created<uint8_t>(xnn_create_convolution2d_nhwc_qu8, head, uint8_t{kShift},
                       scales_[0]);
      Set<uint8_t>(xnn_setup_convolution2d_nhwc_qu8, image.batch, image.height,
                   image.width);
    } else {
      Created<int8_t>(xnn_create_convolution2d_nhwc_qs8, head, scales_[0]);
      Set<int8_t>(xnn_setup_convolution2d_nhwc_qs8, image.batch, image.height,
                  image.width);
    }
  }

  template <typename Code, typename Setup, typename... Sizes>
  void Set(Setup setup, Sizes... sizes) {
    made_.setup = [=](xnn_operator_t handle, const Memory& memory, pthreadpool_t pool) {
      return setup(handle, sizes..., static_cast<const Code*>(memory.first),
                   static_cast<Code*>(memory.result), pool);
    };
  }

  const qc_descriptor& descriptor_;
  const qc_tensor& weight_;
  Operator made_;
  bool as_u8_ = false;
  Codes codes_ = {};
  std::vector<int8_t> kernel_;
  std::vector<int32_t> bias_;
  std::vector<float> scales_;
};

}  // namespace

std::string CheckWeighted(const qc_descriptor& descriptor, bool takes_u8) {
  const std::string reason = CheckPeerCall(descriptor);
  if (!reason.empty()) return reason;
  if (descriptor.kind == QC_CONV && descriptor.attributes->spatial_rank > 2) {
    return "a convolution of more than two dimensions";
  }
  const qc_tensor& x = *descriptor.inputs[0];
  const qc_tensor& weight = *descriptor.inputs[1];
  const qc_tensor& y = *descriptor.outputs[0];
  if (x.dtype != y.dtype) return "input and output are of different types";
  if (x.dtype == QC_U8 && !takes_u8) return "u8 codes beside s8 weights";
  for (int64_t o = 0; o < (HasScales(weight) ? weight.qparam_count : 1); ++o) {
    const float multiplier = ScaleAt(x) * ScaleAt(weight, o) / ScaleAt(y);
    if (!std::isnormal(ScaleAt(weight, o)) || !std::isnormal(multiplier)) {
      return "a scale that is no normal number";
    }
    if (multiplier >= 256.0f) return "a multiplier of 256 or more";
  }
  const Codes codes = CodesOf(descriptor, false);
  return codes.least < codes.most ? "" : "bounds around a single code";
}

Operator MakeWeighted(const qc_descriptor& descriptor,
                      const qc_tensor* const* constants) {
  return Maker(descriptor, constants).Make();
}

}  // namespace qconform::xnnpack
