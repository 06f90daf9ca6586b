// The evaluator behind `exec:`, and commands with one planted fault each:
//     onnx_evaluator_exec [--fault=NAME] FOLDER
// speaks conformance/host/exec_folder.h. `--stay` answers the folders that follow as
// well.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <string>

#include "conformance/adapters/onnx/onnx_evaluator.h"
#include "conformance/host/exec_folder.h"
#include "reference/formats/write_file.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

// What a fault does with the outputs before they are written, or in their place. False:
// there is nothing to write.
using Fault = std::function<bool(const fs::path& folder, std::vector<Tensor>& outputs)>;

Fault Ends(void (*end)()) {
  return [end](const fs::path&, std::vector<Tensor>&) {
    end();
    return false;
  };
}

void WriteOutput(const fs::path& folder, const std::string& bytes) {
  WriteFileAtomically(ExecOutputFile(folder, 0), bytes);
}

const std::map<std::string, Fault>& Faults() {
  static const auto* faults = new std::map<std::string, Fault>{
      {"wrong_code",
       [](const fs::path&, std::vector<Tensor>& outputs) {
         if (outputs[0].byte_size() > 0) outputs[0].bytes()[0] ^= std::byte{1};
         return true;
       }},
      {"crashes", Ends([] { raise(SIGSEGV); })},
      {"aborts", Ends([] { std::abort(); })},
      {"exits", Ends([] { _exit(3); })},
      {"hangs", Ends([] { pause(); })},
      {"spins", Ends([] {
         volatile bool forever = true;
         while (forever) {
         }
       })},
      {"hangs_in_a_child", Ends([] {
         if (fork() == 0) pause();
         pause();
       })},
      {"prints_without_end", Ends([] {
         while (true) std::puts("and again, and again, and again, and again, and again");
       })},
      {"refuses", Ends([] {
         std::fputs("some words\nno kernel for this operator\n", stderr);
         _exit(kExecRefusal);
       })},
      {"no_output", [](const fs::path&, std::vector<Tensor>&) { return false; }},
      {"wrong_shape",
       [](const fs::path&, std::vector<Tensor>& outputs) {
         outputs[0] = outputs[0].Reshaped({outputs[0].numel(), 1, 1});
         return true;
       }},
      {"wrong_dtype",
       [](const fs::path&, std::vector<Tensor>& outputs) {
         outputs[0] = Tensor(DType::kFloat64, outputs[0].shape());
         return true;
       }},
      {"damaged_output",
       [](const fs::path& folder, std::vector<Tensor>& outputs) {
         std::string bytes = OnnxTensorBytes("y", outputs[0]);
         bytes.resize(bytes.size() - 1);
         WriteOutput(folder, bytes);
         return false;
       }},
      {"endless_output",
       [](const fs::path& folder, std::vector<Tensor>&) {
         fs::create_symlink("/dev/zero", ExecOutputFile(folder, 0));
         return false;
       }},
      {"huge_output",
       [](const fs::path& folder, std::vector<Tensor>&) {
         WriteOutput(folder, "");
         fs::resize_file(ExecOutputFile(folder, 0), uintmax_t{1} << 40);
         return false;
       }},
  };
  return *faults;
}

void Answer(const fs::path& folder, const std::string& fault) {
  const std::string file = (folder / kExecModelFile).string();
  const OnnxModel model = ParseOnnxModel(ReadFileBytes(file), file);
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < model.inputs.size(); ++i) {
    const std::string input = ExecInputFile(folder, i).string();
    inputs.push_back(ParseOnnxTensor(ReadFileBytes(input), input));
  }
  std::vector<Tensor> outputs = EvaluateOnnx(model, inputs);
  if (!fault.empty() && !Faults().at(fault)(folder, outputs)) return;
  for (size_t i = 0; i < outputs.size(); ++i)
    WriteFileAtomically(ExecOutputFile(folder, i),
                        OnnxTensorBytes(model.outputs[i].name, outputs[i]));
}

int Main(int count, char** words) {
  std::string fault;
  bool stays = false;
  std::string folder;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    constexpr const char* kFault = "--fault=";
    if (word.starts_with(kFault)) {
      fault = word.substr(std::string(kFault).size());
    } else if (word == "--stay") {
      stays = true;
    } else {
      folder = word;
    }
  }
  if (folder.empty() || (!fault.empty() && !Faults().contains(fault))) {
    std::cerr << "usage: onnx_evaluator_exec [--stay] [--fault=NAME] FOLDER; faults:";
    for (const auto& [name, unused] : Faults()) std::cerr << " " << name;
    std::cerr << "\n";
    return 2;
  }
  try {
    do {
      Answer(folder, fault);
      if (stays) WriteFileAtomically(fs::path(folder) / kExecDoneFile, "");
    } while (stays && std::getline(std::cin, folder));
  } catch (const InputError& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace qconform

int main(int count, char** words) { return qconform::Main(count, words); }
