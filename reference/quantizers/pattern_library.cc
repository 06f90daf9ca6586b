#include "reference/quantizers/pattern_library.h"

#include <map>

#include "reference/ir/error.h"
#include "reference/ir/nearest_name.h"

namespace qconform {
namespace {

using Texts = std::vector<std::string>;
using Library = std::map<std::string, NamedPattern>;

const Texts kConvs = {"aten.conv1d.default", "aten.conv2d.default",
                      "aten.conv3d.default", "aten.conv1d.padding",
                      "aten.conv2d.padding", "aten.conv3d.padding"};
const Texts kTransposedConvs = {"aten.conv_transpose1d.default",
                                "aten.conv_transpose2d.input",
                                "aten.conv_transpose3d.input"};
// In the order in which torchao tries them.
const Texts kRelus = {"aten.relu_.default", "aten.relu.default"};

PatternBuilder Weighted(const std::string& name, const std::string& target) {
  PatternBuilder builder;
  builder.Call(name, target, {"input", "weight", "bias"});
  return builder;
}

// Batch norm has its parameters and three numbers behind its input: literals that match
// any, training or not.
PatternBuilder& WithBatchNorm(PatternBuilder& builder, const std::string& input) {
  return builder.Call("bn", "aten.batch_norm.default",
                      {input, "bn_weight", "bn_bias", "bn_running_mean", "bn_running_var",
                       "bn_training", "bn_momentum", "bn_eps", "bn_cudnn_enabled"});
}

void AddWeighted(Library& library, const std::string& pattern, const std::string& name,
                 const Texts& targets) {
  for (const std::string& target : targets) {
    library[pattern].graphs.push_back(
        Weighted(name, target).Name("output", name).Finish());
    for (const std::string& relu : kRelus) {
      library[pattern + "_relu"].graphs.push_back(Weighted(name, target)
                                                      .Call("relu", relu, {name})
                                                      .Name("output", "relu")
                                                      .Finish());
    }
  }
}

void AddWithBatchNorm(Library& library, const std::string& pattern,
                      const Texts& targets) {
  for (const std::string& target : targets) {
    PatternBuilder plain = Weighted("conv", target);
    library[pattern].graphs.push_back(
        WithBatchNorm(plain, "conv").Name("output", "bn").Finish());
    for (const std::string& relu : kRelus) {
      PatternBuilder builder = Weighted("conv", target);
      library[pattern + "_relu"].graphs.push_back(WithBatchNorm(builder, "conv")
                                                      .Call("relu", relu, {"bn"})
                                                      .Name("output", "relu")
                                                      .Finish());
    }
  }
}

void AddBinary(Library& library, const std::string& name, const Texts& targets) {
  for (const std::string& target : targets) {
    PatternBuilder plain;
    library[name].graphs.push_back(
        plain.Call(name, target, {"input", "other"}).Name("output", name).Finish());
    for (const std::string& relu : kRelus) {
      PatternBuilder builder;
      library[name + "_relu"].graphs.push_back(
          builder.Call(name, target, {"input", "other"})
              .Call("relu", relu, {name})
              .Name("output", "relu")
              .Finish());
    }
  }
}

// `settings` placeholders stand for what must be given beside the input.
void AddUnary(Library& library, const std::string& name, const Texts& targets,
              const Texts& settings = {}) {
  Texts inputs = {"input"};
  inputs.insert(inputs.end(), settings.begin(), settings.end());
  for (const std::string& target : targets) {
    PatternBuilder builder;
    library[name].graphs.push_back(
        builder.Call(name, target, inputs).Name("output", name).Finish());
  }
}

void AddCat(Library& library) {
  Texts inputs = {"input"};
  for (int count = 2; count <= 8; ++count) {
    inputs.push_back("input_" + std::to_string(count));
    for (const bool with_dim : {false, true}) {
      PatternBuilder builder;
      builder.CallWithList("cat", "aten.cat.default", inputs,
                           with_dim ? Texts{"dim"} : Texts{});
      library["cat"].graphs.push_back(builder.Name("output", "cat").Finish());
    }
  }
}

Library MakeLibrary() {
  Library library;
  AddWeighted(library, "linear", "linear", {"aten.linear.default"});
  AddWeighted(library, "conv", "conv", kConvs);
  AddWeighted(library, "conv_transpose", "conv", kTransposedConvs);
  AddWithBatchNorm(library, "conv_bn", kConvs);
  AddWithBatchNorm(library, "conv_transpose_bn", kTransposedConvs);
  AddBinary(library, "add", {"aten.add.Tensor", "aten.add_.Tensor"});
  AddBinary(library, "mul", {"aten.mul.Tensor", "aten.mul_.Tensor"});
  AddBinary(library, "sub", {"aten.sub.Tensor"});
  AddBinary(library, "matmul", {"aten.matmul.default"});
  for (const char* name : {"relu", "hardtanh", "hardswish", "silu", "leaky_relu"}) {
    const std::string target = std::string("aten.") + name;
    AddUnary(library, name, {target + "_.default", target + ".default"});
  }
  for (const char* name : {"sigmoid", "tanh", "gelu", "hardsigmoid"}) {
    AddUnary(library, name, {std::string("aten.") + name + ".default"});
  }
  AddUnary(library, "softmax", {"aten.softmax.int"}, {"dim"});
  AddUnary(library, "layer_norm", {"aten.layer_norm.default"}, {"normalized_shape"});
  AddUnary(library, "max_pool2d", {"aten.max_pool2d.default"}, {"kernel_size"});
  AddUnary(library, "avg_pool2d", {"aten.avg_pool2d.default"}, {"kernel_size"});
  AddUnary(library, "adaptive_avg_pool2d", {"aten.adaptive_avg_pool2d.default"},
           {"output_size"});
  AddUnary(library, "flatten", {"aten.flatten.using_ints"});
  AddUnary(library, "mean", {"aten.mean.dim"}, {"dim"});
  PatternBuilder embedding;
  library["embedding"].graphs.push_back(
      embedding.Call("embedding", "aten.embedding.default", {"weight", "input"})
          .Name("output", "embedding")
          .Finish());
  AddCat(library);
  for (auto& [name, pattern] : library) pattern.name = name;
  return library;
}

const Library& TheLibrary() {
  static const Library library = MakeLibrary();
  return library;
}

}  // namespace

std::vector<std::string> LibraryPatternNames() {
  std::vector<std::string> names;
  for (const auto& [name, pattern] : TheLibrary()) names.push_back(name);
  return names;
}

const NamedPattern& LibraryPattern(const std::string& name) {
  const auto found = TheLibrary().find(name);
  if (found != TheLibrary().end()) return found->second;
  throw InputError("pattern '" + name.substr(0, 80) + "'", "there is none of this name",
                   "one of the library" + NearestNameHint(name, LibraryPatternNames()));
}

}  // namespace qconform
