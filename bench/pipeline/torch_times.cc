#include "bench/pipeline/torch_times.h"

#include <stdio.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

namespace qconform::bench {
namespace {

std::string Interpreter() {
  const char* given = getenv("QCONFORM_ORACLE_PYTHON");
  if (given != nullptr) return given;
  const std::filesystem::path own =
      std::filesystem::path(QCONFORM_SOURCE_DIR) / "build/oracle-venv/bin/python";
  return std::filesystem::exists(own) ? own.string() : "";
}

// One word of a shell command.
std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string OutputOf(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string output;
  char buffer[4096];
  for (size_t n; pipe && (n = fread(buffer, 1, sizeof buffer, pipe.get())) > 0;) {
    output.append(buffer, n);
  }
  return output;
}

}  // namespace

std::optional<TorchTime> TorchTimes::Find(const std::string& name, int threads) const {
  const auto found = times.find({name, threads});
  if (found == times.end()) return std::nullopt;
  return found->second;
}

TorchTimes MeasureTorch(const std::vector<int>& threads, const std::string& filter) {
  TorchTimes result{"not installed", {}};
  const std::string interpreter = Interpreter();
  if (interpreter.empty()) return result;
  // The allocator keeps freed memory here as it does in this process.
  std::string command =
      "MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=2000000000 " + Quoted(interpreter) +
      " " + Quoted(QCONFORM_SOURCE_DIR "/bench/pipeline/torch_times.py") + " --threads";
  for (const int count : threads) command += " " + std::to_string(count);
  command += " --filter " + Quoted(filter);
  const nlohmann::json record =
      nlohmann::json::parse(OutputOf(command), nullptr, /*allow_exceptions=*/false);
  if (!record.is_object() || !record.contains("times")) return result;
  result.version = record.value("version", "unknown");
  for (const auto& [count, times] : record["times"].items()) {
    for (const auto& [name, time] : times.items()) {
      result.times[{name, std::stoi(count)}] = {time.value("best", 0.0),
                                                time.value("median", 0.0)};
    }
  }
  return result;
}

}  // namespace qconform::bench
