#include "reference/observe/qat_swap.h"

#include "reference/config/backend_config_maps.h"
#include "reference/config/module_types.h"
#include "reference/fuse/fuser_method.h"
#include "reference/ir/error.h"
#include "reference/ir/graph_state.h"
#include "reference/observe/observer_module.h"
#include "reference/qconfig/observer_settings.h"

namespace qconform {
namespace {

std::shared_ptr<Module> ChildOf(const Module& module, const std::string& name) {
  const auto* child = module.children.Find(name);
  return child == nullptr ? nullptr : *child;
}

// torch.ao.nn.intrinsic.qat's convolutions with a batch norm make a tuple of the padding,
// of a word as well: its letters, with which their forward fails.
void SpellPadding(Module& qat) {
  if (!qat.type.starts_with("torch.ao.nn.intrinsic.qat.ConvBn")) return;
  const Argument* padding = qat.attributes.Find("padding");
  const std::string* word = padding == nullptr ? nullptr : padding->As<std::string>();
  if (word == nullptr) return;
  std::vector<Argument> letters;
  for (const char letter : *word) letters.emplace_back(std::string(1, letter));
  qat.attributes.Set("padding", Argument::Tuple(std::move(letters)));
}

// What is known of a QAT class.
const ModuleType& QatType(const std::string& name) {
  const ModuleType* type = FindModuleType(name);
  if (type == nullptr || type->float_module.empty() || type->weighted_module.empty()) {
    throw InputError("qat_module " + name, "nothing is known of this class",
                     "a QAT class of torch or the qat_type of a registered module");
  }
  return *type;
}

// Whether the float class that it was made from ends with a ReLU behind the weighted one.
bool HasRelu(const ModuleType& qat) {
  if (qat.float_module == qat.weighted_module) return false;
  const ModuleType* fused = FindModuleType(qat.float_module);
  return fused != nullptr && !fused->children.empty() &&
         fused->children.back() == "torch.nn.ReLU";
}

// Whether the observer is a moving average that forgets what it saw before.
// (_activation_is_memoryless)
bool IsMemoryless(const ObserverConstructor& activation) {
  if (!DescribeObserver(activation).observer_class_name.starts_with("MovingAverage")) {
    return false;
  }
  const Argument* constant = activation.kwargs.Find("averaging_constant");
  if (constant == nullptr && activation.observer != nullptr) {
    constant = activation.observer->kwargs.Find("averaging_constant");
  }
  return constant != nullptr && (*constant == Argument(1) || *constant == Argument(1.0));
}

// What from_float and the constructors of QAT classes refuse.
void CheckFromFloat(const ModuleType& type, const Module& module,
                    const QConfig& qconfig) {
  if (module.type != type.float_module) {
    throw PipelineError("AssertionError", type.name + ".from_float only works for " +
                                              type.float_module + ", got " + module.type);
  }
  if (!qconfig.weight) throw PipelineError("TypeError", "a qconfig lacks its weight");
  if (type.name != "torch.ao.nn.qat.dynamic.Linear") return;
  if (!qconfig.activation) {
    throw PipelineError("TypeError", "a qconfig lacks its activation");
  }
  if (!IsMemoryless(*qconfig.activation)) {
    throw PipelineError("ValueError",
                        "Dynamic QAT requires a memoryless observer, a moving average "
                        "with averaging_constant 1");
  }
}

// Constructors of QAT classes hand factory_kwargs to the weight's observer, which not
// every class of torch takes; those with a batch norm hand over nothing. A user's class
// is not asked for it.
ObserverConstructor WeightConstructor(const std::string& type,
                                      const ObserverConstructor& weight) {
  ObserverConstructor constructor = weight;
  const std::string& name = weight.class_name;
  const bool has_batch_norm = type.starts_with("torch.ao.nn.intrinsic.qat.ConvBn") ||
                              type.starts_with("torch.ao.nn.intrinsic.qat.LinearBn");
  const bool of_torch = name.find('.') == std::string::npos || name.starts_with("torch");
  if (of_torch && !has_batch_norm && name != "Identity") {
    constructor.kwargs.Set("factory_kwargs", Argument());
  }
  return constructor;
}

// (from_float) `module` is a float module or a fused container.
std::shared_ptr<Module> MakeQatModule(const std::string& type, const Module& module,
                                      const QConfig& qconfig, Mode mode) {
  CheckFromFloat(QatType(type), module, qconfig);
  const bool is_container = IsFusedModule(module.type);
  const std::shared_ptr<Module> weighted = is_container ? ChildOf(module, "0") : nullptr;
  const Module& source = weighted ? *weighted : module;
  auto qat = std::make_shared<Module>();
  qat->type = type;
  qat->training = module.training;
  qat->attributes = source.attributes;
  qat->parameters = source.parameters;
  qat->buffers = source.buffers;
  SpellPadding(*qat);
  // What follows the weighted module, a batch norm or a ReLU.
  const std::shared_ptr<Module> next = ChildOf(module, "1");
  if (is_container && next && next->type.starts_with("torch.nn.BatchNorm")) {
    qat->attributes.Set("freeze_bn", false);
    qat->children.Set("bn", next->Clone());
  }
  const std::shared_ptr<Module> fake_quant =
      MakeObserverModule(WeightConstructor(type, *qconfig.weight), module.training, mode);
  if (type.find("Embedding") != std::string::npos &&
      ObserverOf(fake_quant)->qscheme != QScheme::kPerChannelAffineFloatQparams) {
    throw PipelineError("AssertionError",
                        "an embedding's weights need per_channel_affine_float_qparams");
  }
  qat->children.Set("weight_fake_quant", fake_quant);
  return qat;
}

struct Position {
  std::shared_ptr<Module> module;
  std::string path;
};

}  // namespace

void SwapQatModules(GraphModule& module, const BackendConfig& config,
                    const OrderedMap<QConfigPointer>& qconfigs, Mode mode) {
  const OrderedMap<std::string> qat_classes = ModuleToQatModule(config);
  std::vector<Position> open = {{module.root, ""}};
  while (!open.empty()) {
    const Position parent = open.back();
    open.pop_back();
    for (auto& [name, child] : parent.module->children) {
      if (!child) continue;
      const std::string path = parent.path.empty() ? name : parent.path + "." + name;
      const std::string* qat_class =
          qat_classes.Find(Pattern::Module(child->type).Text());
      const QConfigPointer* qconfig = qconfigs.Find(path);
      if (qat_class != nullptr && qconfig != nullptr && *qconfig != nullptr) {
        child = MakeQatModule(*qat_class, *child, **qconfig, mode);
      } else if (!IsFusedModule(child->type)) {
        open.push_back({TreeOf(child), path});
      }
    }
  }
}

std::string FloatClassOf(const std::string& qat_class) {
  const ModuleType* type = FindModuleType(qat_class);
  if (type == nullptr || type->float_module.empty() || type->weighted_module.empty()) {
    return qat_class;
  }
  if (!HasRelu(*type)) return type->weighted_module;
  // A batch norm in between has been folded.
  const std::vector<std::string> children = {type->weighted_module, "torch.nn.ReLU"};
  for (const ModuleType& fused : ModuleTypeTable()) {
    if (fused.children == children) return fused.name;
  }
  return type->float_module;
}

std::shared_ptr<Module> QatModuleToFloat(const Module& module) {
  const ModuleType& type = QatType(module.type);
  auto result = std::make_shared<Module>();
  result->type = type.weighted_module;
  result->training = module.training;
  result->attributes = module.attributes;
  result->attributes.Erase("freeze_bn");
  result->parameters = module.parameters;
  result->buffers = module.buffers;
  if (const std::shared_ptr<Module> bn = ChildOf(module, "bn")) {
    const std::shared_ptr<Module> frozen = bn->Clone();
    frozen->training = false;
    result->training = false;
    const bool is_linear = result->type == "torch.nn.Linear";
    FuserCall call;
    call.arguments = {{result, "", {}, false}, {frozen, "", {}, false}};
    const std::string methods = "torch.ao.quantization.fuser_method_mappings.";
    result =
        FindFuserMethod(methods + (is_linear ? "fuse_linear_bn" : "fuse_conv_bn"))(call);
    result->training = module.training;
  }
  if (!HasRelu(type)) return result;
  auto relu = std::make_shared<Module>();
  relu->type = "torch.nn.ReLU";
  relu->training = module.training;
  relu->attributes.Set("inplace", false);
  auto container = std::make_shared<Module>();
  container->type = FloatClassOf(module.type);
  container->training = module.training;
  container->children.Set("0", result);
  container->children.Set("1", relu);
  return container;
}

}  // namespace qconform
