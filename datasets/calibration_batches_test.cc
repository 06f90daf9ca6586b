#include "datasets/calibration_batches.h"

#include <gtest/gtest.h>

#include "reference/ir/expect_error.h"

namespace qconform {
namespace {

using Numbers = std::vector<std::vector<double>>;

OrderedMap<Tensor> Tensors(const std::vector<std::pair<std::string, float>>& values) {
  OrderedMap<Tensor> tensors;
  for (const auto& [name, value] : values) {
    Tensor tensor(DType::kFloat32, {1});
    tensor.data<float>()[0] = value;
    tensors.Set(name, tensor);
  }
  return tensors;
}

GraphModule GraphOf(const std::vector<std::string>& inputs) {
  GraphModule module;
  for (const std::string& name : inputs) module.graph.Append(Op::kPlaceholder, name);
  return module;
}

Numbers Read(const std::vector<std::pair<std::string, float>>& values,
             const GraphModule& graph) {
  Numbers numbers;
  for (const auto& batch : BatchesOfTensors(Tensors(values), graph, "data")) {
    numbers.emplace_back();
    for (const Tensor& tensor : batch) numbers.back().push_back(tensor.ValueAt(0));
  }
  return numbers;
}

TEST(CalibrationBatches, OfOneInputAreInTheFilesOrder) {
  EXPECT_EQ(Read({{"b", 1}, {"a", 2}}, GraphOf({"x"})), (Numbers{{1}, {2}}));
  EXPECT_EQ(Read({{"1.w", 1}, {"0.w", 2}}, GraphOf({"x"})), (Numbers{{1}, {2}}));
  // Writers sort by name: "10.x" stands before "2.x".
  EXPECT_EQ(Read({{"1.x", 1}, {"0.x", 2}}, GraphOf({"x"})), (Numbers{{2}, {1}}));
}

TEST(CalibrationBatches, OfSeveralInputsGoByNumberAndName) {
  const GraphModule graph = GraphOf({"x", "y"});
  EXPECT_EQ(Read({{"1.y", 4}, {"0.y", 2}, {"1.x", 3}, {"0.x", 1}}, graph),
            (Numbers{{1, 2}, {3, 4}}));
}

// torch.fx names the placeholder of forward's argument `input` input_1.
TEST(CalibrationBatches, ForwardsOwnNameOfAnInputDoesToo) {
  GraphModule graph;
  graph.graph.Append(Op::kPlaceholder, "input", {}, {}, "input_1");
  graph.graph.Append(Op::kPlaceholder, "y");
  EXPECT_EQ(Read({{"0.y", 2}, {"0.input", 1}}, graph), (Numbers{{1, 2}}));
  EXPECT_EQ(Read({{"0.y", 2}, {"0.input_1", 1}}, graph), (Numbers{{1, 2}}));
}

TEST(CalibrationBatches, LastInputsWithADefaultMayBeLeftOut) {
  GraphModule graph = GraphOf({"x"});
  graph.graph.Append(Op::kPlaceholder, "mask", {Argument()});
  EXPECT_EQ(Read({{"0.x", 1}, {"1.x", 2}}, graph), (Numbers{{1}, {2}}));
  EXPECT_EQ(Read({{"0.x", 1}, {"0.mask", 2}}, graph), (Numbers{{1, 2}}));
  EXPECT_NE(ErrorOf([&] {
              Read({{"0.x", 1}, {"0.mask", 2}, {"1.x", 3}}, graph);
            }).find("there is no tensor 1.mask"),
            std::string::npos);
}

TEST(CalibrationBatches, WhatIsNotWholeIsRefused) {
  const GraphModule graph = GraphOf({"x", "bias"});
  const auto error = [&](const std::vector<std::pair<std::string, float>>& values) {
    return ErrorOf([&] { Read(values, graph); });
  };
  EXPECT_EQ(error({{"batch0", 1}, {"batch1", 2}}),
            "data: the graph has 2 inputs and a tensor is named 'batch0', expected "
            "BATCH.INPUT, that is 0.x, 0.bias, 1.x, ...");
  EXPECT_EQ(error({{"0.x", 1}, {"0.bais", 2}}),
            "data: '0.bais' is of no input of the graph, expected '0.bias' or another of "
            "0.x, 0.bias, 1.x, ...");
  EXPECT_EQ(error({{"0.x", 1}, {"1.x", 2}, {"1.bias", 3}}),
            "data: there is no tensor 0.bias, expected every input in every batch: 0.x, "
            "0.bias, 1.x, ...");
  for (const char* name : {"00.x", "-1.x", "+1.x", " 1.x", "1e3.x", "99999.x",
                           "99999999999999999999999.x", ".x", "x"}) {
    EXPECT_NE(error({{name, 1}, {"0.bias", 2}}).find(name), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace qconform
