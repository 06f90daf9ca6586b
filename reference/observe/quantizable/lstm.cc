// (torch.ao.nn.quantizable.LSTM.from_float)
#include "reference/ir/error.h"
#include "reference/ir/rows.h"
#include "reference/observe/quantizable/observe_parts.h"
#include "reference/observe/quantizable/part.h"
#include "reference/observe/quantizable/quantizable_modules.h"

namespace qconform {
namespace {

const std::string kRoom = "torch.ao.nn.quantizable.modules.rnn.";

struct Weights {
  Tensor weight;
  std::optional<Tensor> bias;
};

Weights WeightsOf(const Module& lstm, const std::string& kind,
                  const std::string& suffix) {
  const Tensor* weight = lstm.FindTensor("weight_" + kind + suffix);
  if (weight == nullptr || weight->rank() != 2) {
    throw PipelineError("AttributeError", "an LSTM lacks weight_" + kind + suffix);
  }
  const Tensor* bias = lstm.FindTensor("bias_" + kind + suffix);
  return {*weight, bias == nullptr ? std::nullopt : std::optional<Tensor>(*bias)};
}

constexpr const char* kGates[] = {"input", "forget", "cell", "output"};

std::shared_ptr<Module> Split(const Weights& weights) {
  const std::shared_ptr<Module> gates = MakePart("torch.nn.ModuleDict");
  const int64_t size = weights.weight.dim(0) / 4;
  int64_t begin = 0;
  for (const char* gate : kGates) {
    std::optional<Tensor> bias;
    if (weights.bias) bias = Rows(*weights.bias, begin, begin + size);
    gates->children.Set(gate,
                        MakeLinearPart(Rows(weights.weight, begin, begin + size), bias));
    begin += size;
  }
  return gates;
}

// (LSTMCell.from_params)
std::shared_ptr<Module> Cell(const Module& lstm, const std::string& suffix,
                             bool split_gates) {
  const Weights input = WeightsOf(lstm, "ih", suffix);
  const Weights hidden = WeightsOf(lstm, "hh", suffix);
  const std::shared_ptr<Module> cell = MakePart(kRoom + "LSTMCell");
  cell->attributes.Set("input_size", input.weight.dim(1));
  cell->attributes.Set("hidden_size", hidden.weight.dim(1));
  if (split_gates) {
    cell->children.Set("igates", Split(input));
    cell->children.Set("hgates", Split(hidden));
    const std::shared_ptr<Module> sums = MakePart("torch.nn.ModuleDict");
    for (const char* gate : kGates)
      sums->children.Set(gate, MakePart(kFloatFunctionalType));
    cell->children.Set("gates", sums);
  } else {
    cell->children.Set("igates", MakeLinearPart(input.weight, input.bias));
    cell->children.Set("hgates", MakeLinearPart(hidden.weight, hidden.bias));
    cell->children.Set("gates", MakePart(kFloatFunctionalType));
  }
  for (const char* gate : {"input_gate", "forget_gate"}) {
    cell->children.Set(gate, MakePart("torch.nn.Sigmoid"));
  }
  cell->children.Set("cell_gate", MakePart("torch.nn.Tanh"));
  cell->children.Set("output_gate", MakePart("torch.nn.Sigmoid"));
  for (const char* sum :
       {"fgate_cx", "igate_cgate", "fgate_cx_igate_cgate", "ogate_cy"}) {
    cell->children.Set(sum, MakePart(kFloatFunctionalType));
  }
  return cell;
}

std::shared_ptr<Module> Direction(const Module& lstm, const std::string& suffix,
                                  bool split_gates) {
  const std::shared_ptr<Module> layer = MakePart(kRoom + "_LSTMSingleLayer");
  layer->children.Set("cell", Cell(lstm, suffix, split_gates));
  return layer;
}

}  // namespace

std::shared_ptr<Module> ObserveLstm(const Module& lstm, const QConfig& qconfig,
                                    bool split_gates) {
  if (lstm.type != "torch.nn.LSTM") {
    throw PipelineError("AssertionError",
                        "Expected module type torch.nn.LSTM, got " + lstm.type);
  }
  const std::shared_ptr<Module> observed = MakePart(kRoom + "LSTM");
  for (const char* name :
       {"input_size", "hidden_size", "num_layers", "batch_first", "bidirectional"}) {
    if (const Argument* value = lstm.attributes.Find(name)) {
      observed->attributes.Set(name, *value);
    }
  }
  const bool two = lstm.Boolean("bidirectional", false);
  const std::shared_ptr<Module> layers = MakePart("torch.nn.ModuleList");
  for (int64_t index = 0; index < lstm.Integer("num_layers", 1); ++index) {
    const std::shared_ptr<Module> layer = MakePart(kRoom + "_LSTMLayer");
    layer->attributes.Set("batch_first", false);
    layer->attributes.Set("bidirectional", two);
    const std::string suffix = "_l" + std::to_string(index);
    layer->children.Set("layer_fw", Direction(lstm, suffix, split_gates));
    if (two) {
      layer->children.Set("layer_bw", Direction(lstm, suffix + "_reverse", split_gates));
    }
    layers->children.Set(std::to_string(index), layer);
  }
  observed->children.Set("layers", layers);
  ObserveParts(*observed, qconfig, lstm.training);
  return observed;
}

}  // namespace qconform
