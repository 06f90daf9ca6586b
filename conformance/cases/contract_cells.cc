#include "conformance/cases/contract_cells.h"

#include <algorithm>
#include <array>
#include <optional>

#include "conformance/cases/declared_row.h"

namespace qconform {
namespace {

enum class State { kUnset, kWithin, kAt, kBeyond };

// Of a value whose bound lies below it.
template <typename Value, typename Bound>
State FromBelow(Value value, const std::optional<Bound>& bound) {
  if (!bound) return State::kUnset;
  const auto limit = static_cast<Value>(*bound);
  return value < limit ? State::kBeyond : value == limit ? State::kAt : State::kWithin;
}

template <typename Value, typename Bound>
State FromAbove(Value value, const std::optional<Bound>& bound) {
  if (!bound) return State::kUnset;
  const auto limit = static_cast<Value>(*bound);
  return value > limit ? State::kBeyond : value == limit ? State::kAt : State::kWithin;
}

template <typename Value, typename Bound>
State Exactly(Value value, const std::optional<Bound>& bound) {
  if (!bound) return State::kUnset;
  return value == static_cast<Value>(*bound) ? State::kAt : State::kBeyond;
}

constexpr std::array<const char*, 6> kBoundNames = {
    "quant_min", "quant_max", "scale_min", "scale_max", "scale", "zero_point"};
using States = std::array<State, kBoundNames.size()>;

std::array<bool, kBoundNames.size()> BoundsSet(const DTypeWithConstraints& allowed) {
  if (!allowed.dtype) return {};
  return {allowed.quant_min_lower_bound.has_value(),
          allowed.quant_max_upper_bound.has_value(),
          allowed.scale_min_lower_bound.has_value(),
          allowed.scale_max_upper_bound.has_value(),
          allowed.scale_exact_match.has_value(),
          allowed.zero_point_exact_match.has_value()};
}

// The worst state of each bound over the tensor's qparams.
void Judge(const DTypeWithConstraints& allowed, const CallTensor& tensor,
           States& states) {
  if (!allowed.dtype || tensor.scale.empty()) return;
  const auto worsen = [&](size_t bound, State state) {
    states[bound] = std::max(states[bound], state);
  };
  const CodeBounds codes = BoundsOf(tensor);
  worsen(0, FromBelow(codes.min, allowed.quant_min_lower_bound));
  worsen(1, FromAbove(codes.max, allowed.quant_max_upper_bound));
  for (const float scale : tensor.scale) {
    worsen(2, FromBelow(scale, allowed.scale_min_lower_bound));
    worsen(3, FromAbove(scale, allowed.scale_max_upper_bound));
    worsen(4, Exactly(scale, allowed.scale_exact_match));
  }
  for (const int32_t zero_point : tensor.zero_point)
    worsen(5, Exactly(int64_t{zero_point}, allowed.zero_point_exact_match));
}

constexpr std::array<const char*, 3> kOperands = {"input", "weight", "output"};

std::array<const DTypeWithConstraints*, 3> OperandsOf(const DTypeConfig& config) {
  return {&config.input_dtype, &config.weight_dtype, &config.output_dtype};
}

std::string DTypeText(const DTypeConfig& config) {
  std::string text;
  for (const DTypeWithConstraints* operand : OperandsOf(config)) {
    if (!operand->dtype) continue;
    const auto dtype = AbiDTypeOf(*operand->dtype);
    text += (text.empty() ? "" : " ") + (dtype ? AbiDTypeName(*dtype) : "?");
  }
  // float32 is what a bias is unless somebody says so.
  if (config.bias_dtype && *config.bias_dtype != DType::kFloat32) {
    const auto dtype = AbiDTypeOf(*config.bias_dtype);
    text += (text.empty() ? "bias " : " bias ") + (dtype ? AbiDTypeName(*dtype) : "?");
  }
  if (config.IsDynamic()) text += " dynamic";
  return text.empty() ? "any" : text;
}

std::string BaseCell(const BackendConfig::Entry& entry, const DTypeConfig& dtypes) {
  return PatternOf(entry).HumanText() + " | " + DTypeText(dtypes);
}

std::string CellOf(const std::string& base, size_t operand, size_t bound,
                   const char* where) {
  return base + " | " + kOperands[operand] + " " + kBoundNames[bound] + " " + where;
}

void Add(std::vector<std::string>& cells, std::string cell) {
  if (std::find(cells.begin(), cells.end(), cell) == cells.end())
    cells.push_back(std::move(cell));
}

// Bounds of every operand; nullopt: of other dtypes.
std::optional<std::array<States, 3>> StatesOf(const DTypeConfig& config,
                                              const OperatorCall& call) {
  if (!HasDTypes(config, call)) return std::nullopt;
  std::array<States, 3> states = {};
  const auto operands = OperandsOf(config);
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    if (!call.inputs[i]) continue;
    if (const auto role = RoleOf(call, i); role != OperandRole::kOther) {
      const size_t operand = role == OperandRole::kWeight ? 1 : 0;
      Judge(*operands[operand], *call.inputs[i], states[operand]);
    }
  }
  if (!call.outputs.empty()) Judge(*operands[2], call.outputs[0], states[2]);
  return states;
}

void AddCells(const std::string& base, const std::array<States, 3>& states,
              std::vector<std::string>& cells) {
  std::vector<std::string> at;
  std::vector<std::string> beyond;
  for (size_t operand = 0; operand < states.size(); ++operand) {
    for (size_t bound = 0; bound < kBoundNames.size(); ++bound) {
      if (states[operand][bound] == State::kAt)
        at.push_back(CellOf(base, operand, bound, "at"));
      if (states[operand][bound] == State::kBeyond)
        beyond.push_back(CellOf(base, operand, bound, "beyond"));
    }
  }
  if (beyond.empty()) {
    Add(cells, base);
    for (std::string& cell : at) Add(cells, std::move(cell));
  } else if (beyond.size() == 1) {
    Add(cells, std::move(beyond[0]));
  }
}

}  // namespace

std::vector<std::string> ContractCells(const BackendConfig& config) {
  std::vector<std::string> cells;
  for (const BackendConfig::Entry& entry : config.entries()) {
    for (const DTypeConfig& dtypes : entry.config.dtype_configs) {
      const std::string base = BaseCell(entry, dtypes);
      Add(cells, base);
      const auto operands = OperandsOf(dtypes);
      for (size_t operand = 0; operand < operands.size(); ++operand) {
        const auto set = BoundsSet(*operands[operand]);
        for (size_t bound = 0; bound < set.size(); ++bound) {
          if (!set[bound]) continue;
          Add(cells, CellOf(base, operand, bound, "at"));
          Add(cells, CellOf(base, operand, bound, "beyond"));
        }
      }
    }
  }
  return cells;
}

std::vector<std::string> CellsAtBounds(const BackendConfig::Entry& entry,
                                       const DTypeConfig& dtypes) {
  const std::string base = BaseCell(entry, dtypes);
  std::vector<std::string> cells = {base};
  const auto operands = OperandsOf(dtypes);
  for (size_t operand = 0; operand < operands.size(); ++operand) {
    const auto set = BoundsSet(*operands[operand]);
    for (size_t bound = 0; bound < set.size(); ++bound) {
      if (set[bound]) cells.push_back(CellOf(base, operand, bound, "at"));
    }
  }
  return cells;
}

std::string CellBeyond(const BackendConfig::Entry& entry, const DTypeConfig& dtypes,
                       const std::string& operand, const std::string& bound) {
  return BaseCell(entry, dtypes) + " | " + operand + " " + bound + " beyond";
}

std::vector<std::string> CellsOf(const BackendConfig& config, const OperatorCall& call) {
  std::vector<std::string> cells;
  for (const BackendConfig::Entry& entry : config.entries()) {
    if (!ComputesSame(PatternOf(entry), call)) continue;
    for (const DTypeConfig& dtypes : entry.config.dtype_configs) {
      const auto states = StatesOf(dtypes, call);
      if (!states) continue;
      AddCells(BaseCell(entry, dtypes), *states, cells);
    }
  }
  return cells;
}

}  // namespace qconform
