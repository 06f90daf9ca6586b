// The quantizers for Inductor's CPU kernels: which operators run in int8 on x86 and Arm.
// (torchao.quantization.pt2e.quantizer: X86InductorQuantizer, ArmInductorQuantizer)
#ifndef QCONFORM_REFERENCE_QUANTIZERS_INDUCTOR_QUANTIZER_H_
#define QCONFORM_REFERENCE_QUANTIZERS_INDUCTOR_QUANTIZER_H_

#include <optional>
#include <string>
#include <vector>

#include "reference/ir/ordered_map.h"
#include "reference/pt2e/quantization_config.h"
#include "reference/quantizers/accounting_quantizer.h"
#include "reference/quantizers/inductor_operators.h"
#include "reference/quantizers/inductor_pass.h"

namespace qconform {

// A config of nullptr is None: what it covers stays in float. Module names come before
// operator types, and these before the global config; inside a kind the one that was set
// first. A config that is QAT where another is not, or dynamic where another is static,
// is refused with a warning. Classes and functions by their public names.
//
// Strict mode finds operators by what they compute, not by where they come from; fuses
// nothing with a number; and quantizes a one-dimensional convolution alone.
class InductorQuantizer : public AccountingQuantizer {
 public:
  InductorQuantizer(InductorTarget target, Mode mode);

  InductorQuantizer& SetGlobal(QuantizationConfigPointer config);
  InductorQuantizer& SetModuleName(const std::string& name,
                                   QuantizationConfigPointer config);
  InductorQuantizer& SetModuleType(const std::string& type,
                                   QuantizationConfigPointer config);
  InductorQuantizer& SetFunctionType(const std::string& function,
                                     QuantizationConfigPointer config);
  // By the operator itself, "aten.conv2d.default". (_set_aten_operator_qconfig)
  InductorQuantizer& SetOperator(const std::string& target,
                                 QuantizationConfigPointer config);

  void Annotate(const ExportedProgram& program, Annotations& annotations) override;

  std::string Name() const override { return operators().class_name; }
  std::vector<std::string> Warnings() const override;
  SettingAccounts Accounts() const override { return accounts_; }

 private:
  struct Setting {
    std::string text;
    QuantizationConfigPointer config;
  };
  const InductorOperators& operators() const { return OperatorsOf(target_, mode()); }
  bool Refuse(const QuantizationConfigPointer& config);
  bool RefuseNamed(const std::string& name, const std::string& setting,
                   const QuantizationConfigPointer& config);
  void SetType(const std::string& kind, const std::string& call, const std::string& type,
               QuantizationConfigPointer config);
  void Ignore(const std::string& setting, const std::string& reason);
  void AnnotateSetting(InductorPass& pass) const;

  InductorTarget target_;
  std::optional<Setting> global_;
  OrderedMap<Setting> module_names_;
  OrderedMap<Setting> operator_types_;
  // Accounts of settings that were refused.
  SettingAccounts ignored_;
  std::vector<std::string> warnings_;
  std::vector<std::string> annotate_warnings_;
  SettingAccounts accounts_;
};

class X86InductorQuantizer : public InductorQuantizer {
 public:
  explicit X86InductorQuantizer(Mode mode = Mode::kTorch)
      : InductorQuantizer(InductorTarget::kX86, mode) {}
};

class ArmInductorQuantizer : public InductorQuantizer {
 public:
  explicit ArmInductorQuantizer(Mode mode = Mode::kTorch)
      : InductorQuantizer(InductorTarget::kArm, mode) {}
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_INDUCTOR_QUANTIZER_H_
