// Which observers stand round a node of a prepared graph, and who shares them.
#ifndef QCONFORM_REFERENCE_EXPLAIN_OBSERVER_TABLE_H_
#define QCONFORM_REFERENCE_EXPLAIN_OBSERVER_TABLE_H_

#include <string>
#include <unordered_map>
#include <vector>

#include "reference/observe/prepare.h"

namespace qconform {

struct ObserverUse {
  std::string role;        // "input", "output", "weight"
  std::string name;        // its module: "activation_post_process_3"
  std::string observes;    // the node whose value it sees; empty for a weight
  std::string class_name;  // "HistogramObserver"
  std::string dtype;       // "quint8"
  std::string qscheme;     // "per_tensor_affine"
  std::string range;       // "[0, 127]"; empty where the class has none
  // How many modules are the same object, this one included, and the name of the first:
  // ObserverTable::SharedBy of it lists all. (Each use with the whole list would take
  // quadratic space.)
  size_t shared_by = 1;
  std::string first;
};

class ObserverTable {
 public:
  // `prepared` outlives this.
  explicit ObserverTable(const Prepared& prepared);

  // Of the node of this name in the prepared graph; empty if there is none.
  std::vector<ObserverUse> Of(const std::string& node) const;

  // The names of all modules that are one object with the observer `first`, which comes
  // first; empty if it is not the first of any.
  const std::vector<std::string>& SharedBy(const std::string& first) const;

 private:
  ObserverUse Use(const char* role, const Node& observer) const;

  const Prepared& prepared_;
  std::unordered_map<const Module*, std::vector<std::string>> groups_;
  std::unordered_map<std::string, const Module*> firsts_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPLAIN_OBSERVER_TABLE_H_
