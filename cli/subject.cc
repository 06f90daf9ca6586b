#include "cli/subject.h"

#include <cmath>
#include <utility>

#include "cli/above_zero.h"
#include "cli/print_ignored.h"
#include "cli/worker.h"
#include "conformance/host/exec_target.h"
#include "conformance/host/in_process.h"
#include "conformance/host/worker.h"
#include "conformance/verdict/every_path.h"
#include "conformance/verdict/session.h"
#include "reference/ir/error.h"
#include "reference/numerics/scheme.h"

namespace qconform {

void AddSubjectOptions(CLI::App& verb, SubjectOptions& options) {
  verb.add_option("--config", options.config,
                  "Config that says what is declared: a JSON file or a built-in name "
                  "(default: the backend's own)");
  verb.add_option("--timeout", options.timeout_seconds, "Seconds a case may take")
      ->capture_default_str()
      ->check(AboveZero());
  verb.add_option("--cpu", options.cpu_seconds,
                  "Seconds of processor time that a case may take (default: the timeout, "
                  "for each thread)")
      ->check(AboveZero());
  verb.add_option("--memory", options.memory_mib, "MiB that the worker may map")
      ->capture_default_str();
  verb.add_option("--threads", options.threads, "Threads handed to the backend's plan")
      ->capture_default_str()
      ->check(AboveZero());
  verb.add_option(
      "--isa", options.isa,
      "Code path that is forced, as QCONFORM_ISA does; all: every path of this "
      "machine, which must agree");
  verb.add_option(
          "--form", options.form,
          "Of the models that exec:COMMAND gets: qdq (float between conversions), "
          "operator (QLinearConv, ...) or integer (ConvInteger, requantization "
          "spelled out)")
      ->check(CLI::IsMember({"qdq", "operator", "integer"}))
      ->capture_default_str();
  verb.add_option(
      "--scheme", options.scheme,
      "Requantization scheme that exec:COMMAND follows where an operator has it "
      "(default: it declares none)");
}

namespace {

WorkerOptions WorkerOptionsOf(const SubjectOptions& options) {
  WorkerOptions worker;
  worker.command = WorkerCommand();
  worker.time_limit_ms = static_cast<int64_t>(options.timeout_seconds * 1000);
  worker.memory_limit_bytes = options.memory_mib << 20;
  worker.cpu_limit_seconds = static_cast<int64_t>(std::ceil(options.cpu_seconds));
  worker.threads = options.threads;
  worker.isa = options.isa;
  worker.shorten_after_hangs = options.shorten_after_hangs;
  return worker;
}

ExecOptions ExecOptionsOf(const SubjectOptions& options) {
  ExecOptions exec;
  exec.limits.time_limit_ms = static_cast<int64_t>(options.timeout_seconds * 1000);
  exec.limits.memory_limit_bytes = options.memory_mib << 20;
  exec.limits.cpu_limit_seconds =
      options.cpu_seconds > 0
          ? static_cast<int64_t>(std::ceil(options.cpu_seconds))
          : static_cast<int64_t>(options.timeout_seconds + 1) * options.threads;
  exec.limits.threads = options.threads;
  exec.limits.isa = options.isa;
  exec.form = *ParseOnnxForm(options.form);
  exec.scheme = options.scheme;
  return exec;
}

// The text as one word of a shell.
std::string ShellWord(const std::string& text) {
  if (text.find_first_of(" '\"$&;|<>()*?`\\") == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

// What a subject of one kind has no use for.
void CheckOptions(const SubjectOptions& options, bool exec) {
  const auto refuse = [&options](bool given, const char* option, const char* expected) {
    if (given) {
      throw InputError(option, "means nothing for --backend " + options.backend,
                       expected);
    }
  };
  if (exec) {
    refuse(options.in_process, "--in-process", "a shared object");
    refuse(options.isa == "all", "--isa all", "one path, or a shared object");
    refuse(options.isa.find('\'') != std::string::npos, "--isa", "the name of a path");
    if (!options.scheme.empty() && !ParseScheme(options.scheme)) {
      throw InputError("--scheme", "'" + options.scheme + "' is no scheme",
                       "one like f32/one/even/bias_s32/zp_after");
    }
  } else {
    refuse(options.form != "qdq", "--form", "exec:COMMAND");
    refuse(!options.scheme.empty(), "--scheme", "exec:COMMAND");
  }
}

// A worker for each path of this machine; notes the other paths.
std::function<std::unique_ptr<CallTarget>()> EveryPathOf(
    const std::string& file, const WorkerOptions& worker,
    std::vector<std::string>& missing) {
  std::vector<std::string> names;
  for (const PathOnMachine& path : PathsOf(MachineFacts()))
    (path.can_run ? names : missing).push_back(path.name);
  if (names.empty())
    throw InputError("--isa all", "no path of this architecture is known", "one path");
  return [file, worker, names] {
    EveryPath::Targets targets;
    for (const std::string& name : names) {
      WorkerOptions forced = worker;
      forced.isa = name;
      targets.emplace_back(name, std::make_unique<Worker>(file, forced));
    }
    return std::make_unique<EveryPath>(std::move(targets));
  };
}

// The backend's own is no mistake of who runs it.
std::optional<SubjectConfig> DeclaredConfigOf(const LoadedBackend& backend,
                                              const std::string& name_or_file) {
  try {
    return ConfigOf(backend, name_or_file);
  } catch (const InputError& error) {
    if (!name_or_file.empty()) throw;
    throw BackendError(error.what());
  }
}

// One that cannot be read says nothing: --config stands in its place.
std::optional<SubjectConfig> OwnConfigOf(const LoadedBackend& backend) {
  try {
    return ConfigOf(backend, "");
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

std::unique_ptr<OpenedSubject> OpenSubject(const SubjectOptions& options) {
  auto opened = std::make_unique<OpenedSubject>();
  const std::string& file = options.backend;
  const bool exec = file.starts_with(kExecPrefix);
  CheckOptions(options, exec);
  if (exec) {
    const std::string command = file.substr(std::string(kExecPrefix).size());
    opened->another_worker = [command, worker = ExecOptionsOf(options)] {
      return std::make_unique<ExecTarget>(command, worker);
    };
    opened->target = opened->another_worker();
    // Form and scheme are part of who is judged: with others the verdicts are others.
    opened->identity = {file, options.form,
                        DigestOfCommand(command + " --form " + options.form +
                                        " --scheme " + options.scheme),
                        command};
  } else if (options.in_process) {
    opened->target =
        std::make_unique<InProcess>(file, options.threads, options.stop_before_run);
  } else {
    const WorkerOptions worker = WorkerOptionsOf(options);
    if (options.isa == "all") {
      opened->another_worker = EveryPathOf(file, worker, opened->missing_paths);
    } else {
      opened->another_worker = [file, worker] {
        return std::make_unique<Worker>(file, worker);
      };
    }
    opened->target = opened->another_worker();
  }
  if (!exec) opened->identity = IdentityOf(*opened->target, file);
  opened->config = DeclaredConfigOf(opened->target->Load(), options.config);
  if (opened->config) PrintIgnored(opened->config->ignored);
  if (!options.config.empty()) opened->own_config = OwnConfigOf(opened->target->Load());
  return opened;
}

std::string SubjectArguments(const SubjectOptions& options) {
  std::string text = "--backend " + ShellWord(options.backend);
  if (options.form != "qdq") text += " --form " + options.form;
  if (!options.scheme.empty()) text += " --scheme " + options.scheme;
  if (!options.config.empty()) text += " --config " + options.config;
  if (options.threads != 1) text += " --threads " + std::to_string(options.threads);
  if (!options.isa.empty()) text += " --isa " + options.isa;
  return text;
}

}  // namespace qconform
