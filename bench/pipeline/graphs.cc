#include "bench/pipeline/graphs.h"

#include <string>

#include "datasets/fills.h"

namespace qconform::bench {
namespace {

Argument Pair(int64_t value) { return Argument::Tuple({value, value}); }

// Builds a network as tracing its forward would.
class Network {
 public:
  explicit Network(WeightSize size) : size_(size) {
    module_.root->type = "torch.nn.Module";
  }

  Node* Input() { return module_.graph.Append(Op::kPlaceholder, "x"); }

  Node* Convolution(Node* x, const std::string& path, int64_t inputs, int64_t outputs,
                    int64_t kernel, int64_t stride) {
    auto conv = MakeModule("torch.nn.Conv2d");
    conv->attributes = {{"in_channels", inputs},
                        {"out_channels", outputs},
                        {"kernel_size", Pair(kernel)},
                        {"stride", Pair(stride)},
                        {"padding", Pair(kernel / 2)},
                        {"dilation", Pair(1)},
                        {"groups", 1},
                        {"padding_mode", "zeros"},
                        {"output_padding", Pair(0)}};
    const bool thin = size_ == WeightSize::kThin;
    conv->parameters.Set(
        "weight",
        Values(path, thin ? Shape{1, 1, 1, 1} : Shape{outputs, inputs, kernel, kernel}));
    conv->parameters.Set("bias", std::nullopt);
    return Call(x, path, std::move(conv));
  }

  Node* BatchNorm(Node* x, const std::string& path, int64_t channels) {
    auto norm = MakeModule("torch.nn.BatchNorm2d");
    norm->attributes = {{"num_features", channels},
                        {"eps", 1e-5},
                        {"momentum", 0.1},
                        {"affine", true},
                        {"track_running_stats", true}};
    const Shape shape = {size_ == WeightSize::kThin ? 1 : channels};
    norm->parameters.Set("weight", Values(path + ".weight", shape, 1));
    norm->parameters.Set("bias", Values(path + ".bias", shape));
    norm->buffers.Set("running_mean", Values(path + ".mean", shape));
    norm->buffers.Set("running_var", Values(path + ".variance", shape, 1));
    norm->buffers.Set("num_batches_tracked", Tensor(DType::kInt64, {}));
    return Call(x, path, std::move(norm));
  }

  Node* Relu(Node* x, const std::string& path) {
    auto relu = MakeModule("torch.nn.ReLU");
    relu->attributes = {{"inplace", true}};
    return Call(x, path, std::move(relu));
  }

  Node* MaxPool(Node* x, const std::string& path) {
    auto pool = MakeModule("torch.nn.MaxPool2d");
    pool->attributes = {{"kernel_size", 3},   {"stride", 2},
                        {"padding", 1},       {"dilation", 1},
                        {"ceil_mode", false}, {"return_indices", false}};
    return Call(x, path, std::move(pool));
  }

  Node* AveragePool(Node* x, const std::string& path) {
    auto pool = MakeModule("torch.nn.AdaptiveAvgPool2d");
    pool->attributes = {{"output_size", Pair(1)}};
    return Call(x, path, std::move(pool));
  }

  Node* Linear(Node* x, const std::string& path, int64_t inputs, int64_t outputs) {
    auto linear = MakeModule("torch.nn.Linear");
    linear->attributes = {{"in_features", inputs}, {"out_features", outputs}};
    const bool thin = size_ == WeightSize::kThin;
    const Shape shape = thin ? Shape{1, 1} : Shape{outputs, inputs};
    linear->parameters.Set("weight", Values(path, shape));
    linear->parameters.Set("bias", Values(path + ".bias", {shape[0]}));
    return Call(x, path, std::move(linear));
  }

  Node* Function(const std::string& name, std::vector<Argument> args,
                 const std::string& scope, const std::string& type) {
    Node* node = module_.graph.Append(Op::kCallFunction, name, std::move(args));
    if (!scope.empty()) module_.scopes[node->name()] = {scope, type};
    return node;
  }

  GraphModule Finish(Node* result) {
    module_.graph.Append(Op::kOutput, "output", {result});
    return std::move(module_);
  }

 private:
  static std::shared_ptr<Module> MakeModule(const std::string& type) {
    auto module = std::make_shared<Module>();
    module->type = type;
    return module;
  }

  // Uniform in [middle - 0.5, middle + 0.5).
  static Tensor Values(const std::string& name, Shape shape, float middle = 0) {
    Tensor tensor(DType::kFloat32, std::move(shape));
    const FillStream stream("bench/pipeline", name);
    float* values = tensor.data<float>();
    for (int64_t i = 0; i < tensor.numel(); ++i) {
      values[i] = middle - 0.5f + static_cast<float>(stream.UniformAt(i));
    }
    return tensor;
  }

  // A module that stands there already is called again.
  Node* Call(Node* x, const std::string& path, std::shared_ptr<Module> module) {
    std::shared_ptr<Module> parent = module_.root;
    size_t begin = 0;
    for (size_t dot; (dot = path.find('.', begin)) != std::string::npos;
         begin = dot + 1) {
      std::shared_ptr<Module>& child = parent->children[path.substr(begin, dot - begin)];
      if (!child) child = MakeModule("torch.nn.Sequential");
      parent = child;
    }
    const std::string name = path.substr(begin);
    const std::string type = module->type;
    if (!parent->children.Contains(name)) parent->children.Set(name, std::move(module));
    Node* node = module_.graph.Append(Op::kCallModule, path, {x});
    module_.scopes[node->name()] = {path, type};
    return node;
  }

  WeightSize size_;
  GraphModule module_;
};

constexpr char kBottleneck[] = "torchvision.models.resnet.Bottleneck";

Node* Bottleneck(Network& network, Node* x, const std::string& path, int64_t inputs,
                 int64_t width, int64_t stride, bool projects) {
  Node* y = network.Convolution(x, path + ".conv1", inputs, width, 1, 1);
  y = network.Relu(network.BatchNorm(y, path + ".bn1", width), path + ".relu");
  y = network.Convolution(y, path + ".conv2", width, width, 3, stride);
  y = network.Relu(network.BatchNorm(y, path + ".bn2", width), path + ".relu");
  y = network.Convolution(y, path + ".conv3", width, 4 * width, 1, 1);
  y = network.BatchNorm(y, path + ".bn3", 4 * width);
  if (projects) {
    x = network.Convolution(x, path + ".downsample.0", inputs, 4 * width, 1, stride);
    x = network.BatchNorm(x, path + ".downsample.1", 4 * width);
  }
  return network.Relu(network.Function("operator.add", {y, x}, path, kBottleneck),
                      path + ".relu");
}

}  // namespace

GraphModule ResNet50(WeightSize size) {
  Network network(size);
  Node* x = network.Convolution(network.Input(), "conv1", 3, 64, 7, 2);
  x = network.Relu(network.BatchNorm(x, "bn1", 64), "relu");
  x = network.MaxPool(x, "maxpool");
  constexpr int64_t kBlocks[] = {3, 4, 6, 3};
  int64_t inputs = 64;
  for (int64_t stage = 0; stage < 4; ++stage) {
    const int64_t width = int64_t{64} << stage;
    for (int64_t block = 0; block < kBlocks[stage]; ++block) {
      const std::string path =
          "layer" + std::to_string(stage + 1) + "." + std::to_string(block);
      x = Bottleneck(network, x, path, inputs, width, block == 0 && stage > 0 ? 2 : 1,
                     block == 0);
      inputs = 4 * width;
    }
  }
  x = network.AveragePool(x, "avgpool");
  x = network.Function("torch.flatten", {x, 1}, "", "");
  return network.Finish(network.Linear(x, "fc", inputs, 1000));
}

GraphModule ResidualChain(int64_t nodes) {
  constexpr int64_t kNodesOfBlock = 8;
  Network network(WeightSize::kThin);
  Node* x = network.Input();
  for (int64_t block = 0; block < nodes / kNodesOfBlock; ++block) {
    const std::string path = "blocks." + std::to_string(block);
    Node* y = network.Convolution(x, path + ".conv1", 1, 1, 3, 1);
    y = network.Relu(network.BatchNorm(y, path + ".bn1", 1), path + ".relu1");
    y = network.Convolution(y, path + ".conv2", 1, 1, 3, 1);
    y = network.BatchNorm(y, path + ".bn2", 1);
    y = network.Function("operator.add", {y, x}, path, "torch.nn.Module");
    x = network.MaxPool(network.Relu(y, path + ".relu2"), path + ".pool");
  }
  return network.Finish(x);
}

GraphModule ManyReaders(int64_t nodes) {
  Network network(WeightSize::kThin);
  Node* x = network.Input();
  Node* sum = x;
  for (int64_t layer = 0; layer < nodes / 2; ++layer) {
    Node* y = network.Linear(x, "layers." + std::to_string(layer), 1, 1);
    sum = network.Function("operator.add", {sum, y}, "", "");
  }
  return network.Finish(sum);
}

}  // namespace qconform::bench
