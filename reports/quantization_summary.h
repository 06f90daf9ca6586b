// What `qconform quantize --summary FILE` writes: how one model fared under one
// backend config. JSON with the field names below.
#ifndef QCONFORM_REPORTS_QUANTIZATION_SUMMARY_H_
#define QCONFORM_REPORTS_QUANTIZATION_SUMMARY_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace qconform {

struct FloatNodeSummary {
  std::string node;
  std::string target;
  std::string constraint;  // the first that refused, by name
  std::string reason;      // one line, with both values
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(FloatNodeSummary, node, target, constraint, reason)
};

struct MetricSummary {
  std::string of;    // "float" or "int8"
  std::string name;  // "top1", "cents_to_truth_median", ...
  double value = 0;
  std::string unit;  // "%", "cents"
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(MetricSummary, of, name, value, unit)
};

struct QuantizationSummary {
  std::string model;
  std::string config;
  std::string mode;
  // Nodes of the float graph that compute a tensor, and what became of them. Matched
  // counts those that a pattern of the config matched, fused ones included.
  int64_t nodes = 0;
  int64_t matched = 0;
  int64_t fused = 0;
  int64_t quantized = 0;
  std::vector<FloatNodeSummary> left_in_float;
  std::vector<std::string> unused_settings;
  // Where torch does not do what it declares, one line each: what model and settings
  // show, and what only the data shows.
  std::vector<std::string> mode_differences;
  std::vector<std::string> data_differences;
  // The lowered program.
  int64_t operators = 0;
  int64_t conversions = 0;
  int64_t float_islands = 0;
  std::vector<MetricSummary> metrics;
  std::string golden;         // folder
  std::string golden_digest;  // SHA-256 of its manifest
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(QuantizationSummary, model, config, mode, nodes, matched,
                                 fused, quantized, left_in_float, unused_settings,
                                 mode_differences, data_differences, operators,
                                 conversions, float_islands, metrics, golden,
                                 golden_digest)
};

}  // namespace qconform

#endif  // QCONFORM_REPORTS_QUANTIZATION_SUMMARY_H_
