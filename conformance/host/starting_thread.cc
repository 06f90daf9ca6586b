#include "conformance/host/starting_thread.h"

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

namespace qconform {
namespace {

class StartingThread {
 public:
  StartingThread() {
    std::thread([this] { Serve(); }).detach();
  }

  void Run(const std::function<void()>& start) {
    std::packaged_task<void()> task(start);
    std::future<void> done = task.get_future();
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    has_task_.notify_one();
    done.get();
  }

 private:
  [[noreturn]] void Serve() {
    while (true) {
      std::unique_lock<std::mutex> lock(mutex_);
      has_task_.wait(lock, [this] { return !tasks_.empty(); });
      std::packaged_task<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable has_task_;
  std::deque<std::packaged_task<void()>> tasks_;
};

}  // namespace

void OnStartingThread(const std::function<void()>& start) {
  // Never destroyed: its thread outlives every other object.
  static auto* const thread = new StartingThread;
  thread->Run(start);
}

}  // namespace qconform
