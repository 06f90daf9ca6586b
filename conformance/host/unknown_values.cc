#include "conformance/host/unknown_values.h"

#include <climits>
#include <cstring>
#include <string>
#include <utility>

#include "conformance/host/abi_view.h"
#include "conformance/host/ask_backend.h"
#include "conformance/host/call_class.h"
#include "conformance/host/guarded_buffer.h"
#include "conformance/host/watched_call.h"

namespace qconform {
namespace {

// No operator of the ABI.
constexpr int32_t kKinds[] = {QC_PAD + 1, 1000, 0, -1, INT32_MIN};
constexpr int32_t kDTypes[] = {QC_S4 + 1, 0, 1000};

class Questions {
 public:
  Questions(const qc_backend& table, const OperatorCall& call, FormatRun& run)
      : table_(table), view_(call, run.format), attributes_(call.attributes), run_(run) {}

  void Kinds() {
    int32_t& kind = view_.descriptor().kind;
    const int32_t known = std::exchange(kind, 0);
    for (const int32_t unknown : kKinds) {
      kind = unknown;
      ExpectNo("operator kind " + std::to_string(unknown));
    }
    kind = known;
  }

  void DTypes() {
    DTypesOf(view_.input(0).dtype, "input 0");
    DTypesOf(view_.output(0).dtype, "output 0");
  }

  // Where the kind has a use for them.
  void Attributes() {
    view_.descriptor().attributes = &attributes_;
    switch (view_.descriptor().kind) {
      case QC_CONV:
        Value(attributes_.padding_mode, QC_PADDING_CIRCULAR + 1, "padding_mode");
        [[fallthrough]];
      case QC_CONV_TRANSPOSE:
      case QC_LINEAR:
      case QC_ADD:
      case QC_SUB:
      case QC_MUL:
      case QC_BATCH_NORM:
        Value(attributes_.activation, QC_ACTIVATION_SILU + 1, "activation");
        break;
      case QC_PAD:
        Value(attributes_.padding_mode, QC_PADDING_CIRCULAR + 1, "padding_mode");
        break;
      case QC_UPSAMPLE:
        Value(attributes_.interpolation, QC_INTERPOLATION_BILINEAR + 1, "interpolation");
        break;
      case QC_EMBEDDING_BAG:
        Value(attributes_.reduction, QC_REDUCTION_MAX + 1, "reduction");
        break;
      default:
        break;
    }
  }

  void ShortAttributes() {
    view_.descriptor().attributes = &attributes_;
    const qc_answer whole = Ask("the question asked again");
    const auto* bytes = reinterpret_cast<const std::byte*>(&attributes_);
    size_t size = sizeof attributes_;
    while (size > sizeof(double) && bytes[size - 1] == std::byte{0}) --size;
    size = (size + sizeof(double) - 1) / sizeof(double) * sizeof(double);
    GuardedBuffer buffer(size, sizeof(double), Placement::kFlushToEnd, std::byte{0},
                         "short attributes");
    std::memcpy(buffer.data(), bytes, size);
    const auto short_size = static_cast<uint32_t>(size);
    std::memcpy(buffer.data(), &short_size, sizeof short_size);
    buffer.MakeReadOnly();
    view_.descriptor().attributes = reinterpret_cast<const qc_attributes*>(buffer.data());
    const std::string what = "attributes of " + std::to_string(size) + " bytes";
    const qc_answer answer = Ask(what);
    if (answer.supported == 0) return ExpectReason(answer, what);
    if (const std::string difference = AnswerDifference(whole, answer);
        !difference.empty())
      Complain("query answers otherwise to " + what + ": " + difference);
  }

 private:
  void Complain(const std::string& detail) {
    SetProblem(run_, RunProblem::kUnknownValue, "query", detail);
  }

  qc_answer Ask(const std::string& what) {
    const Asked asked(what);
    GuardedAnswer<qc_answer> answer;
    const qc_status status = Watched(run_, "query", [&] {
      return table_.query(table_.context, &view_.descriptor(), answer.get());
    });
    if (status != QC_OK)
      Complain("query answers " + StatusText(status) + " to " + what +
               ", where it is to say no");
    return *answer.get();
  }

  void ExpectReason(const qc_answer& answer, const std::string& what) {
    if (answer.reason[0] == '\0') Complain("query refuses " + what + " without a word");
  }

  void ExpectNo(const std::string& what) {
    const qc_answer answer = Ask(what);
    if (answer.supported != 0)
      Complain("query accepts " + what + ", which the ABI does not have");
    ExpectReason(answer, what);
  }

  void DTypesOf(int32_t& dtype, const std::string& whose) {
    const int32_t known = dtype;
    for (const int32_t unknown : kDTypes) {
      dtype = unknown;
      ExpectNo("dtype " + std::to_string(unknown) + " of " + whose);
    }
    dtype = known;
  }

  void Value(int32_t& attribute, int32_t first_unknown, const std::string& name) {
    const int32_t known = attribute;
    for (const int32_t unknown : {-1, first_unknown, 1000}) {
      attribute = unknown;
      ExpectNo(name + " " + std::to_string(unknown));
    }
    attribute = known;
  }

  const qc_backend& table_;
  AbiView view_;
  qc_attributes attributes_;
  FormatRun& run_;
};

}  // namespace

void AskUnknownValues(const qc_backend& table, const OperatorCall& call, FormatRun& run) {
  if (!TakeFirst(table, call, "unknown values")) return;
  Questions questions(table, call, run);
  questions.Kinds();
  questions.DTypes();
  questions.Attributes();
  questions.ShortAttributes();
}

}  // namespace qconform
