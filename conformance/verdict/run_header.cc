#include "conformance/verdict/run_header.h"

#include <ctime>

#include "reference/formats/sha256.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

std::string NowUtc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace

RunHeader HeaderOf(size_t cases, const Subject& subject, const SessionOptions& options) {
  RunHeader header;
  header.tool = std::string("qconform ") + QCONFORM_VERSION;
  header.suite = options.suite;
  header.suite_digest = options.suite_digest;
  header.config_digest = options.config_digest;
  header.config = options.config;
  header.shard = options.shard.Text();
  if (options.seed) header.seed = std::to_string(*options.seed);
  header.backend = subject.identity;
  const LoadedBackend& loaded = subject.worker.Load();
  if (loaded.abi_major > 0)
    header.abi =
        std::to_string(loaded.abi_major) + "." + std::to_string(loaded.abi_minor);
  header.cases = static_cast<int64_t>(cases);
  header.started = NowUtc();
  header.machine = MachineFacts();
  if (!options.isa.empty()) header.machine["QCONFORM_ISA"] = options.isa;
  return header;
}

void CheckSameRun(const RunHeader& old, const RunHeader& now, const std::string& where) {
  const auto check = [&](const std::string& before, const std::string& after,
                         const char* what) {
    if (before != after)
      throw InputError(where, std::string("was written for another ") + what, after);
  };
  check(old.suite, now.suite, "suite");
  check(old.suite_digest, now.suite_digest, "content of the suite");
  check(old.backend.sha256, now.backend.sha256, "build of the backend");
  check(old.config_digest, now.config_digest, "config");
  check(old.tool, now.tool, "version of qconform");
  const auto shard = [](const RunHeader& header) {
    return header.shard.empty() ? std::string("the whole suite")
                                : "shard " + header.shard;
  };
  check(shard(old), shard(now), "shard");
  if (old.machine != now.machine) {
    throw InputError(where, "was written on another machine or path",
                     "the same cpu and the same QCONFORM_ISA");
  }
}

BackendIdentity IdentityOf(CallTarget& target, const std::filesystem::path& file) {
  const LoadedBackend& loaded = target.Load();
  return {loaded.name, loaded.version, Sha256HexOfFile(file), file.filename().string()};
}

}  // namespace qconform
