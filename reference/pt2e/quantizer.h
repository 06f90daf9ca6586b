// What a user writes for a backend of theirs: which tensors of a program are quantized,
// and how. (torchao.quantization.pt2e.quantizer.Quantizer)
#ifndef QCONFORM_REFERENCE_PT2E_QUANTIZER_H_
#define QCONFORM_REFERENCE_PT2E_QUANTIZER_H_

#include <memory>

#include "reference/exported/exported_program.h"
#include "reference/pt2e/observer_map.h"
#include "reference/pt2e/quantization_annotation.h"

namespace qconform {

// Preparing calls the four in this order. Each may throw PipelineError (the kind of
// Python exception that torchao raises) or InputError.
class Quantizer {
 public:
  virtual ~Quantizer() = default;

  // May rewrite the program so that more of it can be quantized (scalars to tensors).
  virtual void TransformForAnnotation(ExportedProgram& program) { (void)program; }

  // Writes annotations; the program stays as it is.
  virtual void Annotate(const ExportedProgram& program, Annotations& annotations) = 0;

  // Refuses annotations that the backend cannot run, by throwing.
  virtual void Validate(const ExportedProgram& program, const Annotations& annotations) {
    (void)program;
    (void)annotations;
  }

  // After each sharing group has its observer, before any is inserted: may put another in
  // place.
  virtual void PrepareObserverCallback(ExportedProgram& program, ObserverMap& observers) {
    (void)program;
    (void)observers;
  }
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_QUANTIZER_H_
