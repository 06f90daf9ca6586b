#include "conformance/host/fold_clamps.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "reference/lower/run_program.h"

namespace qconform {
namespace {

// Rounds, and then saturates to the bounds of its output.
bool EndsInBounds(qc_operator_kind kind) {
  switch (kind) {
    case QC_CONV:
    case QC_CONV_TRANSPOSE:
    case QC_LINEAR:
    case QC_MATMUL:
    case QC_ADD:
    case QC_SUB:
    case QC_MUL:
      return true;
    default:
      return false;
  }
}

struct CodeRange {
  int32_t least = 0;
  int32_t most = 0;
};

CodeRange RangeOf(const ProgramValue& value) {
  if (value.quant_min != value.quant_max) return {value.quant_min, value.quant_max};
  return value.dtype == DType::kInt8 ? CodeRange{-128, 127} : CodeRange{0, 255};
}

// The range to which the step clamps codes of the range `in`; nullopt if it does
// something else.
std::optional<CodeRange> ClampOf(const Program& program, const ProgramOperator& step,
                                 CodeRange in) {
  // The same operator on all codes.
  Program all;
  for (const int index : {step.inputs[0], step.outputs[0]}) {
    all.values.push_back(program.values[static_cast<size_t>(index)]);
    all.values.back().shape = {in.most - in.least + 1};
  }
  ProgramOperator one = step;
  one.inputs = {0};
  one.outputs = {1};
  all.steps.emplace_back(std::move(one));
  all.inputs = {0};
  all.outputs = {1};
  Tensor codes(all.values[0].dtype, all.values[0].shape);
  const auto put = [&](int32_t code) {
    codes.bytes()[code - in.least] = static_cast<std::byte>(code);
  };
  for (int32_t code = in.least; code <= in.most; ++code) put(code);
  const Tensor clamped = RunProgram(all, {codes}).at(0);
  const auto at = [&](int32_t code) {
    return static_cast<int32_t>(clamped.IntegerAt(code - in.least));
  };
  const CodeRange range{at(in.least), at(in.most)};
  for (int32_t code = in.least; code <= in.most; ++code)
    if (at(code) != std::clamp(code, range.least, range.most)) return std::nullopt;
  return range;
}

Program CopyOf(const Program& program) {
  Program copy;
  copy.values = program.values;
  copy.inputs = program.inputs;
  copy.outputs = program.outputs;
  for (const ProgramStep& step : program.steps) {
    if (const auto* op = std::get_if<ProgramOperator>(&step)) {
      copy.steps.emplace_back(*op);
      continue;
    }
    const auto& island = std::get<FloatIsland>(step);
    copy.steps.emplace_back(FloatIsland{island.part.CloneSharingParameters(),
                                        island.inputs, island.outputs, island.nodes,
                                        island.reason});
  }
  return copy;
}

class Folder {
 public:
  Folder(const Program& program, const AcceptsOperator& accepts)
      : program_(CopyOf(program)), accepts_(accepts) {
    writer_.resize(program.values.size(), -1);
    readers_.resize(program.values.size());
    output_.resize(program.values.size());
    for (size_t s = 0; s < program.steps.size(); ++s) {
      std::visit(
          [&](const auto& step) {
            for (const int index : step.inputs)
              if (index >= 0) readers_[static_cast<size_t>(index)].push_back(s);
            for (const int index : step.outputs)
              writer_[static_cast<size_t>(index)] = static_cast<int>(s);
          },
          program.steps[s]);
    }
    for (const int index : program.outputs) output_[static_cast<size_t>(index)] = true;
  }

  Program Fold() {
    std::vector<bool> folded(program_.steps.size());
    for (size_t s = 0; s < program_.steps.size(); ++s) folded[s] = TryStep(s);
    std::vector<ProgramStep> steps;
    for (size_t s = 0; s < folded.size(); ++s)
      if (!folded[s]) steps.push_back(std::move(program_.steps[s]));
    program_.steps = std::move(steps);
    return std::move(program_);
  }

 private:
  bool TryStep(size_t s) {
    const auto* clamp = std::get_if<ProgramOperator>(&program_.steps[s]);
    if (clamp == nullptr ||
        (clamp->kind != QC_RELU && clamp->kind != QC_RELU6 && clamp->kind != QC_CLAMP)) {
      return false;
    }
    const auto in = static_cast<size_t>(clamp->inputs[0]);
    const auto out = static_cast<size_t>(clamp->outputs[0]);
    const ProgramValue& from = program_.values[in];
    ProgramValue& to = program_.values[out];
    if (writer_[in] < 0 || readers_[in].size() != 1 || output_[in] ||
        from.dtype != to.dtype || !from.quantization ||
        from.quantization != to.quantization || from.quantization->axis >= 0 ||
        (from.dtype != DType::kUInt8 && from.dtype != DType::kInt8)) {
      return false;
    }
    auto* producer =
        std::get_if<ProgramOperator>(&program_.steps[static_cast<size_t>(writer_[in])]);
    if (producer == nullptr || !EndsInBounds(producer->kind)) return false;
    const std::optional<CodeRange> range = ClampOf(program_, *clamp, RangeOf(from));
    // (0, 0) would be the whole range.
    if (!range || range->least >= range->most) return false;

    const std::pair<int32_t, int32_t> before{to.quant_min, to.quant_max};
    to.quant_min = range->least;
    to.quant_max = range->most;
    producer->outputs[0] = static_cast<int>(out);
    bool accepted = accepts_(program_, *producer);
    for (const size_t reader : readers_[out]) {
      const auto* op = std::get_if<ProgramOperator>(&program_.steps[reader]);
      accepted = accepted && (op == nullptr || accepts_(program_, *op));
    }
    if (!accepted) {
      std::tie(to.quant_min, to.quant_max) = before;
      producer->outputs[0] = static_cast<int>(in);
      return false;
    }
    writer_[out] = writer_[in];
    return true;
  }

  Program program_;
  const AcceptsOperator& accepts_;
  std::vector<int> writer_;                   // by value, its step; -1 without one
  std::vector<std::vector<size_t>> readers_;  // by value, the steps
  std::vector<bool> output_;
};

}  // namespace

Program FoldClamps(const Program& program, const AcceptsOperator& accepts) {
  return Folder(program, accepts).Fold();
}

}  // namespace qconform
