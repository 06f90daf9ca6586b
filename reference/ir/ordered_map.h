// A map from names to values that iterates in insertion order, as Python's dict
// does: an assigned key keeps its place, an erased and inserted one goes last.
#ifndef QCONFORM_REFERENCE_IR_ORDERED_MAP_H_
#define QCONFORM_REFERENCE_IR_ORDERED_MAP_H_

#include <list>
#include <string>
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
  OrderedMap(const OrderedMap& other) { *this = other; }
  OrderedMap& operator=(const OrderedMap& other) {
    if (this == &other) return *this;
    clear();
    for (const Entry& entry : other) Set(entry.first, entry.second);
    return *this;
  }
  OrderedMap(OrderedMap&&) noexcept = default;
  OrderedMap& operator=(OrderedMap&&) noexcept = default;

  Value& Set(const std::string& key, Value value) {
    auto found = index_.find(key);
    if (found != index_.end()) {
      found->second->second = std::move(value);
      return found->second->second;
    }
    entries_.emplace_back(key, std::move(value));
    index_.emplace(key, std::prev(entries_.end()));
    return entries_.back().second;
  }
  Value& operator[](const std::string& key) {
    auto found = index_.find(key);
    return found != index_.end() ? found->second->second : Set(key, Value());
  }
  // nullptr if absent.
  Value* Find(const std::string& key) {
    auto found = index_.find(key);
    return found == index_.end() ? nullptr : &found->second->second;
  }
  const Value* Find(const std::string& key) const {
    auto found = index_.find(key);
    return found == index_.end() ? nullptr : &found->second->second;
  }
  bool Contains(const std::string& key) const { return index_.count(key) > 0; }
  bool Erase(const std::string& key) {
    auto found = index_.find(key);
    if (found == index_.end()) return false;
    entries_.erase(found->second);
    index_.erase(found);
    return true;
  }
  void clear() {
    entries_.clear();
    index_.clear();
  }
  size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  iterator begin() { return entries_.begin(); }
  iterator end() { return entries_.end(); }
  const_iterator begin() const { return entries_.begin(); }
  const_iterator end() const { return entries_.end(); }

 private:
  std::list<Entry> entries_;
  std::unordered_map<std::string, iterator> index_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_ORDERED_MAP_H_
