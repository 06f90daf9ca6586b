#include "cli/parity/config_api/worded_expression.h"

#include <map>
#include <utility>

namespace qconform::parity {
namespace {

std::string RoundTrip(const std::string& class_name, const std::string& object) {
  return class_name + ".from_dict(" + object + ".to_dict()).to_dict()";
}

std::string DTypeRoundTrip() {
  return RoundTrip("DTypeConfig",
                   "DTypeConfig(DTypeWithConstraints(quint8, 0), quint8, qint8, float, "
                   "False)");
}

// The two getters are set and taken back: the record was made without them.
std::string AllSetters() {
  return "BackendPatternConfig()"
         ".set_pattern((nn.Linear, nn.ReLU))"
         ".set_observation_type(ObservationType.OUTPUT_SHARE_OBSERVER_WITH_INPUT)"
         ".set_dtype_configs([DTypeConfig(quint8)])"
         ".add_dtype_config(DTypeConfig(qint8))"
         ".set_root_module(nn.Linear)"
         ".set_qat_module(nnqat.Linear)"
         ".set_reference_quantized_module(nnqr.Linear)"
         ".set_fused_module(nni.LinearReLU)"
         ".set_fuser_method(nni.LinearReLU)"
         "._set_root_node_getter(F.relu)._set_root_node_getter(None)"
         "._set_extra_inputs_getter(F.relu)._set_extra_inputs_getter(None)"
         "._set_num_tensor_args_to_observation_type("
         "{0: ObservationType.INPUT_OUTPUT_NOT_OBSERVED})"
         "._set_input_type_to_index({'bias': 0, 'input': 1, 'weight': 2})"
         ".to_dict()";
}

std::string PatternRoundTrip() {
  return RoundTrip("BackendPatternConfig",
                   "BackendPatternConfig((nn.Linear, nn.ReLU))"
                   ".add_dtype_config(DTypeConfig(quint8))"
                   ".set_fuser_method(nni.LinearReLU)"
                   "._set_num_tensor_args_to_observation_type("
                   "{1: ObservationType.OUTPUT_SHARE_OBSERVER_WITH_INPUT})");
}

std::string FuserMethodsOfTuples() {
  const std::string fusers = "torch.ao.quantization.fuser_method_mappings.";
  return "get_fuser_method_mapping(BackendConfig('b').set_backend_pattern_configs(["
         "BackendPatternConfig((nn.Linear, nn.ReLU)).set_fuser_method(nni.LinearReLU), "
         "BackendPatternConfig((nn.Conv2d, nn.BatchNorm2d, nn.ReLU)).set_fuser_method(" +
         fusers +
         "fuse_conv_bn_relu), "
         "BackendPatternConfig()._set_pattern_complex_format((nn.ReLU, (torch.add, "
         "MatchAllNode, nn.Conv2d))).set_fuser_method(" +
         fusers + "fuse_conv_bn)]))";
}

std::string Properties() {
  const std::string config =
      "DTypeConfig(DTypeWithConstraints(quint8), DTypeWithConstraints(quint8), "
      "DTypeWithConstraints(qint8), float)";
  return "[" + config + ".input_dtype, " + config + ".output_dtype, " + config +
         ".weight_dtype, " + config + ".bias_dtype]";
}

// "input EXPRESSION": the words have the input dtype only, the name knows the rest.
std::string WithInput(const std::string& name, const std::string& input) {
  if (name == "DTypeConfig constraints") {
    return "DTypeConfig(" + input +
           ", quint8, DTypeWithConstraints(qint8, scale_min_lower_bound=2**-12), float, "
           "True).to_dict()";
  }
  if (name == "DTypeConfig constraints without dtype dropped") {
    return "DTypeConfig(" + input + ").to_dict()";
  }
  return "";
}

}  // namespace

std::string WordedExpression(const std::string& name, const std::string& steps) {
  const std::string input = "input ";
  if (steps.starts_with(input)) return WithInput(name, steps.substr(input.size()));
  using Words = std::pair<std::string, std::string>;
  static const auto* expressions = new std::map<Words, std::string>{
      {{"DTypeConfig properties",
        "DTypeConfig(DTypeWithConstraints(quint8),...) properties give dtype"},
       Properties()},
      {{"DTypeConfig round trip", "from_dict(to_dict)"}, DTypeRoundTrip()},
      {{"full pattern config", "all setters"}, AllSetters()},
      {{"from_dict round trip", "BackendPatternConfig.from_dict(to_dict)"},
       PatternRoundTrip()},
      {{"fuser method wrapped for 2 and 3 tuples", "get_fuser_method_mapping"},
       FuserMethodsOfTuples()},
      {{"FuseCustomConfig to_dict", "full"},
       "FuseCustomConfig.from_dict({'preserved_attributes': ['a']}).to_dict()"},
  };
  const auto found = expressions->find({name, steps});
  return found == expressions->end() ? "" : found->second;
}

}  // namespace qconform::parity
