#include <picus/models/study/side_by_side.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

#ifdef PICUS_HAVE_OPENBLAS
#include <cblas.h>
#endif

namespace picus::models {
namespace {

/// Keeps the dense kernels to one thread each while it lives: the tasks keep the cores busy, and their results
/// must not depend on how many there are.
class OneDenseThread {
 public:
  OneDenseThread(const OneDenseThread&) = delete;
  OneDenseThread& operator=(const OneDenseThread&) = delete;
#ifdef PICUS_HAVE_OPENBLAS
  OneDenseThread() {
    openblas_set_num_threads(1);
  }
  ~OneDenseThread() {
    openblas_set_num_threads(before_);
  }

 private:
  int before_ = openblas_get_num_threads();
#else
  OneDenseThread() = default;
#endif
};

}  // namespace

void run_side_by_side(const std::vector<std::function<void()>>& tasks, unsigned workers) {
  const OneDenseThread one_dense_thread;
  std::vector<std::exception_ptr> failures(tasks.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < tasks.size(); i = next++) {
      try {
        tasks[i]();
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    const std::size_t helpers = std::min<std::size_t>(workers, tasks.size());
    for (std::size_t i = 1; i < helpers; ++i) threads.emplace_back(work);
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
