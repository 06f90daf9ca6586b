#include "conformance/verdict/case_speed.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>

#include "conformance/cases/subject_config.h"
#include "conformance/cases/suite_cases.h"
#include "conformance/host/worker.h"
#include "conformance/verdict/session.h"

namespace qconform {
namespace {

constexpr int64_t kConvolution = 9 * 9 * 16 * 8 * 9;
constexpr int64_t kLinear = 8 * 96 * 128;
constexpr const char* kFills[] = {"uniform", "pair_saturate", "ties", "zero_point_border",
                                  "one_hot"};

std::string IdOf(size_t i) {
  const char* what = i % 2 == 0 ? "conv2d" : "linear";
  const char* shape = i % 2 == 0 ? "n1.c8.i9x9.o16.k3x3.p1x1" : "m8.k96.n128";
  return fmt::format("speed/{}.u8s8u8.per_channel.bias_f32/{}.zx{}.zy{}/{}", what, shape,
                     i / 2 % 256, i / 512 % 256, kFills[i % std::size(kFills)]);
}

double ProcessorSeconds() {
  double seconds = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used = {};
    getrusage(who, &used);
    for (const timeval& time : {used.ru_utime, used.ru_stime})
      seconds +=
          static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  }
  return seconds;
}

}  // namespace

CaseSpeed MeasureCaseSpeed(const std::filesystem::path& backend,
                           const std::vector<std::string>& worker, size_t cases) {
  std::vector<SuiteRow> rows;
  for (size_t i = 0; i < cases; ++i) rows.push_back(RowFromId(IdOf(i)));
  const std::vector<CaseSource> sources = SuiteCases(rows);
  CaseSpeed speed;
  speed.cases = cases;
  speed.most_products = std::max(kConvolution, kLinear);
  const double processor = ProcessorSeconds();
  {
    WorkerOptions options;
    options.command = worker;
    Worker process(backend, options);
    Subject subject{process, IdentityOf(process, backend)};
    const auto config = ConfigOf(process.Load(), "");
    if (config) subject.config = &config->config;
    const auto begin = std::chrono::steady_clock::now();
    const SessionResult result = RunSession(sources, subject, {});
    speed.wall_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    speed.failed = cases - static_cast<size_t>(result.summary.passed());
  }
  // The worker's time is known once it has ended.
  speed.processor_seconds = ProcessorSeconds() - processor;
  return speed;
}

std::string CaseSpeedLine(const CaseSpeed& speed) {
  const auto cases = static_cast<double>(speed.cases);
  return fmt::format(
      "{} cases of up to {} multiply-accumulates, {} not passed: {:.0f} a second and "
      "worker, {:.0f} by the processor time of both",
      speed.cases, speed.most_products, speed.failed, cases / speed.wall_seconds,
      cases / speed.processor_seconds);
}

}  // namespace qconform
