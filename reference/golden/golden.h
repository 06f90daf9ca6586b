// A golden: what the reference makes of one model under one config, bound by digests
// to what made it. A folder:
//   manifest.json          model, config, mapping, data and tool with their SHA-256
//                          digests; the fill of a model without weights; size and digest
//                          of every file below
//   prepared.graph.json    the graph with observers, as torch.fx text
//   reference.graph.json   the quantize / dequantize graph
//   program.json           the lowered Program
//   qparams.json           observed range, scale and zero point of every observer
//   values.safetensors     one tensor a program value: inputs, codes, islands' results
//   float.safetensors      per operator that rescales, its result in float32 before it is
//                          quantized, on the golden's own inputs, named as its output
//                          value; "end.<n>": the n-th output of the reference graph run
//                          from end to end, of a quantized one the codes
//   *.safetensors          tensors of the graphs and of the program
// Larger tensor files may be left out: they are made again and must match their digest.
#ifndef QCONFORM_REFERENCE_GOLDEN_GOLDEN_H_
#define QCONFORM_REFERENCE_GOLDEN_GOLDEN_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "reference/formats/json_file.h"
#include "reference/ir/module.h"
#include "reference/ir/ordered_map.h"
#include "reference/ir/tensor.h"
#include "reference/lower/program.h"

namespace qconform {

// What a golden was made from, named and digested by the caller.
struct GoldenSource {
  std::string model;   // "digits"
  std::string config;  // "x86"
  std::string mode = "torch";
  std::string fill;  // "kaiming.1", of a model without weights of its own; else empty
  // Role ("model.graph", "model.tensors", "config", "mapping", "calibration",
  // "samples"; of what is set beyond them also "prepare", "engine",
  // "prepare_custom_config", "convert_custom_config", "trained_state") to the SHA-256 of
  // the bytes.
  OrderedMap<std::string> digests;
};

// Adds the digest of a file, of a text, or of tensors (dtype, shape and bytes).
void AddFileDigest(GoldenSource& source, const std::string& role,
                   const std::filesystem::path& file);
void AddTextDigest(GoldenSource& source, const std::string& role,
                   const std::string& text);
void AddTensorDigest(GoldenSource& source, const std::string& role,
                     const std::vector<Tensor>& tensors);

struct GoldenFile {
  uint64_t bytes = 0;
  std::string sha256;
  bool left_out = false;  // made again when needed
};

struct GoldenManifest {
  std::string tool;  // "qconform 0.1.0"
  GoldenSource source;
  OrderedMap<GoldenFile> files;
};

struct Golden {
  GoldenManifest manifest;
  // nullopt where the tensors were left out.
  std::optional<GraphModule> prepared;
  std::optional<GraphModule> reference;
  Program program;
  ordered_json qparams;
  OrderedMap<Tensor> values;        // by name of the program value; constants are not
                                    // repeated here
  OrderedMap<Tensor> float_values;  // as float.safetensors
};

// Lowers the reference graph, runs the program and gathers everything but the digests
// of files, which WriteGolden adds. `samples`: one tensor a model input, the inputs of
// all per-operator values; few rows are enough. `patterns`: see LowerOptions.
Golden MakeGolden(GoldenSource source, GraphModule prepared, GraphModule reference,
                  const std::vector<Tensor>& samples,
                  const std::unordered_map<std::string, std::string>& patterns = {});

inline constexpr uint64_t kMaxCommittedTensorBytes = 1'000'000;

// Writes the folder, each file under a temporary name first; tensor files above
// `max_tensor_bytes` are left out (0: none is). Returns the manifest as written.
GoldenManifest WriteGolden(const std::filesystem::path& folder, const Golden& golden,
                           uint64_t max_tensor_bytes = 0);

// The files that WriteGolden would write, by name.
OrderedMap<std::string> GoldenFiles(const Golden& golden);

// Checks the folder (VerifyGolden) and reads it; throws InputError with its first line.
Golden ReadGolden(const std::filesystem::path& folder);

// One line an error, "folder/file: what is wrong, expected ..."; empty if the folder is
// whole. With `current`: also every source whose digest is no longer the manifest's.
// With `made_again`: also every file that is not what the manifest promises, the left
// out ones too.
std::vector<std::string> VerifyGolden(const std::filesystem::path& folder,
                                      const GoldenSource* current = nullptr,
                                      const Golden* made_again = nullptr);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_GOLDEN_GOLDEN_H_
