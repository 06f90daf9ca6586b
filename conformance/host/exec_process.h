// A command that answers folders (exec_folder.h), watched: its time, processor time,
// memory and what it prints are limited, and nothing that it started outlives it.
#ifndef QCONFORM_CONFORMANCE_HOST_EXEC_PROCESS_H_
#define QCONFORM_CONFORMANCE_HOST_EXEC_PROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace qconform {

struct ExecLimits {
  int64_t time_limit_ms = 30000;             // of each folder, starting included
  uint64_t memory_limit_bytes = 8ull << 30;  // address space of a process; 0: no limit
  int64_t cpu_limit_seconds = 0;             // of each folder; 0: no limit
  int32_t threads = 1;                       // told to the command
  std::string isa;                           // likewise; empty: this process's own
};

enum class ExecEnd { kAnswered, kRefused, kCrashed, kHung };

struct ExecOutcome {
  ExecEnd end = ExecEnd::kAnswered;
  std::string reason;   // of kRefused
  std::string signal;   // of kCrashed: "SIGSEGV", "exit 1"; of kHung: "SIGXCPU" or ""
  std::string printed;  // of kCrashed the last line, of kHung the end of it
};

class ExecProcess {
 public:
  // `command` is run by the shell, with the folder as its last argument. `scratch` is a
  // folder of the caller's, for what the command prints.
  ExecProcess(std::string command, ExecLimits limits, std::filesystem::path scratch);
  ~ExecProcess();
  ExecProcess(const ExecProcess&) = delete;
  ExecProcess& operator=(const ExecProcess&) = delete;

  // Hands the folder to the command that stayed, or starts it.
  ExecOutcome Answer(const std::filesystem::path& folder);

  // How often the command was started.
  int starts() const { return starts_; }

 private:
  void Start(const std::filesystem::path& folder);
  bool HandOver(const std::filesystem::path& folder);
  void RaiseCpuLimit();
  // Waits for the end of one folder. False: a command that had stayed ended without
  // having begun, as one does that never meant to stay.
  bool Await(const std::filesystem::path& folder, bool handed_over, ExecOutcome& outcome);
  void Stop();
  std::string Printed() const;

  const std::string command_;
  const ExecLimits limits_;
  const std::filesystem::path scratch_;
  pid_t process_ = -1;
  int input_ = -1;
  int64_t printed_before_ = 0;
  int starts_ = 0;
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_EXEC_PROCESS_H_
