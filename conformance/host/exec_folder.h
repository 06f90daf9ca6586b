// One operator call as a folder for a program of any language. `exec:COMMAND` runs
//     COMMAND FOLDER
// where FOLDER has the layout of ONNX's backend tests:
//     model.onnx                     opset 17, standard operators, one operator of ours
//     test_data_set_0/input_0.pb     a TensorProto for each input of the model, in order
// and COMMAND leaves
//     test_data_set_0/output_0.pb    a TensorProto for each output of the model, in order
// and ends with exit code
//     0   it has computed
//     77  it refuses; the last line that it prints says why
// Any other code, and any signal, is a crash. What it prints is shown only then.
// QCONFORM_THREADS holds the number of threads that it may use, QCONFORM_ISA the code
// path that is forced, if one is.
//
// A command that is slow to start may stay: having written the outputs, it makes the
// empty file FOLDER/done, and reads the next folder's name, a line, from its standard
// input, till that ends. It refuses by FOLDER/refused.txt, which holds the reason, before
// done.
#ifndef QCONFORM_CONFORMANCE_HOST_EXEC_FOLDER_H_
#define QCONFORM_CONFORMANCE_HOST_EXEC_FOLDER_H_

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/host/call_reply.h"
#include "reference/onnx/export_program.h"

namespace qconform {

inline constexpr int kExecRefusal = 77;
inline constexpr char kExecModelFile[] = "model.onnx";
inline constexpr char kExecDoneFile[] = "done";
inline constexpr char kExecRefusedFile[] = "refused.txt";

// The call as a program of one operator, named after it. Values are named x0, x1, ...,
// constants with their data, and y0, ...
Program ProgramOfCall(const OperatorCall& call);

// The call's model. Throws OnnxRefusal with the operator's name: there is no such
// operator, the call asks for a scheme that no model can ask for, or ONNX does not define
// the result (the code of NaN).
OnnxExport ExportCall(const OperatorCall& call, OnnxForm form);

// test_data_set_0/input_0.pb
std::filesystem::path ExecInputFile(const std::filesystem::path& folder, size_t index);
std::filesystem::path ExecOutputFile(const std::filesystem::path& folder, size_t index);

// model.onnx and the inputs, a tensor for each of model.inputs. Throws InputError if that
// cannot be written.
void WriteExecFolder(const std::filesystem::path& folder, const OnnxModel& model,
                     const std::vector<Tensor>& inputs);
// Those of the call that are no constants.
std::vector<Tensor> ExecInputs(const OperatorCall& call);

// What the command left, as the run of a call: a file that is missing, damaged or has
// another dtype or shape is a problem of the run.
FormatRun ReadExecOutputs(const std::filesystem::path& folder, const OperatorCall& call);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_EXEC_FOLDER_H_
