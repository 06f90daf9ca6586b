#include <functional>
#include <string_view>

#include "reference/qconfig/default_observer.h"
#include "reference/qconfig/default_qconfig.h"

namespace qconform {
namespace {

constexpr const char* kTransposedConvolutions[] = {
    "torch.nn.ConvTranspose1d",
    "torch.nn.ConvTranspose2d",
    "torch.nn.ConvTranspose3d",
    "torch.nn.functional.conv_transpose1d",
    "torch.nn.functional.conv_transpose2d",
    "torch.nn.functional.conv_transpose3d",
};

// Operators whose output range is known, and the name of that range.
struct FixedOperator {
  const char* name;
  const char* range;
};

constexpr const char* kZeroToOne = "0to1";
constexpr const char* kMinusOneToOne = "neg1to1";

constexpr FixedOperator kFixedOperators[] = {
    {"torch.nn.Hardsigmoid", kZeroToOne},
    {"torch.nn.functional.hardsigmoid", kZeroToOne},
    {"hardsigmoid", kZeroToOne},
    {"hardsigmoid_", kZeroToOne},
    {"torch.nn.Sigmoid", kZeroToOne},
    {"torch.sigmoid", kZeroToOne},
    {"sigmoid", kZeroToOne},
    {"sigmoid_", kZeroToOne},
    {"torch.nn.Softmax", kZeroToOne},
    {"torch.nn.Tanh", kMinusOneToOne},
    {"torch.tanh", kMinusOneToOne},
    {"tanh", kMinusOneToOne},
    {"tanh_", kMinusOneToOne},
};

bool IsFixedOperator(std::string_view name) {
  for (const FixedOperator& entry : kFixedOperators) {
    if (name == entry.name) return true;
  }
  return false;
}

// (_get_default_qconfig_mapping)
QConfigMapping Build(const std::string& backend, bool is_qat, QConfigPointer qconfig) {
  const ObserverConstructor weight =
      NamedObserver(is_qat ? "default_weight_fake_quant" : "default_weight_observer");
  const auto with_weight = [&qconfig](ObserverConstructor observer) {
    return std::make_shared<QConfig>(QConfig{qconfig->activation, std::move(observer)});
  };
  // These two have per channel weights, which transposed convolutions lack.
  const bool per_tensor_transposed = backend == "fbgemm" || backend == "x86";
  const QConfigPointer transposed = per_tensor_transposed ? with_weight(weight) : qconfig;
  const QConfigPointer layer_norm =
      with_weight(NamedObserver("default_placeholder_observer"));

  QConfigMapping mapping;
  mapping.global = qconfig;
  mapping.object_type.Set("reshape", NamedQConfig("default_reuse_input_qconfig"));
  for (const char* name : kTransposedConvolutions) {
    mapping.object_type.Set(name, transposed);
  }
  mapping.object_type.Set("torch.nn.functional.layer_norm", layer_norm);
  mapping.object_type.Set("torch.nn.LayerNorm", layer_norm);
  mapping.object_type.Set("torch.nn.PReLU",
                          NamedQConfig("default_quint8_weight_qconfig"));
  for (const FixedOperator& entry : kFixedOperators) {
    const std::string observer = std::string("default_fixed_qparams_range_") +
                                 entry.range + (is_qat ? "_fake_quant" : "_observer");
    mapping.object_type.Set(
        entry.name, std::make_shared<QConfig>(QConfig{NamedObserver(observer), weight}));
  }
  return mapping;
}

// (_get_symmetric_qnnpack_qconfig_mapping): the default mapping with all but the
// fixed operators replaced.
QConfigMapping Symmetric(QConfigMapping mapping, const QConfigPointer& qconfig) {
  mapping.global = qconfig;
  for (auto& [name, value] : mapping.object_type) {
    if (!IsFixedOperator(name)) value = qconfig;
  }
  return mapping;
}

using MakeMapping = std::function<QConfigMapping()>;

const OrderedMap<MakeMapping>& NamedMappings() {
  static const OrderedMap<MakeMapping> table = [] {
    OrderedMap<MakeMapping> makers;
    for (const char* kind : {"default", "default_qat", "default_qat_v0"}) {
      for (const char* backend : {"fbgemm", "x86", "qnnpack", "onednn"}) {
        const std::string_view of = kind;
        makers.Set(std::string(kind) + ":" + backend, [of, backend] {
          if (of == "default") return GetDefaultQConfigMapping(backend);
          return GetDefaultQatQConfigMapping(backend, of == "default_qat" ? 1 : 0);
        });
      }
    }
    makers.Set("symmetric_qnnpack", GetSymmetricQnnpackQConfigMapping);
    makers.Set("symmetric_qnnpack_qat", GetSymmetricQnnpackQatQConfigMapping);
    return makers;
  }();
  return table;
}

}  // namespace

QConfigMapping GetDefaultQConfigMapping(const std::string& backend, int version) {
  return Build(backend, false, GetDefaultQConfig(backend, version));
}

QConfigMapping GetDefaultQatQConfigMapping(const std::string& backend, int version) {
  return Build(backend, true, GetDefaultQatQConfig(backend, version));
}

QConfigMapping GetSymmetricQnnpackQConfigMapping() {
  return Symmetric(GetDefaultQConfigMapping("qnnpack"),
                   NamedQConfig("default_symmetric_qnnpack_qconfig"));
}

QConfigMapping GetSymmetricQnnpackQatQConfigMapping() {
  return Symmetric(GetDefaultQatQConfigMapping("qnnpack"),
                   NamedQConfig("default_symmetric_qnnpack_qat_qconfig"));
}

std::optional<QConfigMapping> NamedQConfigMapping(const std::string& name) {
  const MakeMapping* make = NamedMappings().Find(name);
  if (make == nullptr) return std::nullopt;
  return (*make)();
}

const std::vector<std::string>& QConfigMappingNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& [name, make] : NamedMappings()) list.push_back(name);
    return list;
  }();
  return names;
}

}  // namespace qconform
