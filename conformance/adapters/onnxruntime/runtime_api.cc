#include "conformance/adapters/onnxruntime/runtime_api.h"

#include <dlfcn.h>

#include <cstdlib>
#include <memory>

namespace qconform::onnxruntime {
namespace {

// What OrtGetApiBase() returns.
struct ApiBase {
  void* const* (*get_api)(uint32_t version);
  const char* (*get_version)();
};

// The first version with every function that is called.
constexpr uint32_t kApiVersion = 8;
constexpr int kFatalOnly = 4;
constexpr int kEveryOptimization = 99;
constexpr int kArenaAllocator = 1;
constexpr int kDefaultMemory = 0;

}  // namespace

const RuntimeApi& RuntimeApi::Get() {
  static const RuntimeApi* const api = new RuntimeApi;
  return *api;
}

RuntimeApi::RuntimeApi() {
  const char* named = std::getenv("QCONFORM_ONNXRUNTIME");
  const std::string file = named == nullptr ? QCONFORM_ONNXRUNTIME_LIBRARY : named;
  void* library = file.empty() ? nullptr : dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* entry = library == nullptr ? nullptr : dlsym(library, "OrtGetApiBase");
  if (entry == nullptr) {
    throw RuntimeError("no onnxruntime: '" + file + "' is not its library");
  }
  const ApiBase& base = *reinterpret_cast<const ApiBase* (*)()>(entry)();
  version_ = base.get_version();
  table_ = base.get_api(kApiVersion);
  if (table_ == nullptr) throw RuntimeError("onnxruntime " + version_ + " is too old");
  Call<kCreateEnv>(kFatalOnly, "qconform", &environment_);
  Call<kCreateCpuMemoryInfo>(kArenaAllocator, kDefaultMemory, &memory_info_);
}

Session* RuntimeApi::StartSession(const std::string& model, int threads,
                                  bool exact) const {
  SessionOptions* options = nullptr;
  Call<kCreateSessionOptions>(&options);
  const std::unique_ptr<SessionOptions, void (*)(SessionOptions*)> owner(
      options, [](SessionOptions* o) { Get().Release<kReleaseSessionOptions>(o); });
  Call<kSetIntraOpNumThreads>(options, threads);
  Call<kSetSessionLogSeverityLevel>(options, kFatalOnly);
  Call<kSetSessionGraphOptimizationLevel>(options, kEveryOptimization);
  Call<kAddSessionConfigEntry>(options, "session.force_spinning_stop", "1");
  if (exact) Call<kAddSessionConfigEntry>(options, "session.x64quantprecision", "1");
  const void* data = model.data();
  Session* session = nullptr;
  Call<kCreateSessionFromArray>(static_cast<const Environment*>(environment_), data,
                                model.size(), static_cast<const SessionOptions*>(options),
                                &session);
  return session;
}

void RuntimeApi::Check(Status* status) const {
  if (status == nullptr) return;
  const std::string text =
      reinterpret_cast<const char* (*)(const Status*)>(table_[kGetErrorMessage])(status);
  Release<kReleaseStatus>(status);
  throw RuntimeError(text);
}

}  // namespace qconform::onnxruntime
