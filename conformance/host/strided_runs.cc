#include "conformance/host/strided_runs.h"

#include <algorithm>
#include <string>
#include <vector>

#include "conformance/host/ask_backend.h"
#include "conformance/host/asked_call.h"
#include "conformance/host/call_class.h"
#include "conformance/host/plan_probe.h"
#include "conformance/host/run_series.h"

namespace qconform {
namespace {

class ShapeHash {
 public:
  // FNV-1a of 64 bits.
  void Add(int64_t value) {
    for (int byte = 0; byte < 8; ++byte) {
      hash_ ^= static_cast<uint64_t>(value) >> (8 * byte) & 0xFF;
      hash_ *= 0x100000001B3;
    }
  }
  void Add(const CallTensor& tensor) {
    Add(tensor.dtype);
    for (const int64_t size : tensor.shape) Add(size);
  }
  // The low bits alone would follow those of the last numbers.
  uint64_t value() const { return hash_ ^ hash_ >> 32; }

 private:
  uint64_t hash_ = 0xCBF29CE484222325;
};

// Of what a memory format is for: outputs may have more dimensions than inputs.
int RankOf(const OperatorCall& call) {
  int rank = ActivationRank(call);
  for (const CallTensor& output : call.outputs)
    rank = std::max(rank, static_cast<int>(output.shape.size()));
  return rank;
}

}  // namespace

MemoryFormat StridedFormatOf(const OperatorCall& call) {
  std::vector<MemoryFormat> formats = StridedFormats(RankOf(call));
  if (!IsSmallEnoughToProbe(call)) std::erase(formats, MemoryFormat::kApart);
  if (formats.empty()) return MemoryFormat::kRowGaps;
  ShapeHash hash;
  hash.Add(call.kind);
  for (const auto& input : call.inputs)
    if (input) hash.Add(*input);
  for (const CallTensor& output : call.outputs) hash.Add(output);
  return formats[hash.value() % formats.size()];
}

void RunInOtherStrides(const qc_backend& table, const CallRequest& request,
                       const qc_answer& answer, CallReply& reply) {
  const OperatorCall& call = request.call;
  const int rank = RankOf(call);
  if ((answer.memory_formats & QC_ANY_STRIDE) == 0 || !IsSmallEnoughToProbe(call) ||
      !TakeFirst(table, call, "strides of rank " + std::to_string(rank)))
    return;
  const MemoryFormat done = StridedFormatOf(call);
  for (const MemoryFormat format : StridedFormats(rank)) {
    if (format == done) continue;
    const Asked asked(MemoryFormatName(format));
    const Series series{
        format, Placement::kFlushToEnd, {Placement::kFlushToEnd}, request.threads};
    reply.runs.push_back(RunSeries(table, request, series));
    if (reply.runs.back().problem != RunProblem::kNone) return;
  }
}

}  // namespace qconform
