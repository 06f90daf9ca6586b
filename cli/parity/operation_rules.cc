// The rules that give a value's bound from those of its operation's inputs.
#include <algorithm>
#include <cmath>

#include "cli/parity/function_rounding.h"
#include "cli/parity/inner_observers.h"
#include "cli/parity/module_error.h"
#include "cli/parity/operation.h"
#include "cli/parity/recurrent_error.h"

namespace qconform::parity {
namespace {

using Values = std::unordered_map<const Node*, Value>;

Value Zeros(const Value& value) {
  return MapTensors(value, {}, [](const Tensor& tensor, const Tensor*) {
    return Tensor(DType::kFloat32, tensor.shape());
  });
}

int64_t LargestDimension(const Tensor& weight) {
  int64_t terms = 1;
  for (int axis = 0; axis < std::min(weight.rank(), 2); ++axis) {
    terms = std::max(terms, weight.numel() / std::max<int64_t>(weight.dim(axis), 1));
  }
  return terms;
}

// The tensors of a value in order.
void AppendTensors(const Value& value, std::vector<Tensor>& tensors) {
  if (const Tensor* tensor = value.As<Tensor>()) {
    tensors.push_back(*tensor);
  } else if (const ValueSequence* sequence = value.As<ValueSequence>()) {
    for (const Value& item : sequence->items) AppendTensors(item, tensors);
  }
}

// Moved errors without the constants that the operator writes between them.
Value WithoutConstants(const Value& moved, const Value& constants) {
  return MapTensors(moved, constants, [](const Tensor& with, const Tensor* without) {
    Tensor error(DType::kFloat32, with.shape());
    for (int64_t i = 0; i < with.numel(); ++i) {
      const double constant = without == nullptr ? 0 : without->ValueAt(i);
      const double both = with.ValueAt(i);
      error.data<float>()[i] = both == constant ? 0 : static_cast<float>(both - constant);
    }
    return error;
  });
}

// The number that an operator divides by.
Tensor NumberOf(const Argument& argument) {
  Tensor number(DType::kFloat32, {});
  number.data<float>()[0] = 1;
  if (const double* real = argument.As<double>()) {
    number.data<float>()[0] = static_cast<float>(*real);
  }
  if (const int64_t* whole = argument.As<int64_t>()) {
    number.data<float>()[0] = static_cast<float>(*whole);
  }
  return number;
}

}  // namespace

Value BoundedValues::MoveError(const Operation& operation) {
  Values moved;
  Values zeros;
  for (const Node* input : operation.inputs) {
    const Value& error = errors_.at(input);
    zeros[input] = Zeros(values_.at(input));
    moved[input] = error.IsNone() ? zeros[input] : error;
  }
  return WithoutConstants(interpreter_.Evaluate(operation.node, moved),
                          interpreter_.Evaluate(operation.node, zeros));
}

// An extreme value moves at most by the largest error of those that it was chosen from:
// max of the errors, and for a minimum the same with the signs turned.
Value BoundedValues::ExtremeError(const Operation& operation) {
  if (operation.exact) return {};
  const bool is_least = operation.name.find("min") != std::string::npos;
  const auto turned = [is_least](const Tensor& tensor, const Tensor* error) {
    Tensor result(DType::kFloat32, tensor.shape());
    if (error == nullptr) return result;
    for (int64_t i = 0; i < result.numel(); ++i) {
      const float own = error->data<float>()[i];
      result.data<float>()[i] = is_least ? -own : own;
    }
    return result;
  };
  Values errors;
  for (const Node* input : operation.inputs) {
    errors[input] = MapTensors(values_.at(input), errors_.at(input), turned);
  }
  return MapTensors(interpreter_.Evaluate(operation.node, errors), {},
                    [](const Tensor& tensor, const Tensor*) { return Absolute(tensor); });
}

Value BoundedValues::GatedError(const Operation& operation) const {
  int64_t axis = -1;
  if (operation.module) {
    axis = operation.module->Integer("dim", axis);
  } else {
    const std::vector<Argument>& args = operation.node.args();
    const Argument* given =
        args.size() > 1 ? &args[1] : operation.node.kwargs().Find("dim");
    const int64_t* number = given == nullptr ? nullptr : given->As<int64_t>();
    if (number != nullptr) axis = *number;
  }
  return GateError(*operation.x, *operation.y, operation.x_error, static_cast<int>(axis));
}

Value BoundedValues::LipschitzError(const Operation& operation) const {
  const std::string& name = operation.name;
  if (operation.exact && IsExactFunction(name)) return {};
  std::optional<double> exponent;
  if (name == "pow") {
    const std::vector<Argument>& args = operation.node.args();
    // Of a number to a tensor, or of two tensors, there is no rule.
    if (args.size() < 2 || args[1].AsNode() != nullptr) return {};
    exponent = NumberOf(args[1]).ValueAt(0);
  }
  const Tensor& x = *operation.x;
  const Tensor& y = *operation.y;
  const double range = SoftmaxRange(name, x);
  Tensor error(DType::kFloat32, y.shape());
  for (int64_t i = 0; i < y.numel(); ++i) {
    const double own = operation.x_error == nullptr ? 0 : operation.x_error->ValueAt(i);
    error.data<float>()[i] =
        RoundedUp((own == 0   ? 0
                   : exponent ? PowerSlope(*exponent, x.ValueAt(i), own) * own
                              : SlopeAt(name, x, y, i, own) * own) +
                  kFunctionRounding * RoundedSize(name, x, y, i) * (1 + range));
  }
  return error;
}

Value BoundedValues::OnSizes(const Operation& operation, bool with_error) {
  Values sizes;
  for (const Node* input : operation.inputs) {
    sizes[input] = MapTensors(values_.at(input), with_error ? errors_.at(input) : Value(),
                              [](const Tensor& tensor, const Tensor* error) {
                                return AbsoluteWithError(tensor, error);
                              });
  }
  if (!operation.weighted) return interpreter_.Evaluate(operation.node, sizes);
  std::vector<Value> args;
  if (!operation.inputs.empty()) args.push_back(sizes.at(operation.inputs[0]));
  return CallModule(*LargestModule(*operation.weighted),
                    Call("error bound", std::move(args)), registry_);
}

Value BoundedValues::MonotoneError(const Operation& operation) {
  const std::string& name = operation.name;
  const Tensor& x = *operation.x;
  const Tensor& y = *operation.y;
  const bool elementwise =
      name.find("add") != std::string::npos || name.find("mul") != std::string::npos;
  const bool product = name == "matmul" || name == "addmm";
  // One correctly rounded operation on equal inputs is the same everywhere.
  if (operation.exact && elementwise && !product) return {};
  double terms = 2;
  if (operation.weighted && operation.weighted->FindTensor("weight") != nullptr) {
    terms +=
        static_cast<double>(LargestDimension(*operation.weighted->FindTensor("weight")));
  } else if (product) {
    terms += static_cast<double>(x.dim(x.rank() - 1));
  } else if (operation.inputs.size() > 1 && !elementwise) {
    const Tensor* weight = FloatTensor(values_.at(operation.inputs[1]));
    if (weight != nullptr) terms += static_cast<double>(LargestDimension(*weight));
  } else if (!elementwise && y.numel() > 0) {
    terms += static_cast<double>(x.numel() / y.numel());
  }
  const Value with_error = OnSizes(operation, true);
  const Value without = OnSizes(operation, false);
  Tensor error =
      GapWithRounding(*FloatTensor(with_error), *FloatTensor(without), 4 * Gamma(terms));
  const auto rounding = [&](int64_t i) {
    return static_cast<float>(kFunctionRounding * std::fabs(y.ValueAt(i)));
  };
  // ConvAdd2d adds its second argument to the convolution.
  if (operation.weighted != operation.module && operation.inputs.size() == 2) {
    const Tensor* other = FloatTensor(errors_.at(operation.inputs[1]));
    for (int64_t i = 0; i < error.numel(); ++i) {
      error.data<float>()[i] +=
          (other == nullptr ? 0 : other->data<float>()[i]) + rounding(i);
    }
  }
  const bool ends_in_tanh =
      operation.module && operation.module->type.find("Tanh") != std::string::npos;
  if (operation.stretch != 1 || ends_in_tanh) {
    for (int64_t i = 0; i < error.numel(); ++i) {
      error.data<float>()[i] =
          static_cast<float>(operation.stretch) * error.data<float>()[i] + rounding(i);
    }
  }
  return error;
}

Value BoundedValues::NormError(const Operation& operation) const {
  const Tensor& x = *operation.x;
  double weight = 1, bias = 0;
  NormGroups groups{x.numel() / std::max<int64_t>(x.dim(0) * x.dim(1), 1), 1e-5};
  if (const Module* norm = operation.weighted.get()) {
    const Tensor* w = norm->FindTensor("weight");
    if (w != nullptr) weight = LargestError(Absolute(*w));
    if (const Tensor* b = norm->FindTensor("bias")) bias = LargestError(Absolute(*b));
    groups.eps = norm->Real("eps", groups.eps);
    if (operation.name == "LayerNorm") {
      groups.group_size = w != nullptr ? w->numel() : x.dim(x.rank() - 1);
    }
    if (operation.name == "GroupNorm") {
      groups.group_size = x.numel() / (x.dim(0) * norm->Integer("num_groups", 1));
    }
  } else {
    for (size_t i = 1; i < operation.inputs.size(); ++i) {
      const Tensor* tensor = FloatTensor(values_.at(operation.inputs[i]));
      if (tensor == nullptr) continue;
      // Weight and bias are not told apart: either may be the larger factor.
      weight = std::max(weight, LargestError(Absolute(*tensor)));
      bias = std::max(bias, LargestError(Absolute(*tensor)));
      if (operation.name == "layer_norm") groups.group_size = tensor->numel();
    }
    if (operation.name == "group_norm") {
      const std::vector<Argument>& args = operation.node.args();
      const int64_t* count = args.size() > 1 ? args[1].As<int64_t>() : nullptr;
      if (count == nullptr) return {};
      groups.group_size = x.numel() / (x.dim(0) * *count);
    }
  }
  return NormalizeError(x, *operation.y, operation.x_error, weight, bias, groups);
}

Value BoundedValues::DifferenceOrQuotientError(const Operation& operation) const {
  const Node& node = operation.node;
  if (operation.exact || operation.y == nullptr ||
      node.kwargs().Find("alpha") != nullptr) {
    return {};
  }
  // An operand that is no float tensor is a number, known exactly.
  const auto operand = [&node](size_t index, const auto& of) -> const Tensor* {
    const Node* input =
        index < node.args().size() ? node.args()[index].AsNode() : nullptr;
    return input == nullptr ? nullptr : FloatTensor(of.at(input));
  };
  const Tensor* first_error = operand(0, errors_);
  const Tensor* second_error = operand(1, errors_);
  if (operation.name.find("div") == std::string::npos) {
    return DifferenceError(first_error, second_error, *operation.y);
  }
  const Tensor* divisor = operand(1, values_);
  const Tensor number = NumberOf(node.args().size() > 1 ? node.args()[1] : Argument());
  return QuotientError(first_error, divisor != nullptr ? *divisor : number, second_error,
                       *operation.y);
}

Value BoundedValues::RecurrentModuleError(const Operation& operation) {
  if (operation.x == nullptr || !operation.weighted) return {};
  std::vector<Tensor> states;
  double state_error = 0;
  for (size_t i = 1; i < operation.inputs.size(); ++i) {
    AppendTensors(values_.at(operation.inputs[i]), states);
    state_error = std::max(state_error, LargestError(errors_.at(operation.inputs[i])));
  }
  const RecurrentErrors errors =
      RecurrentError(*operation.weighted, *operation.x,
                     LargestError(errors_.at(operation.inputs[0])), states, state_error);
  if (sink_) {
    ForEachInnerObserver(*operation.weighted,
                         [&](const Module& observer) { sink_(observer, errors.inside); });
  }
  return MapTensors(operation.value, {}, [&](const Tensor& tensor, const Tensor*) {
    Tensor error(DType::kFloat32, tensor.shape());
    std::fill_n(error.data<float>(), error.numel(), static_cast<float>(errors.outputs));
    return error;
  });
}

}  // namespace qconform::parity
