// Operators of one element or two, and softmax.
#include <utility>
#include <vector>

#include "conformance/adapters/peer_call/peer_call.h"
#include "conformance/adapters/xnnpack/xnnpack_operator.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/quantize_value.h"
#include "reference/numerics/scheme.h"

namespace qconform::xnnpack {
namespace {

// XNNPACK's functions by the type of a code.
template <typename Code>
struct Forms;
template <>
struct Forms<int8_t> {
  static constexpr auto kAdd = xnn_create_add_nd_qs8;
  static constexpr auto kSubtract = xnn_create_subtract_nd_qs8;
  static constexpr auto kMultiply = xnn_create_multiply_nd_qs8;
  static constexpr auto kClamp = xnn_create_clamp_nc_s8;
  static constexpr auto kSigmoid = xnn_create_sigmoid_nc_qs8;
  static constexpr auto kTanh = xnn_create_tanh_nc_qs8;
  static constexpr auto kSetAdd = xnn_setup_add_nd_qs8;
  static constexpr auto kSetSubtract = xnn_setup_subtract_nd_qs8;
  static constexpr auto kSetMultiply = xnn_setup_multiply_nd_qs8;
  static constexpr auto kSetClamp = xnn_setup_clamp_nc_s8;
  static constexpr auto kSetSigmoid = xnn_setup_sigmoid_nc_qs8;
  static constexpr auto kSetTanh = xnn_setup_tanh_nc_qs8;
};
template <>
struct Forms<uint8_t> {
  static constexpr auto kAdd = xnn_create_add_nd_qu8;
  static constexpr auto kSubtract = xnn_create_subtract_nd_qu8;
  static constexpr auto kMultiply = xnn_create_multiply_nd_qu8;
  static constexpr auto kClamp = xnn_create_clamp_nc_u8;
  static constexpr auto kSigmoid = xnn_create_sigmoid_nc_qu8;
  static constexpr auto kTanh = xnn_create_tanh_nc_qu8;
  static constexpr auto kSetAdd = xnn_setup_add_nd_qu8;
  static constexpr auto kSetSubtract = xnn_setup_subtract_nd_qu8;
  static constexpr auto kSetMultiply = xnn_setup_multiply_nd_qu8;
  static constexpr auto kSetClamp = xnn_setup_clamp_nc_u8;
  static constexpr auto kSetSigmoid = xnn_setup_sigmoid_nc_qu8;
  static constexpr auto kSetTanh = xnn_setup_tanh_nc_qu8;
};

template <typename Code>
class Maker {
 public:
  using Own = Forms<Code>;
  explicit Maker(const qc_descriptor& descriptor)
      : descriptor_(descriptor),
        x_(*descriptor.inputs[0]),
        y_(*descriptor.outputs[0]),
        codes_(descriptor) {}

  Operator Make() && {
    constexpr bool kSigned = std::is_same_v<Code, int8_t>;
    const qc_attributes& attributes = *descriptor_.attributes;
    switch (descriptor_.kind) {
      case QC_ADD:
        MakeBinary(Own::kAdd, Own::kSetAdd);
        break;
      case QC_SUB:
        MakeBinary(Own::kSubtract, Own::kSetSubtract);
        break;
      case QC_MUL:
        MakeBinary(Own::kMultiply, Own::kSetMultiply);
        break;
      case QC_SIGMOID:
        MakeUnary(Own::kSigmoid, Own::kSetSigmoid);
        break;
      case QC_TANH:
        MakeUnary(Own::kTanh, Own::kSetTanh);
        break;
      case QC_ELU:
        if constexpr (!kSigned) throw Refusal("elu of u8 codes");
        if constexpr (kSigned) {
          MakeUnary(xnn_create_elu_nc_qs8, xnn_setup_elu_nc_qs8, attributes.alpha);
        }
        break;
      case QC_LEAKY_RELU:
        if constexpr (kSigned) throw Refusal("leaky relu of s8 codes");
        if constexpr (!kSigned) {
          MakeUnary(xnn_create_leaky_relu_nc_qu8, xnn_setup_leaky_relu_nc_qu8,
                    attributes.alpha);
        }
        break;
      case QC_SOFTMAX:
        if constexpr (kSigned) throw Refusal("softmax of s8 codes");
        if constexpr (!kSigned) MakeSoftmax();
        break;
      default:
        MakeClamp();
    }
    return std::move(made_);
  }

 private:
  // Elements where they lie, in any order that both have.
  void AnyOrder() { made_.memory_formats = QC_CONTIGUOUS | QC_CHANNELS_LAST; }

  template <typename Create, typename Setup>
  void MakeBinary(Create create, Setup setup) {
    if (descriptor_.input_count < 2 || descriptor_.inputs[1] == nullptr) {
      throw Refusal("a number as an operand");
    }
    const qc_tensor& second = *descriptor_.inputs[1];
    if (!IsCode8(second) || second.quantized_axis >= 0 || second.dtype != x_.dtype) {
      throw Refusal("unlike dtypes");
    }
    // Nobody set an alpha of 0.
    const float alpha = descriptor_.attributes->alpha;
    if (descriptor_.kind != QC_MUL && alpha != 0.0f && alpha != 1.0f) {
      throw Refusal("alpha");
    }
    xnn_operator_t created = nullptr;
    CheckCreated(create(ZeroPoint<Code>(x_), ScaleAt(x_), ZeroPoint<Code>(second),
                        ScaleAt(second), ZeroPoint<Code>(y_), ScaleAt(y_), codes_.least,
                        codes_.most, kFlags, &created));
    made_.handle.reset(created);
    std::vector<size_t> first_shape = Sizes(x_), second_shape = Sizes(second);
    if (first_shape == second_shape) {
      AnyOrder();
      first_shape = second_shape = {static_cast<size_t>(ElementCount(x_))};
    }
    if (std::max(first_shape.size(), second_shape.size()) > XNN_MAX_TENSOR_DIMS) {
      throw Refusal("a broadcast of more than 6 dimensions");
    }
    made_.setup = [=](xnn_operator_t handle, const Memory& memory, pthreadpool_t pool) {
      return setup(handle, first_shape.size(), first_shape.data(), second_shape.size(),
                   second_shape.data(), static_cast<const Code*>(memory.first),
                   static_cast<const Code*>(memory.second),
                   static_cast<Code*>(memory.result), pool);
    };
  }

  template <typename Create, typename Setup, typename... Alpha>
  void MakeUnary(Create create, Setup setup, Alpha... alpha) {
    xnn_operator_t created = nullptr;
    CheckCreated(create(1, 1, 1, alpha..., ZeroPoint<Code>(x_), ScaleAt(x_),
                        ZeroPoint<Code>(y_), ScaleAt(y_), codes_.least, codes_.most,
                        kFlags, &created));
    made_.handle.reset(created);
    AnyOrder();
    SetRows(setup, ElementCount(x_));
  }

  // Between the codes of the real bounds, as `reference/numerics` has it.
  void MakeClamp() {
    if (!SameQparams(x_, y_)) throw Refusal("a clamp with other qparams behind it");
    const qc_attributes& attributes = *descriptor_.attributes;
    const CodeBounds bounds = BoundsOf(y_);
    const auto code_of = [&](float bound) {
      return static_cast<Code>(QuantizeSaturating(
          bound, ReciprocalScale(ScaleAt(y_)), ZeroPointAt(y_), bounds.min, bounds.max));
    };
    const bool clamps = descriptor_.kind == QC_CLAMP;
    xnn_operator_t created = nullptr;
    CheckCreated(Own::kClamp(1, 1, 1, code_of(clamps ? attributes.minimum : 0.0f),
                             descriptor_.kind == QC_RELU
                                 ? static_cast<Code>(bounds.max)
                                 : code_of(clamps ? attributes.maximum : 6.0f),
                             kFlags, &created));
    made_.handle.reset(created);
    made_.scheme = kCopySchemeName;
    AnyOrder();
    SetRows(Own::kSetClamp, ElementCount(x_));
  }

  void MakeSoftmax() {
    const int64_t axis = descriptor_.attributes->axis;
    if (axis != x_.rank - 1 && axis != -1) throw Refusal("softmax of an inner dimension");
    const auto columns = static_cast<size_t>(x_.shape[x_.rank - 1]);
    xnn_operator_t created = nullptr;
    CheckCreated(xnn_create_softmax_nc_qu8(columns, columns, columns, ScaleAt(x_),
                                           static_cast<uint8_t>(ZeroPointAt(y_)),
                                           ScaleAt(y_), kFlags, &created));
    made_.handle.reset(created);
    SetRows(xnn_setup_softmax_nc_qu8, ElementCount(x_) / x_.shape[x_.rank - 1]);
  }

  template <typename Setup>
  void SetRows(Setup setup, int64_t rows) {
    made_.setup = [=](xnn_operator_t handle, const Memory& memory, pthreadpool_t pool) {
      return setup(handle, static_cast<size_t>(rows),
                   static_cast<const Code*>(memory.first),
                   static_cast<Code*>(memory.result), pool);
    };
  }

  static std::vector<size_t> Sizes(const qc_tensor& tensor) {
    return {tensor.shape, tensor.shape + tensor.rank};
  }

  const qc_descriptor& descriptor_;
  const qc_tensor& x_;
  const qc_tensor& y_;
  ResultCodes<Code> codes_;
  Operator made_;
};

}  // namespace

Operator MakeElementwise(const qc_descriptor& descriptor) {
  return descriptor.inputs[0]->dtype == QC_U8 ? Maker<uint8_t>(descriptor).Make()
                                              : Maker<int8_t>(descriptor).Make();
}

}  // namespace qconform::xnnpack
