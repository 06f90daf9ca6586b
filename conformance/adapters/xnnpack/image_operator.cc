// Pools, the mean of an image, and bilinear resizing: images with their channels last.
#include "conformance/adapters/peer_call/peer_call.h"
#include "conformance/adapters/xnnpack/image_view.h"
#include "conformance/adapters/xnnpack/xnnpack_operator.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/scheme.h"

namespace qconform::xnnpack {
namespace {

// XNNPACK's functions by the type of a code.
template <typename Code>
struct Forms;
template <>
struct Forms<int8_t> {
  static constexpr auto kMaximum = xnn_create_max_pooling2d_nhwc_s8;
  static constexpr auto kSetMaximum = xnn_setup_max_pooling2d_nhwc_s8;
  static constexpr auto kMean = xnn_create_global_average_pooling_nwc_qs8;
  static constexpr auto kSetMean = xnn_setup_global_average_pooling_nwc_qs8;
  static constexpr auto kResize = xnn_create_resize_bilinear2d_nhwc_s8;
  static constexpr auto kSetResize = xnn_setup_resize_bilinear2d_nhwc_s8;
};
template <>
struct Forms<uint8_t> {
  static constexpr auto kMaximum = xnn_create_max_pooling2d_nhwc_u8;
  static constexpr auto kSetMaximum = xnn_setup_max_pooling2d_nhwc_u8;
  static constexpr auto kMean = xnn_create_global_average_pooling_nwc_qu8;
  static constexpr auto kSetMean = xnn_setup_global_average_pooling_nwc_qu8;
  static constexpr auto kResize = xnn_create_resize_bilinear2d_nhwc_u8;
  static constexpr auto kSetResize = xnn_setup_resize_bilinear2d_nhwc_u8;
};

template <typename Code>
class Maker {
 public:
  using Own = Forms<Code>;
  explicit Maker(const qc_descriptor& descriptor)
      : attributes_(*descriptor.attributes),
        x_(*descriptor.inputs[0]),
        y_(*descriptor.outputs[0]),
        codes_(descriptor) {
    if (x_.rank != 3 && x_.rank != 4) throw Refusal("no image of one or two dimensions");
    image_ = ImageOf(x_);
    made_.memory_formats = QC_CHANNELS_LAST;
  }

  Operator Make(int32_t kind) && {
    switch (kind) {
      case QC_MAX_POOL:
        MakeMaximum();
        break;
      case QC_AVG_POOL:
        MakeAverage();
        break;
      case QC_UPSAMPLE:
        MakeResize();
        break;
      default:
        MakeMean(kind);
    }
    return std::move(made_);
  }

 private:
  void CheckWindow() const {
    if (attributes_.ceil_mode != 0) throw Refusal("ceil mode");
  }

  void MakeMaximum() {
    CheckWindow();
    if (!SameQparams(x_, y_)) throw Refusal("a pool with other qparams behind it");
    const Window window = WindowOf(attributes_, attributes_.kernel, true);
    xnn_operator_t created = nullptr;
    CheckCreated(Own::kMaximum(window.top, window.right, window.bottom, window.left,
                               window.kernel[0], window.kernel[1], window.stride[0],
                               window.stride[1], window.dilation[0], window.dilation[1],
                               image_.channels, image_.channels, image_.channels,
                               codes_.least, codes_.most, kFlags, &created));
    made_.handle.reset(created);
    made_.scheme = kCopySchemeName;
    // Large windows are taken in passes, which keep their maxima there.
    made_.reads_result = true;
    Set(Own::kSetMaximum, image_.batch, image_.height, image_.width);
  }

  void MakeAverage() {
    if constexpr (std::is_same_v<Code, int8_t>) {
      throw Refusal("average pool of s8 codes");
    } else {
      CheckWindow();
      const Window window = WindowOf(attributes_, attributes_.kernel, true);
      if (attributes_.divisor_override != 0) throw Refusal("a divisor");
      const bool pads = (window.top | window.right | window.bottom | window.left) != 0;
      if (pads && attributes_.count_include_pad == 0) {
        throw Refusal("an average that leaves out its padding");
      }
      xnn_operator_t created = nullptr;
      CheckCreated(xnn_create_average_pooling2d_nhwc_qu8(
          window.top, window.right, window.bottom, window.left, window.kernel[0],
          window.kernel[1], window.stride[0], window.stride[1], image_.channels,
          image_.channels, image_.channels, ZeroPoint<Code>(x_), ScaleAt(x_),
          ZeroPoint<Code>(y_), ScaleAt(y_), codes_.least, codes_.most, kFlags, &created));
      made_.handle.reset(created);
      Set(xnn_setup_average_pooling2d_nhwc_qu8, image_.batch, image_.height,
          image_.width);
    }
  }

  void MakeMean(int32_t kind) {
    if (kind == QC_MEAN) {
      const uint32_t whole = x_.rank == 4 ? 0b1100u : 0b100u;
      if (attributes_.axis_mask != whole) throw Refusal("a mean that is not of an image");
    } else if (const Image result = ImageOf(y_); result.height * result.width != 1) {
      throw Refusal("adaptive pooling to more than one pixel");
    }
    xnn_operator_t created = nullptr;
    CheckCreated(Own::kMean(image_.channels, image_.channels, image_.channels,
                            ZeroPoint<Code>(x_), ScaleAt(x_), ZeroPoint<Code>(y_),
                            ScaleAt(y_), codes_.least, codes_.most, kFlags, &created));
    made_.handle.reset(created);
    Set(Own::kSetMean, image_.batch, image_.height * image_.width);
  }

  void MakeResize() {
    if (attributes_.interpolation != QC_INTERPOLATION_BILINEAR) {
      throw Refusal("the nearest element");
    }
    if (!SameQparams(x_, y_)) throw Refusal("a resize with other qparams behind it");
    const Image result = ImageOf(y_);
    const bool aligned = attributes_.align_corners != 0;
    for (int i = 0; i < x_.rank - 2 && !aligned; ++i) {
      const double factor = attributes_.scale_factor[i];
      if (factor != 0.0 && factor * static_cast<double>(x_.shape[2 + i]) !=
                               static_cast<double>(y_.shape[2 + i])) {
        throw Refusal("a scale factor that is not the quotient of the sizes");
      }
    }
    xnn_operator_t created = nullptr;
    CheckCreated(Own::kResize(image_.channels, image_.channels, image_.channels,
                              kFlags | (aligned ? XNN_FLAG_ALIGN_CORNERS : 0u),
                              &created));
    made_.handle.reset(created);
    Set(Own::kSetResize, image_.batch, image_.height, image_.width, result.height,
        result.width);
  }

  template <typename Setup, typename... Sizes>
  void Set(Setup setup, Sizes... sizes) {
    made_.setup = [=](xnn_operator_t handle, const Memory& memory, pthreadpool_t pool) {
      return setup(handle, sizes..., static_cast<const Code*>(memory.first),
                   static_cast<Code*>(memory.result), pool);
    };
  }

  const qc_attributes& attributes_;
  const qc_tensor& x_;
  const qc_tensor& y_;
  Image image_ = {};
  ResultCodes<Code> codes_;
  Operator made_;
};

}  // namespace

Operator MakeImage(const qc_descriptor& descriptor) {
  return descriptor.inputs[0]->dtype == QC_U8
             ? Maker<uint8_t>(descriptor).Make(descriptor.kind)
             : Maker<int8_t>(descriptor).Make(descriptor.kind);
}

}  // namespace qconform::xnnpack
