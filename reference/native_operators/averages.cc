#include "reference/native_operators/averages.h"

#include <cmath>

#include "reference/native_operators/operator_run.h"
#include "reference/native_operators/pool_formats.h"
#include "reference/native_operators/through_float.h"
#include "reference/ops/axis.h"
#include "reference/ops/module_call.h"

namespace qconform {
namespace {

using Formats = std::shared_ptr<const MemoryFormats>;

// Of averages of distances from the zero point. Half-way ones go to the even code where
// the zero point is added before rounding, otherwise to the even distance.
struct Rounding {
  bool of_code = false;
  int64_t qnnpack_window = 0;  // elements of a window of QNNPACK, else 0
};

// Of averages to codes of a result of this shape.
using RoundingFor = std::function<Rounding(const Shape&)>;

// QNNPACK multiplies the sum by a float32 that may lie one step below 1 / window: then it
// rounds half-way averages towards zero.
void AverageAsQnnpack(Tensor& averages, int64_t window, double given_scale) {
  const auto scale = static_cast<float>(given_scale);
  const auto count = static_cast<float>(window);
  const float multiplier = scale / (scale * count);
  for (int64_t i = 0; i < averages.numel(); ++i) {
    float& average = averages.data<float>()[i];
    average = std::nearbyint(average * count) * multiplier;
  }
}

Value Averaged(const Tensor& codes, const std::function<Value(const Tensor&)>& average,
               const RoundingFor& rounding_for) {
  Tensor distances(DType::kFloat32, codes.shape());
  const double zero_point = codes.quantization()->zero_point.at(0);
  for (int64_t i = 0; i < codes.numel(); ++i) {
    distances.data<float>()[i] =
        static_cast<float>(static_cast<double>(codes.IntegerAt(i)) - zero_point);
  }
  const Value averaged = average(distances);
  Tensor values = averaged.As<Tensor>()->Clone();
  const Rounding rounding = rounding_for(values.shape());
  if (rounding.qnnpack_window > 0) {
    AverageAsQnnpack(values, rounding.qnnpack_window, codes.quantization()->scale.at(0));
  }
  for (int64_t i = 0; rounding.of_code && i < values.numel(); ++i) {
    values.data<float>()[i] += static_cast<float>(zero_point);
  }
  const Value whole = QuantizeValue(
      values, PerTensor(1.0, rounding.of_code ? 0 : static_cast<int64_t>(zero_point)),
      codes.dtype());
  Tensor result = whole.As<Tensor>()->Clone();
  result.set_quantization(*codes.quantization());
  return result;
}

// The call with another input, which is its first argument.
Call WithInput(const Call& call, const Tensor& input) {
  const Call real = DequantizedCall(call);
  std::vector<Value> args = real.args();
  OrderedMap<Value> kwargs = real.kwargs();
  if (args.empty()) {
    kwargs.Set("input", input);
  } else {
    args[0] = input;
  }
  return Call(call.where(), std::move(args), std::move(kwargs));
}

Value CallAll(const FunctionDefinition& function, const Call& call) {
  Value value = function(call);
  call.CheckAllRead();
  return value;
}

// QNNPACK's average pools count the padding, and divide by the window, whatever they are
// told.
Call WithoutDivisor(const Call& call) {
  constexpr size_t kCountIncludePad = 5;
  std::vector<Value> args = call.args();
  OrderedMap<Value> kwargs = call.kwargs();
  if (args.size() > kCountIncludePad) args.resize(kCountIncludePad);
  kwargs.Erase("count_include_pad");
  kwargs.Erase("divisor_override");
  return Call(call.where(), std::move(args), std::move(kwargs));
}

bool IgnoresDivisor(const std::string& name, const std::string& engine, bool ceil_mode,
                    const Tensor& codes) {
  return !name.starts_with("adaptive") && !name.starts_with("Adaptive") &&
         IsQnnpackPool(name, engine, ceil_mode, codes.dtype(), codes.shape(), {});
}

// `settings` has the window's size.
RoundingFor PoolRounding(const std::string& name, const std::string& engine,
                         bool ceil_mode, const Call& settings, const Tensor& input,
                         const Formats& formats) {
  return [=, &settings, &input](const Shape& output) -> Rounding {
    if (IsQnnpackPool(name, engine, ceil_mode, input.dtype(), input.shape(), output)) {
      return {false, PoolWindow(name, settings, input.shape(), output)};
    }
    return {RoundsAveragedCode(name, formats->Of(input)), 0};
  };
}

// Whether the axes, in rising order, are the last ones.
bool AreInnermost(const std::vector<int>& axes, int rank) {
  return axes.empty() || axes.front() == rank - static_cast<int>(axes.size());
}

}  // namespace

bool IsAveragePool(const std::string& name) {
  return name.find("avg_pool") != std::string::npos ||
         name.find("AvgPool") != std::string::npos;
}

FunctionDefinition AveragedFunction(const std::string& name, const std::string& engine,
                                    const Formats& formats,
                                    const FunctionDefinition& base) {
  return [=](const Call& call) -> Value {
    const Tensor* input = FirstQuantized(call);
    if (input == nullptr) return base(call);
    const bool ceil_mode = CeilMode(name, call, nullptr);
    const auto average = [&](const Tensor& distances) {
      const Call real = WithInput(call, distances);
      const bool ignores = IgnoresDivisor(name, engine, ceil_mode, *input);
      return CallAll(base, ignores ? WithoutDivisor(real) : real);
    };
    return Averaged(*input, average,
                    PoolRounding(name, engine, ceil_mode, call, *input, formats));
  };
}

ModuleDefinition AveragedModule(const std::string& name, const std::string& engine,
                                const Formats& formats, const ModuleDefinition& base) {
  return [=](Module& module, const Call& call) -> Value {
    const Tensor* input = FirstQuantized(call);
    if (input == nullptr) return base(module, call);
    DequantizedCall(call);  // reads all arguments
    const bool ceil_mode = CeilMode(name, call, &module);
    const auto average = [&](const Tensor& distances) {
      const Call real(call.where(), {distances});
      Module settings = module;
      if (IgnoresDivisor(name, engine, ceil_mode, *input)) {
        settings.attributes.Set("count_include_pad", true);
        settings.attributes.Erase("divisor_override");
      }
      return base(settings, real);
    };
    const Call settings = ModuleCall(module, call, {"kernel_size"});
    return Averaged(*input, average,
                    PoolRounding(name, engine, ceil_mode, settings, *input, formats));
  };
}

FunctionDefinition AveragedMean(const std::string& engine, const Formats& formats,
                                const FunctionDefinition& base,
                                const FunctionDefinition& through_float) {
  return [=](const Call& call) -> Value {
    const Tensor* input = FirstQuantized(call);
    if (input == nullptr) return base(call);
    const Shape dims = call.OptionalIntegers(1, "dim").value_or(Shape{});
    // These axes in this order; torch does not ask it for others.
    const bool is_qnnpack = engine == "qnnpack" && input->dtype() == DType::kQUInt8 &&
                            input->rank() == 4 && dims == Shape{2, 3};
    const bool is_inner =
        formats->Of(*input).IsRowMajor() &&
        AreInnermost(NormalizeAxes(dims, input->rank(), call), input->rank());
    if (!is_qnnpack && !is_inner) return through_float(call);
    const Rounding rounding =
        is_qnnpack ? Rounding{false, input->dim(2) * input->dim(3)} : Rounding{true, 0};
    return Averaged(
        *input,
        [&](const Tensor& distances) {
          return CallAll(base, WithInput(call, distances));
        },
        [&](const Shape&) { return rounding; });
  };
}

}  // namespace qconform
