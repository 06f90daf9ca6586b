#include "datasets/catalogue.h"

#include <optional>

#include "datasets/seeded_weights.h"
#include "datasets/tones.h"
#include "reference/formats/graph_json.h"
#include "reference/formats/json_file.h"
#include "reference/formats/json_value.h"
#include "reference/formats/made_graph.h"
#include "reference/formats/safetensors.h"
#include "reference/formats/tensor_size.h"
#include "reference/ir/error.h"
#include "reference/ir/rows.h"

namespace qconform {
namespace {

constexpr int64_t kMaxTones = 100'000;

// Reads members of one model.json; knows where it stands in error lines.
class ModelFile {
 public:
  explicit ModelFile(const std::filesystem::path& folder)
      : folder_(folder), file_(JsonFile::Read(folder / "model.json")) {
    RequireObject(file_.root(), "the model", file_);
    RequireOnlyKeys(file_.root(), "the model",
                    {"name", "graph", "fill", "benchmark_shape", "calibration",
                     "evaluation", "metric", "limits"},
                    file_);
  }

  const std::string& Text(const ordered_json& object, const char* key) const {
    return RequireString(RequireMember(object, key, file_), key, file_);
  }
  const ordered_json& root() const { return file_.root(); }

  // A file of the folder: a plain name, so that no path climbs out.
  std::filesystem::path FileNamed(const ordered_json& object, const char* key) const {
    const std::string& name = Text(object, key);
    if (name.empty() || name == ".." || name.find('/') != std::string::npos) {
      Refuse(RequireMember(object, key, file_),
             "'" + name + "' is no file of this folder", "a plain file name");
    }
    return folder_ / name;
  }

  int64_t Count(const ordered_json& object, const char* key, int64_t fallback) const {
    const ordered_json* member = FindMember(object, key);
    if (member == nullptr) return fallback;
    const int64_t value = RequireInteger(*member, key, file_);
    if (value < 1 || value > kMaxTones) {
      Refuse(*member, std::string(key) + " is " + std::to_string(value),
             "1 to " + std::to_string(kMaxTones));
    }
    return value;
  }

  // The source object under `role`, and whether it is the tones or the fill.
  struct SourceOf {
    const ordered_json* json;
    bool tones;
    bool fill;
  };
  SourceOf Source(const char* role) const {
    const ordered_json& source =
        RequireObject(RequireMember(file_.root(), role, file_), role, file_);
    const std::string& kind = Text(source, "source");
    const bool fill = kind == "fill" && role == std::string_view("calibration");
    if (kind != "file" && kind != "tones" && !fill) {
      Refuse(source, "source is '" + kind + "'", "'file' or 'tones'");
    }
    return {&source, kind == "tones", fill};
  }

  // Empty if the graph brings its own tensors.
  std::string Fill() const {
    if (FindMember(file_.root(), "fill") == nullptr) return "";
    const std::string& fill = Text(file_.root(), "fill");
    RequireSeededFill(fill, file_.Where(RequireMember(file_.root(), "fill", file_)));
    return fill;
  }

  // A shape of which memory can hold `count` float32 tensors.
  Shape MadeShape(const ordered_json& sizes, int64_t count) const {
    Shape shape;
    for (const ordered_json& size : RequireArray(sizes, "shape", file_)) {
      shape.push_back(RequireInteger(size, "a size", file_));
    }
    const std::optional<uint64_t> bytes = CheckedByteSize(shape, DType::kFloat32);
    if (!bytes || *bytes == 0 || *bytes > kMaxMadeBytes / static_cast<uint64_t>(count)) {
      Refuse(sizes, "the shape " + ShapeText(shape), "sizes that memory can hold");
    }
    return shape;
  }

  // Input batches of the fill.
  std::vector<Tensor> FillBatches(const ordered_json& source) const {
    if (Fill().empty()) Refuse(source, "the model has no fill", "'fill': NAME");
    const int64_t count = Count(source, "count", 1);
    const Shape shape = MadeShape(RequireMember(source, "shape", file_), count);
    std::vector<Tensor> batches;
    for (int64_t batch = 0; batch < count; ++batch) {
      batches.push_back(SeededInput(Fill(), batch, shape));
    }
    return batches;
  }

  ToneFrames Tones(const ordered_json& source) const {
    const int64_t seed =
        RequireInteger(RequireMember(source, "seed", file_), "seed", file_);
    if (seed < 0 || seed > UINT32_MAX) Refuse(source, "bad seed", "0 to 2^32 - 1");
    RequireMember(source, "count", file_);
    return SynthesizeToneFrames(static_cast<uint32_t>(seed),
                                static_cast<int>(Count(source, "count", 1)));
  }

  [[noreturn]] void Refuse(const ordered_json& value, const std::string& what,
                           const std::string& expected) const {
    throw InputError(file_.Where(value), what, expected);
  }

 private:
  std::filesystem::path folder_;
  JsonFile file_;
};

std::vector<Tensor> ReadBenchmarkInputs(const ModelFile& file,
                                        const CalibrationBatches& calibration) {
  if (const ordered_json* sizes = FindMember(file.root(), "benchmark_shape")) {
    const std::string fill = file.Fill();
    if (fill.empty()) file.Refuse(*sizes, "the model has no fill", "'fill': NAME");
    return {SeededInput(fill, 0, file.MadeShape(*sizes, 1))};
  }
  std::vector<Tensor> inputs;
  for (const Tensor& tensor : calibration.at(0))
    inputs.push_back(tensor.rank() > 0 && tensor.dim(0) > 0 ? Rows(tensor, 0, 1)
                                                            : tensor);
  return inputs;
}

CalibrationBatches ReadCalibration(const ModelFile& file, const GraphModule& graph) {
  const auto [source, tones, fill] = file.Source("calibration");
  CalibrationBatches batches;
  if (fill) {
    for (Tensor& batch : file.FillBatches(*source)) batches.push_back({std::move(batch)});
    return batches;
  }
  if (tones) {
    const Tensor frames = file.Tones(*source).frames;
    const int64_t batch = file.Count(*source, "batch", frames.dim(0));
    for (int64_t row = 0; row < frames.dim(0); row += batch) {
      batches.push_back({Rows(frames, row, std::min(row + batch, frames.dim(0)))});
    }
    return batches;
  }
  const std::filesystem::path path = file.FileNamed(*source, "file");
  batches = BatchesOfTensors(ReadSafetensors(path), graph, path.string());
  if (batches.empty()) {
    file.Refuse(*source, "the calibration file holds no tensor", "one a batch");
  }
  return batches;
}

std::vector<std::pair<std::string, double>> ReadLimits(const ModelFile& file) {
  std::vector<std::pair<std::string, double>> limits;
  const auto found = file.root().find("limits");
  if (found == file.root().end()) return limits;
  if (!found->is_object() || !found->contains("reason")) {
    file.Refuse(*found, "limits without a reason", "numbers by metric, and 'reason'");
  }
  for (const auto& [name, value] : found->items()) {
    if (name == "reason") continue;
    if (!value.is_number()) file.Refuse(value, "limit " + name, "a number");
    limits.emplace_back(name, value.get<double>());
  }
  return limits;
}

EvaluationData ReadEvaluation(const ModelFile& file) {
  EvaluationData data;
  data.limits = ReadLimits(file);
  const std::string& metric = file.Text(file.root(), "metric");
  if (metric == "top1") {
    data.metric = MetricKind::kTopOne;
  } else if (metric == "cents") {
    data.metric = MetricKind::kCents;
  } else if (metric != "none") {
    file.Refuse(file.root(), "metric is '" + metric + "'", "'top1', 'cents' or 'none'");
  }
  if (data.metric == MetricKind::kNone && !file.root().contains("evaluation")) {
    return data;
  }
  const auto [source, tones, fill] = file.Source("evaluation");
  if (tones != (data.metric == MetricKind::kCents)) {
    file.Refuse(*source, "metric " + metric + " with this source",
                "'cents' with tones, others with a file");
  }
  if (tones) {
    ToneFrames made = file.Tones(*source);
    data.inputs = std::move(made.frames);
    data.frequencies = std::move(made.frequencies);
    return data;
  }
  const std::filesystem::path path = file.FileNamed(*source, "file");
  const OrderedMap<Tensor> tensors = ReadSafetensors(path);
  const Tensor* images = tensors.Find("images");
  if (images == nullptr || images->dtype() != DType::kFloat32 || images->rank() < 1) {
    throw InputError(path.string(), "no images", "a float32 tensor 'images'");
  }
  data.inputs = *images;
  if (data.metric != MetricKind::kTopOne) return data;
  const Tensor* labels = tensors.Find("labels");
  if (labels == nullptr || labels->dtype() != DType::kInt64 ||
      labels->shape() != Shape{images->dim(0)}) {
    throw InputError(path.string(), "no labels",
                     "an int64 tensor 'labels', one an image");
  }
  data.labels = *labels;
  return data;
}

}  // namespace

Model ReadModel(const std::filesystem::path& folder) {
  const ModelFile file(folder);
  Model model;
  model.folder = folder;
  model.name = file.Text(file.root(), "name");
  model.graph_file = file.FileNamed(file.root(), "graph");
  const std::string fill = model.fill = file.Fill();
  model.graph = fill.empty() ? ReadGraphFile(model.graph_file)
                             : ReadSeededGraph(model.graph_file, fill);
  model.calibration = ReadCalibration(file, model.graph);
  model.benchmark_inputs = ReadBenchmarkInputs(file, model.calibration);
  model.evaluation = ReadEvaluation(file);
  return model;
}

}  // namespace qconform
