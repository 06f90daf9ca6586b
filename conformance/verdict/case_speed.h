// How many cases a second the harness judges with one worker: everything that a case
// takes, from its id to its verdict.
#ifndef QCONFORM_CONFORMANCE_VERDICT_CASE_SPEED_H_
#define QCONFORM_CONFORMANCE_VERDICT_CASE_SPEED_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace qconform {

struct CaseSpeed {
  size_t cases = 0;
  size_t failed = 0;             // or refused: such a case has no speed
  int64_t most_products = 0;     // multiply-accumulates of the largest case
  double wall_seconds = 0;       // with the worker started
  double processor_seconds = 0;  // of harness and worker together
};

// Convolutions and linears of up to 100,000 multiply-accumulates in turn, each with codes
// of its own. `worker` starts a worker. Throws BackendError.
CaseSpeed MeasureCaseSpeed(const std::filesystem::path& backend,
                           const std::vector<std::string>& worker, size_t cases);

// "1000 cases of up to 98,304 multiply-accumulates: ... a second and worker".
std::string CaseSpeedLine(const CaseSpeed& speed);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_CASE_SPEED_H_
