#include "conformance/host/exec_folder.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "conformance/host/abi_view.h"
#include "reference/formats/write_file.h"
#include "reference/numerics/error_bound/error_bound.h"
#include "reference/numerics/scheme.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

constexpr char kDataFolder[] = "test_data_set_0";

ProgramValue ValueOf(const CallTensor& tensor, std::string name) {
  ProgramValue value;
  value.name = std::move(name);
  value.dtype = PlainDTypeOf(tensor.dtype);
  value.shape = tensor.shape;
  value.quant_min = tensor.quant_min;
  value.quant_max = tensor.quant_max;
  if (!tensor.scale.empty()) {
    QuantizationParameters& quantization = value.quantization.emplace();
    quantization.scale.assign(tensor.scale.begin(), tensor.scale.end());
    quantization.axis = tensor.axis;
    value.float_zero_point = !tensor.zero_point_f32.empty();
    if (value.float_zero_point) {
      quantization.zero_point.assign(tensor.zero_point_f32.begin(),
                                     tensor.zero_point_f32.end());
    } else if (tensor.zero_point.empty()) {
      quantization.zero_point.assign(tensor.scale.size(), 0.0);
    } else {
      quantization.zero_point.assign(tensor.zero_point.begin(), tensor.zero_point.end());
    }
  }
  if (tensor.constant) value.constant = TensorFrom(tensor);
  return value;
}

bool HoldsNaN(const CallTensor& tensor) {
  if (tensor.dtype != QC_F32) return false;
  for (size_t at = 0; at + sizeof(float) <= tensor.data.size(); at += sizeof(float)) {
    float value;
    std::memcpy(&value, &tensor.data[at], sizeof value);
    if (std::isnan(value)) return true;
  }
  return false;
}

// A model says what is computed, and by its form how; it has no word for these.
bool CanAskFor(const std::string& scheme) {
  const auto parsed = ParseScheme(scheme);
  return !parsed || (parsed->ties == Scheme::Ties::kEven &&
                     parsed->multiplier != Scheme::Multiplier::kQ31 &&
                     parsed->zero_point == Scheme::ZeroPoint::kAfter);
}

FormatRun Problem(FormatRun run, RunProblem problem, std::string detail) {
  run.problem = problem;
  run.phase = "run";
  run.detail = std::move(detail);
  return run;
}

// Whether a sum with its integer bias does, so that no bound of it is known.
bool MayLeave32Bits(const OperatorCall& call) {
  constexpr size_t kBias = 2;
  if (call.inputs.size() <= kBias || !call.inputs[kBias] ||
      call.inputs[kBias]->dtype != QC_S32)
    return false;
  AbiView view(call, MemoryFormat::kContiguous);
  view.descriptor().scheme = nullptr;
  view.PointAtData();
  return ErrorBounds(view.descriptor(), view.inputs()).empty();
}

}  // namespace

Program ProgramOfCall(const OperatorCall& call) {
  Program program;
  ProgramOperator step;
  step.kind = call.kind;
  step.attributes = call.attributes;
  step.scheme = call.scheme;
  step.node = OperatorName(call.kind, call.attributes);
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    if (!call.inputs[i]) {
      step.inputs.push_back(-1);
      continue;
    }
    const int index = static_cast<int>(program.values.size());
    program.values.push_back(ValueOf(*call.inputs[i], fmt::format("x{}", i)));
    step.inputs.push_back(index);
    if (!call.inputs[i]->constant) program.inputs.push_back(index);
  }
  for (size_t i = 0; i < call.outputs.size(); ++i) {
    const int index = static_cast<int>(program.values.size());
    program.values.push_back(ValueOf(call.outputs[i], fmt::format("y{}", i)));
    step.outputs.push_back(index);
    program.outputs.push_back(index);
  }
  program.steps.emplace_back(std::move(step));
  return program;
}

OnnxExport ExportCall(const OperatorCall& call, OnnxForm form) {
  const std::string name = OperatorName(call.kind, call.attributes);
  if (!CanAskFor(call.scheme))
    throw OnnxRefusal(name, "no model can ask for the scheme " + call.scheme);
  for (const auto& input : call.inputs) {
    const bool quantizes = !call.outputs.empty() && !call.outputs[0].scale.empty();
    if (input && quantizes && HoldsNaN(*input))
      throw OnnxRefusal(name, "ONNX does not define the code of NaN");
  }
  if (MayLeave32Bits(call))
    throw OnnxRefusal(name, "sums that leave 32 bits, which ONNX lets no one expect");
  return ExportProgram(ProgramOfCall(call), name, form);
}

fs::path ExecInputFile(const fs::path& folder, size_t index) {
  return folder / kDataFolder / fmt::format("input_{}.pb", index);
}

fs::path ExecOutputFile(const fs::path& folder, size_t index) {
  return folder / kDataFolder / fmt::format("output_{}.pb", index);
}

std::vector<Tensor> ExecInputs(const OperatorCall& call) {
  std::vector<Tensor> inputs;
  for (const auto& input : call.inputs)
    if (input && !input->constant) inputs.push_back(TensorFrom(*input));
  return inputs;
}

void WriteExecFolder(const fs::path& folder, const OnnxModel& model,
                     const std::vector<Tensor>& inputs) {
  WriteFileAtomically(folder / kExecModelFile, OnnxModelBytes(model));
  for (size_t i = 0; i < inputs.size(); ++i) {
    WriteFileAtomically(ExecInputFile(folder, i),
                        OnnxTensorBytes(model.inputs.at(i).name, inputs[i]));
  }
  // Also where a model has constants only.
  fs::create_directories(folder / kDataFolder);
}

FormatRun ReadExecOutputs(const fs::path& folder, const OperatorCall& call) {
  FormatRun run;
  run.format = MemoryFormat::kContiguous;
  run.path = "exec";
  for (size_t i = 0; i < call.outputs.size(); ++i) {
    const CallTensor& output = call.outputs[i];
    const fs::path file = ExecOutputFile(folder, i);
    const std::string name = file.lexically_relative(folder).string();
    // Neither a link nor a pipe: what is read lies in the folder and ends.
    std::error_code missing;
    const fs::file_status status = fs::symlink_status(file, missing);
    if (status.type() == fs::file_type::not_found || missing)
      return Problem(run, RunProblem::kUnwritten, name + " is not there");
    if (!fs::is_regular_file(status))
      return Problem(run, RunProblem::kOutputFile, name + " is no ordinary file");
    // Names and dims take a few bytes more than the data.
    constexpr uintmax_t kRoom = 1 << 16;
    // A varint may take ten bytes for an element of int32_data.
    const uintmax_t most = 10 * output.byte_size() + kRoom;
    if (const uintmax_t size = fs::file_size(file, missing); missing || size > most) {
      return Problem(
          run, RunProblem::kOutputFile,
          fmt::format("{} has {} bytes, expected at most {}", name, size, most));
    }
    Tensor tensor;
    try {
      tensor = ParseOnnxTensor(ReadFileBytes(file), name);
    } catch (const InputError& error) {
      return Problem(run, RunProblem::kOutputFile, error.what());
    }
    const DType want = PlainDTypeOf(output.dtype);
    if (tensor.dtype() != want || tensor.shape() != output.shape) {
      return Problem(run, RunProblem::kOutputFile,
                     fmt::format("{}: {} {}, expected {} {}", name,
                                 DTypeName(tensor.dtype()), ShapeText(tensor.shape()),
                                 DTypeName(want), ShapeText(output.shape)));
    }
    run.outputs.emplace_back(tensor.bytes(), tensor.bytes() + tensor.byte_size());
  }
  return run;
}

}  // namespace qconform
