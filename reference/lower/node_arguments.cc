#include "reference/lower/node_arguments.h"

namespace qconform {
namespace {

void Fold(std::vector<Argument>& arguments, const NodeExamples& examples) {
  for (Argument& argument : arguments) argument = Folded(argument, examples);
}

}  // namespace

// Arguments nest as deep as the readers allow, so the recursion is bounded.
Argument Folded(const Argument& argument, const NodeExamples& examples) {
  if (const Node* node = argument.AsNode()) {
    const NodeExample& example = examples.at(node);
    return example.role == NodeRole::kShapeValue ? example.folded : argument;
  }
  Argument folded = argument;
  if (Sequence* sequence = folded.As<Sequence>()) Fold(sequence->items, examples);
  if (Slice* slice = folded.As<Slice>()) Fold(slice->bounds, examples);
  if (Dictionary* dictionary = folded.As<Dictionary>()) {
    for (auto& [key, value] : dictionary->items) value = Folded(value, examples);
  }
  return folded;
}

NodeArguments::NodeArguments(const Node& node, const NodeExamples& examples)
    : args_(node.args()), kwargs_(node.kwargs()) {
  Fold(args_, examples);
  for (auto& [name, value] : kwargs_) value = Folded(value, examples);
}

const Argument* NodeArguments::Find(size_t position, const char* keyword) const {
  if (position < args_.size()) return &args_[position];
  return kwargs_.Find(keyword);
}

const Node* NodeArguments::NodeAt(size_t position, const char* keyword) const {
  const Argument* argument = Find(position, keyword);
  return argument == nullptr ? nullptr : argument->AsNode();
}

int64_t NodeArguments::Integer(size_t position, const char* keyword,
                               int64_t fallback) const {
  const Argument* argument = Find(position, keyword);
  if (argument == nullptr) return fallback;
  if (const int64_t* integer = argument->As<int64_t>()) return *integer;
  throw NoOperatorForm(std::string(keyword) + " is no integer");
}

double NodeArguments::Real(size_t position, const char* keyword, double fallback) const {
  const Argument* argument = Find(position, keyword);
  if (argument == nullptr || argument->IsNone()) return fallback;
  if (const double* real = argument->As<double>()) return *real;
  if (const int64_t* integer = argument->As<int64_t>()) {
    return static_cast<double>(*integer);
  }
  throw NoOperatorForm(std::string(keyword) + " is no number");
}

bool NodeArguments::Boolean(size_t position, const char* keyword, bool fallback) const {
  const Argument* argument = Find(position, keyword);
  if (argument == nullptr || argument->IsNone()) return fallback;
  if (const bool* flag = argument->As<bool>()) return *flag;
  throw NoOperatorForm(std::string(keyword) + " is neither true nor false");
}

std::string NodeArguments::Text(size_t position, const char* keyword,
                                const char* fallback) const {
  const Argument* argument = Find(position, keyword);
  if (argument == nullptr || argument->IsNone()) return fallback;
  if (const std::string* text = argument->As<std::string>()) return *text;
  throw NoOperatorForm(std::string(keyword) + " is no text");
}

std::vector<int64_t> NodeArguments::Integers(size_t position, const char* keyword) const {
  const Argument* argument = Find(position, keyword);
  if (argument == nullptr || argument->IsNone()) return {};
  return IntegersOf(*argument, keyword);
}

std::vector<int64_t> NodeArguments::SpreadIntegers(size_t position,
                                                   const char* keyword) const {
  if (args_.size() <= position + 1) return Integers(position, keyword);
  std::vector<int64_t> integers;
  for (size_t i = position; i < args_.size(); ++i) {
    for (int64_t integer : IntegersOf(args_[i], keyword)) integers.push_back(integer);
  }
  return integers;
}

std::vector<int64_t> IntegersOf(const Argument& argument, const std::string& what) {
  if (const int64_t* integer = argument.As<int64_t>()) return {*integer};
  std::vector<int64_t> integers;
  const Sequence* sequence = argument.As<Sequence>();
  if (sequence == nullptr) throw NoOperatorForm(what + " is no integer");
  for (const Argument& item : sequence->items) {
    const int64_t* integer = item.As<int64_t>();
    if (integer == nullptr) throw NoOperatorForm(what + " holds more than integers");
    integers.push_back(*integer);
  }
  return integers;
}

}  // namespace qconform
