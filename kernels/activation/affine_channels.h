// Functions of one code that are affine in every channel (dimension 1), or in two pieces.
#ifndef QCONFORM_KERNELS_ACTIVATION_AFFINE_CHANNELS_H_
#define QCONFORM_KERNELS_ACTIVATION_AFFINE_CHANNELS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/backend/kept_constants.h"
#include "kernels/backend/operator_plan.h"
#include "kernels/layout/code_lookup.h"
#include "kernels/layout/strided_loop.h"

namespace qconform::kernels {

// A guess of such functions: code(y) = code(x) * slope + offset before rounding, where
// the codes of s8 are 128 higher.
struct AffineGuess {
  std::vector<float> slope, offset;  // of each channel
  // Codes of x above it have one function in all channels.
  int32_t threshold = 255;
  float upper_slope = 0, upper_offset = 0;
};

// The definition fills a table of 256 codes for each channel. Most channels are one
// multiplication and one addition in float32 instead, which the plan finds and tries on
// all codes; the others are looked up.
class AffineChannelsPlan : public OperatorPlan {
 public:
  // `operands`: complete. channels: as of ChannelTablePlan::Make, and of the guess.
  static std::unique_ptr<OperatorPlan> Make(const PlanRequest& request,
                                            const KeptConstants& operands,
                                            AffineGuess guess, std::string& reason);

  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  struct Piece;

  AffineChannelsPlan(const PlanRequest& request, AffineGuess guess);
  void FitChannels();
  void ChooseLookup();
  void RepeatChannels(const qc_tensor& x, const qc_tensor& y);
  void RunRow(const Piece& piece) const;
  void PutRight(const Piece& piece) const;

  int64_t channels_;
  std::vector<uint8_t> tables_;
  AffineGuess functions_;
  std::vector<char> is_affine_;
  // The other channels, in ascending order; few of them are put right afterwards.
  struct LookedUp {
    int64_t at;     // among the parameters
    int64_t table;  // its first byte
  };
  std::vector<LookedUp> looked_up_;
  bool few_looked_up_ = true;
  float lowest_ = 0, highest_ = 0;
  uint8_t input_flip_, flip_;
  StridedLoop<3> loop_;  // of the channel's number, x and y
  int64_t period_ = 0;   // parameters of a dense tensor with the channels innermost
  AffineCodesKernel affine_;
  TwoAffineCodesKernel two_affine_;
  Path path_;
  std::optional<CodeLookup> lookup_;  // where one function is faster looked up
  int threads_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_ACTIVATION_AFFINE_CHANNELS_H_
