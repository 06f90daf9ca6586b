#include "kernels/testing/same_as_scalar.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>

#include "kernels/target/path.h"

namespace qconform::kernels {
namespace {

using Values = std::vector<std::vector<int32_t>>;

// Codes, or the bits of real values.
Values ValuesOf(const std::vector<TestTensor*>& tensors) {
  Values values;
  for (TestTensor* tensor : tensors) {
    if (tensor->get().dtype == QC_F32) {
      const std::vector<float> real = tensor->real();
      std::vector<int32_t> bits(real.size());
      if (!real.empty())
        std::memcpy(bits.data(), real.data(), real.size() * sizeof(float));
      values.push_back(std::move(bits));
    } else {
      values.push_back(tensor->integers());
    }
  }
  return values;
}

// Something that no operator leaves by chance.
void Spoil(const std::vector<TestTensor*>& tensors, const Values& values) {
  for (size_t t = 0; t < tensors.size(); ++t) {
    std::vector<int32_t> spoiled = values[t];
    for (int32_t& value : spoiled) value ^= 0x55;
    if (tensors[t]->get().dtype == QC_F32) {
      WriteReal(tensors[t]->get(), std::vector<float>(spoiled.size(), -7.5e30f),
                *ParseScheme(kRealSchemeName));
    } else {
      WriteIntegers(tensors[t]->get(), spoiled);
    }
  }
}

// The bytes among a tensor's elements and the first ones behind it, which are nobody's to
// write. Strides are not negative.
class Surroundings {
 public:
  explicit Surroundings(const qc_tensor& tensor) : tensor_(tensor) {
    int64_t size = ElementBytes(tensor.dtype);
    for (int i = 0; i < tensor.rank; ++i) {
      if (tensor.shape[i] == 0) return;
      size += (tensor.shape[i] - 1) * tensor.stride[i];
    }
    constexpr int64_t kBehind = 8;  // that a TestTensor has
    bytes_.assign(data(), data() + size + kBehind);
    others_.assign(bytes_.size(), true);
    if (size == ElementCount(tensor) * ElementBytes(tensor.dtype)) {  // dense
      std::fill_n(others_.begin(), size, false);
      return;
    }
    for (int64_t index = 0; index < ElementCount(tensor); ++index) {
      int64_t offset = 0;
      for (int64_t i = tensor.rank - 1, left = index; i >= 0; --i) {
        offset += left % tensor.shape[i] * tensor.stride[i];
        left /= tensor.shape[i];
      }
      std::fill_n(others_.begin() + offset, ElementBytes(tensor.dtype), false);
    }
  }

  bool Intact() const {
    for (size_t i = 0; i < bytes_.size(); ++i)
      if (others_[i] && bytes_[i] != data()[i]) return false;
    return true;
  }

 private:
  const uint8_t* data() const { return static_cast<const uint8_t*>(tensor_.data); }

  const qc_tensor& tensor_;
  std::vector<uint8_t> bytes_;
  std::vector<bool> others_;
};

class BackendCall {
 public:
  explicit BackendCall(const OperatorTest& test) : test_(test) {
    for (TestTensor* input : test.inputs) {
      described_.push_back(input == nullptr ? nullptr : &input->get());
      const bool constant = std::find(test.constants.begin(), test.constants.end(),
                                      input) != test.constants.end();
      constants_.push_back(constant ? described_.back() : nullptr);
      inputs_.push_back(constant ? nullptr : described_.back());
    }
    for (TestTensor* output : test.outputs) outputs_.push_back(&output->get());
    described_outputs_.assign(outputs_.begin(), outputs_.end());
    descriptor_ = Descriptor(test.kind, test.attributes, described_, described_outputs_);
    descriptor_.scheme = test.scheme.empty() ? nullptr : test.scheme.c_str();
  }

  // The scheme of the answer, or throws the refusal.
  std::string Ask(const qc_backend& backend) {
    qc_answer answer = {};
    answer.size = sizeof answer;
    if (backend.query(backend.context, &descriptor_, &answer) != QC_OK)
      throw std::runtime_error("query failed");
    if (answer.supported == 0)
      throw std::runtime_error(std::string("refused: ") + answer.reason);
    return answer.scheme;
  }

  // What went wrong; the path that it claims.
  std::string Run(const qc_backend& backend, std::string& path) {
    qc_plan* plan = nullptr;
    qc_plan_info info = {};
    info.size = sizeof info;
    if (backend.plan(backend.context, &descriptor_, constants_.data(), test_.threads,
                     &plan, &info) != QC_OK)
      return std::string("plan failed: ") + info.reason;
    path = info.path;
    const std::align_val_t alignment{std::max<uint64_t>(info.workspace_alignment, 1)};
    void* workspace = ::operator new(info.workspace_bytes, alignment);
    const qc_status status =
        backend.run(plan, inputs_.data(), outputs_.data(), workspace);
    ::operator delete(workspace, alignment);
    backend.destroy(plan);
    return status == QC_OK ? "" : "run failed";
  }

 private:
  const OperatorTest& test_;
  std::vector<const qc_tensor*> described_, constants_, inputs_, described_outputs_;
  std::vector<qc_tensor*> outputs_;
  qc_descriptor descriptor_ = {};
};

std::string FirstDifference(const Values& got, const Values& want) {
  for (size_t t = 0; t < want.size(); ++t)
    for (size_t i = 0; i < want[t].size(); ++i)
      if (got[t][i] != want[t][i])
        return "output " + std::to_string(t) + " element " + std::to_string(i) + " is " +
               std::to_string(got[t][i]) + ", expected " + std::to_string(want[t][i]);
  return "";
}

}  // namespace

std::string DifferenceFromScalar(const LoadedBackend& backend, const OperatorTest& test) {
  BackendCall call(test);
  for (const Path path : RunnablePaths()) {
    const std::string name = PathName(path);
    setenv("QCONFORM_ISA", name.c_str(), 1);
    struct Unset {
      ~Unset() { unsetenv("QCONFORM_ISA"); }
    } const unset;
    std::string scheme;
    try {
      scheme = call.Ask(backend.table());
    } catch (const std::runtime_error& refusal) {
      return name + ": " + refusal.what();
    }
    const TestRun scalar =
        RunOperator(test.kind, test.attributes, test.inputs, test.outputs, scheme);
    if (scalar.status != QC_OK)
      throw std::runtime_error("no scalar definition: " + scalar.reason);
    const Values want = ValuesOf(test.outputs);
    Spoil(test.outputs, want);
    std::vector<Surroundings> surroundings;
    for (TestTensor* output : test.outputs) surroundings.emplace_back(output->get());
    std::string claimed;
    std::string problem = call.Run(backend.table(), claimed);
    if (problem.empty() && claimed != name) problem = "claims the path " + claimed;
    if (problem.empty()) problem = FirstDifference(ValuesOf(test.outputs), want);
    for (const Surroundings& around : surroundings)
      if (problem.empty() && !around.Intact()) problem = "wrote outside of an output";
    if (!problem.empty()) return name + ": " + problem;
  }
  return "";
}

}  // namespace qconform::kernels
