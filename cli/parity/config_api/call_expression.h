// The small part of Python in which records write the calls that they made:
// "BackendPatternConfig((nn.Conv2d, nn.ReLU)).set_root_module(nn.Conv2d).to_dict()".
#ifndef QCONFORM_CLI_PARITY_CONFIG_API_CALL_EXPRESSION_H_
#define QCONFORM_CLI_PARITY_CONFIG_API_CALL_EXPRESSION_H_

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace qconform::parity {

using nlohmann::ordered_json;

struct Expression {
  enum class Kind {
    kLiteral,    // None, a truth value, a number, a text
    kName,       // quint8
    kAttribute,  // of items[0]
    kCall,       // of items[0] with items[1..] by `keywords`
    kTuple,
    kList,
    kDict,  // keys and values in turn
  };
  Kind kind = Kind::kLiteral;
  ordered_json literal;
  std::string name;
  std::vector<Expression> items;
  // Of a call: the keyword of each argument, empty for one by position.
  std::vector<std::string> keywords;
};

// Names, attributes, calls, tuples, lists, dictionaries, numbers and quoted texts.
// nullopt for anything else, and for nesting beyond any record's.
std::optional<Expression> ParseExpression(const std::string& text);

// "nn.Conv2d" of a name or a chain of attributes; empty for other expressions.
std::string DottedName(const Expression& expression);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_CONFIG_API_CALL_EXPRESSION_H_
