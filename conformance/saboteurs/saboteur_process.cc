// Faults in what the process shares: its threads, memory and files, its state, and the
// structs that query and plan were lent.
#include <fcntl.h>
#include <locale.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "conformance/saboteurs/saboteur_plan.h"

namespace saboteur {
namespace {

constexpr int kHelpers = 3;

// Too long to be over before anybody looks.
void Help() {
  volatile int sum = 0;
  for (int i = 0; i < 10'000; ++i) sum = sum + i;
}

void StartHelpers() {
  std::vector<std::thread> helpers;
  for (int i = 0; i < kHelpers; ++i) helpers.emplace_back(Help);
  for (std::thread& helper : helpers) helper.join();
}

// As large as somebody thinks the machine is.
class Pool {
 public:
  Pool() {
    for (int i = 0; i < kHelpers; ++i) std::thread([this] { Serve(); }).detach();
  }
  void Run() {
    const std::lock_guard<std::mutex> one(callers_);
    std::unique_lock<std::mutex> lock(mutex_);
    done_ = 0;
    ++round_;
    wake_.notify_all();
    all_done_.wait(lock, [this] { return done_ == kHelpers; });
  }

 private:
  [[noreturn]] void Serve() {
    for (int seen = 0;; ++seen) {
      std::unique_lock<std::mutex> lock(mutex_);
      wake_.wait(lock, [&] { return round_ > seen; });
      lock.unlock();
      Help();
      lock.lock();
      if (++done_ == kHelpers) all_done_.notify_one();
    }
  }

  std::mutex callers_, mutex_;
  std::condition_variable wake_, all_done_;
  int round_ = 0;
  int done_ = 0;
};

const void* asked = nullptr;

void BlockSignal() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

}  // namespace

void HarmInQuery(const qc_descriptor& descriptor) {
  if (kFault == Fault::keeps_question) asked = descriptor.attributes;
  if (kFault == Fault::leaks_questions)
    static_cast<volatile char*>(std::malloc(64))[0] = 1;
}

void HarmInPlan(Plan& plan, const qc_descriptor& descriptor) {
  const qc_tensor& y = *descriptor.outputs[0];
  switch (kFault) {
    case Fault::keeps_descriptor:
      plan.kept = y.scale != nullptr ? static_cast<const void*>(y.scale) : &y;
      break;
    case Fault::leaks_mappings:
      mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      break;
    case Fault::leaks_files: {
      // No more than a process may have.
      static int left = 300;
      if (left-- > 0) open("/dev/null", O_RDONLY | O_CLOEXEC);
      break;
    }
    default:
      break;
  }
}

void HarmInRun(Plan& plan) {
  switch (kFault) {
    case Fault::keeps_descriptor:
    case Fault::keeps_question: {
      const void* const kept = kFault == Fault::keeps_question ? asked : plan.kept;
      if (kept != nullptr && Count(plan.y) > 0)
        plan.calls += *static_cast<const volatile char*>(kept) * 0;
      break;
    }
    case Fault::starts_threads:
      StartHelpers();
      break;
    case Fault::wakes_whole_pool: {
      static auto* const pool = new Pool;
      pool->Run();
      break;
    }
    case Fault::leaves_folder:
      if (chdir("/") != 0) std::abort();
      break;
    case Fault::leaves_environment:
      setenv("OMP_NUM_THREADS", std::to_string(plan.threads + 100).c_str(), 1);
      break;
    case Fault::leaves_locale:
      setlocale(LC_NUMERIC, "C.UTF-8");
      break;
    case Fault::leaves_thread_locale: {
      static const locale_t own = newlocale(LC_ALL_MASK, "C", nullptr);
      uselocale(own);
      break;
    }
    case Fault::leaves_umask:
      umask(077);
      break;
    case Fault::leaves_signals_blocked:
      BlockSignal();
      break;
    case Fault::ignores_broken_pipes:
      std::signal(SIGPIPE, SIG_IGN);
      break;
    default:
      break;
  }
}

}  // namespace saboteur
