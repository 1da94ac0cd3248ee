#include <picus/error.hpp>
#include <picus/threads.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <optional>

namespace picus {
namespace {

constexpr int max_threads = 256;

/// Number of chunks per thread, so that a late thread delays the others less.
constexpr std::size_t parts_of_thread = 8;

/// Number of elements from which on a run uses several threads: an estimate; shorter loops end before other threads
/// have started.
constexpr std::size_t least_items_for_threads = 500;

thread_local int thread_limit = 0;
thread_local bool limit_is_for_any_size = false;

void require_count(int count) {
  if (count >= 0 && count <= max_threads) return;
  throw OptionError(fmt::format("the number of threads is {}, must be from 1 to {}, or 0 for all cores",
                                count, max_threads));
}

/// A loop whose chunks are picked up one after the other, in ascending order: all chunks before a failed one are
/// completed.
class Loop {
 public:
  Loop(std::size_t items, std::size_t part) : items_(items), part_(part), failed_(items) {}

  template <class Body>
  void work(const Body& body) {
    while (true) {
      const std::size_t first = next_.fetch_add(part_, std::memory_order_relaxed);
      if (first >= items_ || first > failed_.load(std::memory_order_relaxed)) return;
      try {
        body(first, std::min(first + part_, items_));
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (first >= failed_.load(std::memory_order_relaxed)) continue;
        failed_.store(first, std::memory_order_relaxed);
        failure_ = std::current_exception();
      }
    }
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::size_t items_, part_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> failed_;  ///< first item of the first failed chunk
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

ThreadLimit::ThreadLimit(int count, bool loops_of_any_size)
    : count_before_(thread_limit), any_size_before_(limit_is_for_any_size) {
  require_count(count);
  thread_limit = count;
  limit_is_for_any_size = loops_of_any_size;
}

ThreadLimit::~ThreadLimit() {
  thread_limit = count_before_;
  limit_is_for_any_size = any_size_before_;
}

struct Threads::Impl {
  explicit Impl(int count) : arena(count) {
    // More threads than cores are allowed on request.
    if (count > tbb::info::default_concurrency())
      more.emplace(tbb::global_control::max_allowed_parallelism, count);
  }

  std::optional<tbb::global_control> more;
  tbb::task_arena arena;
};

std::shared_ptr<const Threads> Threads::make(int count, std::size_t items) {
  require_count(count);
  if (count == 0) count = thread_limit;
  if (count == 0)
    count = items < least_items_for_threads ? 1 : std::min(tbb::info::default_concurrency(), max_threads);
  if (count == 1) return nullptr;
  return std::shared_ptr<const Threads>(new Threads(count, limit_is_for_any_size));
}

Threads::Threads(int count, bool any_size)
    : count_(count), any_size_(any_size), impl_(std::make_unique<Impl>(count)) {}

Threads::~Threads() = default;

void Threads::run(std::size_t items, std::size_t grain, const void* body, Part part) const {
  const std::size_t even = items / (parts_of_thread * count_) + 1;
  Loop loop(items, any_size_ ? even : std::max(grain, even));
  const auto work = [&] { loop.work([&](std::size_t first, std::size_t last) { part(body, first, last); }); };
  run_in_each(&work, [](const void* object) { (*static_cast<const decltype(work)*>(object))(); });
  loop.rethrow();
}

void Threads::run_in_each(const void* body, Whole whole) const {
  // Rounding mode and treatment of denormals as in this thread.
  tbb::task_group_context context(
      tbb::task_group_context::isolated,
      tbb::task_group_context::default_traits | tbb::task_group_context::fp_settings);
  impl_->arena.execute([&] {
    tbb::parallel_for(
        0, count_, [&](int) { whole(body); }, tbb::simple_partitioner(), context);
  });
}

}  // namespace picus
