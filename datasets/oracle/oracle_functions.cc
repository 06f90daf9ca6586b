#include "datasets/oracle/oracle_functions.h"

#include "reference/fuse/fuser_method.h"
#include "reference/ir/error.h"
#include "reference/match/node_getter.h"

namespace qconform {
namespace {

// Element `index` of a matched tuple.
const Argument& At(const NodePattern& pattern, size_t index) {
  const Sequence* sequence = pattern.As<Sequence>();
  if (sequence == nullptr || index >= sequence->items.size()) {
    throw PipelineError("ValueError", "cannot unpack a matched pattern");
  }
  return sequence->items[index];
}

}  // namespace

void RegisterOracleFunctions() {
  // torch's backend config README: a container of the two modules.
  RegisterFuserMethod("bc_readme.<locals>.fuse_conv2d_relu", [](const FuserCall& call) {
    return MakeFusedModule("torch.ao.nn.intrinsic.ConvReLU2d", call.arguments);
  });
  // (relu, (add, (bn, conv), other)) becomes the convolution, nothing folded.
  RegisterFuserMethod("bc_complex.<locals>.fuser", [](const FuserCall& call) {
    return call.arguments.at(1).items.at(1).items.at(1).module;
  });
  RegisterRootNodeGetter("bc_complex.<locals>.root", [](const NodePattern& pattern) {
    return At(At(At(pattern, 1), 1), 1).AsNode();
  });
  RegisterExtraInputsGetter("bc_complex.<locals>.extra", [](const NodePattern& pattern) {
    return std::vector<Argument>{At(At(pattern, 1), 2)};
  });
}

}  // namespace qconform
