// A quantizer that repeats what a record holds, for those that were Python code.
#ifndef QCONFORM_CLI_PARITY_PT2E_REPLAY_H_
#define QCONFORM_CLI_PARITY_PT2E_REPLAY_H_

#include <nlohmann/json.hpp>
#include <string>

#include "reference/pt2e/quantizer.h"

namespace qconform::parity {

using nlohmann::ordered_json;

// Writes the record's annotations, which are those of the graph before observers.
class ReplayQuantizer : public Quantizer {
 public:
  ReplayQuantizer(const ordered_json& record, std::string where)
      : record_(record), where_(std::move(where)) {}

  // Numbers that the record's graph reads as _tensor_constant_<n> become such.
  void TransformForAnnotation(ExportedProgram& program) override;
  void Annotate(const ExportedProgram& program, Annotations& annotations) override;

 private:
  const ordered_json& record_;
  std::string where_;
};

// Passes everything on to another quantizer and keeps the graph that observers will be
// inserted into.
class WatchedQuantizer : public Quantizer {
 public:
  explicit WatchedQuantizer(Quantizer& quantizer) : quantizer_(quantizer) {}

  void TransformForAnnotation(ExportedProgram& program) override {
    quantizer_.TransformForAnnotation(program);
  }
  void Annotate(const ExportedProgram& program, Annotations& annotations) override {
    quantizer_.Annotate(program, annotations);
  }
  void Validate(const ExportedProgram& program, const Annotations& annotations) override {
    quantizer_.Validate(program, annotations);
  }
  void PrepareObserverCallback(ExportedProgram& program, ObserverMap& observers) override;

  // In the form of the records.
  const ordered_json& annotated_graph() const { return annotated_graph_; }

 private:
  Quantizer& quantizer_;
  ordered_json annotated_graph_;
};

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_PT2E_REPLAY_H_
