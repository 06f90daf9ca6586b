// Lookups in quantized tables: torch.ao.nn.quantized.reference.Embedding and
// EmbeddingBag.
#include "reference/formats/tensor_json.h"
#include "reference/ir/error.h"
#include "reference/lower/operator_form.h"
#include "reference/ops/weight_quantization.h"

namespace qconform {
namespace {

ConstantOperand Table(const FormContext& context) {
  const Module& module = *context.module;
  if (module.Boolean("is_decomposed", false)) {
    throw NoOperatorForm("a decomposed table has no float zero points");
  }
  Tensor codes;
  try {
    codes = QuantizedWeight(module, "weight", Call(context.node.name(), {}));
  } catch (const InputError& error) {
    throw NoOperatorForm(error.what());
  }
  if (codes.dtype() != DType::kQUInt8 && codes.dtype() != DType::kQInt8) {
    throw NoOperatorForm("the table is " + std::string(DTypeName(codes.dtype())));
  }
  const QuantizationParameters parameters = *codes.quantization();
  ConstantOperand table{context.node.target() + ".weight",
                        codes.ViewedAs(StorageDType(codes.dtype()))};
  table.tensor.set_quantization(parameters);
  const Argument* scheme = module.attributes.Find("weight_qscheme");
  const OpaqueValue* opaque = scheme == nullptr ? nullptr : scheme->As<OpaqueValue>();
  const std::string text =
      opaque != nullptr ? opaque->text : module.Text("weight_qscheme", "");
  table.float_zero_point = text == "torch.per_channel_affine_float_qparams";
  return table;
}

OperatorForm Lookup(qc_operator_kind kind, const FormContext& context) {
  OperatorForm form(kind);
  form.to_float = true;
  const Argument* max_norm = context.module->attributes.Find("max_norm");
  if (max_norm != nullptr && !max_norm->IsNone()) {
    throw NoOperatorForm("it rescales its rows (max_norm)");
  }
  Operand indices = FirstOperand(context);
  indices.plain = true;
  form.operands = {std::move(indices), {nullptr, Table(context)}};
  const Argument* padding = context.module->attributes.Find("padding_idx");
  const int64_t* row = padding == nullptr ? nullptr : padding->As<int64_t>();
  if (row != nullptr) {
    const int64_t rows = form.operands[1].constant->tensor.dim(0);
    form.attributes.padding_index = (*row < 0 ? *row + rows : *row) + 1;
  }
  return form;
}

// An optional tensor argument of the call.
Operand PlainArgument(const FormContext& context, size_t position, const char* name) {
  const Node* node = context.arguments.NodeAt(position, name);
  return node == nullptr ? Operand{} : Operand{node, std::nullopt, true};
}

}  // namespace

OperatorForm EmbeddingLookup(const FormContext& context) {
  return Lookup(QC_EMBEDDING, context);
}

// forward(input, offsets, per_sample_weights)
OperatorForm EmbeddingBags(const FormContext& context) {
  OperatorForm form = Lookup(QC_EMBEDDING_BAG, context);
  form.operands.push_back(PlainArgument(context, 1, "offsets"));
  form.operands.push_back(PlainArgument(context, 2, "per_sample_weights"));
  const std::string mode = context.module->Text("mode", "mean");
  form.attributes.reduction = mode == "sum"    ? QC_REDUCTION_SUM
                              : mode == "mean" ? QC_REDUCTION_MEAN
                                               : QC_REDUCTION_MAX;
  form.attributes.include_last_offset =
      context.module->Boolean("include_last_offset", false) ? 1 : 0;
  return form;
}

}  // namespace qconform
