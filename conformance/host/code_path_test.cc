// What can be known of a claimed code path.
#include "conformance/host/code_path.h"

#include <gtest/gtest.h>
#include <sys/utsname.h>

namespace qconform {
namespace {

bool OnX86() {
  utsname name = {};
  uname(&name);
  return std::string_view(name.machine) == "x86_64";
}

OperatorCall Linear(int64_t inputs, int64_t outputs) {
  CallTensor x;
  x.dtype = QC_U8;
  x.shape = {1, inputs};
  CallTensor w = x;
  w.shape = {outputs, inputs};
  CallTensor y = x;
  y.shape = {1, outputs};
  OperatorCall call;
  call.kind = QC_LINEAR;
  call.attributes = EmptyAttributes();
  call.inputs = {x, w};
  call.outputs = {y};
  return call;
}

TEST(CodePath, NamesOfABackendsOwnAreItsOwn) {
  EXPECT_EQ(PathObjection("npu", ""), "");
  EXPECT_EQ(PathObjection("", ""), "");
  EXPECT_EQ(PathObjection("npu", "sse41"), "");
}

TEST(CodePath, WhatTheMachineLacksCannotHaveRun) {
  EXPECT_NE(PathObjection(OnX86() ? "dotprod" : "avx2", "").find("cannot run"),
            std::string::npos);
  EXPECT_EQ(PathObjection("scalar", ""), "");
}

TEST(CodePath, AForcedPathIsTheBestThatMayRun) {
  const char* const low = "scalar";
  const char* const high = OnX86() ? "sse41" : "neon";
  EXPECT_EQ(PathObjection(high, low), std::string("claims the path ") + high +
                                          " where QCONFORM_ISA asks for scalar");
  EXPECT_EQ(PathObjection(low, high), "");
  EXPECT_EQ(PathObjection(high, high), "");
}

TEST(CodePath, InstructionsContradictAClaim) {
  const OperatorCall wide = Linear(16, 16);
  const OperatorCall narrow = Linear(3, 2);
  InstructionTrace scalar;
  scalar.instructions = 900;
  scalar.complete = true;
  EXPECT_EQ(TraceObjection("avx2", wide, scalar),
            "claims the path avx2 and ran none of its instructions, of 900");
  // Too small for a vector; cut off; without a claim.
  EXPECT_EQ(TraceObjection("avx2", narrow, scalar), "");
  EXPECT_EQ(TraceObjection("sse41", wide, scalar), "");
  scalar.complete = false;
  EXPECT_EQ(TraceObjection("avx2", wide, scalar), "");
  InstructionTrace vectors;
  vectors.instructions = 50;
  vectors.vex = 20;
  vectors.complete = true;
  EXPECT_EQ(TraceObjection("avx2", wide, vectors), "");
  EXPECT_EQ(TraceObjection("sse41", narrow, vectors),
            "claims the path sse41 and ran 20 instructions of AVX");
  EXPECT_NE(TraceObjection("avx512", wide, vectors), "");
  vectors.evex = 7;
  EXPECT_EQ(TraceObjection("avx512", wide, vectors), "");
  EXPECT_EQ(TraceObjection("avx2", wide, vectors),
            "claims the path avx2 and ran 7 instructions of AVX-512");
}

}  // namespace
}  // namespace qconform
