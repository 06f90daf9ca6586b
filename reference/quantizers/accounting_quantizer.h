// A quantizer that says what became of its settings.
#ifndef QCONFORM_REFERENCE_QUANTIZERS_ACCOUNTING_QUANTIZER_H_
#define QCONFORM_REFERENCE_QUANTIZERS_ACCOUNTING_QUANTIZER_H_

#include <string>
#include <vector>

#include "reference/config/mode.h"
#include "reference/pt2e/quantizer.h"
#include "reference/quantizers/setting_account.h"

namespace qconform {

class AccountingQuantizer : public Quantizer {
 public:
  explicit AccountingQuantizer(Mode mode) : mode_(mode) {}

  // kTorch keeps the traps of torchao's class, kStrict does what its settings say.
  Mode mode() const { return mode_; }
  void set_mode(Mode mode) { mode_ = mode; }

  // "X86InductorQuantizer": the class in torchao, or what a rules file calls itself.
  virtual std::string Name() const = 0;
  // What torchao warns of, in its words without Python objects: refused settings, and
  // after Annotate what that met.
  virtual std::vector<std::string> Warnings() const = 0;
  // After Annotate: one for each setting, in the order in which they took effect.
  virtual SettingAccounts Accounts() const = 0;

 private:
  Mode mode_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_ACCOUNTING_QUANTIZER_H_
