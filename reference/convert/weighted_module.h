// Swaps weighted modules for their reference modules.
#ifndef QCONFORM_REFERENCE_CONVERT_WEIGHTED_MODULE_H_
#define QCONFORM_REFERENCE_CONVERT_WEIGHTED_MODULE_H_

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "reference/config/mode.h"
#include "reference/ir/module.h"
#include "reference/observe/observer.h"
#include "reference/observe/prepare.h"
#include "reference/qconfig/dtype_support.h"

namespace qconform {

// Whether convert quantizes the weight of a module of this class, which has a reference
// class, under its qconfig: the class's own dtype configs allow it, and the weight's
// dtype is quantized. For a QAT class ask for its FloatClassOf.
DTypeVerdict CheckWeight(const QConfigPointer& qconfig, const BackendConfig& config,
                         const std::string& type);

class WeightedModuleConverter {
 public:
  // `module` is the graph being converted; `prepared` and `backend_config` must outlive
  // the converter.
  WeightedModuleConverter(const Prepared& prepared, const BackendConfig& backend_config,
                          bool is_decomposed, Mode mode, GraphModule& module);

  // The module that `node` calls becomes a reference module if its class has one, its
  // qconfig is given and supported, its node is observed and its weight is quantized.
  // A QAT module becomes float in any case. A module that is called twice is converted
  // once for every call, each time from what it was before. False if the class is none
  // that the backend config knows. (convert_weighted_module)
  bool Convert(const Node& node, bool has_none_qconfig);

 private:
  bool QuantizesWeight(const QConfigPointer& qconfig, const std::string& type);
  std::shared_ptr<Observer> NewWeightObserver(const QConfig& qconfig,
                                              const std::string& type);

  const Prepared& prepared_;
  const BackendConfig& backend_config_;
  const bool is_decomposed_;
  const Mode mode_;
  GraphModule& module_;
  // Root class -> reference class.
  OrderedMap<std::string> reference_classes_;
  std::set<std::string> qat_classes_;
  std::set<std::string> fused_classes_;
  // The qconfig of a module is the one of its last call.
  std::unordered_map<std::string, QConfigPointer> module_qconfigs_;
  // Both of a qconfig and a class: asked, and constructed, once.
  using QConfigAndType = std::pair<const QConfig*, std::string>;
  std::map<QConfigAndType, bool> quantizes_weight_;
  std::map<QConfigAndType, std::shared_ptr<Observer>> first_observers_;
  // What each target was before the walk.
  std::unordered_map<std::string, std::shared_ptr<Module>> originals_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONVERT_WEIGHTED_MODULE_H_
