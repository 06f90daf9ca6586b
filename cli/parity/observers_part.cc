#include "cli/parity/observers_part.h"

#include <fmt/format.h>

#include <set>

#include "cli/parity/compare_values.h"
#include "cli/parity/json_difference.h"
#include "cli/parity/observer_state.h"
#include "reference/formats/tensor_json.h"
#include "reference/ir/error.h"
#include "reference/ir/half.h"
#include "reference/observe/make_observer.h"
#include "reference/observe/recording_observer.h"
#include "reference/observe/uniform_observer.h"

namespace qconform::parity {
namespace {

// Every step went well, so what torch refused are the parameters.
void CalculateForError(Observer& observer, const ordered_json& want,
                       RecordReport& report) {
  observer.CalculateQparams();
  report.Add("error", Difference{"qparams", "no error", want.dump()});
}

void CompareCase(const ordered_json& row, const ordered_json& sequence,
                 RecordReport& report) {
  const bool torchao = row.at("lib") == "pt2e";
  const auto observer = MakeObserver(ConstructorFromJson(
      row.at("cls"), row.at("kwargs"), torchao ? "torchao.quantization.pt2e." : ""));
  const ordered_json& steps = row.at("steps");
  for (size_t i = 0; i < sequence.size(); ++i) {
    observer->Observe(TensorFromJson(sequence[i], "sequence"));
    if (i >= steps.size()) {
      report.Add("error", Difference{fmt::format("steps[{}]", i), "no error",
                                     row.value("error", ordered_json()).dump()});
      return;
    }
    const std::string where = fmt::format("steps[{}]", i);
    auto difference =
        CompareRange(*observer, steps[i].at("min"), steps[i].at("max"), where);
    report.Add("step", difference);
    if (difference) return;
  }
  if (steps.size() > sequence.size()) {
    report.Add("step", Difference{"steps", std::to_string(sequence.size()),
                                  std::to_string(steps.size())});
  }
  if (row.contains("error")) {
    CalculateForError(*observer, row.at("error"), report);
    return;
  }
  report.Add("state", CompareState(*observer, row.at("state"), "state"));
  report.Add("qparams", CompareQparams(*observer, row.at("qparams"), "qparams"));
}

void AddCases(const ordered_json& file, PartReport& part) {
  for (const ordered_json& row : file.at("cases")) {
    const std::string sequence = row.at("seq");
    RecordReport report(fmt::format("cases/{}.{}/{}/{}", row.at("lib").get<std::string>(),
                                    row.at("cls").get<std::string>(), sequence,
                                    row.at("kwargs").dump()));
    try {
      CompareCase(row, file.at("sequences").at(sequence), report);
    } catch (const PipelineError& error) {
      report.Add("error",
                 row.contains("error")
                     ? CompareText(error.kind(), ErrorKind(row.at("error")), "error")
                     : Difference{"error", error.kind(), "none"});
    } catch (const InputError& error) {
      report.Add("error", Difference{"error", error.what(), "none"});
    }
    part.records.push_back(std::move(report));
  }
}

void AddConstructors(const ordered_json& file, PartReport& part) {
  for (const ordered_json& row : file.at("ctor")) {
    RecordReport report(
        fmt::format("ctor/{}/{}", row.at(0).get<std::string>(), row.at(1).dump()));
    const ordered_json& want = row.at(2);
    try {
      const auto observer = MakeObserver(ConstructorFromJson(row.at(0), row.at(1)));
      if (want.contains("error")) {
        report.Add("error", Difference{"error", "none", want.dump()});
      } else {
        report.Add("state",
                   CompareState(*observer,
                                {{"quant_min", want.at("quant_min")},
                                 {"quant_max", want.at("quant_max")},
                                 {"has_customized_qrange", want.at("customized")},
                                 {"eps", want.at("eps")}},
                                "state"));
      }
    } catch (const PipelineError& error) {
      report.Add("error", want.contains("error")
                              ? CompareText(error.kind(), ErrorKind(want), "error")
                              : Difference{"error", error.kind(), want.dump()});
    } catch (const InputError& error) {
      report.Add("error", Difference{"error", error.what(), want.dump()});
    }
    part.records.push_back(std::move(report));
  }
}

// Rows of the table run through a MinMaxObserver that has seen exactly this range.
void AddQparamsTable(const ordered_json& file, PartReport& part) {
  int index = 0;
  for (const ordered_json& row : file.at("calculate_qparams_table")) {
    RecordReport report(
        fmt::format("calculate_qparams_table/{}/{}", index++, row.at(0).dump()));
    const auto min = static_cast<float>(NumberFromJson(row.at(1)));
    const auto max = static_cast<float>(NumberFromJson(row.at(2)));
    const ordered_json& want = row.at(3);
    try {
      const auto observer =
          MakeObserver(ConstructorFromJson("MinMaxObserver", row.at(0)));
      const Qparams got = std::dynamic_pointer_cast<UniformObserver>(observer)->QparamsOf(
          {min}, {max}, true);
      if (want.is_object()) {
        report.Add("error", Difference{"error", "none", want.dump()});
      } else {
        report.Add("scale", CompareNumbers(ScaleValue(got), want, "scale"));
        report.Add("zero_point", CompareNumbers(static_cast<double>(ZeroPointValue(got)),
                                                row.at(4), "zero_point"));
        report.Add("dtype",
                   CompareText("torch." + std::string(DTypeName(got.zero_point.dtype())),
                               row.at(5), "dtype"));
      }
    } catch (const PipelineError& error) {
      report.Add("error", want.is_object()
                              ? CompareText(error.kind(), ErrorKind(want), "error")
                              : Difference{"error", error.kind(), want.dump()});
    }
    part.records.push_back(std::move(report));
  }
}

// Single facts about the classes that keep no range, and about inputs of other dtypes.
class Miscellaneous {
 public:
  Miscellaneous(const ordered_json& facts, PartReport& part)
      : facts_(facts), part_(part) {}

  void AddAll() {
    const ordered_json none = ordered_json::object();
    AddBlind("placeholder", "PlaceholderObserver");
    AddBlind("noop", "NoopObserver");
    AddBlind("reuse", "ReuseInputObserver");
    AddBlind("recording", "RecordingObserver");
    AddState("placeholder_defaults", "PlaceholderObserver", none);
    AddState("noop_defaults", "NoopObserver", none);
    AddState("reuse_defaults", "ReuseInputObserver", none);
    AddState("recording_defaults", "RecordingObserver", none);
    AddState("placeholder_int8_defaults", "PlaceholderObserver",
             {{"dtype", "torch.int8"}, {"is_dynamic", true}});
    const ordered_json fixed = {{"scale", 0.5}, {"zero_point", 3}};
    AddState("fixed_defaults", "FixedQParamsObserver", fixed);
    if (const ordered_json* want = Fact("fixed_qparams")) {
      const auto observer =
          MakeObserver(ConstructorFromJson("FixedQParamsObserver", fixed));
      Add("fixed_qparams",
          CompareQparams(*observer, {{"scale", want->at(0)}, {"zero_point", want->at(1)}},
                         "fixed_qparams"));
    }
    if (Fact("placeholder_compute_dtype") != nullptr) {
      const auto placeholder = MakeObserver(ConstructorFromJson(
          "PlaceholderObserver", {{"compute_dtype", "torch.quint8"}}));
      AddNumber("placeholder_compute_dtype", placeholder->is_dynamic);
    }
    AddMinMax();
    for (const auto& [key, value] : facts_.items()) {
      if (read_.count(key) == 0) part_.NotCompared("misc/" + key, "unknown fact");
    }
  }

 private:
  void Add(const std::string& key, std::optional<Difference> difference) {
    RecordReport report("misc/" + key);
    report.Add("fact", std::move(difference));
    part_.records.push_back(std::move(report));
  }
  // nullptr if the record does not hold it.
  const ordered_json* Fact(const std::string& key) {
    read_.insert(key);
    return facts_.contains(key) ? &facts_.at(key) : nullptr;
  }
  void AddNumber(const std::string& key, double got) {
    if (const ordered_json* want = Fact(key)) Add(key, CompareNumbers(got, *want, key));
  }
  void AddState(const std::string& key, const std::string& class_name,
                const ordered_json& kwargs) {
    const ordered_json* want = Fact(key);
    if (want == nullptr) return;
    const auto observer = MakeObserver(ConstructorFromJson(class_name, kwargs));
    Add(key, CompareState(*observer, *want, key));
  }
  // The output is the input, and there are no parameters.
  void AddBlind(const std::string& name, const std::string& class_name) {
    const auto observer =
        MakeObserver(ConstructorFromJson(class_name, ordered_json::object()));
    const Tensor x = Input(DType::kFloat32);
    for (const char* suffix : {"_forward_identity", "_forward"}) {
      const ordered_json* want = Fact(name + suffix);
      if (want == nullptr) continue;
      Add(name + suffix, CompareTensors(observer->Forward(x), *want, name));
    }
    if (const auto* recording = dynamic_cast<RecordingObserver*>(observer.get())) {
      observer->Observe(x);
      observer->Observe(x);
      AddNumber("recording_get_tensor_value",
                static_cast<double>(recording->values().size()));
    }
    if (const ordered_json* want = Fact(name + "_calculate_qparams")) {
      Add(name + "_calculate_qparams", CompareQparams(*observer, *want, name));
    }
  }
  void AddMinMax() {
    const auto observer =
        MakeObserver(ConstructorFromJson("MinMaxObserver", ordered_json::object()));
    const Tensor x = Input(DType::kFloat32);
    AddNumber("minmax_preserves_input_object", observer->Forward(x).bytes() == x.bytes());
    observer->ResetMinMaxValues();
    if (const ordered_json* reset = Fact("minmax_reset")) {
      Add("minmax_reset", CompareRangeOf(*observer, *reset));
    }
    observer->Observe(Input(DType::kFloat16));
    if (const ordered_json* want = Fact("minmax_fp16_input")) {
      const Tensor half = *observer->Buffers().Find("min_val");
      auto difference = CompareText("torch." + std::string(DTypeName(half.dtype())),
                                    want->at(0), "dtype");
      if (!difference) difference = CompareNumbers(half.ValueAt(0), want->at(1), "min");
      Add("minmax_fp16_input", difference);
    }
    observer->ResetMinMaxValues();
    observer->Observe(Input(DType::kInt64));
    AddNumber("minmax_int_input", observer->Buffers().Find("max_val")->ValueAt(0));
  }
  static std::optional<Difference> CompareRangeOf(const Observer& observer,
                                                  const ordered_json& want) {
    const OrderedMap<Tensor> buffers = observer.Buffers();
    auto difference =
        CompareNumbers(buffers.Find("min_val")->ValueAt(0), want.at(0), "min");
    if (difference) return difference;
    return CompareNumbers(buffers.Find("max_val")->ValueAt(0), want.at(1), "max");
  }
  // -1, 0.5, 2; truncated for an integer dtype.
  static Tensor Input(DType dtype) {
    if (dtype == DType::kInt64) {
      return Tensor::FromVector<int64_t>(dtype, {3}, {-1, 0, 2});
    }
    if (dtype == DType::kFloat16) {
      return Tensor::FromVector<uint16_t>(
          dtype, {3}, {FloatToHalf(-1.0f), FloatToHalf(0.5f), FloatToHalf(2.0f)});
    }
    return Tensor::FromVector<float>(dtype, {3}, {-1.0f, 0.5f, 2.0f});
  }

  const ordered_json& facts_;
  PartReport& part_;
  std::set<std::string> read_;
};

}  // namespace

PartReport ObserversPart(const ordered_json& file) {
  PartReport part;
  part.name = "observers";
  if (file.contains("cases")) AddCases(file, part);
  if (file.contains("ctor")) AddConstructors(file, part);
  if (file.contains("calculate_qparams_table")) AddQparamsTable(file, part);
  if (file.contains("misc")) Miscellaneous(file.at("misc"), part).AddAll();
  NameUnread(file, {"cases", "sequences", "ctor", "calculate_qparams_table", "misc"},
             part);
  return part;
}

}  // namespace qconform::parity
