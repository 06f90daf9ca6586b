#include "conformance/compare/rounding.h"

#include <gtest/gtest.h>

#include "reference/numerics/scheme.h"

namespace qconform {
namespace {

CallTensor Codes(const std::vector<uint8_t>& codes, float scale, int32_t zero_point) {
  CallTensor tensor;
  tensor.dtype = QC_U8;
  tensor.shape = {static_cast<int64_t>(codes.size())};
  tensor.scale = {scale};
  tensor.zero_point = {zero_point};
  for (const uint8_t code : codes) tensor.data.push_back(std::byte{code});
  return tensor;
}

Bytes BytesOf(const std::vector<uint8_t>& codes) { return Codes(codes, 1, 0).data; }

// pytorch/pytorch#37343, #92246: the sums' exact codes are 154.4999978 and 144.1.
class Rounding : public ::testing::Test {
 protected:
  Rounding() {
    call_.kind = QC_ADD;
    call_.attributes = EmptyAttributes();
    call_.inputs = {Codes({158, 135}, 0.040562573820352554f, 112),
                    Codes({136, 136}, 0.08881603181362152f, 126)};
    call_.outputs = {Codes({0, 0}, 0.09029635787010193f, 124)};
    call_.outputs[0].data.clear();
    want_ = *ReferenceOutputs(call_, kRealSchemeName);
  }

  std::string Text(const std::vector<uint8_t>& got) const {
    const auto cause = FindRounding(call_, kRealSchemeName, {BytesOf(got)}, want_);
    return cause ? cause->name + ": " + cause->text : "";
  }

  OperatorCall call_;
  std::vector<Bytes> want_;
};

TEST_F(Rounding, CountsTheCodesAtATie) {
  ASSERT_EQ(want_, std::vector<Bytes>{BytesOf({154, 144})});
  const std::string at_tie = "rounding: every wrong code is off by one, at a tie (";
  const std::string elsewhere =
      "rounding: every wrong code is off by one, not all at a tie (";
  const auto starts = [](const std::string& text, const std::string& start) {
    return text.rfind(start, 0) == 0;
  };
  // What a fixed-point addition answers.
  EXPECT_TRUE(starts(Text({155, 144}), at_tie + "1 of 1 ")) << Text({155, 144});
  // The tie is on the other side.
  EXPECT_TRUE(starts(Text({153, 144}), elsewhere + "0 of 1 ")) << Text({153, 144});
  EXPECT_TRUE(starts(Text({154, 145}), elsewhere + "0 of 1 ")) << Text({154, 145});
  EXPECT_TRUE(starts(Text({155, 145}), elsewhere + "1 of 2 ")) << Text({155, 145});
}

}  // namespace
}  // namespace qconform
