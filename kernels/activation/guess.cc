#include "kernels/activation/guess.h"

#include "reference/numerics/abi_tensor.h"

namespace qconform::kernels {
namespace {

// Real functions in codes. Those of s8 are 128 higher.
class InCodes {
 public:
  InCodes(const qc_tensor& x, const qc_tensor& y)
      : zero_x_(ZeroPointAt(x) + (x.dtype == QC_S8 ? 128 : 0)),
        zero_y_(ZeroPointAt(y) + (y.dtype == QC_S8 ? 128 : 0)),
        unit_(static_cast<double>(ScaleAt(x)) / ScaleAt(y)),
        one_(1.0 / ScaleAt(y)) {}

  // x * slope + offset in one more channel.
  void Add(double slope, double offset, AffineGuess& guess) const {
    guess.slope.push_back(static_cast<float>(slope * unit_));
    guess.offset.push_back(
        static_cast<float>(zero_y_ + offset * one_ - zero_x_ * (slope * unit_)));
  }

  // x itself above zero.
  void AddIdentity(AffineGuess& guess) const {
    guess.threshold = zero_x_;
    guess.upper_slope = static_cast<float>(unit_);
    guess.upper_offset = static_cast<float>(zero_y_ - zero_x_ * unit_);
  }

 private:
  int32_t zero_x_;
  double zero_y_, unit_, one_;
};

}  // namespace

AffineGuess GuessOf(const qc_descriptor& descriptor, const KeptConstants& operands) {
  const InCodes codes(*descriptor.inputs[0], *descriptor.outputs[0]);
  AffineGuess guess;
  switch (descriptor.kind) {
    // Bounds need no guess: the codes do not leave those of the table.
    case QC_RELU:
    case QC_RELU6:
    case QC_CLAMP:
    case QC_REQUANTIZE:
      codes.Add(1.0, 0.0, guess);
      break;
    case QC_HARDSIGMOID:
      codes.Add(1.0 / 6, 0.5, guess);
      break;
    case QC_LEAKY_RELU:
      codes.Add(descriptor.attributes->alpha, 0.0, guess);
      codes.AddIdentity(guess);
      break;
    case QC_PRELU:
      for (const float slope : ReadReal(*operands.Get(1, nullptr)))
        codes.Add(slope, 0.0, guess);
      codes.AddIdentity(guess);
      break;
    default:
      codes.Add(0.0, 0.0, guess);
      break;
  }
  return guess;
}

}  // namespace qconform::kernels
