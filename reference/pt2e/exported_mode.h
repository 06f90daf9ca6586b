// Training and evaluation of exported programs, whose graphs fix what a module decides by
// its flag. (torchao.quantization.pt2e.move_exported_model_to_eval, _to_train)
#ifndef QCONFORM_REFERENCE_PT2E_EXPORTED_MODE_H_
#define QCONFORM_REFERENCE_PT2E_EXPORTED_MODE_H_

#include "reference/config/mode.h"
#include "reference/exported/exported_program.h"

namespace qconform {

// Every dropout and batch norm becomes a new node of the other kind; done twice it
// changes nothing. As in torchao the new ones have momentum 0.1, eps 1e-5 and p 0.5
// whatever the model had; strict mode keeps the model's.
void MoveToEvaluation(ExportedProgram& program, Mode mode = Mode::kTorch);
void MoveToTraining(ExportedProgram& program, Mode mode = Mode::kTorch);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_EXPORTED_MODE_H_
