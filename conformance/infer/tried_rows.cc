#include "conformance/infer/tried_rows.h"

#include <algorithm>

#include "reference/backends/backends.h"

namespace qconform {
namespace {

DTypeWithConstraints WithoutBounds(const DTypeWithConstraints& dtype) {
  DTypeWithConstraints plain;
  plain.dtype = dtype.dtype;
  return plain;
}

DTypeConfig WithoutBounds(const DTypeConfig& config) {
  DTypeConfig plain = config;
  plain.input_dtype = WithoutBounds(config.input_dtype);
  plain.output_dtype = WithoutBounds(config.output_dtype);
  plain.weight_dtype = WithoutBounds(config.weight_dtype);
  return plain;
}

bool SameDTypes(const DTypeConfig& a, const DTypeConfig& b) {
  return a.input_dtype.dtype == b.input_dtype.dtype &&
         a.output_dtype.dtype == b.output_dtype.dtype &&
         a.weight_dtype.dtype == b.weight_dtype.dtype && a.bias_dtype == b.bias_dtype &&
         a.IsDynamic() == b.IsDynamic() && a.unchecked_bias == b.unchecked_bias;
}

void Add(TriedRow& row, const DTypeConfig& config, const DTypeConfig* declared) {
  for (const TriedDTypes& each : row.dtypes)
    if (SameDTypes(each.dtypes, config)) return;
  row.dtypes.push_back({WithoutBounds(config), declared});
}

bool IsCode8(const DTypeWithConstraints& dtype) {
  return dtype.dtype == DType::kQUInt8 || dtype.dtype == DType::kQInt8;
}

// What nobody wrote down, but a backend may accept.
void AddVariants(TriedRow& row) {
  const std::vector<TriedDTypes> written = row.dtypes;
  constexpr DType kCodes[] = {DType::kQUInt8, DType::kQInt8};
  for (const TriedDTypes& each : written) {
    DTypeConfig config = each.dtypes;
    if (config.IsDynamic() || !IsCode8(config.input_dtype) ||
        !IsCode8(config.output_dtype))
      continue;
    const bool weighted = config.weight_dtype.dtype.has_value();
    for (const DType input : kCodes)
      for (const DType output : kCodes) {
        if (!weighted && input != output) continue;
        config.input_dtype.dtype = input;
        config.output_dtype.dtype = output;
        Add(row, config, nullptr);
      }
  }
  const std::vector<TriedDTypes> with_signs = row.dtypes;
  for (const TriedDTypes& each : with_signs) {
    DTypeConfig config = each.dtypes;
    if (config.bias_dtype != DType::kFloat32 || config.IsDynamic() ||
        !IsCode8(config.input_dtype))
      continue;
    config.bias_dtype = DType::kQInt32;
    Add(row, config, nullptr);
  }
}

}  // namespace

std::vector<TriedRow> RowsToTry(const BackendConfig* declared, bool only_declared) {
  const BackendConfig& native = BuiltInBackendConfig("native");
  std::vector<TriedRow> rows;
  if (declared != nullptr) {
    for (const BackendConfig::Entry& entry : declared->entries()) {
      TriedRow row{entry.shared, true, {}};
      const DTypeConfigList& written = entry.config.dtype_configs;
      for (const DTypeConfig& config : written) Add(row, config, &config);
      if (!only_declared && !written.empty()) {
        if (const BackendConfig::Entry* known = native.Find(entry.key))
          for (const DTypeConfig& config : known->config.dtype_configs)
            Add(row, config, nullptr);
        AddVariants(row);
      }
      rows.push_back(std::move(row));
    }
  }
  if (only_declared) return rows;
  for (const BackendConfig::Entry& entry : native.entries()) {
    if (declared != nullptr && declared->Find(entry.key) != nullptr) continue;
    if (entry.config.dtype_configs.empty()) continue;
    TriedRow row{entry.shared, false, {}};
    for (const DTypeConfig& config : entry.config.dtype_configs)
      Add(row, config, nullptr);
    AddVariants(row);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace qconform
