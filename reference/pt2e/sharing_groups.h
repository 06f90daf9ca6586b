// Which edges and outputs have one observer together.
#ifndef QCONFORM_REFERENCE_PT2E_SHARING_GROUPS_H_
#define QCONFORM_REFERENCE_PT2E_SHARING_GROUPS_H_

#include <vector>

#include "reference/config/mode.h"
#include "reference/exported/exported_program.h"
#include "reference/pt2e/observer_map.h"
#include "reference/pt2e/quantization_annotation.h"

namespace qconform {

// An annotated edge or output.
struct SharingEntry {
  EdgeOrNode place;
  QuantizationSpecPointer spec;  // None stays an entry of its own
  int group = 0;                 // numbered by first appearance
};

// In graph order, of each node the inputs in the order of its annotation, then the
// output. Entries are one group where a shared spec says so and, unless the consumer
// forbids it, where specs of one tensor agree in dtype, is_dynamic, quant_min, quant_max,
// qscheme, ch_axis, scale and zero point; the observer class is not compared.
// Linear in the number of entries and of the users of their producers, without recursion.
// Throws PipelineError that names the places: KeyError for a shared spec whose place has
// no annotation, RecursionError for shared specs that lead back to themselves.
// (_get_edge_or_node_to_qspec, _get_edge_or_node_to_group_id)
std::vector<SharingEntry> SharingGroups(const ExportedProgram& program,
                                        const Annotations& annotations);

// One observer a group, made from the spec of its first entry. Throws as
// MakeSpecObserver.
// (_get_obs_or_fq_map)
ObserverMap MakeGroupObservers(const std::vector<SharingEntry>& entries, bool is_qat,
                               Mode mode);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_SHARING_GROUPS_H_
