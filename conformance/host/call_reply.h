// What a backend did with one operator call, and how calls and replies travel.
#ifndef QCONFORM_CONFORMANCE_HOST_CALL_REPLY_H_
#define QCONFORM_CONFORMANCE_HOST_CALL_REPLY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/host/memory_format.h"
#include "conformance/host/operator_call.h"
#include "conformance/host/wire.h"

namespace qconform {

enum class RunProblem : uint8_t {
  kNone,
  kStatus,       // plan or run answered something else than QC_OK
  kBounds,       // a canary beside a buffer was changed
  kUnwritten,    // elements of an output were left as they were
  kRepeat,       // a second call gave other bits
  kMisaligned,   // a call with buffers that are aligned to their elements only did
  kThreads,      // a call from two threads at once did
  kPlans,        // another plan of the same operator changed this one
  kAnswer,       // query gave another answer to the same question
  kPath,         // the claimed path cannot be the one that ran
  kFallback,     // partition leaves to others what query accepts
  kEnvironment,  // the floating point environment was left changed
  kLeak,         // memory, files or threads were kept beyond destroy
  kOutputFile,   // of a command: what it left as an output cannot be read as that
  kInPlace,      // query says may_alias, and output 0 in input 0 has other bits
  kThreadCount,  // a plan for another number of threads gave other bits, or used more of
                 // them
  kSignal,       // the handler of memory faults, or what another signal does, was changed
  kUnknownValue,  // query does not say no to what the ABI does not have
  kSpelling,      // the same call in other words gave another answer or other bits
  kProcess,  // working folder, environment, umask or blocked signals were left changed
  kInvalidAnswer,  // query or plan answered with what the ABI does not have
};

// The outcome in one memory format. Outputs are dense and row-major.
struct FormatRun {
  MemoryFormat format = MemoryFormat::kContiguous;
  std::string path;
  int32_t threads = 1;  // handed to plan
  uint64_t workspace_bytes = 0;
  RunProblem problem = RunProblem::kNone;
  std::string phase;   // where the problem arose: "query", "plan", "run" or "destroy"
  std::string detail;  // one line about the problem
  std::vector<std::vector<std::byte>> outputs;
};

struct CallReply {
  qc_status query_status = QC_OK;
  bool supported = false;
  // The call cannot be put to this subject; `reason` says why. No worker says so.
  bool not_asked = false;
  std::string reason;
  std::string scheme;
  uint32_t memory_formats = 0;
  bool may_alias = false;
  std::vector<FormatRun> runs;
};

// Who was loaded.
struct LoadedBackend {
  std::string name;
  std::string version;
  uint32_t abi_major = 0;
  uint32_t abi_minor = 0;
  std::string config;  // JSON text; empty: none
  bool has_partition = false;
};

// How thorough a call is: judged in every memory format, repeatedly and from two threads,
// or made once to get its result.
enum class CallMode : uint8_t { kJudge, kOnce };

struct CallRequest {
  OperatorCall call;
  int32_t threads = 1;
  CallMode mode = CallMode::kJudge;
  int64_t cpu_seconds = 0;  // processor time that the call may take; 0: no limit
};

std::vector<std::byte> EncodeRequest(const CallRequest& request);
std::vector<std::byte> EncodeReply(const CallReply& reply);
std::vector<std::byte> EncodeBackend(const LoadedBackend& backend);

// These throw WireError on nonsense.
CallRequest DecodeRequest(const std::vector<std::byte>& bytes);
CallReply DecodeReply(const std::vector<std::byte>& bytes);
LoadedBackend DecodeBackend(const std::vector<std::byte>& bytes);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_CALL_REPLY_H_
