#include "conformance/cases/row_operator.h"

#include <fmt/format.h>

#include <algorithm>

#include "reference/ir/error.h"

namespace qconform {
namespace {

// "size=i!": the field of a column, its word here, and whether it always stands there.
std::vector<FieldUse> ParseUses(std::string_view text) {
  std::vector<FieldUse> uses;
  while (!text.empty()) {
    const size_t space = std::min(text.find(' '), text.size());
    std::string_view one = text.substr(0, space);
    text.remove_prefix(std::min(space + 1, text.size()));
    const bool always = one.ends_with('!');
    if (always) one.remove_suffix(1);
    const size_t equals = one.find('=');
    const RowField& field = FieldOfColumn(one.substr(0, equals));
    const std::string_view word =
        equals == std::string_view::npos ? field.word : one.substr(equals + 1);
    uses.push_back({&field, std::string(word), always});
  }
  return uses;
}

struct Entry {
  const char* name;  // #: a name each for 1, 2 and 3 spatial dimensions
  qc_operator_kind kind;
  const char* operands;
  const char* what;
  const char* shape;
  CallDraft (*draft)(const SuiteRow& row);
};

#define QPARAMS "zx! zy! sx sy range"
#define FUSED "minimum maximum alpha"
#define WEIGHTED_WHAT "weights! bias activation residual scheme expect"
#define WEIGHTED_QPARAMS "zx! zw zy! zr sx sw sy sr range " FUSED
#define CONV_SHAPE "n! c! size! o! kernel! stride dilation padding "
#define POOL_SHAPE "n! c! size! kernel! stride dilation padding ceil "

constexpr Entry kEntries[] = {
    {"conv#d", QC_CONV, "xwy", WEIGHTED_WHAT " padding_mode",
     CONV_SHAPE "groups " WEIGHTED_QPARAMS, DraftWeighted},
    {"conv_transpose#d", QC_CONV_TRANSPOSE, "xwy", WEIGHTED_WHAT,
     CONV_SHAPE "output_padding groups " WEIGHTED_QPARAMS, DraftWeighted},
    {"linear", QC_LINEAR, "xwy", WEIGHTED_WHAT,
     "n=m! c=k! o=n! reduce_range " WEIGHTED_QPARAMS, DraftLinear},
    {"matmul", QC_MATMUL, "xwy", "", "shape=a! other! zx! zw! zy! sx sw sy", DraftMatmul},
    {"add", QC_ADD, "x(w)y", "activation",
     "shape! other scalar scalar_first zx! zw zy! sx sw sy range " FUSED, DraftBinary},
    {"sub", QC_SUB, "x(w)y", "activation",
     "shape! other scalar scalar_first zx! zw zy! sx sw sy range " FUSED, DraftBinary},
    {"mul", QC_MUL, "x(w)y", "activation",
     "shape! other scalar scalar_first zx! zw zy! sx sw sy range " FUSED, DraftBinary},
    {"relu", QC_RELU, "xy", "", "shape! " QPARAMS, DraftSameShape},
    {"relu6", QC_RELU6, "xy", "", "shape! " QPARAMS, DraftSameShape},
    {"clamp", QC_CLAMP, "xy", "", "shape! minimum! maximum! " QPARAMS, DraftSameShape},
    {"leaky_relu", QC_LEAKY_RELU, "xy", "", "shape! alpha! " QPARAMS, DraftSameShape},
    {"elu", QC_ELU, "xy", "", "shape! alpha! " QPARAMS, DraftSameShape},
    {"hardswish", QC_HARDSWISH, "xy", "", "shape! " QPARAMS, DraftSameShape},
    {"hardsigmoid", QC_HARDSIGMOID, "xy", "", "shape! " QPARAMS, DraftSameShape},
    {"sigmoid", QC_SIGMOID, "xy", "", "shape! " QPARAMS, DraftSameShape},
    {"tanh", QC_TANH, "xy", "", "shape! " QPARAMS, DraftSameShape},
    {"gelu", QC_GELU, "xy", "", "shape! approximate " QPARAMS, DraftSameShape},
    {"softmax", QC_SOFTMAX, "xy", "", "shape! axis! " QPARAMS, DraftSameShape},
    {"batch_norm", QC_BATCH_NORM, "xy", "activation", "shape! epsilon " QPARAMS " " FUSED,
     DraftBatchNorm},
    {"instance_norm", QC_INSTANCE_NORM, "xy", "activation",
     "shape! epsilon " QPARAMS " " FUSED, DraftNorm},
    {"group_norm", QC_GROUP_NORM, "xy", "activation",
     "shape! group_count! epsilon " QPARAMS " " FUSED, DraftNorm},
    {"layer_norm", QC_LAYER_NORM, "xy", "activation",
     "shape! axis! epsilon " QPARAMS " " FUSED, DraftNorm},
    {"prelu", QC_PRELU, "xwy", "", "shape! o=slopes! zx! zw zy! sx sw sy", DraftPrelu},
    {"max_pool#d", QC_MAX_POOL, "xy", "", POOL_SHAPE QPARAMS, DraftPool},
    {"avg_pool#d", QC_AVG_POOL, "xy", "", POOL_SHAPE "include_pad divisor " QPARAMS,
     DraftPool},
    {"adaptive_avg_pool", QC_ADAPTIVE_AVG_POOL, "xy", "", "n! c! size! out! " QPARAMS,
     DraftResize},
    {"mean", QC_MEAN, "xy", "", "shape! axes! keep " QPARAMS, DraftMean},
    {"concat", QC_CONCAT, "xy", "", "shape! parts! axis! zs! zy! sx sy", DraftConcat},
    {"upsample", QC_UPSAMPLE, "xy", "interpolation!",
     "n! c! size! out! scale_factor align " QPARAMS, DraftResize},
    {"pixel_shuffle", QC_PIXEL_SHUFFLE, "xy", "", "shape! factor! " QPARAMS,
     DraftPixelShuffle},
    {"pixel_unshuffle", QC_PIXEL_UNSHUFFLE, "xy", "", "shape! factor! " QPARAMS,
     DraftPixelUnshuffle},
    {"embedding", QC_EMBEDDING, "xwy", "weights!",
     "shape! c=rows! o! padding_index zw zf zy! sw sy", DraftEmbedding},
    {"embedding_bag", QC_EMBEDDING_BAG, "xwy", "weights! reduction!",
     "shape! c=rows! o! offsets include_last sample_weights padding_index zw zf zy! sw "
     "sy",
     DraftEmbeddingBag},
    {"lstm", QC_LSTM, "xwy", "weights! bias",
     "shape! hidden! layers bidirectional batch_first reduce_range dequantized zw sw",
     DraftLstm},
    {"gru", QC_GRU, "xwy", "weights! bias",
     "shape! hidden! layers bidirectional batch_first reduce_range dequantized zw sw",
     DraftGru},
    {"dynamic_quantize", QC_DYNAMIC_QUANTIZE, "xy", "", "shape! reduce_range",
     DraftDynamicQuantize},
    {"quantize", QC_QUANTIZE, "xy", "", "shape! qaxis zy! sy range", DraftSameShape},
    {"dequantize", QC_DEQUANTIZE, "xy", "", "shape! qaxis zx! sx", DraftSameShape},
    {"requantize", QC_REQUANTIZE, "xy", "", "shape! " QPARAMS, DraftSameShape},
    {"reshape", QC_RESHAPE, "xy", "", "shape! out! " QPARAMS, DraftReshape},
    {"transpose", QC_TRANSPOSE, "xy", "", "shape! axes! " QPARAMS, DraftTranspose},
    {"slice", QC_SLICE, "xy", "", "shape! start stop! step " QPARAMS, DraftSlice},
    {"pad", QC_PAD, "xy", "padding_mode!", "shape! padding! scalar " QPARAMS, DraftPad},
};

}  // namespace

const std::vector<RowOperator>& RowOperators() {
  static const auto* operators = [] {
    auto* built = new std::vector<RowOperator>;
    for (const Entry& entry : kEntries) {
      const std::string name = entry.name;
      std::vector<FieldUse> what = ParseUses(entry.what);
      // Whatever an operator computes, it may stand in a relation.
      what.push_back({&FieldOfColumn("relation"), "", false});
      const size_t mark = name.find('#');
      const bool windows = mark != std::string::npos;
      for (size_t rank = windows ? 1 : 0; rank <= (windows ? 3u : 0u); ++rank) {
        built->push_back(
            {windows ? name.substr(0, mark) + std::to_string(rank) + "d" : name,
             entry.kind, rank, entry.operands, what, ParseUses(entry.shape),
             entry.draft});
      }
    }
    return built;
  }();
  return *operators;
}

const RowOperator* FindRowOperator(std::string_view name) {
  for (const RowOperator& op : RowOperators())
    if (op.name == name) return &op;
  return nullptr;
}

const RowOperator& RowOperatorOf(const SuiteRow& row, const std::string& where) {
  if (const RowOperator* found = FindRowOperator(row.operator_name)) return *found;
  std::vector<std::string_view> names;
  for (const RowOperator& op : RowOperators()) names.push_back(op.name);
  throw InputError(where, "operator '" + row.operator_name + "'",
                   fmt::format("one of {}", fmt::join(names, ", ")));
}

bool Uses(const RowOperator& op, const RowField& field) {
  const auto same = [&field](const FieldUse& use) { return use.field == &field; };
  return std::any_of(op.what.begin(), op.what.end(), same) ||
         std::any_of(op.shape.begin(), op.shape.end(), same);
}

}  // namespace qconform
