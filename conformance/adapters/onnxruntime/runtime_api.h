// The few functions of onnxruntime's C interface that the adapter calls. The wheel has
// the library and no header; the interface is a table that only grows at its end
// (onnxruntime_c_api.h, struct OrtApi), so that a function is its place in it.
#ifndef QCONFORM_CONFORMANCE_ADAPTERS_ONNXRUNTIME_RUNTIME_API_H_
#define QCONFORM_CONFORMANCE_ADAPTERS_ONNXRUNTIME_RUNTIME_API_H_

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace qconform::onnxruntime {

// Opaque.
struct Status;
struct Environment;
struct Session;
struct SessionOptions;
struct MemoryInfo;
struct Value;
struct RunOptions;

class RuntimeError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class RuntimeApi {
 public:
  // Loads the library: $QCONFORM_ONNXRUNTIME, or the one of the build. Once a process,
  // and never unloaded. Throws RuntimeError.
  static const RuntimeApi& Get();

  const std::string& version() const { return version_; }
  Environment* environment() const { return environment_; }
  MemoryInfo* memory_info() const { return memory_info_; }

  // Throws RuntimeError with onnxruntime's words.
  template <size_t kPlace, typename... Arguments>
  void Call(Arguments... arguments) const {
    Check(reinterpret_cast<Status* (*)(Arguments...)>(table_[kPlace])(arguments...));
  }
  template <size_t kPlace, typename T>
  void Release(T* object) const {
    if (object != nullptr) reinterpret_cast<void (*)(T*)>(table_[kPlace])(object);
  }

  // Of a serialized model, with every optimization. Threads spin for work while a run
  // lasts, and not into the turn of others. `exact`: of s8 weights onnxruntime makes u8
  // ones where sums of two products might leave 16 bits, on processors without VNNI
  // (session.x64quantprecision). To be released by kReleaseSession. Throws RuntimeError.
  Session* StartSession(const std::string& model, int threads, bool exact = false) const;

  static constexpr size_t kGetErrorMessage = 2;
  static constexpr size_t kCreateEnv = 3;
  static constexpr size_t kCreateSessionFromArray = 8;
  static constexpr size_t kRun = 9;
  static constexpr size_t kCreateSessionOptions = 10;
  static constexpr size_t kSetSessionLogSeverityLevel = 22;
  static constexpr size_t kSetSessionGraphOptimizationLevel = 23;
  static constexpr size_t kSetIntraOpNumThreads = 24;
  static constexpr size_t kCreateTensorWithDataAsOrtValue = 49;
  static constexpr size_t kCreateCpuMemoryInfo = 69;
  static constexpr size_t kReleaseStatus = 93;
  static constexpr size_t kReleaseSession = 95;
  static constexpr size_t kReleaseValue = 96;
  static constexpr size_t kReleaseSessionOptions = 100;
  static constexpr size_t kAddSessionConfigEntry = 130;

 private:
  RuntimeApi();
  void Check(Status* status) const;

  void* const* table_ = nullptr;
  std::string version_;
  Environment* environment_ = nullptr;
  MemoryInfo* memory_info_ = nullptr;
};

}  // namespace qconform::onnxruntime

#endif  // QCONFORM_CONFORMANCE_ADAPTERS_ONNXRUNTIME_RUNTIME_API_H_
