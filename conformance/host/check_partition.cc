#include "conformance/host/check_partition.h"

#include <algorithm>
#include <vector>

#include "conformance/host/lent_call.h"
#include "conformance/host/watched_call.h"

namespace qconform {

void CheckPartition(const qc_backend& table, const OperatorCall& call,
                    FormatRun& problems) {
  if (table.size < sizeof(qc_backend) || table.partition == nullptr) return;
  const AbiView view(call, MemoryFormat::kContiguous);
  LentCall lent(view);
  std::vector<int32_t> inputs, outputs;
  int32_t value = 0;
  for (const auto& input : call.inputs) inputs.push_back(input ? value++ : -1);
  for (size_t i = 0; i < call.outputs.size(); ++i) outputs.push_back(value++);
  const qc_program_operator op = {sizeof op, 0, &lent.descriptor(), inputs.data(),
                                  outputs.data()};
  const qc_program_operator* const operators[] = {&op};
  const qc_program program = {sizeof program, 1, operators};
  std::vector<int32_t> claimed;
  const qc_claim claim = [](void* sink, const int32_t* group, int32_t count) {
    auto& all = *static_cast<std::vector<int32_t>*>(sink);
    all.insert(all.end(), group, group + std::max(count, 0));
  };
  const qc_status status = Watched(problems, "partition", [&] {
    return table.partition(table.context, &program, claim, &claimed);
  });
  lent.TakeBack("partition");
  if (status != QC_OK) {
    SetProblem(problems, RunProblem::kStatus, "partition",
               "partition answers " + StatusText(status));
  } else if (claimed.empty()) {
    SetProblem(problems, RunProblem::kFallback, "partition",
               "query accepts the operator, partition does not claim it");
  } else if (claimed != std::vector<int32_t>{0}) {
    SetProblem(problems, RunProblem::kStatus, "partition",
               "partition claims other operators than the program's only one, once");
  }
}

}  // namespace qconform
