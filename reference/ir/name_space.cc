#include "reference/ir/name_space.h"

#include <cctype>

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

struct SplitName {
  std::string base;
  std::string number;  // empty if the name has no "_<digits>" at its end
};

SplitName Split(const std::string& name) {
  size_t digits = name.size();
  while (digits > 0 && std::isdigit(static_cast<unsigned char>(name[digits - 1])) != 0) {
    --digits;
  }
  // The base must not be empty: "_1" is a base of its own.
  if (digits == name.size() || digits < 2 || name[digits - 1] != '_') return {name, ""};
  return {name.substr(0, digits - 1), name.substr(digits)};
}

std::string Legalize(const std::string& candidate) {
  std::string legal;
  bool in_illegal_run = false;
  for (char c : candidate) {
    const bool ok = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (ok) {
      legal += c;
    } else if (!in_illegal_run) {
      legal += '_';
    }
    in_illegal_run = !ok;
  }
  if (legal.empty()) return "_unnamed";
  if (std::isdigit(static_cast<unsigned char>(legal[0])) != 0) legal = "_" + legal;
  return legal;
}

}  // namespace

std::string NameSpace::Create(std::string candidate) {
  candidate = Legalize(candidate);
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
  std::string name = target;
  if (name.size() > 4 && name.starts_with("__") && name.ends_with("__")) {
    name = name.substr(2, name.size() - 4);
  }
  std::string snake;
  for (size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    if (std::isupper(c) != 0 && i > 0 &&
        std::islower(static_cast<unsigned char>(name[i - 1])) != 0) {
      snake += '_';
    }
    snake += static_cast<char>(std::tolower(c));
  }
  return snake;
}

}  // namespace qconform
