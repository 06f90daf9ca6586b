// Where the tensors of a graph file lie unless it says otherwise.
#ifndef QCONFORM_REFERENCE_FORMATS_GRAPH_TENSOR_FILE_H_
#define QCONFORM_REFERENCE_FORMATS_GRAPH_TENSOR_FILE_H_

#include <filesystem>
#include <string>

namespace qconform {

// "a/x.graph.json" and "a/x.json" -> "a/x.safetensors"
inline std::filesystem::path GraphTensorFile(const std::filesystem::path& graph) {
  std::string name = graph.filename().string();
  for (const std::string ending : {".graph.json", ".json"}) {
    if (name.size() > ending.size() && name.ends_with(ending)) {
      name.resize(name.size() - ending.size());
      break;
    }
  }
  return graph.parent_path() / (name + ".safetensors");
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FORMATS_GRAPH_TENSOR_FILE_H_
