// The quantizer for XNNPACK's kernels, as torchao tests PT2E with it.
// (torchao.testing.pt2e._xnnpack_quantizer.XNNPACKQuantizer)
#ifndef QCONFORM_REFERENCE_QUANTIZERS_XNNPACK_QUANTIZER_H_
#define QCONFORM_REFERENCE_QUANTIZERS_XNNPACK_QUANTIZER_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/ir/ordered_map.h"
#include "reference/pt2e/quantization_config.h"
#include "reference/quantizers/accounting_quantizer.h"
#include "reference/quantizers/xnnpack_pass.h"

namespace qconform {

// Module names come before module classes, these before operator types, and these before
// the global config; a config of nullptr is None.
//
// torch mode: settings for names and classes never reach what asks a weight's get_attr
// node (conv, conv_relu, linear_relu), operator types are stored and never read, None for
// a name throws, whether a config is dynamic is asked of the global one only, and what is
// named is left out of the global config all the same. Strict mode: each setting does
// what it says, and None leaves in float.
class XnnpackQuantizer : public AccountingQuantizer {
 public:
  explicit XnnpackQuantizer(Mode mode = Mode::kTorch) : AccountingQuantizer(mode) {}

  XnnpackQuantizer& SetGlobal(QuantizationConfigPointer config);
  // Throws PipelineError("AssertionError") for None in torch mode.
  XnnpackQuantizer& SetModuleName(const std::string& name,
                                  QuantizationConfigPointer config);
  // "torch.nn.Conv2d", "my.package.Block".
  XnnpackQuantizer& SetModuleType(const std::string& type,
                                  QuantizationConfigPointer config);
  // "aten.linear.default", or without overload for all of them.
  XnnpackQuantizer& SetOperatorType(const std::string& target,
                                    QuantizationConfigPointer config);
  // Calls that do not pass stay in float, whatever the settings say. torchao's class has
  // no such setting; ExecuTorch's has.
  using ProgramFilter = std::function<bool(const ExportedProgram&, const Node&)>;
  XnnpackQuantizer& SetFilterFunction(ProgramFilter filter);

  void TransformForAnnotation(ExportedProgram& program) override {
    ConvertScalarsToAttributes(program);
  }
  void Annotate(const ExportedProgram& program, Annotations& annotations) override;

  std::string Name() const override { return "XNNPACKQuantizer"; }
  std::vector<std::string> Warnings() const override {
    return {"XNNPACKQuantizer is deprecated!"};
  }
  SettingAccounts Accounts() const override { return accounts_; }

 private:
  struct Setting {
    std::string text;
    QuantizationConfigPointer config;
  };
  // A setting with the nodes that it is about.
  struct Step {
    Setting setting;
    NodeFilter filter;
    NodeFilter main_filter;
    std::string why;
  };
  std::vector<Step> Steps(const ExportedProgram& program) const;
  bool IsDynamic(const QuantizationConfigPointer& config) const;
  void LeaveInFloat(XnnpackPass& pass) const;

  std::optional<Setting> global_;
  OrderedMap<Setting> module_names_;
  OrderedMap<Setting> module_types_;
  OrderedMap<Setting> operator_types_;
  ProgramFilter program_filter_;
  SettingAccounts accounts_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_XNNPACK_QUANTIZER_H_
