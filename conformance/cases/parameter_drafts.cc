// Operators with parameters, tables or states of their own.
#include "conformance/cases/call_draft.h"

namespace qconform {
namespace {

DraftInput InputX(const SuiteRow& row) {
  return ActivationInput("x", row.x, row.shape, row.zx, row.sx,
                         row.shape.size() > 1 ? 1 : -1);
}

DraftInput Weight(const SuiteRow& row, const std::string& name, Shape shape) {
  DraftInput weight = ConstantInput(name, InputRole::kWeight, row.w, std::move(shape));
  weight.zero_point = row.zw[0];
  weight.channel_zero_points = row.zw;
  weight.float_zero_points = row.zf;
  weight.scale = row.sw;
  weight.tensor.axis = row.per_channel() ? 0 : -1;
  return weight;
}

DraftInput State(const std::string& name, Shape shape) {
  DraftInput state = ConstantInput(name, InputRole::kState, QC_F32, std::move(shape));
  state.tensor.constant = false;
  return state;
}

DraftInput Indices(const SuiteRow& row) {
  DraftInput indices = ConstantInput("x", InputRole::kIndex, row.x, row.shape);
  indices.tensor.constant = false;
  indices.limit = row.c;
  return indices;
}

CallDraft Recurrent(const SuiteRow& row, bool lstm) {
  const int64_t directions = row.bidirectional ? 2 : 1;
  const int64_t gates = (lstm ? 4 : 3) * row.hidden;
  const int64_t batch = row.shape[row.batch_first ? 0 : 1];
  const Shape state = {row.layers * directions, batch, row.hidden};
  CallDraft draft;
  draft.inputs = {InputX(row), State("h0", state), std::nullopt};
  if (lstm) draft.inputs[2] = State("c0", state);
  for (int64_t i = 0; i < row.layers * directions; ++i) {
    const std::string suffix = std::to_string(i);
    const int64_t features = i < directions ? row.shape[2] : directions * row.hidden;
    draft.inputs.push_back(Weight(row, "w_ih" + suffix, {gates, features}));
    draft.inputs.push_back(Weight(row, "w_hh" + suffix, {gates, row.hidden}));
    for (const char* name : {"b_ih", "b_hh"}) {
      draft.inputs.emplace_back();
      if (row.bias != "none") {
        draft.inputs.back() =
            ConstantInput(name + suffix, InputRole::kBeta, QC_F32, {gates});
      }
    }
  }
  Shape y = row.shape;
  y[2] = directions * row.hidden;
  draft.outputs = {TensorOf(QC_F32, y), TensorOf(QC_F32, state)};
  if (lstm) draft.outputs.push_back(TensorOf(QC_F32, state));
  return draft;
}

}  // namespace

CallDraft DraftNorm(const SuiteRow& row) {
  // Layer norm has an axis, from which on it normalizes; the others have channels.
  const Shape parameters = row.axis < 0
                               ? Shape{row.shape[1]}
                               : Shape(row.shape.begin() + row.axis, row.shape.end());
  return {{InputX(row), ConstantInput("gamma", InputRole::kGamma, QC_F32, parameters),
           ConstantInput("beta", InputRole::kBeta, QC_F32, parameters)},
          {TensorOf(row.y, row.shape)}};
}

CallDraft DraftPrelu(const SuiteRow& row) {
  const bool real = row.w == QC_F32;
  DraftInput slope = real ? ConstantInput("slope", InputRole::kGamma, QC_F32, {row.o})
                          : Weight(row, "slope", {row.o});
  return {{InputX(row), std::move(slope)}, {TensorOf(row.y, row.shape)}};
}

CallDraft DraftPixelShuffle(const SuiteRow& row) {
  Shape y = row.shape;
  const size_t rank = y.size();
  y[rank - 3] /= row.factor * row.factor;
  y[rank - 2] *= row.factor;
  y[rank - 1] *= row.factor;
  return {{InputX(row)}, {TensorOf(row.y, std::move(y))}};
}

CallDraft DraftPixelUnshuffle(const SuiteRow& row) {
  Shape y = row.shape;
  const size_t rank = y.size();
  y[rank - 3] *= row.factor * row.factor;
  y[rank - 2] /= row.factor;
  y[rank - 1] /= row.factor;
  return {{InputX(row)}, {TensorOf(row.y, std::move(y))}};
}

CallDraft DraftDynamicQuantize(const SuiteRow& row) {
  return {{InputX(row)},
          {TensorOf(row.y, row.shape), TensorOf(QC_F32, {1}), TensorOf(QC_S32, {1})}};
}

CallDraft DraftEmbedding(const SuiteRow& row) {
  Shape y = row.shape;
  y.push_back(row.o);
  return {{Indices(row), Weight(row, "w", {row.c, row.o})},
          {TensorOf(row.y, std::move(y))}};
}

CallDraft DraftEmbeddingBag(const SuiteRow& row) {
  CallDraft draft;
  draft.inputs = {Indices(row), Weight(row, "w", {row.c, row.o}), std::nullopt};
  int64_t bags = row.shape[0];
  if (!row.offsets.empty()) {
    const auto count = static_cast<int64_t>(row.offsets.size());
    draft.inputs[2] = ConstantInput("offsets", InputRole::kOffset, row.x, {count});
    draft.inputs[2]->tensor.constant = false;
    bags = count - (row.include_last ? 1 : 0);
  }
  if (row.sample_weights) {
    draft.inputs.push_back(State("sample_weights", row.shape));
    draft.inputs.back()->role = InputRole::kGamma;
  }
  draft.outputs = {TensorOf(row.y, {bags, row.o})};
  return draft;
}

CallDraft DraftLstm(const SuiteRow& row) { return Recurrent(row, true); }

CallDraft DraftGru(const SuiteRow& row) { return Recurrent(row, false); }

}  // namespace qconform
