// The result schema: a run is a JSON Lines journal with one header, one line a
// case and one footer. Reports read this header and nothing else of the room, so
// it includes only the standard library and nlohmann.
#ifndef QCONFORM_CONFORMANCE_VERDICT_RECORD_H_
#define QCONFORM_CONFORMANCE_VERDICT_RECORD_H_

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qconform {

// Grows when a field is added; readers ignore fields that they do not know.
inline constexpr int kRecordSchema = 1;

// The closed set. REFUSED is skipped only without a declared row (see IsSkipped).
enum class Verdict {
  kPass,            // equals the reference's scheme to the bit
  kPassScheme,      // equals another known scheme that the backend declares
  kFail,            // wrong numbers, a declared row refused, or a failing status
  kRefused,         // the backend says no
  kFallback,        // somebody else's code ran
  kCrash,           // a signal, or the backend ended the process
  kHang,            // the time limit passed
  kOutOfBounds,     // touched a byte that no tensor and no workspace describes
  kPathsDisagree,   // two code paths of one backend differ
  kMistrusted,      // the data could not have shown a fault
  kKnown,           // a listed failure
  kUnexpectedPass,  // a listed failure that passes
  kExpired,         // a listed failure past its date
};

inline constexpr std::array<std::string_view, 13> kVerdictNames = {
    "PASS",           "PASS_SCHEME", "FAIL",  "REFUSED",
    "FALLBACK",       "CRASH",       "HANG",  "OUT_OF_BOUNDS",
    "PATHS_DISAGREE", "MISTRUSTED",  "KNOWN", "UNEXPECTED_PASS",
    "EXPIRED"};

inline std::string_view VerdictName(Verdict verdict) {
  return kVerdictNames[static_cast<size_t>(verdict)];
}

inline std::optional<Verdict> ParseVerdict(std::string_view name) {
  for (size_t i = 0; i < kVerdictNames.size(); ++i)
    if (kVerdictNames[i] == name) return static_cast<Verdict>(i);
  return std::nullopt;
}

struct BackendIdentity {
  std::string name;
  std::string version;
  std::string sha256;  // of the shared object's file
  std::string file;    // its file name, without folders
};

// One case. Empty strings and empty lists are left out of the line.
struct CaseRecord {
  std::string id;        // reads like a path and rebuilds the case
  std::string suite;     // "first_light", or the name of a golden
  std::string group;     // what summaries group by: suite, operator, dtypes, granularity
  std::string row;       // pattern of the config row that declares it; empty: no row
  std::string kind;      // "conv2d", "linear", ..., "program" for a whole golden
  std::string fill;      // "uniform", ..., "real"
  std::string domain;    // "whole": every value that the operands can take was tried
  std::string relation;  // of a metamorphic case: "split_batch"
  BackendIdentity backend;
  std::string scheme_declared;  // what query answered
  std::string scheme_compared;  // the scheme whose codes were expected
  std::string path;             // what plan answered: "avx2", "scalar"
  Verdict verdict = Verdict::kFail;
  std::string signal;          // of a CRASH: "SIGSEGV", "exit 0"
  std::string phase;           // query, plan, run, destroy: where it went wrong
  double seconds = 0;          // wall time in the worker and on the way
  double start_seconds = 0;    // of these, starting the worker after a crash
  int64_t elements = 0;        // of all outputs that were compared
  int64_t wrong_elements = 0;  // of these
  std::vector<std::string> memory_formats;  // those that ran
  std::string reason;                       // of a refusal, in the backend's words
  std::string cause;                        // class of a failure: "rounding", "padding"
  std::vector<std::string> details;  // lines for a person, first wrong element first
  std::string printed;               // first line that the backend printed
  std::string bits;  // digest of the outputs, so that runs can be compared
  // Where the backend declares no scheme that the reference knows: the error bound that
  // the outputs were judged by, formula and inputs; and how many elements differ from the
  // reference's own, inside of their sets.
  std::string bound;
  int64_t differing_elements = 0;
  // What was measured besides, by name: "sqnr_float_db", "sqnr_golden_db",
  // "top1_agreement" of a whole golden; "noise_codes" where a bound says nothing. A
  // number that is no finite one (of equal outputs) is left out.
  std::map<std::string, double> accuracy;
  int level = -1;                  // what a pass shows, see levels.h; -1: not a pass
  std::vector<std::string> cells;  // of the contract, that this case exercises
  std::string listed;              // the verdict that a known-failure entry replaced
  // Of a whole golden: how many operators each side ran.
  int64_t backend_operators = 0;
  int64_t reference_operators = 0;
  int64_t float_islands = 0;
};

// A refusal without a declared row, or a listed failure.
inline bool IsSkipped(const CaseRecord& record) {
  return (record.verdict == Verdict::kRefused && record.row.empty()) ||
         record.verdict == Verdict::kKnown;
}

inline bool IsPassed(const CaseRecord& record) {
  return record.verdict == Verdict::kPass || record.verdict == Verdict::kPassScheme;
}

inline bool IsFailed(const CaseRecord& record) {
  return !IsPassed(record) && !IsSkipped(record);
}

struct RunHeader {
  int schema = kRecordSchema;
  std::string tool;  // "qconform 0.1.0"
  std::string suite;
  std::string suite_digest;   // SHA-256 over the case source
  std::string config_digest;  // SHA-256 of the backend's config, if it has one
  std::string config;         // its JSON text
  std::string shard;          // "2/5": only these cases; empty: all
  std::string seed;           // of the order, if it was shuffled
  BackendIdentity backend;
  std::string abi;  // "1.0"
  int64_t cases = 0;
  std::string started;                         // UTC, ISO 8601
  std::map<std::string, std::string> machine;  // cpu, features, cores, kernel, isa
};

// Cases of one row of the backend's config.
struct RowCoverage {
  std::string row;
  int64_t cases = 0;
};

struct RunFooter {
  bool complete = false;  // false: interrupted
  int64_t selected = 0;
  int64_t ran = 0;
  std::map<std::string, int64_t> verdicts;  // by name
  int64_t passed = 0;
  int64_t failed = 0;
  int64_t skipped = 0;
  std::vector<RowCoverage> rows;  // of the config; 0 cases: never exercised
  // Row, dtypes and granularity, fill, scheme, path -> cases.
  std::map<std::string, int64_t> cells;
  std::vector<RowCoverage> contract;  // cells of the config; 0 cases: not exercised
  std::map<std::string, int> levels;  // operator -> level that its passes reach
  // Shards that no journal was merged for, code paths that the machine cannot run.
  std::vector<std::string> missing;
  double seconds = 0;
};

namespace record_json {

using Json = nlohmann::ordered_json;

template <typename T>
void PutUnlessEmpty(Json& json, const char* key, const T& value) {
  if (!value.empty()) json[key] = value;
}

template <typename T>
void Get(const Json& json, const char* key, T& value) {
  if (auto found = json.find(key); found != json.end()) found->get_to(value);
}

}  // namespace record_json

inline void to_json(nlohmann::ordered_json& json, const BackendIdentity& backend) {
  json = {{"name", backend.name},
          {"version", backend.version},
          {"sha256", backend.sha256},
          {"file", backend.file}};
}

inline void from_json(const nlohmann::ordered_json& json, BackendIdentity& backend) {
  record_json::Get(json, "name", backend.name);
  record_json::Get(json, "version", backend.version);
  record_json::Get(json, "sha256", backend.sha256);
  record_json::Get(json, "file", backend.file);
}

inline void to_json(nlohmann::ordered_json& json, const CaseRecord& record) {
  using record_json::PutUnlessEmpty;
  json = {{"record", "case"},
          {"id", record.id},
          {"suite", record.suite},
          {"group", record.group},
          {"verdict", VerdictName(record.verdict)}};
  PutUnlessEmpty(json, "row", record.row);
  PutUnlessEmpty(json, "kind", record.kind);
  PutUnlessEmpty(json, "fill", record.fill);
  PutUnlessEmpty(json, "domain", record.domain);
  PutUnlessEmpty(json, "relation", record.relation);
  json["backend"] = record.backend;
  PutUnlessEmpty(json, "scheme_declared", record.scheme_declared);
  PutUnlessEmpty(json, "scheme_compared", record.scheme_compared);
  PutUnlessEmpty(json, "path", record.path);
  PutUnlessEmpty(json, "signal", record.signal);
  PutUnlessEmpty(json, "phase", record.phase);
  json["seconds"] = record.seconds;
  if (record.start_seconds > 0) json["start_seconds"] = record.start_seconds;
  json["elements"] = record.elements;
  json["wrong_elements"] = record.wrong_elements;
  PutUnlessEmpty(json, "memory_formats", record.memory_formats);
  PutUnlessEmpty(json, "reason", record.reason);
  PutUnlessEmpty(json, "cause", record.cause);
  PutUnlessEmpty(json, "details", record.details);
  PutUnlessEmpty(json, "printed", record.printed);
  PutUnlessEmpty(json, "bits", record.bits);
  PutUnlessEmpty(json, "bound", record.bound);
  if (record.differing_elements > 0)
    json["differing_elements"] = record.differing_elements;
  PutUnlessEmpty(json, "accuracy", record.accuracy);
  if (record.level >= 0) json["level"] = record.level;
  PutUnlessEmpty(json, "cells", record.cells);
  PutUnlessEmpty(json, "listed", record.listed);
  if (record.kind == "program") {
    json["backend_operators"] = record.backend_operators;
    json["reference_operators"] = record.reference_operators;
    json["float_islands"] = record.float_islands;
  }
}

// Throws nlohmann's exceptions on a wrong type or an unknown verdict.
inline void from_json(const nlohmann::ordered_json& json, CaseRecord& record) {
  using record_json::Get;
  json.at("id").get_to(record.id);
  auto name = json.at("verdict").get<std::string>();
  auto verdict = ParseVerdict(name);
  if (!verdict) {
    throw nlohmann::json::other_error::create(599, "unknown verdict '" + name + "'",
                                              nullptr);
  }
  record.verdict = *verdict;
  Get(json, "suite", record.suite);
  Get(json, "group", record.group);
  Get(json, "row", record.row);
  Get(json, "kind", record.kind);
  Get(json, "fill", record.fill);
  Get(json, "domain", record.domain);
  Get(json, "relation", record.relation);
  Get(json, "backend", record.backend);
  Get(json, "scheme_declared", record.scheme_declared);
  Get(json, "scheme_compared", record.scheme_compared);
  Get(json, "path", record.path);
  Get(json, "signal", record.signal);
  Get(json, "phase", record.phase);
  Get(json, "seconds", record.seconds);
  Get(json, "start_seconds", record.start_seconds);
  Get(json, "elements", record.elements);
  Get(json, "wrong_elements", record.wrong_elements);
  Get(json, "memory_formats", record.memory_formats);
  Get(json, "reason", record.reason);
  Get(json, "cause", record.cause);
  Get(json, "details", record.details);
  Get(json, "printed", record.printed);
  Get(json, "bits", record.bits);
  Get(json, "bound", record.bound);
  Get(json, "differing_elements", record.differing_elements);
  Get(json, "accuracy", record.accuracy);
  Get(json, "level", record.level);
  Get(json, "cells", record.cells);
  Get(json, "listed", record.listed);
  Get(json, "backend_operators", record.backend_operators);
  Get(json, "reference_operators", record.reference_operators);
  Get(json, "float_islands", record.float_islands);
}

inline void to_json(nlohmann::ordered_json& json, const RunHeader& header) {
  json = {{"record", "header"},
          {"schema", header.schema},
          {"tool", header.tool},
          {"suite", header.suite},
          {"suite_digest", header.suite_digest},
          {"config_digest", header.config_digest},
          {"backend", header.backend},
          {"abi", header.abi},
          {"cases", header.cases},
          {"started", header.started},
          {"machine", header.machine}};
  record_json::PutUnlessEmpty(json, "config", header.config);
  record_json::PutUnlessEmpty(json, "shard", header.shard);
  record_json::PutUnlessEmpty(json, "seed", header.seed);
}

inline void from_json(const nlohmann::ordered_json& json, RunHeader& header) {
  using record_json::Get;
  Get(json, "schema", header.schema);
  Get(json, "tool", header.tool);
  Get(json, "suite", header.suite);
  Get(json, "suite_digest", header.suite_digest);
  Get(json, "config_digest", header.config_digest);
  Get(json, "backend", header.backend);
  Get(json, "abi", header.abi);
  Get(json, "cases", header.cases);
  Get(json, "started", header.started);
  Get(json, "machine", header.machine);
  Get(json, "config", header.config);
  Get(json, "shard", header.shard);
  Get(json, "seed", header.seed);
}

inline void to_json(nlohmann::ordered_json& json, const RowCoverage& row) {
  json = {{"row", row.row}, {"cases", row.cases}};
}

inline void from_json(const nlohmann::ordered_json& json, RowCoverage& row) {
  json.at("row").get_to(row.row);
  json.at("cases").get_to(row.cases);
}

inline void to_json(nlohmann::ordered_json& json, const RunFooter& footer) {
  json = {{"record", "footer"},          {"complete", footer.complete},
          {"selected", footer.selected}, {"ran", footer.ran},
          {"verdicts", footer.verdicts}, {"passed", footer.passed},
          {"failed", footer.failed},     {"skipped", footer.skipped},
          {"rows", footer.rows},         {"cells", footer.cells},
          {"contract", footer.contract}, {"levels", footer.levels},
          {"seconds", footer.seconds}};
  record_json::PutUnlessEmpty(json, "missing", footer.missing);
}

inline void from_json(const nlohmann::ordered_json& json, RunFooter& footer) {
  using record_json::Get;
  Get(json, "complete", footer.complete);
  Get(json, "selected", footer.selected);
  Get(json, "ran", footer.ran);
  Get(json, "verdicts", footer.verdicts);
  Get(json, "passed", footer.passed);
  Get(json, "failed", footer.failed);
  Get(json, "skipped", footer.skipped);
  Get(json, "rows", footer.rows);
  Get(json, "cells", footer.cells);
  Get(json, "contract", footer.contract);
  Get(json, "levels", footer.levels);
  Get(json, "missing", footer.missing);
  Get(json, "seconds", footer.seconds);
}

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_RECORD_H_
