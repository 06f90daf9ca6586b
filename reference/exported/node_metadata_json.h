// Where a node came from, as torch.export.save writes it: texts with separators.
#ifndef QCONFORM_REFERENCE_EXPORTED_NODE_METADATA_JSON_H_
#define QCONFORM_REFERENCE_EXPORTED_NODE_METADATA_JSON_H_

#include "reference/exported/exported_program.h"
#include "reference/formats/json_file.h"

namespace qconform {

// nn_module_stack, source_fn_stack, torch_fn and stack_trace of a node's "metadata"; its
// value stays unknown. Functions that torch has under several names get one
// ("torch._C._nn.linear" is "torch.nn.functional.linear", "_operator.add" is
// "operator.add"). Throws InputError on texts without their separators.
// (torch._export.serde.serialize.GraphModuleDeserializer.deserialize_metadata)
NodeMetadata NodeMetadataFromJson(const ordered_json& value, const JsonOrigin& origin);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPORTED_NODE_METADATA_JSON_H_
