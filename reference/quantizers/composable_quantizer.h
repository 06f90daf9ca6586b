// Several quantizers as one, each taking what those before it left.
// (torchao.quantization.pt2e.quantizer.ComposableQuantizer)
#ifndef QCONFORM_REFERENCE_QUANTIZERS_COMPOSABLE_QUANTIZER_H_
#define QCONFORM_REFERENCE_QUANTIZERS_COMPOSABLE_QUANTIZER_H_

#include <memory>
#include <string>
#include <vector>

#include "reference/quantizers/accounting_quantizer.h"

namespace qconform {

// A quantizer that puts another annotation in the place of an earlier one's, or removes
// it, is refused: PipelineError("RuntimeError"). torchao does not see one that changes an
// annotation in place; strict mode refuses that, too.
class ComposableQuantizer : public AccountingQuantizer {
 public:
  explicit ComposableQuantizer(std::vector<std::shared_ptr<Quantizer>> quantizers,
                               Mode mode = Mode::kTorch)
      : AccountingQuantizer(mode), quantizers_(std::move(quantizers)) {}

  void TransformForAnnotation(ExportedProgram& program) override;
  void Annotate(const ExportedProgram& program, Annotations& annotations) override;

  std::string Name() const override { return "ComposableQuantizer"; }
  // Those of the parts that keep accounts, one after the other.
  std::vector<std::string> Warnings() const override;
  SettingAccounts Accounts() const override;

 private:
  std::vector<std::shared_ptr<Quantizer>> quantizers_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_COMPOSABLE_QUANTIZER_H_
