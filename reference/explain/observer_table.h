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
  // All modules that are the same object, this one included; one name if it is alone.
  std::vector<std::string> group;
};

class ObserverTable {
 public:
  // `prepared` outlives this.
  explicit ObserverTable(const Prepared& prepared);

  // Of the node of this name in the prepared graph; empty if there is none.
  std::vector<ObserverUse> Of(const std::string& node) const;

 private:
  ObserverUse Use(const char* role, const Node& observer) const;

  const Prepared& prepared_;
  std::unordered_map<const Module*, std::vector<std::string>> groups_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPLAIN_OBSERVER_TABLE_H_
