#include "reference/exported/signature_json.h"

#include "reference/exported/quoted_text.h"
#include "reference/exported/tensor_shape_json.h"
#include "reference/formats/json_value.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

const std::string& RequireText(const ordered_json& value, const char* key,
                               const JsonOrigin& origin) {
  return RequireString(RequireMember(value, key, origin), key, origin);
}

const std::string& ArgumentName(const ordered_json& spec, const JsonOrigin& origin) {
  return RequireText(RequireMember(spec, "arg", origin), "name", origin);
}

// The name of a user's tensor or symbol; "" for a plain value.
std::string UserInputName(const ordered_json& spec, const JsonOrigin& origin) {
  const auto [tag, value] =
      RequireTagged(RequireMember(spec, "arg", origin), "an argument", origin);
  if (tag == "as_tensor") return RequireText(value, "name", origin);
  if (tag != "as_sym_int" && tag != "as_sym_float" && tag != "as_sym_bool") return "";
  const auto [kind, name] = RequireTagged(value, "a symbolic argument", origin);
  return kind == "as_name" ? RequireString(name, "'as_name'", origin) : "";
}

ProgramInput InputFromJson(const ordered_json& spec, const JsonOrigin& origin) {
  const auto [kind, value] = RequireTagged(spec, "an input", origin);
  ProgramInput input;
  if (kind == "user_input") {
    input.node = UserInputName(value, origin);
  } else if (kind == "parameter") {
    input = {ProgramInputKind::kParameter, ArgumentName(value, origin),
             RequireText(value, "parameter_name", origin)};
  } else if (kind == "buffer") {
    input = {ProgramInputKind::kBuffer, ArgumentName(value, origin),
             RequireText(value, "buffer_name", origin)};
    input.persistent = RequireBoolean(RequireMember(value, "persistent", origin),
                                      "'persistent'", origin);
  } else if (kind == "tensor_constant") {
    input = {ProgramInputKind::kConstantTensor, ArgumentName(value, origin),
             RequireText(value, "tensor_constant_name", origin)};
  } else if (kind == "constant_input") {
    input.node = RequireText(value, "name", origin);
  } else {
    throw InputError(origin.Of(spec), "an input is " + Quoted(kind),
                     "a user's input, a parameter, a buffer or a constant tensor");
  }
  return input;
}

OutputSpec OutputFromJson(const ordered_json& spec, const JsonOrigin& origin) {
  const auto [kind, value] = RequireTagged(spec, "an output", origin);
  if (kind == "user_output") return {};
  if (kind == "buffer_mutation") return {true, RequireText(value, "buffer_name", origin)};
  if (kind == "parameter_mutation") {
    return {true, RequireText(value, "parameter_name", origin)};
  }
  if (kind == "user_input_mutation") {
    return {true, RequireText(value, "user_input_name", origin)};
  }
  throw InputError(origin.Of(spec), "an output is " + Quoted(kind),
                   "a user's output or one that is written to a buffer, a parameter or "
                   "an input");
}

}  // namespace

GraphSignature GraphSignatureFromJson(const ordered_json& value,
                                      const JsonOrigin& origin) {
  GraphSignature signature;
  const ordered_json& inputs = RequireMember(value, "input_specs", origin);
  for (const ordered_json& spec : RequireArray(inputs, "'input_specs'", origin)) {
    signature.inputs.push_back(InputFromJson(spec, origin));
  }
  const ordered_json& outputs = RequireMember(value, "output_specs", origin);
  for (const ordered_json& spec : RequireArray(outputs, "'output_specs'", origin)) {
    signature.outputs.push_back(OutputFromJson(spec, origin));
  }
  return signature;
}

}  // namespace qconform
