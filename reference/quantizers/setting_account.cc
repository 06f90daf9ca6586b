#include "reference/quantizers/setting_account.h"

namespace qconform {

std::vector<std::string> ToLines(const SettingAccount& account) {
  std::string first = account.setting + ": ";
  if (account.reached.empty()) {
    first += "reached no node";
    if (!account.reason.empty()) first += ": " + account.reason;
  } else {
    first += "reached ";
    for (size_t i = 0; i < account.reached.size(); ++i) {
      first += (i == 0 ? "" : ", ") + account.reached[i];
    }
  }
  std::vector<std::string> lines = {std::move(first)};
  for (const auto& [node, by] : account.beaten) {
    lines.push_back(account.setting + ": " + node + " went to " + by);
  }
  for (const auto& [node, reason] : account.not_reached) {
    lines.push_back(account.setting + ": not " + node + ": " + reason);
  }
  return lines;
}

void SettingLedger::Begin(const std::vector<std::string>& settings) {
  accounts_.clear();
  owners_.clear();
  current_ = 0;
  said_.assign(settings.size(), {});
  for (const std::string& setting : settings) {
    accounts_.emplace_back().setting = setting;
  }
}

void SettingLedger::Reach(const Node& node) {
  if (owners_.try_emplace(node.name(), current_).second) {
    accounts_[current_].reached.push_back(node.name());
  }
}

void SettingLedger::Beaten(const Node& node) {
  const auto owner = owners_.find(node.name());
  if (owner == owners_.end() || owner->second == current_) return;
  BeatenBy(node, accounts_[owner->second].setting);
}

void SettingLedger::BeatenBy(const Node& node, const std::string& setting) {
  if (!said_[current_].insert(node.name()).second) return;
  accounts_[current_].beaten.emplace_back(node.name(), setting);
}

void SettingLedger::NotReached(const Node& node, const std::string& reason) {
  if (!said_[current_].insert(node.name()).second) return;
  accounts_[current_].not_reached.emplace_back(node.name(), reason);
}

void SettingLedger::Reason(size_t index, const std::string& reason) {
  if (accounts_[index].reason.empty()) accounts_[index].reason = reason;
}

SettingAccounts SettingLedger::Finish() {
  for (size_t i = 0; i < accounts_.size(); ++i) {
    SettingAccount& account = accounts_[i];
    std::erase_if(account.not_reached, [&](const auto& entry) {
      const auto owner = owners_.find(entry.first);
      return owner != owners_.end() && owner->second == i;
    });
    if (!account.reached.empty()) account.reason.clear();
  }
  return accounts_;
}

}  // namespace qconform
