#include "cli/parity/json_difference.h"

#include <fmt/format.h>

#include <cmath>

#include "reference/formats/tensor_json.h"
#include "reference/ir/tensor.h"

namespace qconform::parity {
namespace {

bool IsTensor(const ordered_json& value) {
  return value.is_object() && value.contains("b64") && value.contains("shape");
}

// "float32 [3] bytes differ at element 1".
std::optional<Difference> TensorDifference(const ordered_json& got,
                                           const ordered_json& want,
                                           const std::string& where) {
  if (got.at("dtype") != want.at("dtype") || got.at("shape") != want.at("shape")) {
    return Difference{where, ShortText(got), ShortText(want)};
  }
  for (const char* key : {"scale", "zero_point", "scales", "zero_points", "axis"}) {
    if (got.contains(key) != want.contains(key)) {
      return Difference{where + "." + key, got.contains(key) ? "present" : "absent",
                        want.contains(key) ? "present" : "absent"};
    }
    if (!want.contains(key)) continue;
    if (auto difference = FirstDifference(got.at(key), want.at(key), where + "." + key)) {
      return difference;
    }
  }
  if (got.at("b64") == want.at("b64")) return std::nullopt;
  if (want.at("dtype") == "quint4x2") {
    return Difference{where, "other packed codes", ShortText(want)};
  }
  const Tensor a = TensorFromJson(got, where);
  const Tensor b = TensorFromJson(want, where);
  for (int64_t i = 0; i < a.numel(); ++i) {
    const size_t size = ItemSize(a.dtype());
    const size_t offset = static_cast<size_t>(i) * size;
    if (std::equal(a.bytes() + offset, a.bytes() + offset + size, b.bytes() + offset)) {
      continue;
    }
    // Sign and payload of a NaN are the processor's.
    if (std::isnan(a.ValueAt(i)) && std::isnan(b.ValueAt(i))) continue;
    return Difference{fmt::format("{}[{}]", where, i), fmt::format("{}", a.ValueAt(i)),
                      fmt::format("{}", b.ValueAt(i))};
  }
  return std::nullopt;
}

// A class of torch under one of its names: records write the package's, the file's or,
// for stubs, the bare one.
std::string CanonicalClass(const std::string& name) {
  const std::string last = name.substr(name.rfind('.') + 1);
  if (last == "QuantStub" || last == "DeQuantStub") return last;
  if (name == "builtins.tuple") return last;
  const std::string room = "torch.ao.nn.quantizable.";
  return name.starts_with(room) ? room + last : name;
}

bool SameName(const ordered_json& got, const ordered_json& want) {
  return got.is_string() && want.is_string() &&
         CanonicalClass(got.get<std::string>()) ==
             CanonicalClass(want.get<std::string>());
}

}  // namespace

void NameUnread(const ordered_json& file, const std::set<std::string>& read,
                PartReport& part) {
  for (const auto& [key, value] : file.items()) {
    if (value.is_string() || read.count(key) > 0) continue;
    part.NotCompared(key, "unknown table");
  }
}

std::string ShortText(const ordered_json& value) {
  if (IsTensor(value)) {
    return value.at("dtype").get<std::string>() + " " + value.at("shape").dump();
  }
  std::string text = value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  constexpr size_t kLongest = 100;
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

std::optional<Difference> FirstDifference(const ordered_json& got,
                                          const ordered_json& want,
                                          const std::string& where) {
  if (IsTensor(got) && IsTensor(want)) return TensorDifference(got, want, where);
  if (got.is_object() && want.is_object()) {
    for (const auto& [key, value] : want.items()) {
      if (!got.contains(key)) {
        return Difference{where + "." + key, "absent", ShortText(value)};
      }
      if (auto difference = FirstDifference(got.at(key), value, where + "." + key)) {
        return difference;
      }
    }
    for (const auto& [key, value] : got.items()) {
      if (!want.contains(key)) {
        return Difference{where + "." + key, ShortText(value), "absent"};
      }
    }
    return std::nullopt;
  }
  if (got.is_array() && want.is_array()) {
    for (size_t i = 0; i < std::min(got.size(), want.size()); ++i) {
      if (auto difference =
              FirstDifference(got[i], want[i], fmt::format("{}[{}]", where, i))) {
        return difference;
      }
    }
    if (got.size() != want.size()) {
      const bool more = got.size() > want.size();
      const size_t i = std::min(got.size(), want.size());
      return Difference{fmt::format("{}[{}]", where, i),
                        more ? ShortText(got[i]) : "absent",
                        more ? "absent" : ShortText(want[i])};
    }
    return std::nullopt;
  }
  // 3 and 3.0 are different arguments; unsigned and signed integers are not.
  const bool same_kind = got.is_number() && want.is_number()
                             ? got.is_number_float() == want.is_number_float()
                             : got.type() == want.type();
  if ((same_kind && got == want) || SameName(got, want)) return std::nullopt;
  return Difference{where, ShortText(got), ShortText(want)};
}

}  // namespace qconform::parity
