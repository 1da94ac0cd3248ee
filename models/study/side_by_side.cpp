#include <picus/models/study/side_by_side.hpp>
#include <picus/solvers/linear/dense_threads.hpp>
#include <picus/threads.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

namespace picus::models {

using solvers::OneDenseThread;

void run_side_by_side(const std::vector<std::function<void()>>& tasks, unsigned workers, int threads) {
  const OneDenseThread one_dense_thread;
  std::vector<std::exception_ptr> failures(tasks.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    const ThreadLimit limit(threads);
    for (std::size_t i = next++; i < tasks.size(); i = next++) {
      try {
        tasks[i]();
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> others;
    const std::size_t helpers = std::min<std::size_t>(workers, tasks.size());
    for (std::size_t i = 1; i < helpers; ++i) others.emplace_back(work);
    work();
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

unsigned available_workers() {
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace picus::models
