#include "reference/diff/golden_diff.h"

#include <fmt/format.h>

#include "reference/diff/changed_line.h"
#include "reference/diff/field_changes.h"
#include "reference/diff/graph_diff.h"
#include "reference/diff/tensor_diff.h"
#include "reference/golden/golden_files.h"
#include "reference/lower/program_json.h"

namespace qconform {
namespace {

std::string DiffSources(const Golden& a, const Golden& b) {
  std::string text;
  AppendChange(text, "tool", a.manifest.tool, b.manifest.tool);
  AppendChange(text, "model", a.manifest.source.model, b.manifest.source.model);
  AppendChange(text, "config", a.manifest.source.config, b.manifest.source.config);
  AppendChange(text, "mode", a.manifest.source.mode, b.manifest.source.mode);
  const OrderedMap<std::string>& before = a.manifest.source.digests;
  const OrderedMap<std::string>& after = b.manifest.source.digests;
  constexpr size_t kShown = 16;  // of a digest
  for (const auto& [role, digest] : before) {
    const std::string* other = after.Find(role);
    AppendChange(text, "made from " + role, digest.substr(0, kShown),
                 other == nullptr ? "none" : other->substr(0, kShown));
  }
  for (const auto& [role, digest] : after) {
    if (!before.Contains(role)) {
      AppendChange(text, "made from " + role, "none", digest.substr(0, kShown));
    }
  }
  return text;
}

std::string DigestOf(const Golden& golden, const char* file) {
  const GoldenFile* found = golden.manifest.files.Find(file);
  return found == nullptr ? "" : found->sha256;
}

// Without its tensors a graph can only be held against its digest.
std::string DiffGraph(const char* what, const char* file, const Golden& a,
                      const Golden& b) {
  const std::optional<GraphModule>& before =
      file == std::string(kPreparedFile) ? a.prepared : a.reference;
  const std::optional<GraphModule>& after =
      file == std::string(kPreparedFile) ? b.prepared : b.reference;
  std::string text;
  if (before && after) {
    text = DiffGraphs(*before, *after);
  } else if (DigestOf(a, file) != DigestOf(b, file)) {
    text = fmt::format(
        "{} has another digest; its tensors were left out, so it was not "
        "looked into\n",
        file);
  }
  return text.empty() ? "" : std::string(what) + " graph\n" + text;
}

OrderedMap<ordered_json> ByObserver(const ordered_json& qparams) {
  OrderedMap<ordered_json> observers;
  for (const ordered_json& observer : qparams) {
    observers.Set(observer.value("observer", ""), observer);
  }
  return observers;
}

std::string DiffQparams(const Golden& a, const Golden& b) {
  const OrderedMap<ordered_json> before = ByObserver(a.qparams);
  const OrderedMap<ordered_json> after = ByObserver(b.qparams);
  std::string text;
  size_t changed = 0, gone = 0, added = 0;
  for (const auto& [name, observer] : before) {
    const std::string line =
        "qparams " + name + " of " + observer.value("observes", std::string("?"));
    const ordered_json* other = after.Find(name);
    if (other == nullptr) {
      ++gone;
      text += "< " + line + "\n";
      continue;
    }
    const std::vector<FieldChange> fields = FieldChanges(observer, *other);
    if (fields.empty()) continue;
    ++changed;
    text += line + "\n";
    for (const FieldChange& change : fields) {
      text += fmt::format("<   {} {}\n>   {} {}\n", change.field, change.before,
                          change.field, change.after);
    }
  }
  for (const auto& [name, observer] : after) {
    if (before.Contains(name)) continue;
    ++added;
    text += "> qparams " + name + " of " + observer.value("observes", std::string("?")) +
            "\n";
  }
  if (text.empty()) return "";
  return text + fmt::format("qparams  {} changed, {} gone, {} new, {} same\n", changed,
                            gone, added, before.size() - changed - gone);
}

std::string DiffPrograms(const Golden& a, const Golden& b) {
  OrderedMap<Tensor> ignored;
  const std::vector<FieldChange> fields =
      FieldChanges(ProgramToJson(a.program, ignored), ProgramToJson(b.program, ignored));
  if (fields.empty()) return "";
  std::string text;
  constexpr size_t kShown = 5;
  for (size_t i = 0; i < fields.size() && i < kShown; ++i) {
    text += fmt::format("< program {} {}\n> program {} {}\n", fields[i].field,
                        fields[i].before, fields[i].field, fields[i].after);
  }
  return text + fmt::format("program  {} steps, {} steps; {} fields differ{}\n",
                            a.program.steps.size(), b.program.steps.size(), fields.size(),
                            fields.size() > kShown ? ", the first five are shown" : "");
}

OrderedMap<Tensor> Constants(const Golden& golden) {
  OrderedMap<Tensor> tensors;
  for (const ProgramValue& value : golden.program.values) {
    if (value.constant) tensors.Set(value.name, *value.constant);
  }
  return tensors;
}

}  // namespace

std::string DiffGoldens(const Golden& a, const Golden& b) {
  return DiffSources(a, b) + DiffGraph("prepared", kPreparedFile, a, b) +
         DiffGraph("reference", kReferenceFile, a, b) + DiffQparams(a, b) +
         DiffPrograms(a, b) + DiffTensors("constants", Constants(a), Constants(b)) +
         DiffTensors("values", a.values, b.values) +
         DiffTensors("float values", a.float_values, b.float_values);
}

}  // namespace qconform
