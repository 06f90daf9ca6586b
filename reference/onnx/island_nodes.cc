// Float islands: the few torch operators that stand between quantized ones in practice.
// Any other is refused by name.
#include <unordered_map>

#include "reference/onnx/node_writer.h"
#include "reference/ops/weight_quantization.h"

namespace qconform {
namespace {

class IslandNodes {
 public:
  IslandNodes(const Program& program, const FloatIsland& island,
              OnnxModelBuilder& builder)
      : program_(program), island_(island), builder_(builder) {}

  void Write() {
    size_t input = 0;
    for (const Node& node : island_.part.graph.nodes()) {
      node_ = &node;
      switch (node.op()) {
        case Op::kPlaceholder:
          names_[&node] = ValueName(island_.inputs.at(input++));
          break;
        case Op::kOutput:
          StoreOutputs();
          break;
        case Op::kCallFunction:
          names_[&node] = WriteFunction();
          break;
        case Op::kCallModule:
          names_[&node] = WriteModule();
          break;
        default:
          Refuse(std::string(OpName(node.op())) + " " + node.target());
      }
    }
  }

 private:
  [[noreturn]] void Refuse(const std::string& what) const {
    throw OnnxRefusal(node_->name(), what + " of a float island has no counterpart here");
  }

  const std::string& ValueName(int index) const {
    return program_.values[static_cast<size_t>(index)].name;
  }

  std::string Add(const std::string& op_type, std::vector<std::string> inputs,
                  std::vector<OnnxAttribute> attributes = {}) {
    return builder_.Node(node_->name(), op_type, std::move(inputs),
                         std::move(attributes));
  }

  std::string Constant(const std::string& what, Tensor tensor) {
    return builder_.Constant(node_->name() + "/" + what, std::move(tensor));
  }

  std::string Integers(const std::string& what, const std::vector<int64_t>& values) {
    return Constant(
        what,
        Tensor::FromVector(DType::kInt64, {static_cast<int64_t>(values.size())}, values));
  }

  std::string Input(size_t position) const {
    const Node* from =
        position < node_->args().size() ? node_->args()[position].AsNode() : nullptr;
    const auto found = names_.find(from);
    if (from == nullptr || found == names_.end())
      Refuse("argument " + std::to_string(position) + " of " + node_->target());
    return found->second;
  }

  void StoreOutputs() {
    const auto* items = node_->args().at(0).As<Sequence>();
    if (items == nullptr) Refuse("an output that is no tuple");
    for (size_t i = 0; i < items->items.size(); ++i) {
      const std::string name = names_.at(items->items[i].AsNode());
      const std::string& wanted = ValueName(island_.outputs.at(i));
      if (items->items.size() == 1) return builder_.Rename(node_->name(), name, wanted);
      // Another output, or a node of the island, may read it by its name.
      builder_.Rename(node_->name(), Add("Identity", {name}), wanted);
    }
  }

  std::string WriteFunction() {
    if (node_->target() == "operator.getitem") return WriteIndex();
    if (node_->target() == "torch.nn.functional.pad") return WritePad();
    if (node_->target() == "torch.nn.functional.relu") return Add("Relu", {Input(0)});
    Refuse(node_->target());
  }

  // x[:, None, ...]: whole slices and new axes.
  std::string WriteIndex() {
    const auto* items = node_->args().at(1).As<Sequence>();
    if (items == nullptr) Refuse("an index that is no tuple");
    std::vector<int64_t> axes;
    for (size_t i = 0; i < items->items.size(); ++i) {
      const Argument& item = items->items[i];
      const auto* slice = item.As<Slice>();
      if (item.IsNone()) {
        axes.push_back(static_cast<int64_t>(i));
      } else if (slice == nullptr || slice->bounds != std::vector<Argument>(3)) {
        Refuse("an index that selects");
      }
    }
    if (axes.empty()) return Input(0);
    return Add("Unsqueeze", {Input(0), Integers("axes", axes)});
  }

  std::string WritePad() {
    const auto* sizes = node_->args().at(1).As<Sequence>();
    const Argument* mode = node_->kwargs().Find("mode");
    const Argument* value = node_->kwargs().Find("value");
    const bool constant = mode == nullptr || *mode == Argument("constant");
    const bool zero = value == nullptr || value->IsNone() || *value == Argument(0.0) ||
                      *value == Argument(0);
    if (sizes == nullptr || !constant || !zero || node_->args().size() != 2)
      Refuse("padding by something else than zero");
    // Torch counts from the last dimension, before and after; ONNX names the axes with
    // opset 18 only, so all of them have a size.
    const Shape& output = OutputShapeOfPad();
    const size_t rank = output.size();
    std::vector<int64_t> pads(2 * rank, 0);
    for (size_t i = 0; i < sizes->items.size(); ++i) {
      const auto* size = sizes->items[i].As<int64_t>();
      if (size == nullptr || i / 2 >= rank) Refuse("padding by another size");
      pads[(i % 2 == 0 ? 0 : rank) + rank - 1 - i / 2] = *size;
    }
    return Add("Pad", {Input(0), Integers("pads", pads)});
  }

  // The rank of what is padded: that of the island's output it ends in.
  const Shape& OutputShapeOfPad() const {
    return program_.values[static_cast<size_t>(island_.outputs.at(0))].shape;
  }

  const Module& ModuleHere() const {
    const Module* module = island_.part.ModuleAt(node_->target());
    if (module == nullptr) Refuse("module " + node_->target());
    return *module;
  }

  std::string Parameter(const Module& module, const char* name, const char* what) {
    const Tensor* tensor = module.FindTensor(name);
    if (tensor == nullptr) Refuse(module.type + " without " + name);
    return Constant(what, *tensor);
  }

  std::string WriteModule() {
    const Module& module = ModuleHere();
    if (module.training) Refuse("a module in training mode");
    if (module.type == "torch.nn.ReLU") return Add("Relu", {Input(0)});
    if (module.type == "torch.nn.GELU") return WriteGelu(module);
    if (module.type == "torch.nn.LayerNorm") return WriteLayerNorm(module);
    if (module.type.starts_with("torch.nn.BatchNorm")) {
      return Add(
          "BatchNormalization",
          {Input(0), Parameter(module, "weight", "scale"),
           Parameter(module, "bias", "bias"), Parameter(module, "running_mean", "mean"),
           Parameter(module, "running_var", "variance")},
          {{"epsilon", static_cast<float>(module.Real("eps", 1e-5))}});
    }
    if (module.type.starts_with("torch.nn.Conv") ||
        module.type.starts_with("torch.ao.nn.quantized.reference.Conv"))
      return WriteConvolution(module);
    Refuse(module.type);
  }

  std::string Scalar(const char* what, float value) {
    return Constant(what, Tensor::FromVector<float>(DType::kFloat32, {}, {value}));
  }

  // x / 2 * (1 + erf(x / sqrt(2)))
  std::string WriteGelu(const Module& module) {
    if (module.Text("approximate", "none") != "none")
      Refuse("torch.nn.GELU that is approximated");
    const std::string x = Input(0);
    const std::string erf =
        Add("Erf", {Add("Mul", {x, Scalar("root", 0.7071067811865475f)})});
    return Add("Mul", {Add("Mul", {x, Scalar("half", 0.5f)}),
                       Add("Add", {erf, Scalar("one", 1.0f)})});
  }

  std::string WriteLayerNorm(const Module& module) {
    const Tensor* weight = module.FindTensor("weight");
    if (weight == nullptr) Refuse("torch.nn.LayerNorm without weight");
    std::vector<std::string> inputs = {Input(0), Constant("weight", *weight)};
    if (const Tensor* bias = module.FindTensor("bias"))
      inputs.push_back(Constant("bias", *bias));
    return Add("LayerNormalization", std::move(inputs),
               {{"axis", -static_cast<int64_t>(weight->rank())},
                {"epsilon", static_cast<float>(module.Real("eps", 1e-5))}});
  }

  std::string WriteConvolution(const Module& module) {
    const bool transposed = module.type.find("ConvTranspose") != std::string::npos;
    if (transposed || module.Text("padding_mode", "zeros") != "zeros")
      Refuse(module.type + " that is transposed or pads with something else than zero");
    const bool reference = module.type.starts_with("torch.ao.");
    const Tensor* weight = module.FindTensor("weight");
    if (weight == nullptr) Refuse(module.type + " without weight");
    const Tensor used = reference ? QuantizedAndDequantizedWeight(module, "weight",
                                                                  Call(node_->name(), {}))
                                  : *weight;
    std::vector<std::string> inputs = {Input(0), Constant("weight", used)};
    if (const Tensor* bias = module.FindTensor("bias"))
      inputs.push_back(Constant("bias", *bias));
    std::vector<int64_t> pads = Integers(module, "padding");
    pads.insert(pads.end(), pads.begin(), pads.end());
    return Add("Conv", std::move(inputs),
               {{"strides", Integers(module, "stride")},
                {"pads", pads},
                {"dilations", Integers(module, "dilation")},
                {"group", module.Integer("groups", 1)}});
  }

  std::vector<int64_t> Integers(const Module& module, const char* name) const {
    const Argument* attribute = module.attributes.Find(name);
    const auto* items = attribute == nullptr ? nullptr : attribute->As<Sequence>();
    if (items == nullptr) Refuse(module.type + " with another " + name);
    std::vector<int64_t> values;
    for (const Argument& item : items->items) {
      const auto* value = item.As<int64_t>();
      if (value == nullptr) Refuse(module.type + " with another " + name);
      values.push_back(*value);
    }
    return values;
  }

  const Program& program_;
  const FloatIsland& island_;
  OnnxModelBuilder& builder_;
  const Node* node_ = nullptr;
  std::unordered_map<const Node*, std::string> names_;
};

}  // namespace

void WriteIsland(const Program& program, const FloatIsland& island,
                 OnnxModelBuilder& builder) {
  IslandNodes(program, island, builder).Write();
}

}  // namespace qconform
