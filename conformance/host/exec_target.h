// `exec:COMMAND` as one who answers operator calls: each goes out as a folder with an
// ONNX model (exec_folder.h).
#ifndef QCONFORM_CONFORMANCE_HOST_EXEC_TARGET_H_
#define QCONFORM_CONFORMANCE_HOST_EXEC_TARGET_H_

#include <set>
#include <string>

#include "conformance/host/call_target.h"
#include "conformance/host/exec_folder.h"
#include "conformance/host/exec_process.h"
#include "conformance/host/scratch_folder.h"
#include "reference/onnx/export_program.h"

namespace qconform {

struct ExecOptions {
  ExecLimits limits;
  OnnxForm form = OnnxForm::kQdq;
  // That the command is said to follow, where an operator has it; empty: it says nothing,
  // and a form whose model holds the scheme itself speaks for it.
  std::string scheme;
};

class ExecTarget : public CallTarget {
 public:
  ExecTarget(std::string command, ExecOptions options);

  // Name: the command. Nothing is started before the first call. Throws BackendError if
  // there is nothing to run.
  const LoadedBackend& Load() override;
  using CallTarget::Call;
  // A call that no ONNX model can express is answered as not asked. The first judged call
  // of each operator is made twice, and must give the same bits (kRepeat).
  CallOutcome Call(const OperatorCall& call, CallMode mode) override;
  bool SharesMemory() const override { return false; }

  int starts() const { return process_.starts(); }

 private:
  CallOutcome CallOnce(const OperatorCall& call);
  void CallAgain(const OperatorCall& call, CallOutcome& outcome);
  std::string SchemeOf(const OperatorCall& call, const OnnxExport& exported) const;

  const ExecOptions options_;
  const ScratchFolder scratch_;
  LoadedBackend loaded_;
  ExecProcess process_;
  int64_t calls_ = 0;
  std::set<std::string> repeated_;  // operators
};

// Whether the model of one operator spells its arithmetic out, so that every runtime must
// give the same bits: ConvInteger and what is behind it leave no choice.
bool HoldsScheme(const OnnxModel& model);

// SHA-256 over the command and the files that it names, so that another version of a
// script is another build.
std::string DigestOfCommand(const std::string& command);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_EXEC_TARGET_H_
