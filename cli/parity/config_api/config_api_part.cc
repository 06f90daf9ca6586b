// Calls of the config classes one by one: config_api.json.
#include <algorithm>

#include "cli/parity/config_api/config_api_rows.h"
#include "cli/parity/json_difference.h"
#include "cli/parity/observer_state.h"
#include "cli/parity/parts.h"
#include "reference/config/torch_refusal.h"
#include "reference/formats/json_file.h"
#include "reference/ir/error.h"

namespace qconform::parity {
namespace {

// What a row of calls came to: a result, or an error of a kind with a text.
struct Outcome {
  ordered_json result;
  std::string kind;
  std::string message;
};

Outcome RunRow(const std::string& name, const ordered_json& steps, RecordedForm form) {
  try {
    return {ConfigApiResult(name, steps, form), "", ""};
  } catch (const PipelineError& error) {
    return {nullptr, error.kind(), error.what()};
  } catch (const TorchRefusal& error) {
    return {nullptr, error.kind(), error.message()};
  } catch (const InputError& error) {
    return {nullptr, "InputError", error.what()};
  }
}

// Records cut long texts.
bool SameMessage(const std::string& got, const std::string& want) {
  constexpr size_t kCut = 150;
  return got == want || (want.size() > kCut && got.starts_with(want));
}

void CompareRow(const ordered_json& row, PartReport& part) {
  RecordReport record(row.at("name").get<std::string>());
  const ordered_json want = row.value("result", ordered_json());
  Outcome got;
  try {
    got = RunRow(record.name(), row.at("steps"), FormOf(want));
  } catch (const UnreadStep& unread) {
    part.NotCompared(record.name() + " / " + ShortText(row.at("steps")), unread.what());
    return;
  }
  if (!row.contains("error")) {
    record.Add("result", got.kind.empty() ? FirstDifference(got.result, want)
                                          : Difference{"", got.kind + ": " + got.message,
                                                       ShortText(want)});
  } else if (got.kind.empty()) {
    record.Add("error",
               Difference{"", ShortText(got.result), ShortText(row.at("error"))});
  } else {
    record.Add("error", FirstDifference(got.kind, ErrorKind(row.at("error")), "kind"));
    const std::string message = row.at("error").value("message", "");
    if (!SameMessage(got.message, message)) {
      record.Note("says '" + got.message + "' where torch says '" + message + "'");
    }
  }
  part.records.push_back(std::move(record));
}

}  // namespace

PartReport RunConfigApiPart(const Files& files, const std::string& filter) {
  PartReport part{"config_api", {}, {}};
  for (const auto& file : files) {
    const JsonFile json = JsonFile::Read(file);
    for (const ordered_json& row : json.root()) {
      if (row.at("name").get<std::string>().find(filter) == std::string::npos) continue;
      CompareRow(row, part);
    }
  }
  return part;
}

}  // namespace qconform::parity
