#include "reference/qconfig/python_regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "reference/ir/error.h"

namespace qconform {

struct PythonRegex::Code {
  explicit Code(pcre2_code* compiled) : compiled(compiled) {}
  ~Code() { pcre2_code_free(compiled); }
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;
  pcre2_code* compiled;
};

namespace {

const unsigned char* Bytes(const std::string& text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string ErrorText(int error) {
  unsigned char buffer[256];
  pcre2_get_error_message(error, buffer, sizeof(buffer));
  return reinterpret_cast<const char*>(buffer);
}

template <typename T, void (*Free)(T*)>
struct Deleter {
  void operator()(T* object) const { Free(object); }
};
template <typename T, void (*Free)(T*)>
using Owned = std::unique_ptr<T, Deleter<T, Free>>;

}  // namespace

PythonRegex::PythonRegex(const std::string& expression, const std::string& where)
    : where_(where) {
  const PcreExpression pcre = TranslatePythonRegex(expression, where);
  Owned<pcre2_compile_context, pcre2_compile_context_free> context(
      pcre2_compile_context_create(nullptr));
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  int error = 0;
  size_t offset = 0;
  const uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C |
                           (pcre.ascii ? 0U : PCRE2_UCP);
  pcre2_code* compiled = pcre2_compile(Bytes(pcre.text), pcre.text.size(), options,
                                       &error, &offset, context.get());
  if (compiled == nullptr) {
    throw InputError(where, ErrorText(error), "a regular expression of Python");
  }
  code_ = std::make_shared<const Code>(compiled);
}

bool PythonRegex::MatchesAtStart(const std::string& text) const {
  Owned<pcre2_match_data, pcre2_match_data_free> data(
      pcre2_match_data_create_from_pattern(code_->compiled, nullptr));
  Owned<pcre2_match_context, pcre2_match_context_free> context(
      pcre2_match_context_create(nullptr));
  constexpr uint32_t kMostSteps = 1000000;
  pcre2_set_match_limit(context.get(), kMostSteps);
  const int found = pcre2_match(code_->compiled, Bytes(text), text.size(), 0,
                                PCRE2_ANCHORED, data.get(), context.get());
  if (found >= 0) return true;
  if (found == PCRE2_ERROR_NOMATCH) return false;
  throw InputError(where_, ErrorText(found) + " at '" + text.substr(0, 80) + "'",
                   "an expression that is found in fewer steps");
}

}  // namespace qconform
