// Functions and classes by the names that configs, mappings and graphs use for them.
#ifndef QCONFORM_REFERENCE_IR_NAME_TABLE_H_
#define QCONFORM_REFERENCE_IR_NAME_TABLE_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reference/ir/error.h"
#include "reference/ir/nearest_name.h"

namespace qconform {

// Each name belongs to who added it: an extension, or qconform itself. Not locked: add
// before the stages run.
template <typename T>
class NameTable {
 public:
  static constexpr const char* kBuiltIn = "qconform";

  // `kind` is what messages call an entry: "fuser_method".
  explicit NameTable(std::string kind) : kind_(std::move(kind)) {}

  // Throws InputError that names both owners if the name is taken.
  void Add(const std::string& name, T value, const std::string& owner = kBuiltIn) {
    const auto [entry, added] =
        entries_.try_emplace(name, Entry{std::move(value), owner});
    if (!added) {
      throw InputError(kind_ + " '" + name + "' of " + owner,
                       entry->second.owner + " registered this name already",
                       "another name");
    }
  }
  // Nothing happens to a name that is not there.
  void Remove(const std::string& name) { entries_.erase(name); }

  // nullptr if nobody registered the name.
  const T* Find(const std::string& name) const {
    const auto found = entries_.find(name);
    return found == entries_.end() ? nullptr : &found->second.value;
  }
  // Throws InputError with the nearest known name.
  const T& Get(const std::string& name) const {
    if (const T* found = Find(name)) return *found;
    throw InputError(kind_ + " '" + name + "'", "nobody registered it", Expected(name));
  }

  // What to expect in place of an unknown name: "a registered name; the nearest is 'x'".
  std::string Expected(const std::string& name) const {
    const std::string nearest = NearestName(name, Names());
    return nearest.empty() ? "a registered name"
                           : "a registered name; the nearest is '" + nearest + "'";
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& [name, entry] : entries_) names.push_back(name);
    return names;
  }

 private:
  struct Entry {
    T value;
    std::string owner;
  };
  std::string kind_;
  std::map<std::string, Entry> entries_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_NAME_TABLE_H_
