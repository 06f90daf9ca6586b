#include "cli/export_onnx.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/case_selection.h"
#include "cli/exit_code.h"
#include "cli/golden_folder.h"
#include "conformance/cases/golden_cases.h"
#include "conformance/compare/reference_outputs.h"
#include "conformance/host/exec_folder.h"
#include "conformance/host/program_runner.h"
#include "reference/formats/write_file.h"
#include "reference/golden/golden.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

struct ExportOnnxOptions {
  std::string what;
  std::string out;
  std::string form = "qdq";
  std::vector<std::string> goldens;
};

// Takes the call of a case, and runs nothing.
class CallCatcher : public CallTarget {
 public:
  const LoadedBackend& Load() override { return nobody_; }
  using CallTarget::Call;
  CallOutcome Call(const OperatorCall& call, CallMode) override {
    if (!call_) call_ = call;
    CallOutcome outcome;
    outcome.reply.not_asked = true;
    return outcome;
  }
  const std::optional<OperatorCall>& call() const { return call_; }

 private:
  LoadedBackend nobody_;
  std::optional<OperatorCall> call_;
};

struct Exported {
  OnnxExport onnx;
  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;  // what the reference expects
};

Exported ExportCase(const std::string& id, const ExportOnnxOptions& options) {
  const CaseSource source = FindCase(id, options.goldens, nullptr);
  CallCatcher catcher;
  source.run(Subject{catcher, {}, nullptr});
  if (!catcher.call()) throw InputError(id, "asks for no operator", "a case of one");
  const OperatorCall& call = *catcher.call();
  Exported exported;
  exported.onnx = ExportCall(call, *ParseOnnxForm(options.form));
  exported.inputs = ExecInputs(call);
  const auto other = exported.onnx.schemes.begin();
  const auto want = ReferenceOutputs(
      call, other == exported.onnx.schemes.end() ? call.scheme : other->second);
  if (!want) throw InputError(id, "the reference does not compute it");
  for (size_t i = 0; i < want->size(); ++i) {
    CallTensor output = call.outputs[i];
    output.data = (*want)[i];
    exported.outputs.push_back(TensorFrom(output));
  }
  return exported;
}

Exported ExportGolden(const fs::path& folder, const ExportOnnxOptions& options) {
  const Golden golden = ReadGolden(folder);
  const Program& program = golden.program;
  Exported exported;
  exported.onnx =
      ExportProgram(program, GoldenName(golden), *ParseOnnxForm(options.form));
  for (const int index : program.inputs) {
    const std::string& name = program.values[static_cast<size_t>(index)].name;
    const Tensor* value = golden.values.Find(name);
    if (value == nullptr)
      throw InputError(folder.string(), "no tensor of the input '" + name + "'",
                       "one for each input");
    exported.inputs.push_back(*value);
  }
  const std::vector<Tensor> values =
      ReferenceProgramValues(program, exported.inputs, exported.onnx.schemes);
  for (const int index : program.outputs)
    exported.outputs.push_back(values[static_cast<size_t>(index)]);
  return exported;
}

int ExportOnnx(const ExportOnnxOptions& options) {
  const bool golden = fs::is_regular_file(fs::path(options.what) / "manifest.json") ||
                      GoldenFolderOfName(options.what);
  const Exported exported = golden ? ExportGolden(GoldenFolder(options.what), options)
                                   : ExportCase(options.what, options);
  const fs::path out = options.out.empty()
                           ? fs::path("onnx") / fs::path(options.what).relative_path()
                           : fs::path(options.out);
  WriteExecFolder(out, exported.onnx.model, exported.inputs);
  for (size_t i = 0; i < exported.outputs.size(); ++i) {
    WriteFileAtomically(
        ExecOutputFile(out, i),
        OnnxTensorBytes(exported.onnx.model.outputs[i].name, exported.outputs[i]));
  }
  std::cout << fmt::format("{}: {} nodes, {} inputs, {} outputs, opset {}, form {}\n",
                           out.string(), exported.onnx.model.nodes.size(),
                           exported.inputs.size(), exported.outputs.size(), kOnnxOpset,
                           options.form);
  if (!exported.onnx.schemes.empty()) {
    std::cout << fmt::format(
        "{} nodes follow {} instead of the scheme of the program: their bias is "
        "rounded\n",
        exported.onnx.schemes.size(), exported.onnx.schemes.begin()->second);
  }
  return kExitAsExpected;
}

}  // namespace

void AddExportOnnxVerb(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ExportOnnxOptions>();
  CLI::App* verb = app.get_subcommand("export")->add_subcommand(
      "onnx", "A golden or a case as ONNX model and tensors, for any runtime");
  verb->add_option("WHAT", options->what,
                   "A golden, by its folder or name, or the id of a case")
      ->required();
  verb->add_option("-o,--out", options->out, "Folder (default: onnx/WHAT)");
  verb->add_option("--form", options->form,
                   "qdq (float between conversions), operator (QLinearConv, ...) or "
                   "integer (ConvInteger, requantization spelled out)")
      ->check(CLI::IsMember({"qdq", "operator", "integer"}))
      ->capture_default_str();
  verb->add_option("--golden", options->goldens,
                   "The golden that the case is of, unless it lies by its name "
                   "in datasets/goldens");
  verb->footer(
      "Writes the layout of ONNX's backend tests: model.onnx and test_data_set_0 with\n"
      "input_0.pb, ... and output_0.pb, ..., the codes that the reference expects.\n"
      "Exit codes: 0 written, 4 bad file or nothing in ONNX says it.");
  verb->callback([options, &exit_code] { exit_code = ExportOnnx(*options); });
}

}  // namespace qconform
