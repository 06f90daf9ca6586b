#include "datasets/catalogue.h"

#include <cstring>

#include "datasets/tones.h"
#include "reference/formats/graph_json.h"
#include "reference/formats/json_file.h"
#include "reference/formats/json_value.h"
#include "reference/formats/safetensors.h"
#include "reference/ir/error.h"

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
                    {"name", "graph", "calibration", "evaluation", "metric", "limits"},
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

  // The source object under `role` and whether it is the tones.
  std::pair<const ordered_json*, bool> Source(const char* role) const {
    const ordered_json& source =
        RequireObject(RequireMember(file_.root(), role, file_), role, file_);
    const std::string& kind = Text(source, "source");
    if (kind != "file" && kind != "tones") {
      Refuse(source, "source is '" + kind + "'", "'file' or 'tones'");
    }
    return {&source, kind == "tones"};
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

std::vector<Tensor> ReadCalibration(const ModelFile& file) {
  const auto [source, tones] = file.Source("calibration");
  std::vector<Tensor> batches;
  if (tones) {
    const Tensor frames = file.Tones(*source).frames;
    const int64_t batch = file.Count(*source, "batch", frames.dim(0));
    for (int64_t row = 0; row < frames.dim(0); row += batch) {
      batches.push_back(Rows(frames, row, std::min(row + batch, frames.dim(0))));
    }
    return batches;
  }
  for (const auto& [name, tensor] : ReadSafetensors(file.FileNamed(*source, "file"))) {
    batches.push_back(tensor);
  }
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
  const auto [source, tones] = file.Source("evaluation");
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
  model.graph = ReadGraphFile(model.graph_file);
  model.calibration = ReadCalibration(file);
  model.evaluation = ReadEvaluation(file);
  return model;
}

Tensor Rows(const Tensor& tensor, int64_t begin, int64_t end) {
  assert(tensor.rank() > 0 && 0 <= begin && begin <= end && end <= tensor.dim(0));
  Shape shape = tensor.shape();
  shape[0] = end - begin;
  Tensor rows(tensor.dtype(), shape);
  if (rows.byte_size() == 0) return rows;
  const size_t row_bytes = tensor.byte_size() / static_cast<size_t>(tensor.dim(0));
  std::memcpy(rows.bytes(), tensor.bytes() + static_cast<size_t>(begin) * row_bytes,
              rows.byte_size());
  return rows;
}

}  // namespace qconform
