// Equality of qconfigs and the checks of them against dtype configs and each other.
#include <fmt/format.h>

#include <functional>
#include <map>
#include <set>

#include "cli/parity/json_difference.h"
#include "cli/parity/observer_state.h"
#include "cli/parity/qconfig/qconfig_tables.h"
#include "cli/parity/refused_constraint.h"
#include "reference/config/dtype_config_json.h"
#include "reference/config/torch_refusal.h"
#include "reference/observe/make_observer.h"
#include "reference/qconfig/constraint_check.h"
#include "reference/qconfig/default_observer.h"
#include "reference/qconfig/default_qconfig.h"
#include "reference/qconfig/dtype_support.h"
#include "reference/qconfig/mapping_rewrite.h"
#include "reference/qconfig/qconfig_json.h"

namespace qconform::parity {
namespace {

QConfigPointer Make(ObserverConstructor activation, const char* weight) {
  return std::make_shared<QConfig>(QConfig{std::move(activation), NamedObserver(weight)});
}

// A class or function as it stands, which equals itself only.
ObserverConstructor Bare(const std::string& name) {
  ObserverConstructor constructor(name);
  constructor.has_arguments = false;
  return constructor;
}

// The qconfigs that the table of equality names.
std::map<std::string, QConfigPointer> NamedForEquality() {
  const ObserverConstructor min_max("MinMaxObserver", {{"dtype", DType::kQUInt8}});
  const char* weight = "default_weight_observer";
  std::map<std::string, QConfigPointer> named = {
      {"MM", Make(min_max, weight)},
      {"MM_copy", Make(min_max, weight)},
      {"MMPC", Make(min_max, "default_per_channel_weight_observer")},
      {"None", nullptr},
      {"default", NamedQConfig("default_qconfig")},
      {"cls", Make(Bare("MinMaxObserver"), weight)},
      {"cls2", Make(Bare("MinMaxObserver"), weight)},
      {"lambda", Make(Bare("<lambda> 1"), weight)},
      {"lambda2", Make(Bare("<lambda> 2"), weight)},
      {"cls_vs_empty_args", Make(ObserverConstructor("MinMaxObserver"), weight)},
  };
  for (const char* backend : {"fbgemm", "x86", "qnnpack", "onednn"}) {
    named[backend] = GetDefaultQConfig(backend);
    named[std::string(backend) + "2"] = GetDefaultQConfig(backend);
  }
  return named;
}

std::optional<Difference> CompareConstraint(const QConfigPointer& qconfig,
                                            const DTypeWithConstraints& dtype,
                                            bool is_activation, const ordered_json& row) {
  ConstraintVerdict verdict;
  try {
    // torch asks the observer itself, which may refuse to exist.
    if (dtype.dtype)
      MakeObserver(*(is_activation ? qconfig->activation : qconfig->weight));
    verdict = SatisfiesConstraints(qconfig, dtype, is_activation);
  } catch (const PipelineError& error) {
    return FirstDifference(error.kind(), row[2]);
  }
  if (auto difference = FirstDifference(verdict.satisfied, row[2])) return difference;
  if (row.size() < 4 || !row[3].is_array() || row[3].empty()) return std::nullopt;
  return FirstDifference(RefusedConstraint(verdict),
                         RefusedConstraint(row[3][0].get<std::string>()), "reason");
}

ordered_json Outcome(const std::function<void()>& check) {
  try {
    check();
    return "ok";
  } catch (const PipelineError& error) {
    return error.kind();
  } catch (const TorchRefusal& error) {
    return error.kind();
  }
}

ordered_json KindOrOk(const ordered_json& want) {
  return want == "ok" ? want : ordered_json(ErrorKind(want));
}

// What convert's mapping is, made from prepare's, by the name of the row. False for an
// unknown one.
bool ChangeForConvert(const std::string& name, QConfigMapping& convert) {
  const QConfigPointer other = NamedQConfig("per_channel_dynamic_qconfig");
  if (name == "same") return true;
  if (name == "name none") {
    convert.module_name.Set("a", nullptr);
  } else if (name == "global none") {
    convert.global = nullptr;
  } else if (name == "extra key") {
    convert.module_name.Set("b", other);
  } else if (name == "missing key") {
    convert.object_type.Erase("torch.nn.Linear");
  } else if (name == "different value") {
    convert.module_name.Set("a", other);
  } else {
    return false;
  }
  return true;
}

}  // namespace

void CompareEquality(const ordered_json& table, TableReport& report) {
  const std::map<std::string, QConfigPointer> named = NamedForEquality();
  for (const ordered_json& row : table) {
    const std::string a = row.at(0), b = row.at(1);
    RecordReport record("qconfig_equals/" + a + "/" + b);
    if (named.count(a) == 0 || named.count(b) == 0) {
      report.NotCompared(record.name(), "unknown qconfig");
      continue;
    }
    record.Add("equal", FirstDifference(QConfigEquals(named.at(a), named.at(b)), row[2]));
    report.Add(std::move(record));
  }
}

// "instance activation", "instance weight", "CLASS type ok"
void CompareConstructor(const ordered_json& table, TableReport& report) {
  for (const ordered_json& row : table) {
    const std::string name = row.at(0);
    RecordReport record("qconfig_ctor/" + name);
    ordered_json qconfig = {{"activation", {{"class", "MinMaxObserver"}}},
                            {"weight", {{"class", "MinMaxObserver"}}}};
    constexpr std::string_view kType = " type ok";
    if (name == "instance activation" || name == "instance weight") {
      qconfig[name.substr(9)]["instance"] = true;
    } else if (name.ends_with(kType)) {
      const std::string type = name.substr(0, name.size() - kType.size());
      qconfig = {{"activation", {{"class", type}}}, {"weight", {{"class", type}}}};
    } else {
      report.NotCompared(record.name(), "the record does not hold its arguments");
      continue;
    }
    record.Add("result",
               FirstDifference(Outcome([&] { QConfigFromJson(qconfig, record.name()); }),
                               KindOrOk(row.at(1))));
    report.Add(std::move(record));
  }
}

void CompareConstraintCheck(const ordered_json& table, TableReport& report) {
  const bool is_activation =
      table.value("note", "activation side").find("weight side") == std::string::npos;
  for (const ordered_json& row : table.at("table")) {
    const std::string observer = row.at(0), dtype = row.at(1);
    RecordReport record("constraint_check/" + observer + "/" + dtype);
    const ObserverConstructor constructor = ObserverConstructorFromJson(
        table.at("observers").at(observer), "constraint_check/" + observer);
    QConfig qconfig;
    (is_activation ? qconfig.activation : qconfig.weight) = constructor;
    record.Add("verdict",
               CompareConstraint(std::make_shared<QConfig>(qconfig),
                                 DTypeWithConstraintsFromJson(
                                     table.at("dtypes").at(dtype), record.name()),
                                 is_activation, row));
    report.Add(std::move(record));
  }
}

void CompareDTypeSupport(const ordered_json& table, TableReport& report) {
  std::map<std::pair<std::string, std::string>, ordered_json> listed;
  std::set<std::string> names;
  for (const ordered_json& row : table.at("table")) {
    listed[{row.at(0), row.at(1)}] = row.at(2);
    names.insert(row.at(0).get<std::string>());
  }
  for (const auto& [config_name, configs] : table.at("dtype_configs").items()) {
    std::vector<DTypeConfig> dtype_configs;
    for (ordered_json config : configs) {
      // This table spells a boolean as text.
      if (config.contains("is_dynamic") && config.at("is_dynamic").is_string()) {
        config["is_dynamic"] = config.at("is_dynamic") == "True";
      }
      dtype_configs.push_back(DTypeConfigFromJson(config, config_name));
    }
    for (const std::string& name : names) {
      RecordReport record("convert_supported/" + name + "/" + config_name);
      const QConfigPointer qconfig = NamedQConfig(name);
      if (qconfig == nullptr && name != "None") {
        report.NotCompared(record.name(), "unknown qconfig");
        continue;
      }
      ordered_json got;
      try {
        got = CheckDTypeConfigs(qconfig, dtype_configs).supported;
      } catch (const PipelineError& error) {
        got = error.kind();
      }
      // Pairs that the table does not list are false.
      const auto found = listed.find({name, config_name});
      record.Add("supported",
                 FirstDifference(
                     got, found == listed.end() ? ordered_json(false) : found->second));
      report.Add(std::move(record));
    }
  }
}

void ComparePrepareConvert(const ordered_json& table, TableReport& report) {
  QConfigMapping prepare;
  prepare.global = NamedQConfig("default_qconfig");
  prepare.object_type.Set("torch.nn.Linear", prepare.global);
  prepare.module_name.Set("a", prepare.global);
  for (const ordered_json& row : table) {
    RecordReport record("compare_prepare_convert/" + row.at(0).get<std::string>());
    QConfigMapping convert = prepare;
    if (!ChangeForConvert(row.at(0), convert)) {
      report.NotCompared(record.name(), "the record does not hold its mappings");
      continue;
    }
    record.Add("result",
               FirstDifference(Outcome([&] { CheckConvertMapping(prepare, convert); }),
                               KindOrOk(row.at(1))));
    report.Add(std::move(record));
  }
}

}  // namespace qconform::parity
