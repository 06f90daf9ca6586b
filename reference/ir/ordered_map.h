// A map from names to values that iterates in insertion order, as Python's dict
// does: an assigned key keeps its place, an erased and inserted one goes last.
// References to values stay valid until their entry is erased.
#ifndef QCONFORM_REFERENCE_IR_ORDERED_MAP_H_
#define QCONFORM_REFERENCE_IR_ORDERED_MAP_H_

#include <initializer_list>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace qconform {

template <typename Value>
class OrderedMap {
 public:
  using Entry = std::pair<const std::string, Value>;
  using iterator = typename std::list<Entry>::iterator;
  using const_iterator = typename std::list<Entry>::const_iterator;

  OrderedMap() = default;
  OrderedMap(std::initializer_list<Entry> entries) {
    for (const Entry& entry : entries) Set(entry.first, entry.second);
  }
  OrderedMap(const OrderedMap& other) : entries_(other.entries_) {
    if (other.index_) BuildIndex();
  }
  OrderedMap& operator=(const OrderedMap& other) {
    if (this != &other) *this = OrderedMap(other);
    return *this;
  }
  OrderedMap(OrderedMap&&) noexcept = default;
  OrderedMap& operator=(OrderedMap&&) noexcept = default;

  Value& Set(std::string_view key, Value value) {
    if (Value* found = Find(key)) {
      *found = std::move(value);
      return *found;
    }
    entries_.emplace_back(key, std::move(value));
    if (index_) {
      index_->emplace(entries_.back().first, std::prev(entries_.end()));
    } else if (entries_.size() > kScanned) {
      BuildIndex();
    }
    return entries_.back().second;
  }
  Value& operator[](std::string_view key) {
    Value* found = Find(key);
    return found != nullptr ? *found : Set(key, Value());
  }
  // nullptr if absent.
  Value* Find(std::string_view key) {
    const iterator found = Locate(key);
    return found == entries_.end() ? nullptr : &found->second;
  }
  const Value* Find(std::string_view key) const {
    return const_cast<OrderedMap*>(this)->Find(key);
  }
  bool Contains(std::string_view key) const { return Find(key) != nullptr; }
  bool Erase(std::string_view key) {
    const iterator found = Locate(key);
    if (found == entries_.end()) return false;
    if (index_) index_->erase(found->first);
    entries_.erase(found);
    return true;
  }
  void clear() {
    index_.reset();
    entries_.clear();
  }
  size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  iterator begin() { return entries_.begin(); }
  iterator end() { return entries_.end(); }
  const_iterator begin() const { return entries_.begin(); }
  const_iterator end() const { return entries_.end(); }

 private:
  // Most maps hold a few settings: up to so many entries are searched one by one.
  static constexpr size_t kScanned = 12;

  iterator Locate(std::string_view key) {
    if (index_) {
      const auto found = index_->find(key);
      return found == index_->end() ? entries_.end() : found->second;
    }
    iterator entry = entries_.begin();
    while (entry != entries_.end() && entry->first != key) ++entry;
    return entry;
  }
  void BuildIndex() {
    index_ = std::make_unique<std::unordered_map<std::string_view, iterator>>();
    for (iterator entry = entries_.begin(); entry != entries_.end(); ++entry) {
      index_->emplace(entry->first, entry);
    }
  }

  std::list<Entry> entries_;
  // The keys belong to the entries.
  std::unique_ptr<std::unordered_map<std::string_view, iterator>> index_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_ORDERED_MAP_H_
