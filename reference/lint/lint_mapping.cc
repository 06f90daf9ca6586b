#include "reference/lint/lint_mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reference/config/canonical_name.h"
#include "reference/config/literal_json.h"
#include "reference/config/module_types.h"
#include "reference/ir/error.h"
#include "reference/lint/known_names.h"
#include "reference/lint/mapping_rules.h"
#include "reference/qconfig/python_regex.h"
#include "reference/qconfig/qconfig_json.h"
#include "reference/qconfig/qconfig_mapping_json.h"

namespace qconform {
namespace {

// Without characters that mean something else in an expression; a dot means itself too.
bool IsPlainText(const std::string& expression) {
  return expression.find_first_of("\\^$*+?()[]{}|") == std::string::npos;
}

constexpr const char* kScaleEachOutput = "a scale for each output channel, axis 1";

class MappingRules {
 public:
  MappingRules(const JsonFile& file, const BackendConfig* config)
      : file_(file), json_(file.root()), config_(config) {
    ConfigFindings ignored;
    mapping_ = QConfigMappingFromJson(json_, file, &ignored);
    for (ConfigFinding& finding : ignored) {
      findings_.push_back({LintSeverity::kWarning, "unknown_key", finding.where, "",
                           finding.what + ", expected " + finding.expected, ""});
    }
  }

  LintFindings Run() {
    for (const char* key : {"", "global"}) {
      if (const ordered_json* global = FindValue(json_, key))
        QConfigAt(*global, "global");
    }
    if (json_.contains("") && json_.contains("global")) {
      Add(LintSeverity::kWarning, "replaced_rule", json_[""], "global",
          "\"\" and \"global\" are the same setting; the second one counts");
    }
    Global();
    ForEach("object_type", [this](const ordered_json& entry) { ObjectType(entry); });
    FusedParts();
    ForEach("module_name_regex",
            [this](const ordered_json& entry) { Expression(entry); });
    ForEach("module_name", [this](const ordered_json& entry) { ModuleName(entry); });
    ForEach("module_name_object_type_order",
            [this](const ordered_json& entry) { Order(entry); });
    return std::move(findings_);
  }

 private:
  void Add(LintSeverity severity, const char* kind, const ordered_json& at,
           std::string subject, std::string text, std::string strict = "") {
    findings_.push_back({severity, kind, file_.Where(at), std::move(subject),
                         std::move(text), std::move(strict)});
  }

  // Every entry of a level with its qconfig judged and repeated keys named.
  template <typename Visit>
  void ForEach(const char* level, const Visit& visit) {
    const ordered_json* entries = FindValue(json_, level);
    if (entries == nullptr) return;
    std::set<std::string> seen;
    for (const ordered_json& entry : *entries) {
      // The reader has refused what is no list, as Python would unpack it.
      if (!entry.is_array() || entry.size() < 2) continue;
      std::string key;
      for (size_t i = 0; i + 1 < entry.size(); ++i) {
        key += (i == 0 ? "" : ", ") +
               (entry[i].is_string() ? entry[i].get<std::string>() : entry[i].dump());
      }
      const std::string subject = std::string(level) + " " + key.substr(0, 100);
      if (!seen.insert(CanonicalName(key)).second) {
        Add(LintSeverity::kWarning, "replaced_rule", entry, subject,
            "stands twice: the later value counts, at the earlier place");
      }
      QConfigAt(entry.back(), subject);
      visit(entry);
    }
  }

  void QConfigAt(const ordered_json& json, const std::string& subject) {
    const QConfigPointer qconfig = QConfigFromJson(json, file_);
    if (qconfig != nullptr) LintQConfig(json, *qconfig, subject, file_, findings_);
  }

  void Global() {
    if (mapping_.global == nullptr && mapping_.object_type.empty() &&
        mapping_.module_name_regex.empty() && mapping_.module_name.empty() &&
        mapping_.module_name_object_type_order.empty()) {
      Add(LintSeverity::kWarning, "empty_mapping", json_, "",
          "no setting at all: nothing is quantized");
    }
    if (!HasPerChannelWeight(mapping_.global)) return;
    std::string missing;
    for (const char* dimension : {"1d", "2d", "3d"}) {
      const std::string type = std::string("torch.nn.ConvTranspose") + dimension;
      if (mapping_.object_type.Contains(type)) continue;
      missing += (missing.empty() ? "" : ", ") + type;
    }
    if (missing.empty()) return;
    const ordered_json* global = FindValue(json_, "global");
    if (global == nullptr) global = FindValue(json_, "");
    Add(LintSeverity::kWarning, "per_channel_conv_transpose", *global, "global",
        fmt::format("a per-channel weight without a setting for {}: torch raises "
                    "AssertionError on a model that has one",
                    missing),
        kScaleEachOutput);
  }

  void ObjectType(const ordered_json& entry) {
    const std::string name = CanonicalName(entry[0].get<std::string>());
    const std::string subject = "object_type " + name;
    if (!Operation(entry[0], subject, name)) return;
    if (name.rfind("torch.nn.ConvTranspose", 0) == 0 &&
        HasPerChannelWeight(QConfigFromJson(entry.back(), file_))) {
      Add(LintSeverity::kError, "per_channel_conv_transpose", entry, subject,
          "a per-channel weight: torch raises AssertionError on a model that has one",
          kScaleEachOutput);
    }
    if (config_ == nullptr) return;
    if (atoms_.empty()) {
      for (const BackendConfig::Entry& row : config_->entries()) {
        AddAtoms(row.key, atoms_);
      }
    }
    if (atoms_.count(name) == 0) {
      Add(LintSeverity::kWarning, "type_without_pattern", entry, subject,
          fmt::format("no pattern of backend config {} has it: the setting never "
                      "quantizes anything",
                      config_->name()));
    }
  }

  // Names that no node can have.
  bool Operation(const ordered_json& at, const std::string& subject,
                 const std::string& name) {
    if (name == "torch.nn.functional.sigmoid" || name == "torch.nn.functional.tanh") {
      Add(LintSeverity::kWarning, "never_traced", at, subject,
          fmt::format("a traced graph never holds it: it becomes the method {}",
                      name.substr(name.rfind('.') + 1)));
      return false;
    }
    if (IsKnownOperation(name) || !IsTorchName(name)) return true;
    Add(LintSeverity::kError, "unknown_name", at, subject,
        "torch has no such class, function or method" + NearestOperationHint(name));
    return false;
  }

  // torch wants equal settings for all parts of a fused module.
  void FusedParts() {
    if (mapping_.object_type.empty()) return;
    std::set<std::pair<std::string, std::string>> reported;
    for (const ModuleType& type : ModuleTypeTable()) {
      if (!type.is_fused || type.children.size() < 2) continue;
      const std::string first(type.children[0]);
      for (size_t i = 1; i < type.children.size(); ++i) {
        const std::string part(type.children[i]);
        // Batch norm is folded away, unless it is trained.
        if (part.find("BatchNorm") != std::string::npos) continue;
        const QConfigPointer* a = mapping_.object_type.Find(first);
        const QConfigPointer* b = mapping_.object_type.Find(part);
        if (QConfigEquals(a == nullptr ? nullptr : *a, b == nullptr ? nullptr : *b) ||
            !reported.emplace(first, part).second) {
          continue;
        }
        Add(LintSeverity::kWarning, "fused_parts_differ", json_["object_type"],
            "object_type " + (a != nullptr ? first : part),
            fmt::format("{} and {} have different settings here: torch raises "
                        "LookupError on a model where they are fused to {}",
                        first, part, type.name));
      }
    }
  }

  void Expression(const ordered_json& entry) {
    const std::string text = entry[0].get<std::string>();
    const std::string subject = "module_name_regex " + text.substr(0, 80);
    try {
      PythonRegex compiled(text, subject);
    } catch (const InputError& error) {
      const std::string line = error.what();
      Add(LintSeverity::kError, "bad_expression", entry[0], subject,
          "does not compile" + line.substr(std::min(subject.size(), line.size())));
      return;
    }
    for (const std::string& earlier : expressions_) {
      const bool matches_all = earlier.empty() || earlier == "^" || earlier == ".*" ||
                               earlier == "^.*" || earlier == ".*$";
      const bool is_prefix = IsPlainText(earlier) && IsPlainText(text) &&
                             text.compare(0, earlier.size(), earlier) == 0;
      if (!matches_all && !is_prefix) continue;
      Add(LintSeverity::kWarning, "shadowed_rule", entry[0], subject,
          fmt::format("shadowed by '{}', which comes first and matches wherever this "
                      "does (at the start of a name)",
                      earlier));
      break;
    }
    expressions_.push_back(text);
  }

  void ModuleName(const ordered_json& entry) {
    if (!entry[0].get<std::string>().empty()) return;
    Add(LintSeverity::kWarning, "rule_never_applies", entry, "module_name \"\"",
        "torch never looks the empty name up; \"global\" was meant?");
  }

  void Order(const ordered_json& entry) {
    const std::string name = CanonicalName(entry[1].get<std::string>());
    const std::string subject = "module_name_object_type_order " + name;
    if (!Operation(entry[1], subject, name)) return;
    if (IsMethodName(name)) {
      Add(LintSeverity::kWarning, "rule_never_applies", entry, subject,
          "torch applies rules of order to modules and functions, never to methods");
    }
    if (entry[2].get<int64_t>() < 0) {
      Add(LintSeverity::kWarning, "rule_never_applies", entry, subject,
          "the index counts from 0; a negative one is never reached");
    }
  }

  const JsonFile& file_;
  const ordered_json& json_;
  const BackendConfig* config_;
  QConfigMapping mapping_;
  std::set<std::string> atoms_;
  std::vector<std::string> expressions_;
  LintFindings findings_;
};

}  // namespace

LintFindings LintMapping(const JsonFile& file, const BackendConfig* config) {
  return MappingRules(file, config).Run();
}

}  // namespace qconform
