#include "conformance/contract/row_words.h"

#include <array>
#include <utility>

#include "reference/ir/module_difference.h"

namespace qconform {
namespace {

// Longest first: each is tried in order.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kShort = {
    {{"torch.nn.functional.", "F."},
     {"torch.ao.nn.intrinsic.qat.", "nniqat."},
     {"torch.ao.nn.intrinsic.", "nni."},
     {"torch.ao.nn.qat.", "nnqat."},
     {"torch.nn.", "nn."}}};

std::string AtomWords(const Pattern& atom) {
  switch (atom.kind()) {
    case Pattern::Kind::kMatchAll:
      return "any";
    case Pattern::Kind::kLiteral:
      return IdWord(DescribeArgument(atom.literal()));
    default:
      break;
  }
  for (const auto& [full, abbreviation] : kShort) {
    if (atom.name().starts_with(full)) {
      return IdWord(std::string(abbreviation) + atom.name().substr(full.size()));
    }
  }
  return IdWord(atom.name());
}

std::string Name(std::optional<DType> dtype) {
  return dtype ? std::string(DTypeName(*dtype)) : "any";
}

}  // namespace

std::string IdWord(const std::string& text) {
  std::string word = text;
  for (char& c : word) {
    if (c == '-') c = 'm';
    if (c == ':' || c == '*' || c == '?' || c == '/' || c == ' ') c = '_';
  }
  return word;
}

// As deep as a person writes patterns.
std::string PatternWords(const Pattern& reversed_nested) {
  if (!reversed_nested.IsTuple()) return AtomWords(reversed_nested);
  std::string words;
  for (size_t i = 0; i < reversed_nested.items().size(); ++i) {
    words += i == 0 ? "" : i == 1 ? "(" : ",";
    words += PatternWords(reversed_nested.items()[i]);
  }
  return words + (reversed_nested.items().size() > 1 ? ")" : "");
}

std::string DTypeWords(const DTypeConfig& config) {
  std::string words = Name(config.input_dtype.dtype) + "." +
                      Name(config.output_dtype.dtype) + "." +
                      Name(config.weight_dtype.dtype) + "." + Name(config.bias_dtype);
  if (config.IsDynamic()) words += ".dynamic";
  return words;
}

}  // namespace qconform
