// torch's ready-made qconfigs, mappings and observers by name.
#include <fmt/format.h>

#include "cli/parity/json_difference.h"
#include "cli/parity/observer_state.h"
#include "cli/parity/qconfig/qconfig_tables.h"
#include "cli/parity/record_json.h"
#include "reference/ir/error.h"
#include "reference/observe/make_observer.h"
#include "reference/qconfig/default_observer.h"
#include "reference/qconfig/default_qconfig.h"
#include "reference/qconfig/qconfig_json.h"
#include "reference/qconfig/qconfig_mapping_json.h"

namespace qconform::parity {
namespace {

// The result against a record that holds one or an error; of that the kind.
template <typename Make>
RecordReport CompareResult(const std::string& name, const ordered_json& want,
                           const Make& make) {
  RecordReport record(name);
  const bool refused = want.is_object() && want.contains("error");
  try {
    const ordered_json got = make();
    record.Add("result", refused ? Difference{"", ShortText(got), ShortText(want)}
                                 : FirstDifference(got, want));
  } catch (const PipelineError& error) {
    record.Add("error",
               FirstDifference(error.kind(),
                               refused ? ordered_json(ErrorKind(want)) : want, "kind"));
  } catch (const InputError& error) {
    record.Add("result", Difference{"", error.what(), ShortText(want)});
  }
  return record;
}

// "get_default_qat_qconfig(x86,0)": the name, then the arguments.
std::vector<std::string> CallParts(const std::string& call) {
  std::vector<std::string> parts = {""};
  for (const char c : call) {
    if (c == '(' || c == ',') {
      parts.emplace_back();
    } else if (c != ')' && c != ' ' && c != '\'' && c != '"') {
      parts.back() += c;
    }
  }
  return parts;
}

std::optional<int> Version(const std::string& text) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos ||
      text.size() > 6) {
    return std::nullopt;
  }
  return std::stoi(text);
}

QConfigMapping DefaultMapping(bool is_qat, const std::string& backend, int version) {
  return is_qat ? GetDefaultQatQConfigMapping(backend, version)
                : GetDefaultQConfigMapping(backend, version);
}

}  // namespace

void CompareDefaultQConfigs(const ordered_json& table, TableReport& report) {
  for (const auto& [call, want] : table.items()) {
    const std::string name = "default_qconfigs/" + call;
    const std::vector<std::string> parts = CallParts(call);
    const bool is_qat = parts[0] == "get_default_qat_qconfig";
    const std::optional<int> version = Version(parts.size() > 2 ? parts[2] : "");
    if ((!is_qat && parts[0] != "get_default_qconfig") || parts.size() > 3 ||
        (parts.size() == 3 && !version)) {
      report.NotCompared(name, "unknown call");
      continue;
    }
    report.Add(CompareResult(name, want, [&] {
      const std::string backend =
          parts.size() > 1 && !parts[1].empty() ? parts[1] : "x86";
      return QConfigToJson(is_qat ? GetDefaultQatQConfig(backend, version.value_or(1))
                                  : GetDefaultQConfig(backend, version.value_or(0)));
    }));
  }
}

// "ptq:fbgemm:v0", "qat:x86:v1", "symmetric_qnnpack", "symmetric_qnnpack_qat"
void CompareDefaultMappings(const ordered_json& table, TableReport& report) {
  for (const auto& [key, want] : table.items()) {
    const std::string name = "default_mappings/" + key;
    const bool is_qat = key.starts_with("qat:");
    const size_t colon = key.rfind(":v");
    if (key == "symmetric_qnnpack" || key == "symmetric_qnnpack_qat") {
      report.Add(CompareResult(name, want, [&key = key] {
        return QConfigMappingToJson(key == "symmetric_qnnpack"
                                        ? GetSymmetricQnnpackQConfigMapping()
                                        : GetSymmetricQnnpackQatQConfigMapping());
      }));
    } else if ((is_qat || key.starts_with("ptq:")) && colon != std::string::npos &&
               colon > 4 && Version(key.substr(colon + 2))) {
      report.Add(CompareResult(name, want, [&key = key, is_qat, colon] {
        return QConfigMappingToJson(DefaultMapping(is_qat, key.substr(4, colon - 4),
                                                   *Version(key.substr(colon + 2))));
      }));
    } else {
      report.NotCompared(name, "unknown mapping");
    }
  }
}

void CompareNamedQConfigs(const ordered_json& table, TableReport& report) {
  for (const auto& [key, want] : table.items()) {
    report.Add(CompareResult("named_qconfigs/" + key, want,
                             [&key = key] { return QConfigToJson(NamedQConfig(key)); }));
  }
}

void CompareNamedObservers(const ordered_json& table, TableReport& report) {
  for (const auto& [key, want] : table.items()) {
    report.Add(
        CompareResult("named_observers/" + key, want, [&key = key]() -> ordered_json {
          const ObserverConstructor* observer = FindNamedObserver(key);
          return observer == nullptr ? ordered_json("no such observer")
                                     : ObserverConstructorToJson(*observer);
        }));
  }
}

void CompareNamedInstances(const ordered_json& table, TableReport& report) {
  for (const auto& [key, want] : table.items()) {
    report.Add(CompareResult(
        "named_observer_instances/" + key, want, [&key = key]() -> ordered_json {
          const ObserverConstructor* observer = FindNamedObserver(key);
          return observer == nullptr ? ordered_json("no such observer")
                                     : ObserverToRecord(*MakeObserver(*observer));
        }));
  }
}

}  // namespace qconform::parity
