#include "conformance/host/check_partition.h"

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/host/abi_view.h"
#include "conformance/host/code_element.h"
#include "conformance/host/lent_call.h"
#include "conformance/host/watched_call.h"

namespace qconform {
namespace {

// What came in at qc_claim.
struct Claims {
  std::vector<int> times;  // of each operator
  int groups_of_none = 0;
  std::vector<int32_t> outside;

  static void Take(void* sink, const int32_t* group, int32_t count) {
    auto& claims = *static_cast<Claims*>(sink);
    if (count <= 0 || group == nullptr) ++claims.groups_of_none;
    for (int32_t i = 0; group != nullptr && i < count; ++i) {
      const auto index = static_cast<size_t>(group[i]);
      if (group[i] >= 0 && index < claims.times.size()) {
        ++claims.times[index];
      } else {
        claims.outside.push_back(group[i]);
      }
    }
  }
};

class TriedProgram {
 public:
  // `inputs`, `outputs`: numbers of values, -1 for an absent one.
  void Add(OperatorCall call, std::vector<int32_t> inputs, std::vector<int32_t> outputs) {
    Step& step = steps_.emplace_back();
    step.call = std::move(call);
    step.inputs = std::move(inputs);
    step.outputs = std::move(outputs);
    step.view.emplace(step.call, MemoryFormat::kContiguous);
    step.op = {sizeof step.op, static_cast<int32_t>(operators_.size()),
               &step.view->descriptor(), step.inputs.data(), step.outputs.data()};
    operators_.push_back(&step.op);
  }

  void Check(const qc_backend& table, FormatRun& problems) {
    const qc_program program = {sizeof program, static_cast<int32_t>(operators_.size()),
                                operators_.data()};
    const std::string program_of = "a program of " + std::to_string(operators_.size()) +
                                   (operators_.size() == 1 ? " operator" : " operators");
    const Asked asked(program_of);
    Claims claims;
    claims.times.resize(operators_.size());
    const qc_status status = Watched(problems, "partition", [&] {
      return table.partition(table.context, &program, Claims::Take, &claims);
    });
    const std::string of = " in " + program_of;
    const auto complain = [&](RunProblem problem, const std::string& what) {
      SetProblem(problems, problem, "partition", what + of);
    };
    if (status != QC_OK)
      return complain(RunProblem::kStatus, "partition answers " + StatusText(status));
    if (claims.groups_of_none > 0)
      complain(RunProblem::kStatus, "partition claims a group of no operators");
    for (const int32_t index : claims.outside)
      complain(RunProblem::kStatus, "partition claims operator " + std::to_string(index));
    for (size_t i = 0; i < steps_.size(); ++i) {
      const std::string name =
          "operator " + std::to_string(i) + " (" +
          OperatorName(steps_[i].call.kind, steps_[i].call.attributes) + ")";
      const bool accepted = Accepts(table, steps_[i], problems);
      if (claims.times[i] > 1)
        complain(RunProblem::kStatus, "partition claims " + name + " more than once");
      if (claims.times[i] > 0 && !accepted)
        complain(RunProblem::kStatus, "partition claims " + name + ", query refuses it");
      if (claims.times[i] == 0 && accepted)
        complain(RunProblem::kFallback,
                 "query accepts " + name + ", partition does not claim it");
    }
  }

 private:
  struct Step {
    OperatorCall call;
    std::vector<int32_t> inputs, outputs;
    std::optional<AbiView> view;
    qc_program_operator op = {};
  };

  static bool Accepts(const qc_backend& table, const Step& step, FormatRun& problems) {
    GuardedAnswer<qc_answer> answer;
    LentCall lent(*step.view);
    const qc_status status = Watched(problems, "query", [&] {
      return table.query(table.context, &lent.descriptor(), answer.get());
    });
    lent.TakeBack("query");
    return status == QC_OK && answer->supported != 0;
  }

  std::deque<Step> steps_;
  std::vector<const qc_program_operator*> operators_;
};

// Described alone: nothing is run, and data may be large.
CallTensor WithoutData(const CallTensor& from) {
  CallTensor tensor;
  tensor.dtype = from.dtype;
  tensor.shape = from.shape;
  tensor.scale = from.scale;
  tensor.zero_point = from.zero_point;
  tensor.zero_point_f32 = from.zero_point_f32;
  tensor.axis = from.axis;
  tensor.quant_min = from.quant_min;
  tensor.quant_max = from.quant_max;
  tensor.constant = from.constant;
  return tensor;
}

OperatorCall OnOutput(qc_operator_kind kind, const CallTensor& y, size_t operands) {
  OperatorCall call;
  call.kind = kind;
  call.attributes = EmptyAttributes();
  call.attributes.alpha = kind == QC_ADD ? 1 : 0;
  call.inputs.assign(operands, WithoutData(y));
  call.outputs = {WithoutData(y)};
  return call;
}

OperatorCall WithoutData(const OperatorCall& call) {
  OperatorCall description;
  description.kind = call.kind;
  description.attributes = call.attributes;
  description.scheme = call.scheme;
  for (const auto& input : call.inputs) {
    description.inputs.emplace_back();
    if (input) description.inputs.back() = WithoutData(*input);
  }
  for (const CallTensor& output : call.outputs)
    description.outputs.push_back(WithoutData(output));
  return description;
}

}  // namespace

void CheckPartition(const qc_backend& table, const OperatorCall& call,
                    FormatRun& problems) {
  if (table.size < sizeof(qc_backend) || table.partition == nullptr) return;
  std::vector<int32_t> inputs, outputs;
  int32_t value = 0;
  for (const auto& input : call.inputs) inputs.push_back(input ? value++ : -1);
  for (size_t i = 0; i < call.outputs.size(); ++i) outputs.push_back(value++);
  TriedProgram alone;
  alone.Add(WithoutData(call), inputs, outputs);
  alone.Check(table, problems);
  const CallTensor& y = call.outputs[0];
  if (!IsQuantizedCode(y) || y.axis >= 0) return;
  TriedProgram three;
  three.Add(WithoutData(call), inputs, outputs);
  const int32_t sum = value + 1;
  three.Add(OnOutput(QC_RELU, y, 1), {outputs[0]}, {value});
  three.Add(OnOutput(QC_ADD, y, 2), {outputs[0], value}, {sum});
  three.Check(table, problems);
}

}  // namespace qconform
