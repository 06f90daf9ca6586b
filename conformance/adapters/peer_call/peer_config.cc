#include "conformance/adapters/peer_call/peer_config.h"

namespace qconform {

std::string PeerConfig(const std::string& name, bool mixed) {
  std::vector<PeerTypes> types;
  for (const std::string input : {"quint8", "qint8"}) {
    for (const std::string output : {"quint8", "qint8"}) {
      if (mixed || input == output) types.push_back({input, output, "float32"});
    }
  }
  return PeerConfig(name, {"Linear", "Conv1d", "Conv2d", "Conv3d"}, types);
}

std::string PeerConfig(const std::string& name, const std::vector<std::string>& modules,
                       const std::vector<PeerTypes>& types) {
  std::string dtypes;
  for (const auto& [input, output, bias] : types) {
    dtypes += std::string(dtypes.empty() ? "" : ",") + R"({"input_dtype":"torch.)" +
              input + R"(","output_dtype":"torch.)" + output +
              R"(","weight_dtype":"torch.qint8","bias_dtype":"torch.)" + bias + R"("})";
  }
  std::string rows;
  for (const std::string& module : modules) {
    const std::string root = "\"torch.nn." + module + '"';
    for (const std::string& pattern : {root, "[" + root + ",\"torch.nn.ReLU\"]"}) {
      rows +=
          std::string(rows.empty() ? "" : ",\n") + R"({"pattern":)" + pattern +
          R"(,"root_module":)" + root +
          R"(,"reference_quantized_module_for_root":"torch.ao.nn.quantized.reference.)" +
          module + R"(","dtype_configs":[)" + dtypes + "]}";
    }
  }
  return R"({"name":")" + name + R"(","configs":[)" + "\n" + rows + "\n]}\n";
}

}  // namespace qconform
