#include <fmt/format.h>

#include <vector>

#include "reference/fuse/fuser_method.h"
#include "reference/ir/error.h"
#include "reference/ir/nearest_name.h"
#include "reference/lint/config_rules.h"
#include "reference/match/node_getter.h"

namespace qconform {
namespace {

bool Holds(const Pattern& pattern, Pattern::Kind kind) {
  if (pattern.kind() == kind) return true;
  for (const Pattern& item : pattern.items()) {
    if (Holds(item, kind)) return true;
  }
  return false;
}

// Whether a function of the registry knows the name.
template <typename Find>
bool IsRegistered(const Find& find, const std::string& name) {
  try {
    find(name);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

class FusionRules {
 public:
  FusionRules(ConfigRows& rows, const ConfigRow& row)
      : rows_(rows), row_(row), config_(row.config) {}

  void Run() {
    Names();
    Root();
    if (config_.fuser_method.empty()) {
      if (!config_.fused_module.empty()) {
        Add(LintSeverity::kWarning, "fused_module_without_fuser", "fused_module",
            "fused_module without fuser_method: nothing is fused");
      }
      return;
    }
    if (!row_.key.IsTuple()) {
      Add(LintSeverity::kError, "fuser_on_single_operation", "fuser_method",
          "a fuser on a pattern of one operation: torch raises ValueError, expected a "
          "tuple");
      return;
    }
    if (!config_.fused_module.empty() &&
        rows_.config().FindSingle(config_.fused_module) == nullptr) {
      Add(LintSeverity::kError, "fused_without_entry", "fused_module",
          fmt::format("the pattern is fused to {}, which no row of its own matches: the "
                      "fused module stays float",
                      config_.fused_module));
    }
    if (Holds(row_.key, Pattern::Kind::kLiteral)) {
      Add(LintSeverity::kError, "literal_in_fusion", "pattern",
          "a literal in a fused pattern: torch raises AttributeError where it matches");
    }
    if (Holds(row_.key, Pattern::Kind::kMatchAll) &&
        config_.extra_inputs_getter.empty()) {
      Add(LintSeverity::kError, "extra_input_dropped", "pattern_complex_format",
          "the fused node takes only the root's inputs: what MatchAllNode stands for is "
          "dropped without an extra_inputs_getter");
    }
  }

 private:
  void Add(LintSeverity severity, const char* kind, const char* key, std::string text) {
    rows_.Add(severity, kind, row_, ConfigRows::At(*row_.json, {key}),
              row_.key.HumanText(), std::move(text));
  }

  void Names() {
    const auto unknown = [this](const char* key, const std::string& name,
                                const std::vector<std::string>& known) {
      Add(LintSeverity::kError, "unknown_name", key,
          fmt::format("unknown {} '{}'{}", key, name, NearestNameHint(name, known)));
    };
    if (!config_.fuser_method.empty() &&
        !IsRegistered(FindFuserMethod, config_.fuser_method)) {
      unknown("fuser_method", config_.fuser_method, FuserTable().Names());
    }
    if (!IsRegistered(FindRootNodeGetter, config_.root_node_getter)) {
      unknown("root_node_getter", config_.root_node_getter, RootNodeGetters().Names());
    }
    if (!IsRegistered(FindExtraInputsGetter, config_.extra_inputs_getter)) {
      unknown("extra_inputs_getter", config_.extra_inputs_getter,
              ExtraInputsGetters().Names());
    }
  }

  // Without a getter torch takes the last part, followed down.
  void Root() {
    if (!config_.root_node_getter.empty() || !row_.key.IsTuple()) return;
    const Pattern& root = RootAtom(row_.key);
    if (root.kind() == Pattern::Kind::kMatchAll ||
        root.kind() == Pattern::Kind::kLiteral) {
      Add(LintSeverity::kError, "root_is_no_operation", "pattern_complex_format",
          fmt::format("the root is the pattern's last part, {}, which is no operation: a "
                      "root_node_getter must name it",
                      root.HumanText()));
    } else if (!config_.fuser_method.empty() && root.kind() != Pattern::Kind::kModule) {
      Add(LintSeverity::kError, "fuser_needs_module_root", "pattern",
          fmt::format("the root {} is no module: torch's fusion handler raises "
                      "AssertionError",
                      root.HumanText()));
    }
  }

  ConfigRows& rows_;
  const ConfigRow& row_;
  const BackendPatternConfig& config_;
};

}  // namespace

void LintFusion(ConfigRows& rows) {
  for (const ConfigRow& row : rows.rows()) {
    if (row.InForce()) FusionRules(rows, row).Run();
  }
}

}  // namespace qconform
