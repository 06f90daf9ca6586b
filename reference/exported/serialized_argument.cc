#include "reference/exported/serialized_argument.h"

#include <string_view>
#include <utility>
#include <vector>

#include "reference/exported/quoted_text.h"
#include "reference/exported/tensor_shape_json.h"
#include "reference/formats/json_value.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

class Reader {
 public:
  Reader(const ValueLookup& lookup, const JsonOrigin& origin)
      : lookup_(lookup), origin_(origin) {}

  // As deep as the document, which json_file.h bounds.
  Argument Read(const ordered_json& argument) const {
    const auto [tag, value] = RequireTagged(argument, "an argument", origin_);
    if (tag == "as_none") return Argument();
    if (tag == "as_tensor") return ReadName(value, "name");
    if (tag == "as_int") return Argument(RequireInteger(value, "an integer", origin_));
    if (tag == "as_float") return Argument(RequireReal(value, "a real", origin_));
    if (tag == "as_bool") return Argument(RequireBoolean(value, "a boolean", origin_));
    if (tag == "as_string") return Argument(RequireString(value, "a string", origin_));
    if (tag == "as_scalar_type") return Argument(ScalarTypeFromJson(value, origin_));
    if (tag == "as_memory_format") return ReadMemoryFormat(value);
    if (tag == "as_layout") return ReadLayout(value);
    if (tag == "as_device") return ReadDevice(value);
    if (tag == "as_complex") return ReadComplex(value);
    if (tag == "as_operator") {
      return Argument(
          OpaqueValue{OperatorTarget(RequireString(value, "'as_operator'", origin_))});
    }
    if (tag == "as_sym_int" || tag == "as_sym_float" || tag == "as_sym_bool" ||
        tag == "as_optional_tensor") {
      return ReadTaggedName(value);
    }
    if (tag == "as_string_to_argument") return ReadDictionary(value);
    return ReadList(tag, value);
  }

 private:
  [[noreturn]] void Refuse(const ordered_json& value, const std::string& what,
                           const std::string& expected) const {
    throw InputError(origin_.Of(value), what, expected);
  }

  Argument ReadName(const ordered_json& value, const char* key) const {
    const ordered_json& name = RequireMember(value, key, origin_);
    return Argument(
        lookup_(RequireString(name, "a value's name", origin_), origin_.Of(value)));
  }

  // {"as_name": "s0"}, {"as_int": 3}, {"as_none": true}, {"as_tensor": {"name": "x"}}
  Argument ReadTaggedName(const ordered_json& value) const {
    const auto [tag, content] = RequireTagged(value, "a symbolic argument", origin_);
    if (tag == "as_name") return ReadName(value, "as_name");
    if (tag == "as_int" || tag == "as_float" || tag == "as_bool" || tag == "as_none" ||
        tag == "as_tensor") {
      return Read(value);
    }
    Refuse(value, "a symbolic argument is " + Quoted(tag), "a name or a value");
  }

  Argument ReadMemoryFormat(const ordered_json& value) const {
    constexpr const char* kNames[] = {"torch.contiguous_format", "torch.channels_last",
                                      "torch.channels_last_3d", "torch.preserve_format"};
    const int64_t index = RequireInteger(value, "a memory format", origin_);
    if (index < 1 || index > 4) {
      Refuse(value, "the memory format is " + std::to_string(index), "1 to 4");
    }
    return Argument(OpaqueValue{kNames[index - 1]});
  }

  Argument ReadLayout(const ordered_json& value) const {
    if (RequireInteger(value, "a layout", origin_) != 7) {
      Refuse(value, "the layout is " + DescribeJson(value), "7, strided");
    }
    return Argument(OpaqueValue{"torch.strided"});
  }

  Argument ReadDevice(const ordered_json& value) const {
    const ordered_json& type = RequireMember(value, "type", origin_);
    std::string text = RequireString(type, "a device's type", origin_);
    const ordered_json* index = FindMember(value, "index");
    if (index != nullptr && !index->is_null()) {
      text += ":" + std::to_string(RequireInteger(*index, "a device's index", origin_));
    }
    return Argument(OpaqueValue{std::move(text)});
  }

  Argument ReadComplex(const ordered_json& value) const {
    const double real =
        RequireReal(RequireMember(value, "real", origin_), "'real'", origin_);
    const double imaginary =
        RequireReal(RequireMember(value, "imag", origin_), "'imag'", origin_);
    return Argument(OpaqueValue{"complex(" + std::to_string(real) + ", " +
                                std::to_string(imaginary) + ")"});
  }

  Argument ReadDictionary(const ordered_json& value) const {
    RequireObject(value, "'as_string_to_argument'", origin_);
    Dictionary dictionary;
    for (const auto& item : value.get_ref<const ordered_json::object_t&>()) {
      dictionary.items.emplace_back(item.first, Read(item.second));
    }
    return Argument(std::move(dictionary));
  }

  Argument ReadList(const std::string& tag, const ordered_json& value) const {
    using Item = Argument (Reader::*)(const ordered_json&) const;
    static constexpr std::pair<std::string_view, Item> kKinds[] = {
        {"as_tensors", &Reader::ReadNamed},
        {"as_ints", &Reader::ReadInteger},
        {"as_floats", &Reader::ReadReal},
        {"as_bools", &Reader::ReadBoolean},
        {"as_strings", &Reader::ReadText},
        {"as_sym_ints", &Reader::ReadTaggedName},
        {"as_sym_floats", &Reader::ReadTaggedName},
        {"as_sym_bools", &Reader::ReadTaggedName},
        {"as_optional_tensors", &Reader::ReadTaggedName},
        {"as_nested_tensors", &Reader::ReadTensorList},
        {"as_int_lists", &Reader::ReadIntegerTuple},
        {"as_float_lists", &Reader::ReadRealList}};
    for (const auto& [name, item] : kKinds) {
      if (name == tag) return Argument::List(ReadItems(value, item));
    }
    if (tag == "as_graph") {
      Refuse(value, "an argument is a graph of its own",
             "tensors and numbers: control flow and autograd regions are not read");
    }
    Refuse(value, "an argument is " + Quoted(tag), "tensors, numbers, texts or types");
  }

  std::vector<Argument> ReadItems(const ordered_json& value,
                                  Argument (Reader::*item)(const ordered_json&)
                                      const) const {
    RequireArray(value, "a list", origin_);
    std::vector<Argument> items;
    items.reserve(value.size());
    for (const ordered_json& entry : value) items.push_back((this->*item)(entry));
    return items;
  }

  Argument ReadNamed(const ordered_json& value) const { return ReadName(value, "name"); }
  Argument ReadInteger(const ordered_json& value) const {
    return Argument(RequireInteger(value, "an integer", origin_));
  }
  Argument ReadReal(const ordered_json& value) const {
    return Argument(RequireReal(value, "a real", origin_));
  }
  Argument ReadBoolean(const ordered_json& value) const {
    return Argument(RequireBoolean(value, "a boolean", origin_));
  }
  Argument ReadText(const ordered_json& value) const {
    return Argument(RequireString(value, "a string", origin_));
  }
  Argument ReadTensorList(const ordered_json& value) const {
    return Argument::List(ReadItems(value, &Reader::ReadNamed));
  }
  Argument ReadIntegerTuple(const ordered_json& value) const {
    return Argument::Tuple(ReadItems(value, &Reader::ReadInteger));
  }
  Argument ReadRealList(const ordered_json& value) const {
    return Argument::List(ReadItems(value, &Reader::ReadReal));
  }

  const ValueLookup& lookup_;
  const JsonOrigin& origin_;
};

}  // namespace

Argument ArgumentFromSerialized(const ordered_json& value, const ValueLookup& lookup,
                                const JsonOrigin& origin) {
  return Reader(lookup, origin).Read(value);
}

std::string OperatorTarget(const std::string& serialized) {
  constexpr std::string_view kOperators = "torch.ops.";
  if (serialized.starts_with(kOperators)) return serialized.substr(kOperators.size());
  if (serialized.starts_with("_operator.")) return serialized.substr(1);
  return serialized;
}

}  // namespace qconform
