#include "cli/parity/pt2e_annotations.h"

#include "reference/formats/json_value.h"
#include "reference/ir/error.h"
#include "reference/qconfig/qconfig_json.h"

namespace qconform::parity {
namespace {

ordered_json Place(const EdgeOrNode& place) {
  if (place.IsEdge()) return {{"edge", {place.producer, place.node}}};
  return {{"n", place.node}};
}

EdgeOrNode PlaceFrom(const ordered_json& json) {
  if (json.contains("n")) return {"", json.at("n").get<std::string>()};
  return {json.at("edge").at(0).get<std::string>(),
          json.at("edge").at(1).get<std::string>()};
}

template <typename T>
ordered_json OrNull(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

template <typename Spec>
ordered_json Codes(const char* kind, const Spec& spec) {
  return {{"kind", kind},
          {"dtype", "torch." + std::string(DTypeName(spec.dtype))},
          {"quant_min", OrNull(spec.quant_min)},
          {"quant_max", OrNull(spec.quant_max)},
          {"qscheme",
           spec.qscheme ? ordered_json("torch." + std::string(QSchemeName(*spec.qscheme)))
                        : ordered_json()},
          {"is_dynamic", spec.is_dynamic}};
}

struct SpecToRecord {
  ordered_json operator()(const QuantizationSpec& spec) const {
    ordered_json json = Codes("spec", spec);
    json["ch_axis"] = OrNull(spec.ch_axis);
    json["ctr"] = ObserverConstructorToJson(spec.observer);
    return json;
  }
  ordered_json operator()(const FixedQParamsQuantizationSpec& spec) const {
    ordered_json json = Codes("fixed", spec);
    json["scale"] = spec.scale;
    json["zero_point"] = spec.zero_point;
    return json;
  }
  ordered_json operator()(const SharedQuantizationSpec& spec) const {
    return {{"kind", "shared"}, {"with", Place(spec.edge_or_node)}};
  }
  ordered_json operator()(const DerivedQuantizationSpec& spec) const {
    ordered_json json = Codes("derived", spec);
    json["ch_axis"] = OrNull(spec.ch_axis);
    json["derived_from"] = ordered_json::array();
    for (const EdgeOrNode& place : spec.derived_from) {
      json["derived_from"].push_back(Place(place));
    }
    return json;
  }
};

ordered_json ToRecord(const QuantizationSpecPointer& spec) {
  return spec == nullptr ? ordered_json() : std::visit(SpecToRecord(), *spec);
}

std::optional<int64_t> Integer(const ordered_json& json, const char* key) {
  if (!json.contains(key) || json.at(key).is_null()) return std::nullopt;
  return json.at(key).get<int64_t>();
}

template <typename Spec>
Spec CodesFrom(const ordered_json& json, const std::string& where) {
  Spec spec;
  const auto dtype = ParseDType(json.at("dtype").get<std::string>());
  if (!dtype) throw InputError(where, "unknown dtype " + json.at("dtype").dump());
  spec.dtype = *dtype;
  spec.quant_min = Integer(json, "quant_min");
  spec.quant_max = Integer(json, "quant_max");
  if (!json.at("qscheme").is_null()) {
    spec.qscheme = ParseQScheme(json.at("qscheme").get<std::string>());
  }
  spec.is_dynamic = json.at("is_dynamic").get<bool>();
  return spec;
}

QuantizationSpecPointer FromRecord(const ordered_json& json, const std::string& where) {
  if (json.is_null()) return nullptr;
  const std::string kind = json.at("kind").get<std::string>();
  if (kind == "shared") return ShareWith(PlaceFrom(json.at("with")));
  if (kind == "fixed") {
    auto spec = CodesFrom<FixedQParamsQuantizationSpec>(json, where);
    spec.scale = json.at("scale").get<double>();
    spec.zero_point = json.at("zero_point").get<int64_t>();
    return MakeSpec(spec);
  }
  if (kind == "derived") {
    auto spec = CodesFrom<DerivedQuantizationSpec>(json, where);
    spec.ch_axis = Integer(json, "ch_axis");
    spec.derive_function = "scale_product";
    for (const ordered_json& place : json.at("derived_from")) {
      spec.derived_from.push_back(PlaceFrom(place));
    }
    return MakeSpec(spec);
  }
  if (kind != "spec") throw InputError(where, "unknown kind of spec '" + kind + "'");
  auto spec = CodesFrom<QuantizationSpec>(json, where);
  spec.ch_axis = Integer(json, "ch_axis");
  spec.observer = ObserverConstructorFromJson(json.at("ctr"), where);
  return MakeSpec(spec);
}

}  // namespace

ordered_json AnnotationsToRecord(const ExportedProgram& program,
                                 const Annotations& annotations) {
  ordered_json json = ordered_json::object();
  for (const Node& node : program.module.graph.nodes()) {
    const QuantizationAnnotation* annotation = annotations.Find(node);
    if (annotation == nullptr) continue;
    ordered_json inputs = ordered_json::array();
    for (const auto& [producer, spec] : annotation->inputs) {
      inputs.push_back({producer, ToRecord(spec)});
    }
    json[node.name()] = {{"inputs", inputs},
                         {"output", ToRecord(annotation->output)},
                         {"annotated", annotation->annotated},
                         {"allow_implicit_sharing", annotation->allow_implicit_sharing},
                         {"is_output_of_quantized_pattern",
                          OrNull(annotation->is_output_of_quantized_pattern)}};
  }
  return json;
}

Annotations AnnotationsFromRecord(const ExportedProgram& program,
                                  const ordered_json& json, const std::string& where) {
  Annotations annotations;
  for (const auto& [name, record] : json.items()) {
    const Node* node = program.module.graph.Find(name);
    if (node == nullptr) throw InputError(where, "no node '" + name + "' to annotate");
    QuantizationAnnotation annotation;
    for (const ordered_json& input : record.at("inputs")) {
      annotation.inputs.Set(input.at(0).get<std::string>(),
                            FromRecord(input.at(1), where + ": " + name));
    }
    annotation.output = FromRecord(record.at("output"), where + ": " + name);
    annotation.annotated = record.at("annotated").get<bool>();
    annotation.allow_implicit_sharing = record.at("allow_implicit_sharing").get<bool>();
    const ordered_json& is_output = record.at("is_output_of_quantized_pattern");
    if (is_output.is_boolean()) {
      annotation.is_output_of_quantized_pattern = is_output.get<bool>();
    }
    annotations.Set(*node, std::move(annotation));
  }
  return annotations;
}

ordered_json GroupsToRecord(const std::vector<SharingEntry>& groups) {
  ordered_json json = ordered_json::array();
  for (const SharingEntry& entry : groups) {
    json.push_back({Place(entry.place), entry.group});
  }
  return json;
}

}  // namespace qconform::parity
