#include "reference/quantizers/source_partition.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "reference/config/class_module.h"
#include "reference/ir/error.h"
#include "reference/quantizers/source_operators.h"

namespace qconform {
namespace {

using Sources = std::vector<std::string>;

// Each line is one set of equals.
const std::vector<Sources>& EquivalentSets() {
  static const std::vector<Sources> sets = {
      {"torch.nn.Conv1d", "torch.nn.functional.conv1d"},
      {"torch.nn.Conv2d", "torch.nn.functional.conv2d"},
      {"torch.nn.AdaptiveAvgPool2d", "torch.nn.functional.adaptive_avg_pool2d"},
      {"torch.nn.ReLU", "torch.nn.functional.relu", "torch.nn.functional.relu_"},
      {"torch.nn.BatchNorm2d", "torch.nn.functional.batch_norm"},
      {"torch.nn.Hardtanh", "torch.nn.functional.hardtanh",
       "torch.nn.functional.hardtanh_"},
      {"torch.add", "operator.add", "operator.iadd", "add", "add_"},
      {"torch.mul", "operator.mul", "operator.imul", "mul", "mul_"},
  };
  return sets;
}

// "builtin_function_or_method.linear" -> "linear": what stands between the first dot and
// the second.
std::string NameOf(const TorchFunction& function) {
  const size_t dot = function.function.find('.');
  if (dot == std::string::npos) return "";
  const size_t end = function.function.find('.', dot + 1);
  return function.function.substr(dot + 1, end - dot - 1);
}

}  // namespace

std::vector<std::string> EquivalentSources(const std::string& source) {
  Sources found = {source};
  for (const Sources& set : EquivalentSets()) {
    if (std::find(set.begin(), set.end(), source) == set.end()) continue;
    for (const std::string& other : set) {
      if (other != source) found.push_back(other);
    }
  }
  return found;
}

SourceIndex::SourceIndex(const ExportedProgram& program, PartitionBy by)
    : program_(program), by_(by) {
  for (const Node& node : program.module.graph.nodes()) {
    const size_t position = nodes_.size();
    nodes_.push_back(&node);
    positions_[&node] = position;
    if (node.op() == Op::kCallFunction) by_target_[node.target()].push_back(position);
    const NodeMetadata& metadata = program.MetadataOf(node);
    if (!metadata.source_fn_stack.empty()) {
      by_source_function_[metadata.source_fn_stack.back().type].push_back(position);
      continue;
    }
    if (metadata.torch_fn) {
      by_torch_function_[NameOf(*metadata.torch_fn)].push_back(position);
    }
    if (node.op() == Op::kCallFunction && !metadata.nn_module_stack.empty()) {
      by_innermost_module_[metadata.nn_module_stack.back().type].push_back(position);
    }
  }
}

std::vector<SourceIndex::Entry> SourceIndex::FindByOrigin(const Sources& sources) const {
  std::vector<Entry> entries;
  std::set<size_t> taken;
  std::set<std::string> asked;
  const auto visit = [&](const Lookup& lookup, const std::string& key, const auto& call) {
    const auto found = lookup.find(key);
    if (found == lookup.end()) return;
    for (const size_t position : found->second) {
      if (!taken.insert(position).second) continue;
      const NodeMetadata& metadata = program_.MetadataOf(*nodes_[position]);
      entries.push_back({position, key, call(metadata)});
    }
  };
  for (const std::string& source : sources) {
    const std::string name = DefinedName(source);
    if (!asked.insert(name).second) continue;
    visit(by_source_function_, name,
          [](const NodeMetadata& m) { return m.source_fn_stack.back().name; });
    visit(by_torch_function_, name,
          [](const NodeMetadata& m) { return m.torch_fn->name; });
  }
  // What torch_fn told is not asked of the module stack.
  for (const std::string& name : asked) {
    visit(by_innermost_module_, name,
          [](const NodeMetadata& m) { return m.nn_module_stack.back().path; });
  }
  return entries;
}

std::vector<SourceIndex::Entry> SourceIndex::FindByOperator(
    const Sources& sources) const {
  std::vector<Entry> entries;
  std::set<size_t> taken;
  for (const std::string& source : sources) {
    for (const std::string& target : OperatorsOfSource(source)) {
      const auto found = by_target_.find(target);
      if (found == by_target_.end()) continue;
      for (const size_t position : found->second) {
        if (!taken.insert(position).second) continue;
        entries.push_back({position, target, nodes_[position]->name()});
      }
    }
  }
  // One list in graph order: sources that mean the same operator are one.
  for (Entry& entry : entries) entry.source.clear();
  return entries;
}

SourcePartition SourceIndex::MakePartition(std::vector<const Node*> nodes,
                                           std::string source) const {
  const std::unordered_set<const Node*> inside(nodes.begin(), nodes.end());
  std::set<size_t> inputs;
  SourcePartition partition;
  for (const Node* node : nodes) {
    for (const Argument& argument : node->args()) {
      const Node* input = argument.AsNode();
      if (input != nullptr && !inside.contains(input) && input->op() != Op::kGetAttr) {
        inputs.insert(positions_.at(input));
      }
    }
    if (node->op() == Op::kGetAttr) {
      partition.parameters.push_back(node);
      continue;
    }
    const std::vector<Node*>& users = node->users();
    if (std::any_of(users.begin(), users.end(),
                    [&](const Node* user) { return !inside.contains(user); })) {
      partition.outputs.push_back(node);
    }
  }
  for (const size_t position : inputs) partition.inputs.push_back(nodes_[position]);
  partition.nodes = std::move(nodes);
  partition.source = std::move(source);
  return partition;
}

std::vector<SourcePartition> SourceIndex::Find(const Sources& sources,
                                               const NodeFilter& filter) const {
  std::vector<Entry> entries =
      by_ == PartitionBy::kOrigin ? FindByOrigin(sources) : FindByOperator(sources);
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.position < b.position; });
  // Sources, and in each its calls, by first appearance.
  struct Group {
    std::vector<std::vector<const Node*>> calls;
    std::map<std::string, size_t> by_name;
  };
  std::vector<std::pair<std::string, Group>> groups;
  std::map<std::string, size_t> by_source;
  for (const Entry& entry : entries) {
    const auto [source, added] = by_source.try_emplace(entry.source, groups.size());
    if (added) groups.emplace_back(entry.source, Group());
    Group& group = groups[source->second].second;
    const auto [call, first] = group.by_name.try_emplace(entry.call, group.calls.size());
    if (first) group.calls.emplace_back();
    group.calls[call->second].push_back(nodes_[entry.position]);
  }
  std::vector<SourcePartition> partitions;
  for (auto& [source, group] : groups) {
    for (std::vector<const Node*>& nodes : group.calls) {
      const auto passes = [&](const Node* node) { return filter(*node); };
      if (filter && !std::all_of(nodes.begin(), nodes.end(), passes)) continue;
      partitions.push_back(MakePartition(std::move(nodes), source));
    }
  }
  return partitions;
}

std::vector<std::vector<SourcePartition>> SourceIndex::FindSequential(
    const Sources& sources) const {
  std::set<std::string> seen;
  std::vector<std::vector<SourcePartition>> lists;
  for (const std::string& source : sources) {
    const Sources equals = EquivalentSources(source);
    for (const std::string& equal : equals) {
      if (!seen.insert(equal).second) {
        throw PipelineError("ValueError", "the sources of a chain must differ: " + equal +
                                              " stands in it twice");
      }
    }
    lists.push_back(Find(equals));
  }
  // Which partitions of list i a node lies in.
  std::vector<std::unordered_map<const Node*, std::vector<size_t>>> where(lists.size());
  for (size_t i = 0; i < lists.size(); ++i) {
    for (size_t p = 0; p < lists[i].size(); ++p) {
      for (const Node* node : lists[i][p].nodes) where[i][node].push_back(p);
    }
  }
  std::vector<std::vector<size_t>> chains;
  for (size_t p = 0; !lists.empty() && p < lists[0].size(); ++p) chains.push_back({p});
  for (size_t i = 1; i < lists.size(); ++i) {
    std::vector<std::vector<size_t>> longer;
    for (const std::vector<size_t>& chain : chains) {
      std::set<size_t> next;
      for (const Node* node : lists[i - 1][chain.back()].nodes) {
        for (const Node* user : node->users()) {
          const auto found = where[i].find(user);
          if (found == where[i].end()) continue;
          next.insert(found->second.begin(), found->second.end());
        }
      }
      for (const size_t p : next) {
        longer.push_back(chain);
        longer.back().push_back(p);
      }
    }
    chains = std::move(longer);
  }
  std::vector<std::vector<SourcePartition>> result;
  for (const std::vector<size_t>& chain : chains) {
    result.emplace_back();
    for (size_t i = 0; i < chain.size(); ++i) result.back().push_back(lists[i][chain[i]]);
  }
  return result;
}

}  // namespace qconform
