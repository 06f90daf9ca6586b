// Modules in JSON; graph_json.h says how a file holds them.
#ifndef QCONFORM_REFERENCE_FORMATS_MODULE_JSON_H_
#define QCONFORM_REFERENCE_FORMATS_MODULE_JSON_H_

#include <memory>
#include <string>

#include "reference/formats/json_file.h"
#include "reference/formats/tensor_json.h"
#include "reference/ir/module.h"

namespace qconform {

// What to do with members that the format does not know (oracle records have some).
enum class UnknownKeys { kRefuse, kIgnore };

struct ModuleJsonOptions {
  UnknownKeys unknown_keys = UnknownKeys::kIgnore;
  const OrderedMap<Tensor>* named_tensors = nullptr;
};

// One module with its children. Throws InputError at the offending value.
std::shared_ptr<Module> ModuleFromJson(const ordered_json& value,
                                       const JsonOrigin& origin,
                                       const ModuleJsonOptions& options = {});

// All tensors inline if `named` is null; else the larger ones go there, named
// `prefix` and their path inside the module.
ordered_json ModuleToJson(const Module& module, const std::string& prefix = "",
                          OrderedMap<Tensor>* named = nullptr);

// Fill `root` from the members "modules" and "attrs" of a graph file. A path whose
// parents are not listed gets parents without a type.
void ReadModules(const ordered_json& modules, const JsonOrigin& origin,
                 const ModuleJsonOptions& options, Module& root);
void ReadAttributes(const ordered_json& attributes, const JsonOrigin& origin,
                    const ModuleJsonOptions& options, Module& root);

// The members back: modules without a type dissolve into the paths of what they hold.
// A childless module that stands at two paths is written once and then "same_as".
// `prefix` stands before the names of named tensors.
ordered_json ModulesToJson(const Module& root, OrderedMap<Tensor>* named,
                           const std::string& prefix = "");
ordered_json AttributesToJson(const Module& root, OrderedMap<Tensor>* named,
                              const std::string& prefix = "");

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FORMATS_MODULE_JSON_H_
