// Patterns and entries in Python's words; the texts are torch's own.
#include "reference/config/human_readable.h"

#include <gtest/gtest.h>

#include "reference/config/fixed_qparams.h"
#include "reference/config/python_repr.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

std::string Readable(const Pattern& pattern) {
  return PythonRepr(PatternToHumanReadable(pattern));
}

TEST(HumanReadable, PatternsAsPythonPrintsThem) {
  const auto name = [](const char* text) { return Pattern::FromName(text); };
  EXPECT_EQ(Readable(name("torch.nn.Linear")),
            "<class 'torch.nn.modules.linear.Linear'>");
  EXPECT_EQ(Readable(name("torch.ao.nn.intrinsic.qat.ConvBn2d")),
            "<class 'torch.ao.nn.intrinsic.qat.modules.conv_fused.ConvBn2d'>");
  EXPECT_EQ(Readable(name("my.module.Block")), "<class 'my.module.Block'>");
  EXPECT_EQ(Readable(name("torch.nn.functional.relu")), "<function relu>");
  EXPECT_EQ(Readable(name("torch.add")), "<built-in method add of type object>");
  EXPECT_EQ(Readable(name("operator.add")), "<built-in function add>");
  EXPECT_EQ(Readable(name("torch.nn.functional.linear")), "<built-in function linear>");
  EXPECT_EQ(Readable(name("torch.nn.functional.max_pool2d")),
            "'torch.nn.functional.max_pool2d'");
  EXPECT_EQ(Readable(Pattern::Tuple({name("torch.nn.ReLU"), name("view")})),
            "(<class 'torch.nn.modules.activation.ReLU'>, 'view')");
  EXPECT_EQ(Readable(Pattern::Tuple({name("view")})), "('view',)");
  EXPECT_EQ(Readable(Pattern::Literal(3.0)), "3.0");
}

TEST(HumanReadable, OnlyTheEightDispatchersChange) {
  const Pattern relu = Pattern::FromName("torch.nn.functional.relu");
  EXPECT_EQ(RemoveBooleanDispatch(relu), relu);
  const Pattern pool = Pattern::FromName("torch.nn.functional.max_pool1d");
  EXPECT_EQ(RemoveBooleanDispatch(pool).kind(), Pattern::Kind::kMethod);
}

TEST(HumanReadable, AnEntryIndented) {
  BackendPatternConfig entry(Pattern::Method("view"));
  DTypeConfig dtypes;
  dtypes.input_dtype = DType::kQInt8;
  dtypes.input_dtype.scale_min_lower_bound = 0.000244140625;
  dtypes.is_dynamic = true;
  entry.dtype_configs.push_back(dtypes);
  entry.num_tensor_args_to_observation_type[0] = ObservationType::kInputOutputNotObserved;
  entry.fuser_method = "torch.ao.quantization.fuser_method_mappings.fuse_conv_bn";
  entry.input_type_to_index = {{"weight", 1}, {"bias", 2}};
  EXPECT_EQ(EntryToPrettyText(entry),
            "{\n"
            "  'pattern': view,\n"
            "  'dtype_configs': [\n"
            "    {\n"
            "      'input_dtype': DTypeWithConstraints(dtype=torch.qint8, "
            "quant_min_lower_bound=None, quant_max_upper_bound=None, "
            "scale_min_lower_bound=0.000244140625, scale_max_upper_bound=None, "
            "scale_exact_match=None, zero_point_exact_match=None),\n"
            "      'is_dynamic': True,\n"
            "    },\n"
            "  ],\n"
            "  'num_tensor_args_to_observation_type': {\n"
            "    0: ObservationType.INPUT_OUTPUT_NOT_OBSERVED,\n"
            "  },\n"
            "  'observation_type': "
            "ObservationType.OUTPUT_USE_DIFFERENT_OBSERVER_AS_INPUT,\n"
            "  'fuser_method': <function fuse_conv_bn>,\n"
            "  'input_type_to_index': {'weight': 1, 'bias': 2},\n"
            "}");
}

TEST(WithFixedQparams, CopiesTheConstraintsToTheirDType) {
  DTypeWithConstraints fixed(DType::kQUInt8);
  fixed.quant_min_lower_bound = 0;
  fixed.quant_max_upper_bound = 255;
  fixed.scale_exact_match = 1.0 / 256;
  fixed.zero_point_exact_match = 0;
  DTypeConfig quantized, half;
  quantized.input_dtype = quantized.output_dtype = DType::kQUInt8;
  half.input_dtype = half.output_dtype = DType::kFloat16;
  const std::vector<DTypeConfig> configs = WithFixedQparams({quantized, half}, fixed);
  EXPECT_EQ(configs[0].input_dtype, fixed);
  EXPECT_EQ(configs[0].output_dtype, fixed);
  EXPECT_EQ(configs[1], half);
  // Bounds of the scale cannot stand beside a fixed one.
  quantized.output_dtype.scale_max_upper_bound = 1;
  try {
    WithFixedQparams({quantized}, fixed);
    FAIL() << "expected a refusal";
  } catch (const PipelineError& error) {
    EXPECT_EQ(error.kind(), "ValueError");
    EXPECT_TRUE(std::string(error.what())
                    .starts_with("scale_max_upper_bound is invalid for fixed qparams "
                                 "ops: DTypeConfig(input_dtype_with_constraints="))
        << error.what();
  }
}

}  // namespace
}  // namespace qconform
