#include "reference/ir/name_space.h"

#include <string_view>
#include <utility>

namespace qconform {
namespace {

// Python 3.11's keywords and builtins, and the names that torch.fx keeps for
// itself: a node may not shadow them.
const std::unordered_set<std::string>& IllegalNames() {
  static const auto* names = new std::unordered_set<std::string>{
      "ArithmeticError",
      "AssertionError",
      "AttributeError",
      "BaseException",
      "BaseExceptionGroup",
      "BlockingIOError",
      "BrokenPipeError",
      "BufferError",
      "BytesWarning",
      "ChildProcessError",
      "ConnectionAbortedError",
      "ConnectionError",
      "ConnectionRefusedError",
      "ConnectionResetError",
      "DeprecationWarning",
      "EOFError",
      "Ellipsis",
      "EncodingWarning",
      "EnvironmentError",
      "Exception",
      "ExceptionGroup",
      "False",
      "FileExistsError",
      "FileNotFoundError",
      "FloatingPointError",
      "FutureWarning",
      "GeneratorExit",
      "IOError",
      "ImportError",
      "ImportWarning",
      "IndentationError",
      "IndexError",
      "InterruptedError",
      "IsADirectoryError",
      "KeyError",
      "KeyboardInterrupt",
      "LookupError",
      "MemoryError",
      "ModuleNotFoundError",
      "NameError",
      "None",
      "NoneType",
      "NotADirectoryError",
      "NotImplemented",
      "NotImplementedError",
      "OSError",
      "OverflowError",
      "PendingDeprecationWarning",
      "PermissionError",
      "ProcessLookupError",
      "RecursionError",
      "ReferenceError",
      "ResourceWarning",
      "RuntimeError",
      "RuntimeWarning",
      "StopAsyncIteration",
      "StopIteration",
      "SyntaxError",
      "SyntaxWarning",
      "SystemError",
      "SystemExit",
      "TabError",
      "TimeoutError",
      "True",
      "TypeError",
      "UnboundLocalError",
      "UnicodeDecodeError",
      "UnicodeEncodeError",
      "UnicodeError",
      "UnicodeTranslateError",
      "UnicodeWarning",
      "UserWarning",
      "ValueError",
      "Warning",
      "ZeroDivisionError",
      "__build_class__",
      "__debug__",
      "__doc__",
      "__import__",
      "__loader__",
      "__name__",
      "__package__",
      "__spec__",
      "abs",
      "aiter",
      "all",
      "and",
      "anext",
      "any",
      "as",
      "ascii",
      "assert",
      "async",
      "await",
      "bin",
      "bool",
      "break",
      "breakpoint",
      "bytearray",
      "bytes",
      "callable",
      "chr",
      "class",
      "classmethod",
      "compile",
      "complex",
      "continue",
      "copyright",
      "credits",
      "def",
      "del",
      "delattr",
      "device",
      "dict",
      "dir",
      "divmod",
      "elif",
      "else",
      "enumerate",
      "eval",
      "except",
      "exec",
      "exit",
      "filter",
      "finally",
      "float",
      "for",
      "format",
      "from",
      "frozenset",
      "fx_pytree",
      "getattr",
      "global",
      "globals",
      "hasattr",
      "hash",
      "help",
      "hex",
      "id",
      "if",
      "import",
      "in",
      "inf",
      "input",
      "int",
      "is",
      "isinstance",
      "issubclass",
      "iter",
      "lambda",
      "len",
      "license",
      "list",
      "locals",
      "map",
      "max",
      "memoryview",
      "min",
      "nan",
      "next",
      "nonlocal",
      "not",
      "object",
      "oct",
      "open",
      "or",
      "ord",
      "pass",
      "pow",
      "print",
      "property",
      "pytree",
      "quit",
      "raise",
      "range",
      "repr",
      "return",
      "reversed",
      "round",
      "set",
      "setattr",
      "slice",
      "sorted",
      "staticmethod",
      "str",
      "sum",
      "super",
      "torch",
      "try",
      "tuple",
      "type",
      "vars",
      "while",
      "with",
      "yield",
      "zip",
  };
  return *names;
}

// Of ASCII: names do not depend on a locale.
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }

bool IsLegal(char c) { return IsDigit(c) || IsUpper(c) || IsLower(c) || c == '_'; }

struct SplitName {
  std::string base;
  std::string number;  // empty if the name has no "_<digits>" at its end
};

SplitName Split(const std::string& name) {
  size_t digits = name.size();
  while (digits > 0 && IsDigit(name[digits - 1])) --digits;
  // The base must not be empty: "_1" is a base of its own.
  if (digits == name.size() || digits < 2 || name[digits - 1] != '_') return {name, ""};
  return {name.substr(0, digits - 1), name.substr(digits)};
}

std::string Legalize(std::string candidate) {
  size_t length = 0;
  bool in_illegal_run = false;
  for (const char c : candidate) {
    const bool ok = IsLegal(c);
    if (ok || !in_illegal_run) candidate[length++] = ok ? c : '_';
    in_illegal_run = !ok;
  }
  candidate.resize(length);
  if (candidate.empty()) return "_unnamed";
  if (IsDigit(candidate[0])) candidate.insert(0, 1, '_');
  return candidate;
}

}  // namespace

std::string NameSpace::Create(std::string candidate) {
  candidate = Legalize(std::move(candidate));
  const SplitName split = Split(candidate);
  const auto counted = base_count_.find(split.base);
  int64_t number = counted == base_count_.end() ? 0 : counted->second;
  // A suffix too long for a number is treated as part of a used name would be.
  if (split.number.empty() || split.number.size() > 18 || used_.count(candidate) > 0) {
    if (IllegalNames().count(candidate) > 0) {
      ++number;
      candidate = split.base + "_" + std::to_string(number);
    }
  } else {
    number = std::stoll(split.number);
  }
  while (!used_.insert(candidate).second) {
    ++number;
    candidate = split.base + "_" + std::to_string(number);
  }
  // Most names stay alone: 0 is what an absent count means.
  if (counted != base_count_.end()) {
    counted->second = number;
  } else if (number != 0) {
    base_count_.emplace(split.base, number);
  }
  return candidate;
}

std::string CandidateName(const std::string& target) {
  std::string_view name = target;
  if (name.size() > 4 && name.starts_with("__") && name.ends_with("__")) {
    name = name.substr(2, name.size() - 4);
  }
  std::string snake;
  snake.reserve(name.size() + 1);
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (IsUpper(c) && i > 0 && IsLower(name[i - 1])) snake += '_';
    snake += IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return snake;
}

}  // namespace qconform
