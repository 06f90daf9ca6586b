// Weights of embeddings, per row with float zero points.
// (torchao.quantization.pt2e.quantizer.embedding_quantizer.EmbeddingQuantizer)
#ifndef QCONFORM_REFERENCE_QUANTIZERS_EMBEDDING_QUANTIZER_H_
#define QCONFORM_REFERENCE_QUANTIZERS_EMBEDDING_QUANTIZER_H_

#include "reference/quantizers/accounting_quantizer.h"

namespace qconform {

// torchao's leaves `annotated` unset, so that others may take the node again; strict mode
// sets it.
class EmbeddingQuantizer : public AccountingQuantizer {
 public:
  explicit EmbeddingQuantizer(Mode mode = Mode::kTorch) : AccountingQuantizer(mode) {}

  void Annotate(const ExportedProgram& program, Annotations& annotations) override;

  std::string Name() const override { return "EmbeddingQuantizer"; }
  std::vector<std::string> Warnings() const override { return {}; }
  SettingAccounts Accounts() const override { return accounts_; }

 private:
  SettingAccounts accounts_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_EMBEDDING_QUANTIZER_H_
