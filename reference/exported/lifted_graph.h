// The graph as torch.export saves it: parameters and buffers are inputs ("lifted").
#ifndef QCONFORM_REFERENCE_EXPORTED_LIFTED_GRAPH_H_
#define QCONFORM_REFERENCE_EXPORTED_LIFTED_GRAPH_H_

#include <string>
#include <vector>

#include "reference/exported/exported_program.h"
#include "reference/exported/signature_json.h"
#include "reference/exported/value_table.h"
#include "reference/formats/json_file.h"

namespace qconform {

// Adds the nodes of a serialized graph to `program`, whose graph is empty, with their
// metadata: one placeholder for each input of `signature`, an operator.getitem for each
// output of a node that has several, one output. Nodes come in the order of the file and
// may use earlier ones only, so no cycle is read. Fills in the nodes' names in
// `signature`. Throws InputError "file: node 'name': ...".
// (torch._export.serde.serialize.GraphModuleDeserializer.deserialize_graph)
void ReadLiftedGraph(const ordered_json& graph, const JsonFile& file, ValueTable& values,
                     GraphSignature& signature, ExportedProgram& program);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPORTED_LIFTED_GRAPH_H_
