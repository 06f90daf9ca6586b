// Asks a backend, and counts.
#ifndef QCONFORM_CONFORMANCE_PROBE_QUESTIONER_H_
#define QCONFORM_CONFORMANCE_PROBE_QUESTIONER_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "conformance/host/call_target.h"

namespace qconform {

class Questioner {
 public:
  // No more than `limit` calls are made; later questions are not answered.
  Questioner(CallTarget& target, int limit) : target_(target), limit_(limit) {}

  // The bytes of each output, computed once. nullopt: refused, failed, or none left; the
  // reason is in refusal() or failure().
  std::optional<std::vector<std::vector<std::byte>>> Outputs(const OperatorCall& call);

  // The elements of output 0, 8 bits wide.
  std::optional<std::vector<int32_t>> Codes(const OperatorCall& call);

  // How the answer to the call changes where it must not: on a second call, in other
  // memory, from two threads at once or beside another plan; of a backend out of process
  // on a second call. "" if it does not; nullopt as of Outputs.
  std::optional<std::string> Change(const OperatorCall& call);
  bool shares_memory() const { return target_.SharesMemory(); }

  int calls() const { return calls_; }
  int64_t answers() const { return answers_; }  // outputs' elements, over all calls
  bool exhausted() const { return calls_ >= limit_; }
  // The last refusal's reason, and the first failure: "CRASH(SIGSEGV) in run".
  const std::string& refusal() const { return refusal_; }
  const std::string& failure() const { return failure_; }
  // The schemes that the answers to query named.
  const std::set<std::string>& declared() const { return declared_; }

 private:
  CallTarget& target_;
  int limit_;
  int calls_ = 0;
  int64_t answers_ = 0;
  std::string refusal_;
  std::string failure_;
  std::set<std::string> declared_;
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_PROBE_QUESTIONER_H_
