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
  // Most partitions are one call.
  constexpr size_t kScanned = 8;
  std::unordered_set<const Node*> many;
  if (nodes.size() > kScanned) many.insert(nodes.begin(), nodes.end());
  const auto is_inside = [&](const Node* node) {
    return nodes.size() > kScanned
               ? many.contains(node)
               : std::find(nodes.begin(), nodes.end(), node) != nodes.end();
  };
  std::set<size_t> inputs;
  SourcePartition partition;
  for (const Node* node : nodes) {
    for (const Argument& argument : node->args()) {
      const Node* input = argument.AsNode();
      if (input != nullptr && !is_inside(input) && input->op() != Op::kGetAttr) {
        inputs.insert(positions_.at(input));
      }
    }
    if (node->op() == Op::kGetAttr) {
      partition.parameters.push_back(node);
      continue;
    }
    const std::vector<Node*>& users = node->users();
    if (std::any_of(users.begin(), users.end(),
                    [&](const Node* user) { return !is_inside(user); })) {
      partition.outputs.push_back(node);
    }
  }
  for (const size_t position : inputs) partition.inputs.push_back(nodes_[position]);
  partition.nodes = std::move(nodes);
  partition.source = std::move(source);
  return partition;
}

const std::vector<SourcePartition>& SourceIndex::Find(const Sources& sources) const {
  const auto [found, added] = found_.try_emplace(sources);
  if (added) found->second = Collect(sources);
  return found->second;
}

std::vector<SourcePartition> SourceIndex::Find(const Sources& sources,
                                               const NodeFilter& filter) const {
  std::vector<SourcePartition> partitions = Find(sources);
  std::erase_if(partitions, [&](const SourcePartition& partition) {
    return filter && !std::all_of(partition.nodes.begin(), partition.nodes.end(),
                                  [&](const Node* node) { return filter(*node); });
  });
  return partitions;
}

std::vector<SourcePartition> SourceIndex::Collect(const Sources& sources) const {
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
      partitions.push_back(MakePartition(std::move(nodes), source));
    }
  }
  return partitions;
}

std::vector<PartitionChain> SourceIndex::FindSequential(const Sources& sources) const {
  std::set<std::string> seen;
  std::vector<PartitionChain> chains;
  for (const std::string& source : sources) {
    const Sources equals = EquivalentSources(source);
    for (const std::string& equal : equals) {
      if (!seen.insert(equal).second) {
        throw PipelineError("ValueError", "the sources of a chain must differ: " + equal +
                                              " stands in it twice");
      }
    }
    const std::vector<SourcePartition>& next = Find(equals);
    if (seen.size() == equals.size()) {
      for (const SourcePartition& partition : next) chains.push_back({&partition});
      continue;
    }
    if (next.empty()) chains.clear();
    if (chains.empty()) continue;
    // Which partitions a node lies in.
    std::unordered_map<const Node*, std::vector<const SourcePartition*>> where;
    for (const SourcePartition& partition : next) {
      for (const Node* node : partition.nodes) where[node].push_back(&partition);
    }
    std::vector<PartitionChain> longer;
    for (const PartitionChain& chain : chains) {
      // By address, which is their order in the list.
      std::set<const SourcePartition*> users;
      for (const Node* node : chain.back()->nodes) {
        for (const Node* user : node->users()) {
          const auto found = where.find(user);
          if (found == where.end()) continue;
          users.insert(found->second.begin(), found->second.end());
        }
      }
      for (const SourcePartition* partition : users) {
        longer.push_back(chain);
        longer.back().push_back(partition);
      }
    }
    chains = std::move(longer);
  }
  return chains;
}

}  // namespace qconform
