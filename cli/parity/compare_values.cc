#include "cli/parity/compare_values.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "reference/formats/tensor_json.h"
#include "reference/ir/error.h"

namespace qconform::parity {
namespace {

bool SameNumber(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

std::optional<Difference> CompareTensors(const Tensor& got, const ordered_json& want,
                                         const std::string& where) {
  const Tensor expected = TensorFromJson(want, where);
  if (StorageDType(got.dtype()) != StorageDType(expected.dtype())) {
    return Difference{where + ".dtype", std::string(DTypeName(got.dtype())),
                      std::string(DTypeName(expected.dtype()))};
  }
  if (got.shape() != expected.shape()) {
    return Difference{where + ".shape", ShapeText(got.shape()),
                      ShapeText(expected.shape())};
  }
  for (int64_t i = 0; i < got.numel(); ++i) {
    const double a = got.ValueAt(i);
    const double b = expected.ValueAt(i);
    if (!SameNumber(a, b)) {
      return Difference{fmt::format("{}[{}]", where, i), fmt::format("{}", a),
                        fmt::format("{}", b)};
    }
  }
  return std::nullopt;
}

double NumberFromJson(const ordered_json& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  const std::string text = value.is_string() ? value.get<std::string>() : "";
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  throw InputError("record", "value " + value.dump(), "a number");
}

std::optional<Difference> CompareNumbers(double got, const ordered_json& want,
                                         const std::string& where) {
  if (SameNumber(got, NumberFromJson(want))) return std::nullopt;
  return Difference{where, fmt::format("{}", got), want.dump()};
}

std::optional<Difference> CompareText(const std::string& got, const ordered_json& want,
                                      const std::string& where) {
  if (want.is_string() && want.get<std::string>() == got) return std::nullopt;
  return Difference{where, got, want.dump()};
}

}  // namespace qconform::parity
