#include "cli/parity/corpus_extension.h"

#include "cli/parity/corpus_custom.h"
#include "reference/ir/error.h"
#include "reference/native_operators/native_registry.h"
#include "reference/observe/standalone_module.h"
#include "reference/ops/user_operators.h"

namespace qconform::parity {
namespace {

const Sequence& Parts(const Argument& pattern) {
  const Sequence* parts = pattern.As<Sequence>();
  if (parts == nullptr) throw PipelineError("TypeError", "a pattern is no tuple");
  return *parts;
}

// Of (relu, (add, (bn, conv), anything)) or (relu, (add, anything, (bn, conv))): the
// addend that is a pair of batch norm and convolution, and the other one.
std::pair<const Argument*, const Argument*> Addends(const Argument& pattern) {
  const Sequence& add = Parts(Parts(pattern).items.at(1));
  const Argument* left = &add.items.at(1);
  const Argument* right = &add.items.at(2);
  if (left->As<Sequence>() != nullptr) return {left, right};
  return {right, left};
}

std::set<std::string>& SequentialClasses() {
  static auto* const classes =
      new std::set<std::string>{"Sub", "CustomFloat", "CustomObserved", "CustomQuant"};
  return *classes;
}

Extension& OpenExtension() {
  static auto* const extension = [] {
    auto* made = new Extension("the records of torch");
    made->AddFuserMethod(
        "bc_readme.<locals>.fuse_conv2d_relu",
        FindFuserMethod("_sequential_wrapper2(torch.ao.nn.intrinsic.ConvReLU2d)"));
    // conv, bn, add, relu as torch's own example of the complex format has it: the
    // convolution takes the place of all four.
    made->AddFuserMethod("bc_complex.<locals>.fuser", [](const FuserCall& call) {
      const FuserArgument& add = call.arguments.at(1);
      for (const FuserArgument& item : add.items) {
        if (item.is_tuple) return item.items.at(1).module;
      }
      throw PipelineError("TypeError", "no pair of bn and conv");
    });
    made->AddRootNodeGetter("bc_complex.<locals>.root", [](const NodePattern& pattern) {
      return Parts(*Addends(pattern).first).items.at(1).AsNode();
    });
    made->AddExtraInputsGetter("bc_complex.<locals>.extra",
                               [](const NodePattern& pattern) {
                                 return std::vector<Argument>{*Addends(pattern).second};
                               });
    // Their forwards call their children one after the other.
    for (const std::string& type : CorpusSequentialClasses()) made->AddSequential(type);
    made->AddCustomConversion("CustomObserved", QuantizeCustom);
    // What CustomQuant holds, and torch's own quantized custom modules in reference
    // graphs, which torch runs with its default engine.
    const Registry native = NativeRegistry("x86");
    for (const char* type : {"Linear", "LSTM", "MultiheadAttention"}) {
      const std::string name = std::string("torch.ao.nn.quantized.") + type;
      made->AddLeafModule({name, *native.FindModule(name), "", ""});
    }
    return made;
  }();
  return *extension;
}

}  // namespace

const Extension& CorpusExtension() { return OpenExtension(); }

const std::set<std::string>& CorpusSequentialClasses() { return SequentialClasses(); }

void AddSequentialClass(const std::string& type) {
  Extension& extension = OpenExtension();
  if (UserModules().Find(type) != nullptr || SequentialClasses().count(type) > 0) return;
  SequentialClasses().insert(type);
  extension.AddSequential(type);
}

GraphModule TraceCorpusModule(const std::shared_ptr<Module>& module) {
  return TraceSubmodule(module, CorpusSequentialClasses());
}

}  // namespace qconform::parity
