// The custom-module flow of torch.nn.LSTM (float class torch.nn.LSTM, observed class
// torch.ao.nn.quantizable.LSTM). Its observed form quantizes inside and returns quantized
// tensors in nested tuples, so that its outputs get DeQuantStubs in place of observers.
#ifndef QCONFORM_REFERENCE_OBSERVE_CUSTOM_LSTM_H_
#define QCONFORM_REFERENCE_OBSERVE_CUSTOM_LSTM_H_

#include <string>
#include <unordered_set>

#include "reference/ir/module.h"
#include "reference/match/find_matches.h"
#include "reference/qconfig/qconfig.h"

namespace qconform {

inline constexpr const char* kDequantStubType = "torch.ao.quantization.DeQuantStub";
inline constexpr const char* kTupleFunction = "builtins.tuple";

// Whether the match is a torch.nn.LSTM to be swapped for its static observed class.
// (_is_custom_module_lstm)
bool IsCustomLstm(const GraphModule& module, const QuantizationMatch& match,
                  const QConfig& qconfig);
bool IsQuantizableLstm(const std::string& type);
bool IsQuantizableAttention(const std::string& type);
// The other name of one of these two classes, by the package or by the file; empty for
// any other class.
std::string QuantizableAlias(const std::string& type);

// Takes the node's result (output, (hidden, cell)) apart, puts a DeQuantStub behind each
// of the three, puts them together again for the node's users, and lets getitem nodes
// that only undo a tuple of the graph read its element.
// (_insert_dequant_stubs_for_custom_module_lstm_output)
void InsertDequantStubs(GraphModule& module, Node& lstm);

// The LSTM, one of `lstms`, whose result `value` is: behind a DeQuantStub, or a tuple of
// such; nullptr otherwise. (_maybe_get_custom_module_lstm_from_node_arg)
const Node* CustomLstmBehind(const GraphModule& module, const Node* value,
                             const std::unordered_set<const Node*>& lstms);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_CUSTOM_LSTM_H_
