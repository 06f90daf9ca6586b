// The goldens' programs with planned memory, beside the scalar definitions, step by step.
#include "conformance/host/planned_program.h"

#include <gtest/gtest.h>

#include <cstring>
#include <sstream>

#include "conformance/host/operator_call.h"
#include "conformance/host/plugin.h"
#include "conformance/host/program_runner.h"
#include "conformance/host/test_program.h"
#include "reference/golden/golden.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

// The scalar backend with other answers to query. One at a time: it is a C table.
struct Answers {
  uint32_t memory_formats = QC_CONTIGUOUS | QC_CHANNELS_LAST | QC_ANY_STRIDE;
  bool may_alias = false;
  int refused = -1;  // a qc_operator_kind
  int failing = -1;  // to run
} answers;
const qc_backend* scalar = nullptr;

qc_status Query(void* context, const qc_descriptor* descriptor, qc_answer* answer) {
  const qc_status status = scalar->query(context, descriptor, answer);
  answer->memory_formats = answers.memory_formats;
  // Element by element, from the first to the last.
  const bool elementwise = descriptor->kind >= QC_ADD && descriptor->kind <= QC_GELU;
  answer->may_alias = answers.may_alias && elementwise ? 1 : 0;
  if (descriptor->kind == answers.refused) answer->supported = 0;
  return status;
}

qc_status Fail(qc_plan*, const qc_tensor* const*, qc_tensor* const*, void*) {
  return QC_INTERNAL;
}

class PlannedProgramTest : public testing::Test {
 protected:
  PlannedProgramTest() : plugin_(QCONFORM_SCALAR_BACKEND) {
    answers = {};
    scalar = &plugin_.table();
    table_ = *scalar;
    table_.query = Query;
  }

  // What it must give is what the definitions give under its schemes, at every step.
  static void ExpectRight(const Program& program, PlannedProgram& planned,
                          const std::vector<Tensor>& inputs) {
    const std::vector<Tensor> expected =
        ReferenceProgramValues(program, inputs, planned.schemes());
    std::vector<const Tensor*> pointers;
    for (const Tensor& input : inputs) pointers.push_back(&input);
    size_t steps = 0;
    planned.Run(pointers, [&](size_t s) {
      ++steps;
      const auto* op = std::get_if<ProgramOperator>(&program.steps[s]);
      const std::vector<int>& outputs =
          op != nullptr ? op->outputs : std::get<FloatIsland>(program.steps[s]).outputs;
      for (const int index : outputs) {
        const Tensor value = planned.Value(index);
        const Tensor& want = expected[static_cast<size_t>(index)];
        EXPECT_EQ(value.shape(), want.shape());
        EXPECT_EQ(std::memcmp(value.bytes(), want.bytes(), want.byte_size()), 0)
            << "value " << program.values[static_cast<size_t>(index)].name << " of step "
            << s << ", " << planned.StepName(s);
      }
    });
    EXPECT_EQ(steps, program.steps.size());
    const std::vector<Tensor> outputs = planned.Outputs();
    ASSERT_EQ(outputs.size(), program.outputs.size());
    for (size_t i = 0; i < outputs.size(); ++i) {
      const Tensor& want = expected[static_cast<size_t>(program.outputs[i])];
      EXPECT_EQ(std::memcmp(outputs[i].bytes(), want.bytes(), want.byte_size()), 0);
    }
  }

  // Twice, with other inputs the second time: nothing of the first run may be left.
  static void ExpectRightTwice(const Golden& golden, PlannedProgram& planned) {
    std::vector<Tensor> inputs;
    for (const int index : golden.program.inputs) {
      const std::string& name = golden.program.values[static_cast<size_t>(index)].name;
      inputs.push_back(*golden.values.Find(name));
    }
    ExpectRight(golden.program, planned, inputs);
    for (Tensor& input : inputs) {
      ASSERT_EQ(input.dtype(), DType::kFloat32);
      input = input.Clone();
      for (int64_t i = 0; i < input.numel(); ++i)
        input.data<float>()[i] *= i % 2 == 0 ? -1.5f : 0.25f;
    }
    ExpectRight(golden.program, planned, inputs);
  }

  Plugin plugin_;
  qc_backend table_;
};

Golden GoldenNamed(const std::string& name) {
  return ReadGolden(fs::path(QCONFORM_SOURCE_DIR) / "datasets/goldens" / name);
}

std::vector<std::string> BuiltBackends() {
  std::vector<std::string> files;
  std::istringstream list(QCONFORM_PLANNED_BACKENDS);
  for (std::string file; std::getline(list, file, ':');) files.push_back(file);
  return files;
}

TEST_F(PlannedProgramTest, GoldensAreRightOnEveryBackend) {
  for (const std::string& file : BuiltBackends()) {
    const Plugin backend(file);
    for (const char* name :
         {"digits/x86", "digits/qnnpack", "two_modes/x86.torch", "crepe_tiny/x86"}) {
      SCOPED_TRACE(file + " on " + name);
      const Golden golden = GoldenNamed(name);
      for (const int threads : {1, 2}) {
        PlannedProgram planned(golden.program, backend.table(), threads);
        EXPECT_GT(planned.Count(StepOwner::kBackend), 0);
        EXPECT_FALSE(planned.path().empty());
        EXPECT_LT(planned.storage().planned_bytes(), planned.storage().separate_bytes());
        ExpectRightTwice(golden, planned);
      }
    }
  }
}

TEST_F(PlannedProgramTest, ImagesLieWithTheirChannelsLast) {
  const Golden golden = GoldenNamed("digits/x86");
  const Program& program = golden.program;
  PlannedProgram planned(program, table_, 1);
  int images = 0;
  for (const ProgramStep& step : program.steps) {
    const auto& op = std::get<ProgramOperator>(step);
    if (op.kind != QC_CONV && op.kind != QC_ADD && op.kind != QC_MAX_POOL) continue;
    EXPECT_EQ(planned.storage().StridesOf(op.outputs[0])[1], 1) << op.node;
    ++images;
  }
  EXPECT_GT(images, 3);
  // The caller's input stays as it came.
  const auto& input = planned.storage().StridesOf(program.inputs[0]);
  EXPECT_EQ(input.back(), 4);
  // So do its codes, which a convolution packs: not in the order of channels.
  const auto& quantize = std::get<ProgramOperator>(program.steps[0]);
  ASSERT_EQ(quantize.kind, QC_QUANTIZE);
  EXPECT_EQ(planned.storage().StridesOf(quantize.outputs[0])[1], 64);
  // 1 x 1 images are rows already: the reshape behind the pool runs nothing.
  EXPECT_EQ(planned.Count(StepOwner::kView), 1);
}

TEST_F(PlannedProgramTest, OneFormatIsEnough) {
  const Golden golden = GoldenNamed("digits/x86");
  answers.memory_formats = QC_CONTIGUOUS;
  PlannedProgram planned(golden.program, table_, 1);
  for (const ProgramStep& step : golden.program.steps) {
    const auto& op = std::get<ProgramOperator>(step);
    EXPECT_EQ(planned.storage().StridesOf(op.outputs[0]).back(),
              static_cast<int64_t>(ItemSize(
                  golden.program.values[static_cast<size_t>(op.outputs[0])].dtype)));
  }
  ExpectRightTwice(golden, planned);
  // Nobody turns the caller's tensor round.
  answers.memory_formats = QC_CHANNELS_LAST;
  try {
    PlannedProgram refused(golden.program, table_, 1);
    FAIL() << "planned";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("does not take"), std::string::npos)
        << error.what();
  }
}

TEST_F(PlannedProgramTest, RefusedOperatorsAreTheDefinitions) {
  const Golden golden = GoldenNamed("digits/x86");
  answers.refused = QC_CONV;
  PlannedProgram planned(golden.program, table_, 1);
  EXPECT_GT(planned.Count(StepOwner::kDefinition), 2);
  EXPECT_GT(planned.Count(StepOwner::kBackend), 2);
  ExpectRightTwice(golden, planned);
}

TEST_F(PlannedProgramTest, FloatIslandsAreTheInterpreters) {
  const Golden golden = GoldenNamed("crepe_tiny/x86");
  PlannedProgram planned(golden.program, table_, 1);
  EXPECT_EQ(planned.Count(StepOwner::kInterpreter), 1);
}

TEST_F(PlannedProgramTest, FailedRunNamesItsNode) {
  const Golden golden = GoldenNamed("digits/x86");
  table_.run = Fail;
  PlannedProgram planned(golden.program, table_, 1);
  const std::string& name =
      golden.program.values[static_cast<size_t>(golden.program.inputs[0])].name;
  try {
    planned.Run({golden.values.Find(name)});
    FAIL() << "ran";
  } catch (const BackendError& error) {
    EXPECT_NE(std::string(error.what()).find("node "), std::string::npos) << error.what();
  }
}

ProgramValue Codes(const std::string& name, double scale, double zero_point) {
  ProgramValue value;
  value.name = name;
  value.dtype = DType::kUInt8;
  value.shape = {2, 3, 4, 4};
  value.quantization = QuantizationParameters{{scale}, {zero_point}, -1};
  return value;
}

// x -> a -> b, a + b -> c, c -> d, d + d -> e. b may not lie on a, which c reads; c may,
// d may lie on c; e may not lie on d, which is its second input too.
TEST_F(PlannedProgramTest, InPlaceWhereNobodyReadsTheOldValue) {
  Program program;
  program.values = {Codes("x", 0.1, 100), Codes("a", 0.1, 90), Codes("b", 0.05, 30),
                    Codes("c", 0.2, 40),  Codes("d", 0.1, 0),  Codes("e", 0.3, 7)};
  AddStep(program, QC_TANH, {0}, 1);
  AddStep(program, QC_SIGMOID, {1}, 2);
  AddStep(program, QC_ADD, {1, 2}, 3);
  AddStep(program, QC_SIGMOID, {3}, 4);
  AddStep(program, QC_ADD, {4, 4}, 5);
  program.inputs = {0};
  program.outputs = {5};
  Tensor x(DType::kUInt8, {2, 3, 4, 4});
  for (int64_t i = 0; i < x.numel(); ++i)
    x.data<uint8_t>()[i] = static_cast<uint8_t>(i * 89 % 251);
  const Tensor before = x.Clone();

  answers.may_alias = true;
  PlannedProgram planned(program, table_, 1);
  const ValueStorage& storage = planned.storage();
  EXPECT_NE(storage.At(1), storage.At(2));
  EXPECT_EQ(storage.At(1), storage.At(3));
  EXPECT_EQ(storage.At(3), storage.At(4));
  EXPECT_NE(storage.At(4), storage.At(5));
  EXPECT_EQ(storage.shared(), 2);
  ExpectRight(program, planned, {x});
  EXPECT_EQ(std::memcmp(x.bytes(), before.bytes(), x.byte_size()), 0);

  answers.may_alias = false;
  PlannedProgram apart(program, table_, 1);
  EXPECT_EQ(apart.storage().shared(), 0);
  EXPECT_NE(apart.storage().At(1), apart.storage().At(3));
}

}  // namespace
}  // namespace qconform
