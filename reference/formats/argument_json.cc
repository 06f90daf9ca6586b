#include "reference/formats/argument_json.h"

#include "reference/formats/json_value.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

class Reader {
 public:
  Reader(const NodeLookup& lookup, const JsonOrigin& origin)
      : lookup_(lookup), origin_(origin) {}

  // As deep as the document, which json_file.h bounds.
  Argument Read(const ordered_json& value) const {
    switch (value.type()) {
      case ordered_json::value_t::null:
        return Argument();
      case ordered_json::value_t::boolean:
        return Argument(value.get<bool>());
      case ordered_json::value_t::number_integer:
      case ordered_json::value_t::number_unsigned:
        return Argument(value.get<int64_t>());
      case ordered_json::value_t::number_float:
        return Argument(value.get<double>());
      case ordered_json::value_t::string: {
        const std::string& text = value.get_ref<const std::string&>();
        double real = 0.0;
        if (ParseNonFinite(text, real)) return Argument(real);
        return Argument(text);
      }
      case ordered_json::value_t::object:
        if (value.size() == 1) return ReadTagged(value.begin().key(), *value.begin());
        break;
      default:
        break;
    }
    throw InputError(origin_.Of(value), "an argument is " + DescribeJson(value),
                     "a scalar or an object with one key of n, l, t, d, sl, dt, o, s");
  }

 private:
  Argument ReadTagged(const std::string& tag, const ordered_json& value) const {
    if (tag == "n") return Argument(FindNode(value));
    if (tag == "l") return Argument::List(ReadItems(value));
    if (tag == "t") return Argument::Tuple(ReadItems(value));
    if (tag == "d") return ReadDictionary(value);
    if (tag == "sl") return ReadSlice(value);
    if (tag == "dt") return ReadDType(value);
    if (tag == "o") return Argument(OpaqueValue{RequireString(value, "'o'", origin_)});
    if (tag == "s") return Argument(RequireString(value, "'s'", origin_));
    throw InputError(origin_.Of(value), "an argument has the unknown key '" + tag + "'",
                     "one of n, l, t, d, sl, dt, o, s");
  }

  Node* FindNode(const ordered_json& value) const {
    const std::string& name = RequireString(value, "a node's name", origin_);
    Node* node = lookup_ ? lookup_(name) : nullptr;
    if (node == nullptr) {
      throw InputError(origin_.Of(value),
                       "an argument refers to '" + name + "', which is no node",
                       lookup_ ? "the name of a node of this graph" : "a value");
    }
    return node;
  }

  std::vector<Argument> ReadItems(const ordered_json& value) const {
    RequireArray(value, "a sequence", origin_);
    std::vector<Argument> items;
    items.reserve(value.size());
    for (const ordered_json& item : value) items.push_back(Read(item));
    return items;
  }

  Argument ReadDictionary(const ordered_json& value) const {
    RequireObject(value, "'d'", origin_);
    Dictionary dictionary;
    for (const auto& item : value.get_ref<const ordered_json::object_t&>()) {
      dictionary.items.emplace_back(item.first, Read(item.second));
    }
    return Argument(std::move(dictionary));
  }

  Argument ReadSlice(const ordered_json& value) const {
    Slice slice{ReadItems(value)};
    if (slice.bounds.size() != 3) {
      throw InputError(origin_.Of(value),
                       "a slice has " + std::to_string(slice.bounds.size()) + " bounds",
                       "3: start, stop, step");
    }
    return Argument(std::move(slice));
  }

  Argument ReadDType(const ordered_json& value) const {
    const std::string& name = RequireString(value, "a dtype", origin_);
    const std::optional<DType> dtype = ParseDType(name);
    if (!dtype) {
      throw InputError(origin_.Of(value), "'" + name + "' is no dtype",
                       "a torch dtype such as torch.quint8");
    }
    return Argument(*dtype);
  }

  const NodeLookup& lookup_;
  const JsonOrigin& origin_;
};

ordered_json Tagged(const char* tag, ordered_json value) {
  ordered_json object = ordered_json::object();
  object[tag] = std::move(value);
  return object;
}

ordered_json ItemsToJson(const std::vector<Argument>& arguments) {
  ordered_json items = ordered_json::array();
  for (const Argument& argument : arguments) items.push_back(ArgumentToJson(argument));
  return items;
}

struct ToJson {
  ordered_json operator()(std::monostate) const { return nullptr; }
  ordered_json operator()(bool value) const { return value; }
  ordered_json operator()(int64_t value) const { return value; }
  ordered_json operator()(double value) const { return RealToJson(value); }
  ordered_json operator()(const std::string& text) const {
    double real = 0.0;
    return ParseNonFinite(text, real) ? Tagged("s", text) : ordered_json(text);
  }
  ordered_json operator()(const Node* node) const { return Tagged("n", node->name()); }
  ordered_json operator()(const Sequence& sequence) const {
    return Tagged(sequence.is_tuple ? "t" : "l", ItemsToJson(sequence.items));
  }
  ordered_json operator()(const Dictionary& dictionary) const {
    ordered_json object = ordered_json::object();
    for (const auto& [key, item] : dictionary.items) {
      AppendMember(object, key, ArgumentToJson(item));
    }
    return Tagged("d", std::move(object));
  }
  ordered_json operator()(const Slice& slice) const {
    return Tagged("sl", ItemsToJson(slice.bounds));
  }
  ordered_json operator()(DType dtype) const {
    return Tagged("dt", "torch." + std::string(DTypeName(dtype)));
  }
  ordered_json operator()(const OpaqueValue& value) const {
    return Tagged("o", value.text);
  }
};

}  // namespace

Argument ArgumentFromJson(const ordered_json& value, const NodeLookup& lookup,
                          const JsonOrigin& origin) {
  return Reader(lookup, origin).Read(value);
}

ordered_json ArgumentToJson(const Argument& argument) {
  return std::visit(ToJson(), argument.value);
}

}  // namespace qconform
