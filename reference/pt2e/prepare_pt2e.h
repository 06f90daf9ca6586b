// From an exported program to one whose observers can see data.
// (torchao.quantization.pt2e.quantize_pt2e.prepare_pt2e, prepare_qat_pt2e)
#ifndef QCONFORM_REFERENCE_PT2E_PREPARE_PT2E_H_
#define QCONFORM_REFERENCE_PT2E_PREPARE_PT2E_H_

#include <string>
#include <vector>

#include "reference/config/mode.h"
#include "reference/exported/exported_program.h"
#include "reference/pt2e/quantization_annotation.h"
#include "reference/pt2e/quantizer.h"
#include "reference/pt2e/sharing_groups.h"

namespace qconform {

struct PreparedProgram {
  // Observers are modules activation_post_process_<n>; scopes are those of the nodes
  // before the quantizer, the last part of the innermost module's path.
  ExportedProgram program;
  Annotations annotations;
  std::vector<SharingEntry> groups;
  bool is_qat = false;
  Mode mode = Mode::kTorch;
  // What folding batch norms did that its author may not expect.
  std::vector<std::string> warnings;
};

// Folds batch norms, lets the quantizer transform, annotate and validate, and inserts
// observers. Calibrate with RunObserved(prepared.program.module, batch). Throws what the
// quantizer throws, SharingGroups, MakeSpecObserver and InsertProgramObservers; in strict
// mode also PipelineError("ValueError") for an edge that was given two specs that differ,
// of which torch mode takes the second.
// (Quantizing takes the program over: names that went stay taken, as in torch.)
PreparedProgram PreparePt2e(ExportedProgram program, Quantizer& quantizer,
                            Mode mode = Mode::kTorch);

// The same for training: annotates first, then writes every convolution with a batch norm
// as one whose weight is scaled (qat_batch_norm.h).
PreparedProgram PrepareQatPt2e(ExportedProgram program, Quantizer& quantizer,
                               Mode mode = Mode::kTorch);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_PREPARE_PT2E_H_
