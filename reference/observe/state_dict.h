// Checkpoints of a prepared graph: torch's state_dict, names and all.
#ifndef QCONFORM_REFERENCE_OBSERVE_STATE_DICT_H_
#define QCONFORM_REFERENCE_OBSERVE_STATE_DICT_H_

#include <string>
#include <vector>

#include "reference/ir/module.h"
#include "reference/ir/ordered_map.h"

namespace qconform {

// Every parameter and buffer of the module tree by its dotted path, the buffers of
// observers and fake-quantizers among them: "conv.weight", "conv.bn.running_var",
// "conv.weight_fake_quant.scale",
// "activation_post_process_0.activation_post_process.min_val". A module that stands at
// two paths is there twice. (torch.nn.Module.state_dict)
OrderedMap<Tensor> StateDict(const GraphModule& module);

struct UnmatchedKeys {
  std::vector<std::string> missing;     // the module has them, the state has not
  std::vector<std::string> unexpected;  // the other way round
};

// Puts the values of `state` into the tree. A model trained elsewhere and prepared with
// the same mapping converts from its state to the same integers:
//   Prepared prepared = PrepareFx(model, mapping, config, {.is_qat = true});
//   LoadStateDict(prepared.module, state);       // e.g. from a safetensors file
//   SetTraining(*prepared.module.root, false);
//   ConvertToReference(prepared);
// With `strict` any unmatched key throws InputError, as does always a tensor of another
// shape than the module's (per channel ranges take any). Values take the dtype that the
// module has. (torch.nn.Module.load_state_dict)
// `where` names the state in errors.
UnmatchedKeys LoadStateDict(GraphModule& module, const OrderedMap<Tensor>& state,
                            bool strict = true, const std::string& where = "state");

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_STATE_DICT_H_
