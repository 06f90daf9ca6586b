// What a backend leaves behind beside its outputs (threads, memory, files, the state of
// the process) and what it keeps of what it was lent, each shown by a few lines in this
// process.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <locale.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "conformance/host/run_call.h"
#include "conformance/host/test_table.h"

namespace qconform {
namespace {

// What a test has planted; reset by Judge.
struct Planted {
  void (*on_query)(const qc_descriptor& descriptor) = nullptr;
  void (*on_plan)(const qc_descriptor& descriptor,
                  const qc_tensor* const* constants) = nullptr;
  void (*on_run)(int32_t threads) = nullptr;
  bool refuses = false;
} planted;

qc_status Query(void*, const qc_descriptor* d, qc_answer* answer) {
  const bool known = d->kind == QC_ADD && d->attributes->size >= sizeof(qc_attributes) &&
                     d->attributes->activation == QC_ACTIVATION_NONE &&
                     d->inputs[0]->dtype == QC_U8 && d->outputs[0]->dtype == QC_U8;
  if (known && planted.on_query != nullptr) planted.on_query(*d);
  if (!known || planted.refuses) {
    std::strcpy(answer->reason, "only sums of bytes");
    return QC_OK;
  }
  answer->supported = 1;
  answer->memory_formats = QC_CONTIGUOUS;
  return QC_OK;
}

qc_status MakePlan(void*, const qc_descriptor* descriptor,
                   const qc_tensor* const* constants, int32_t threads, qc_plan** plan,
                   qc_plan_info* info) {
  std::strcpy(info->path, "test");
  if (planted.on_plan != nullptr) planted.on_plan(*descriptor, constants);
  *plan = reinterpret_cast<qc_plan*>(static_cast<intptr_t>(threads));
  return QC_OK;
}

// A process tries some things once for each function that runs: every test has its own.
template <int>
qc_status RunOf(qc_plan* plan, const qc_tensor* const* inputs, qc_tensor* const* outputs,
                void*) {
  std::memcpy(outputs[0]->data, inputs[0]->data,
              static_cast<size_t>(inputs[0]->shape[0]));
  if (planted.on_run != nullptr)
    planted.on_run(static_cast<int32_t>(reinterpret_cast<intptr_t>(plan)));
  return QC_OK;
}

void Destroy(qc_plan*) {}

// The first problem, or a run without any.
template <int kTest>
FormatRun Judge(const Planted& faults, int64_t count = 32) {
  planted = faults;
  const qc_backend table = TestTable("copy", Query, MakePlan, RunOf<kTest>, Destroy);
  CallTensor x;
  x.dtype = QC_U8;
  x.shape = {count};
  x.scale = {0.5F};
  x.zero_point = {3};
  const CallTensor y = x;
  x.data.assign(static_cast<size_t>(count), std::byte{7});
  CallTensor w = x;
  w.constant = true;
  OperatorCall call;
  call.kind = QC_ADD;
  call.attributes = EmptyAttributes();
  call.inputs = {x, w};
  call.outputs = {y};
  const CallReply reply = RunCall(table, {call}, [](const char*) {});
  for (const FormatRun& run : reply.runs)
    if (run.problem != RunProblem::kNone) return run;
  return {};
}

void ExpectProblem(const FormatRun& run, RunProblem problem, const std::string& text) {
  EXPECT_EQ(run.problem, problem) << run.detail;
  EXPECT_NE(run.detail.find(text), std::string::npos) << run.detail;
}

// Where a read would fault.
bool IsTakenBack(const void* address) {
  static const int nowhere = [] {
    int ends[2];
    return pipe(ends) == 0 ? ends[1] : -1;
  }();
  return write(nowhere, address, 1) < 0;
}

std::vector<const void*> kept;
int readable = 0;
int tried = 0;

void Keep(const qc_descriptor& d) {
  kept.insert(kept.end(),
              {&d, d.attributes, d.inputs, d.outputs, d.inputs[0], d.outputs[0],
               d.inputs[1]->scale, d.outputs[0]->scale, d.outputs[0]->zero_point});
}

void ReadKept() {
  tried += static_cast<int>(kept.size());
  for (const void* address : kept) readable += IsTakenBack(address) ? 0 : 1;
}

TEST(Process, WhatPlanWasHandedDoesNotOutliveIt) {
  kept.clear();
  readable = tried = 0;
  Planted faults;
  faults.on_plan = [](const qc_descriptor& d, const qc_tensor* const* constants) {
    kept = {constants, constants[1]};
    Keep(d);
  };
  faults.on_run = [](int32_t) { ReadKept(); };
  Judge<0>(faults);
  EXPECT_GT(tried, 0);
  EXPECT_EQ(readable, 0) << "of " << tried;
}

TEST(Process, WhatQueryWasHandedDoesNotOutliveIt) {
  kept.clear();
  readable = tried = 0;
  Planted faults;
  faults.on_query = [](const qc_descriptor& d) {
    kept.clear();
    Keep(d);
  };
  faults.on_plan = [](const qc_descriptor&, const qc_tensor* const*) { ReadKept(); };
  faults.on_run = [](int32_t) { ReadKept(); };
  Judge<1>(faults);
  EXPECT_GT(tried, 0);
  EXPECT_EQ(readable, 0) << "of " << tried;
}

void Work() {
  volatile int sum = 0;
  for (int i = 0; i < 20'000; ++i) sum = sum + i;
}

void StartThreads(int32_t count) {
  std::vector<std::thread> threads;
  for (int32_t i = 0; i < count; ++i) threads.emplace_back(Work);
  for (std::thread& thread : threads) thread.join();
}

TEST(Process, ThreadsAreAtMostThoseGiven) {
  Planted faults;
  faults.on_run = [](int32_t threads) { StartThreads(threads - 1); };
  EXPECT_EQ(Judge<2>(faults).problem, RunProblem::kNone);
  faults.on_run = [](int32_t) { StartThreads(1); };
  ExpectProblem(Judge<3>(faults), RunProblem::kThreadCount,
                "uses 2 threads or more where plan was given 1");
}

TEST(Process, LargerCallsAreLookedAtForThreadsAgain) {
  Planted faults;
  EXPECT_EQ(Judge<4>(faults).problem, RunProblem::kNone);
  faults.on_run = [](int32_t) { StartThreads(1); };
  EXPECT_EQ(Judge<4>(faults, 33).problem, RunProblem::kNone);
  EXPECT_EQ(Judge<4>(faults, 32 * 4).problem, RunProblem::kThreadCount);
}

// Sleeps between runs, and lives on.
class Pool {
 public:
  explicit Pool(size_t size) : size_(size) {
    for (size_t i = 0; i < size; ++i) std::thread([this] { Serve(); }).detach();
  }
  void Run() {
    const std::lock_guard<std::mutex> one(callers_);
    std::unique_lock<std::mutex> lock(mutex_);
    done_ = 0;
    ++round_;
    wake_.notify_all();
    all_done_.wait(lock, [this] { return done_ == size_; });
  }

 private:
  [[noreturn]] void Serve() {
    for (int seen = 0;; ++seen) {
      std::unique_lock<std::mutex> lock(mutex_);
      wake_.wait(lock, [&] { return round_ > seen; });
      lock.unlock();
      Work();
      lock.lock();
      if (++done_ == size_) all_done_.notify_one();
    }
  }

  const size_t size_;
  std::mutex callers_, mutex_;
  std::condition_variable wake_, all_done_;
  int round_ = 0;
  size_t done_ = 0;
};

TEST(Process, APoolIsCountedByWhoRuns) {
  static auto* const small = new Pool(1);
  static auto* const large = new Pool(3);
  Planted faults;
  faults.on_run = [](int32_t threads) {
    if (threads > 1) small->Run();
  };
  EXPECT_EQ(Judge<5>(faults).problem, RunProblem::kNone) << "the others sleep";
  faults.on_run = [](int32_t) { large->Run(); };
  ExpectProblem(Judge<6>(faults), RunProblem::kThreadCount,
                "uses 4 threads or more where plan was given 1");
  faults.on_run = [](int32_t threads) {
    if (threads > 1) large->Run();
  };
  ExpectProblem(Judge<7>(faults), RunProblem::kThreadCount,
                "uses 4 threads or more where plan was given 2");
}

TEST(Process, MappedMemoryIsGivenBack) {
  Planted faults;
  faults.on_plan = [](const qc_descriptor&, const qc_tensor* const*) {
    mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  };
  ExpectProblem(Judge<8>(faults), RunProblem::kLeak, "keeps mapped memory: ");
}

TEST(Process, FilesAreClosed) {
  static int last;
  last = -1;
  Planted faults;
  faults.on_plan = [](const qc_descriptor&, const qc_tensor* const*) {
    last = open("/dev/null", O_RDONLY | O_CLOEXEC);
  };
  ExpectProblem(Judge<9>(faults), RunProblem::kLeak, "keeps open files: ");
  for (int file = 3; file <= last; ++file) {
    struct stat opened = {}, null = {};
    fstat(file, &opened);
    stat("/dev/null", &null);
    if (opened.st_rdev == null.st_rdev) close(file);
  }
}

TEST(Process, QueryKeepsNothing) {
  Planted faults;
  // Larger than what the C library keeps at hand of freed blocks.
  [[maybe_unused]] static void* volatile block;
  faults.on_query = [](const qc_descriptor&) { block = std::malloc(2000); };
  ExpectProblem(Judge<10>(faults), RunProblem::kLeak, "bytes more after 512 questions");
}

TEST(Process, TheStateOfTheProcessStaysAsItWas) {
  const auto folder = [] {
    char path[4096];
    return std::string(getcwd(path, sizeof path));
  };
  const std::string before = folder();
  setenv("QCONFORM_TEST", "as it was", 1);
  Planted faults;
  faults.on_run = [](int32_t) {
    if (chdir("/") != 0) std::abort();
  };
  ExpectProblem(Judge<11>(faults), RunProblem::kProcess, "another working folder");
  EXPECT_EQ(folder(), before);
  for (void (*change)(int32_t) :
       {+[](int32_t) { setenv("QCONFORM_TEST", "changed", 1); },
        +[](int32_t) { unsetenv("QCONFORM_TEST"); },
        +[](int32_t) { std::memcpy(std::getenv("QCONFORM_TEST"), "AS", 2); }}) {
    faults.on_run = change;
    ExpectProblem(Judge<12>(faults), RunProblem::kProcess,
                  "environment variable QCONFORM_TEST changed");
    EXPECT_STREQ(std::getenv("QCONFORM_TEST"), "as it was");
  }
  faults.on_run = [](int32_t) { setenv("QCONFORM_TEST_NEW", "1", 1); };
  ExpectProblem(Judge<12>(faults), RunProblem::kProcess, "QCONFORM_TEST_NEW");
  EXPECT_EQ(std::getenv("QCONFORM_TEST_NEW"), nullptr);
  faults.on_run = [](int32_t) { umask(0); };
  const mode_t mode = umask(022);
  umask(mode);
  ExpectProblem(Judge<12>(faults), RunProblem::kProcess, "another umask");
  EXPECT_EQ(umask(mode), mode);
  faults.on_run = [](int32_t) { setlocale(LC_NUMERIC, "C.UTF-8"); };
  ExpectProblem(Judge<12>(faults), RunProblem::kProcess, "another locale");
  EXPECT_STREQ(setlocale(LC_ALL, nullptr), "C");
  faults.on_run = [](int32_t) {
    static const locale_t own = newlocale(LC_ALL_MASK, "C", nullptr);
    uselocale(own);
  };
  ExpectProblem(Judge<12>(faults), RunProblem::kProcess, "another locale");
  EXPECT_EQ(uselocale(nullptr), LC_GLOBAL_LOCALE);
  faults.on_run = [](int32_t) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, nullptr);
  };
  ExpectProblem(Judge<12>(faults), RunProblem::kProcess, "leaves signals blocked");
  unsetenv("QCONFORM_TEST");
  EXPECT_EQ(Judge<12>({}).problem, RunProblem::kNone) << "a test may change it";
}

TEST(Process, SignalsDoWhatTheyDid) {
  Planted faults;
  faults.on_run = [](int32_t) { std::signal(SIGPIPE, SIG_IGN); };
  ExpectProblem(Judge<13>(faults), RunProblem::kSignal,
                "leaves SIGPIPE with another action");
  struct sigaction now;
  sigaction(SIGPIPE, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_DFL);
  EXPECT_EQ(Judge<13>({}).problem, RunProblem::kNone) << "what was put back";
}

// A refusal does not excuse it.
TEST(Process, QueryLeavesTheProcessAloneToo) {
  Planted faults;
  faults.refuses = true;
  faults.on_query = [](const qc_descriptor&) { umask(0); };
  ExpectProblem(Judge<14>(faults), RunProblem::kProcess, "another umask");
}

}  // namespace
}  // namespace qconform
