#include "cli/parity/recurrent_error.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cli/parity/error_bound.h"
#include "cli/parity/inner_observers.h"
#include "reference/observe/custom_lstm.h"
#include "reference/observe/fake_quantize_observer.h"

namespace qconform::parity {
namespace {

constexpr double kRounding = 0x1p-24;

// The weights of a quantizable LSTM's cells under the names of an LSTM's.
Module CellWeights(const Module& lstm) {
  Module weights;
  weights.type = "torch.nn.LSTM";
  weights.attributes = lstm.attributes;
  struct Position {
    const Module* part;
    std::string path;
  };
  std::vector<Position> open = {{&lstm, ""}};
  while (!open.empty()) {
    const Position at = open.back();
    open.pop_back();
    for (const auto& [name, child] : at.part->children) {
      if (!child) continue;
      const std::string path = at.path + "." + name;
      open.push_back({child.get(), path});
      const bool hidden = path.find("hgates") != std::string::npos;
      for (const char* kind : {"weight", "bias"}) {
        const Tensor* tensor = child->FindTensor(kind);
        if (tensor == nullptr) continue;
        weights.parameters.Set(kind + std::string(hidden ? "_hh" : "_ih") + path,
                               *tensor);
      }
    }
  }
  return weights;
}

double ErrorOfWeights(const Module& module, const Tensor& x, double x_error,
                      double largest_state) {
  double input_rows = 0, hidden_rows = 0, bias = 0, terms = 2;
  for (const auto& [name, tensor] : module.parameters) {
    if (!tensor) continue;
    if (name.starts_with("bias")) {
      double largest = 0;
      for (int64_t i = 0; i < tensor->numel(); ++i) {
        largest = std::max(largest, std::fabs(tensor->ValueAt(i)));
      }
      bias += largest;
      continue;
    }
    // A quantized weight may be larger by half a step.
    const Tensor* scale = module.FindTensor(name + "_scale");
    const double step = scale == nullptr ? 0 : scale->ValueAt(0);
    const int64_t columns = tensor->dim(1);
    double& rows = name.starts_with("weight_ih") ? input_rows : hidden_rows;
    for (int64_t row = 0; row < tensor->dim(0); ++row) {
      double sum = 0;
      for (int64_t i = 0; i < columns; ++i) {
        sum += std::fabs(tensor->ValueAt(row * columns + i)) + step;
      }
      rows = std::max(rows, sum);
    }
    terms += static_cast<double>(columns);
  }
  double largest_x = 1;  // a further layer's input is a hidden state
  for (int64_t i = 0; i < x.numel(); ++i) {
    largest_x = std::max(largest_x, std::fabs(x.ValueAt(i)));
  }
  const int64_t layers = module.Integer("num_layers", 1);
  const bool is_cell = module.type.ends_with("Cell");
  const int64_t steps =
      is_cell ? 1 : (module.Boolean("batch_first", false) ? x.dim(1) : x.dim(0));
  double in = x_error;
  double hidden = 0;
  for (int64_t layer = 0; layer < layers; ++layer) {
    double cell = 0;
    hidden = 0;
    for (int64_t step = 1; step <= steps; ++step) {
      const double gate =
          4 * Gamma(terms) *
              (input_rows * largest_x + hidden_rows * largest_state + bias) +
          input_rows * in + hidden_rows * hidden;
      const double size = static_cast<double>(step) + 1 + largest_state;
      cell += size * gate + 16 * kRounding * size;
      hidden = gate + cell + 16 * kRounding;
    }
    in = hidden;
  }
  return hidden;
}

}  // namespace

double RecurrentError(const Module& module, const Tensor& x, double x_error,
                      double largest_state) {
  if (!IsQuantizableLstm(module.type)) {
    return ErrorOfWeights(module, x, x_error, largest_state);
  }
  double error = ErrorOfWeights(CellWeights(module), x, x_error, largest_state);
  ForEachInnerObserver(module, [&](const Module& part) {
    const auto* fake_quantize =
        dynamic_cast<const FakeQuantizeObserver*>(part.state.get());
    if (fake_quantize != nullptr) error += fake_quantize->scale().ValueAt(0);
  });
  return error;
}

}  // namespace qconform::parity
