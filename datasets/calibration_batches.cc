#include "datasets/calibration_batches.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "reference/ir/error.h"
#include "reference/ir/nearest_name.h"

namespace qconform {
namespace {

struct GraphInput {
  std::string name;
  std::string argument;  // forward's own name, where the graph needed another
  bool has_default = false;
};

std::vector<GraphInput> InputsOf(const GraphModule& graph) {
  std::vector<GraphInput> inputs;
  for (const Node& node : graph.graph.nodes()) {
    if (node.op() != Op::kPlaceholder) continue;
    inputs.push_back({node.name(), node.target(), !node.args().empty()});
  }
  return inputs;
}

// A decimal number without leading zeros.
std::optional<size_t> BatchNumber(std::string_view text) {
  size_t number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() ||
      (text.size() > 1 && text[0] == '0')) {
    return std::nullopt;
  }
  return number;
}

// Whether all have the name of a batch of the only input.
bool AreNumbered(const OrderedMap<Tensor>& tensors, const GraphInput& input) {
  for (const auto& [name, tensor] : tensors) {
    const size_t dot = name.find('.');
    if (dot == std::string::npos || !BatchNumber(name.substr(0, dot))) return false;
    const std::string rest = name.substr(dot + 1);
    if (rest != input.name && rest != input.argument) return false;
  }
  return true;
}

class BatchReader {
 public:
  BatchReader(const std::vector<GraphInput>& inputs, const std::string& where)
      : inputs_(inputs), where_(where) {
    for (const GraphInput& input : inputs_) {
      names_.push_back(input.name);
      expected_ += (expected_.empty() ? "" : ", ") + ("0." + input.name);
    }
    expected_ += ", 1." + names_[0] + ", ...";
  }

  CalibrationBatches Read(const OrderedMap<Tensor>& tensors) {
    std::vector<std::vector<const Tensor*>> found;
    for (const auto& [name, tensor] : tensors) {
      const auto [batch, input] = PlaceOf(name, tensors.size());
      if (found.size() <= batch) found.resize(batch + 1);
      found[batch].resize(inputs_.size(), nullptr);
      found[batch][input] = &tensor;
    }
    // How many inputs the batches bring: all, or up to the first that all leave out.
    size_t count = 0;
    for (const std::vector<const Tensor*>& batch : found) {
      for (size_t i = 0; i < batch.size(); ++i) {
        if (batch[i] != nullptr) count = std::max(count, i + 1);
      }
    }
    while (count < inputs_.size() && !inputs_[count].has_default) ++count;
    CalibrationBatches batches;
    for (size_t index = 0; index < found.size(); ++index) {
      std::vector<Tensor>& batch = batches.emplace_back();
      for (size_t i = 0; i < count; ++i) {
        const Tensor* tensor = found[index].empty() ? nullptr : found[index][i];
        if (tensor == nullptr) {
          throw InputError(
              where_, "there is no tensor " + std::to_string(index) + "." + names_[i],
              "every input in every batch: " + expected_);
        }
        batch.push_back(*tensor);
      }
    }
    return batches;
  }

 private:
  struct Place {
    size_t batch;
    size_t input;
  };

  // More batches than tensors cannot be whole, and are not made room for.
  Place PlaceOf(const std::string& name, size_t tensors) const {
    const size_t dot = name.find('.');
    const std::optional<size_t> batch = BatchNumber(name.substr(0, dot));
    if (dot == std::string::npos || !batch || *batch >= tensors) {
      throw InputError(where_,
                       "the graph has " + std::to_string(inputs_.size()) +
                           (inputs_.size() == 1 ? " input" : " inputs") +
                           " and a tensor is named '" + name + "'",
                       "BATCH.INPUT, that is " + expected_);
    }
    const std::string input = name.substr(dot + 1);
    const auto found =
        std::find_if(inputs_.begin(), inputs_.end(), [&](const GraphInput& each) {
          return input == each.name || input == each.argument;
        });
    if (found == inputs_.end()) {
      const std::string nearest = NearestName(input, names_);
      throw InputError(where_, "'" + name + "' is of no input of the graph",
                       nearest.empty() ? expected_
                                       : "'" + std::to_string(*batch) + "." + nearest +
                                             "' or another of " + expected_);
    }
    return {*batch, static_cast<size_t>(found - inputs_.begin())};
  }

  const std::vector<GraphInput>& inputs_;
  const std::string& where_;
  std::vector<std::string> names_;
  std::string expected_;  // "0.x, 0.y, 1.x, ..."
};

}  // namespace

CalibrationBatches BatchesOfTensors(const OrderedMap<Tensor>& tensors,
                                    const GraphModule& graph, const std::string& where) {
  const std::vector<GraphInput> inputs = InputsOf(graph);
  if (inputs.size() > 1 || (inputs.size() == 1 && AreNumbered(tensors, inputs[0]))) {
    return BatchReader(inputs, where).Read(tensors);
  }
  CalibrationBatches batches;
  for (const auto& [name, tensor] : tensors) batches.push_back({tensor});
  return batches;
}

}  // namespace qconform
