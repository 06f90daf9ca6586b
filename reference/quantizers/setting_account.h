// What became of each setting that a user gave a quantizer.
#ifndef QCONFORM_REFERENCE_QUANTIZERS_SETTING_ACCOUNT_H_
#define QCONFORM_REFERENCE_QUANTIZERS_SETTING_ACCOUNT_H_

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "reference/ir/graph.h"

namespace qconform {

struct SettingAccount {
  // "set_module_name_qconfig('stem', None)"
  std::string setting;
  // Nodes that it annotated, or marked as float, in the order in which it did.
  std::vector<std::string> reached;
  // Nodes that it covers, and the setting that was there first.
  std::vector<std::pair<std::string, std::string>> beaten;
  // Nodes that it covers and that stay as they were, each with the reason.
  std::vector<std::pair<std::string, std::string>> not_reached;
  // Why it reached nothing at all; empty if it reached something.
  std::string reason;
};
using SettingAccounts = std::vector<SettingAccount>;

// One line a setting and one for each node of beaten and not_reached.
std::vector<std::string> ToLines(const SettingAccount& account);

// Collects the accounts while a quantizer annotates.
class SettingLedger {
 public:
  // The settings in the order in which they take effect; forgets all before.
  void Begin(const std::vector<std::string>& settings);
  // From here on setting `index` acts.
  void Enter(size_t index) { current_ = index; }
  const std::string& current() const { return accounts_[current_].setting; }

  void Reach(const Node& node);
  // The node is covered by the present setting, but whoever reached it before keeps it.
  void Beaten(const Node& node);
  void BeatenBy(const Node& node, const std::string& setting);
  void NotReached(const Node& node, const std::string& reason);
  void Reason(size_t index, const std::string& reason);

  bool HasOwner(const Node& node) const { return owners_.contains(node.name()); }
  // Whether the present setting has said something of the node.
  bool Said(const Node& node) const { return said_[current_].contains(node.name()); }
  // Without what a setting missed by one pattern and reached by another.
  SettingAccounts Finish();

 private:
  size_t current_ = 0;
  SettingAccounts accounts_;
  // By setting: the nodes in beaten and not_reached.
  std::vector<std::unordered_set<std::string>> said_;
  // By node: the setting that has it.
  std::unordered_map<std::string, size_t> owners_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_SETTING_ACCOUNT_H_
