// Which rule of a mapping a node obeys, where several speak about it.
#include "conformance/contract/constraint_step.h"
#include "conformance/contract/contract_case.h"

namespace qconform {
namespace {

// Two calls in a block, one outside; the names are prefixes of each other.
const std::vector<std::string>& Paths() {
  static const auto* const paths =
      new std::vector<std::string>{"block.one", "block.one_more", "one"};
  return *paths;
}

struct RuleCase {
  const char* name;
  // Told the type of the modules, and qconfigs that differ.
  void (*apply)(QConfigMapping& mapping, const std::string& type,
                const QConfigPointer& other);
};

constexpr RuleCase kRuleCases[] = {
    {"type_before_global",
     [](QConfigMapping& m, const std::string& type, const QConfigPointer& other) {
       m.object_type.Set(type, other);
     }},
    {"none_of_type", [](QConfigMapping& m, const std::string& type,
                        const QConfigPointer&) { m.object_type.Set(type, nullptr); }},
    {"regex_before_type",
     [](QConfigMapping& m, const std::string& type, const QConfigPointer& other) {
       m.object_type.Set(type, nullptr);
       m.module_name_regex.Set("block\\.one", other);
     }},
    {"regex_inside_a_name",
     [](QConfigMapping& m, const std::string&, const QConfigPointer& other) {
       m.module_name_regex.Set("one", other);
     }},
    {"first_regex",
     [](QConfigMapping& m, const std::string&, const QConfigPointer& other) {
       m.module_name_regex.Set("block.*", other);
       m.module_name_regex.Set("block\\.one.*", nullptr);
     }},
    {"name_before_regex",
     [](QConfigMapping& m, const std::string&, const QConfigPointer& other) {
       m.module_name_regex.Set(".*", nullptr);
       m.module_name.Set("block.one", other);
     }},
    {"name_of_parent",
     [](QConfigMapping& m, const std::string&, const QConfigPointer& other) {
       m.module_name.Set("block", other);
     }},
    {"name_before_parent",
     [](QConfigMapping& m, const std::string&, const QConfigPointer& other) {
       m.module_name.Set("block", nullptr);
       m.module_name.Set("block.one", other);
     }},
    {"name_is_no_prefix",
     [](QConfigMapping& m, const std::string&, const QConfigPointer& other) {
       m.module_name.Set("block.on", other);
       m.module_name.Set("one", other);
     }},
    {"order_before_name",
     [](QConfigMapping& m, const std::string& type, const QConfigPointer& other) {
       m.module_name.Set("block.one", nullptr);
       m.SetOrder("block", type, 0, other);
       m.SetOrder("block.one", type, 0, other);
       m.SetOrder("block.one_more", type, 0, nullptr);
     }},
    {"order_outside",
     [](QConfigMapping& m, const std::string& type, const QConfigPointer& other) {
       m.SetOrder("", type, 0, other);
       m.SetOrder("one", type, 0, nullptr);
     }},
    {"no_global",
     [](QConfigMapping& m, const std::string& type, const QConfigPointer& other) {
       m.global = nullptr;
       m.object_type.Set(type, nullptr);
       m.module_name.Set("one", other);
     }},
};

}  // namespace

std::vector<ContractCase> MappingCases(const BackendConfig& config) {
  std::vector<ContractCase> cases;
  for (const BackendConfig::Entry& entry : config.entries()) {
    if (entry.config.dtype_configs.empty() || !BuildModulePath(entry.key, Paths())) {
      continue;
    }
    const DTypeConfig& dtype = entry.config.dtype_configs.front();
    const std::vector<ConstraintStep> steps = ConstraintSteps(dtype);
    // The other qconfig differs in its weight, or else in all.
    QConfigPointer other;
    for (const ConstraintStep& step : steps) {
      if (step.name == "weight.per_channel.axis_0") other = step.qconfig;
    }
    if (other == nullptr) continue;
    const std::string& type = entry.key.name();
    for (const RuleCase& rule : kRuleCases) {
      ContractCase c;
      c.group = ContractName(config) + "/contract/mapping";
      c.about = rule.name;
      c.id = c.group + "/" + c.about;
      c.build = [&entry, &type, satisfied = steps.front().qconfig, other,
                 apply = rule.apply] {
        ContractInput input{*BuildModulePath(entry.key, Paths()), {}};
        input.mapping.global = satisfied;
        apply(input.mapping, type, other);
        return input;
      };
      cases.push_back(std::move(c));
    }
    break;
  }
  return cases;
}

}  // namespace qconform
