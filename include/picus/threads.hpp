#pragma once

/// Threads of a run. Loops over elements, contacts and rows of matrices are divided into chunks, which idle threads
/// pick up one after the other. Chunks write to separate memory, and sums are formed in the order of the elements, so
/// that results are bit-identical for any number of threads.
///
/// A System owns the threads of its run; the loops of small models are executed in the calling thread.

#include <cstddef>
#include <memory>

namespace picus {

/// Default number of threads of each System constructed in this thread during the lifetime of the limit: programs with
/// several simultaneous runs use it to divide the cores among them.
class ThreadLimit {
 public:
  /// `count` as for System, including 0. `loops_of_any_size`: divide even loops that are too short for it to pay off;
  /// for tests. Throws OptionError for less than 0 or more than 256.
  explicit ThreadLimit(int count, bool loops_of_any_size = false);
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;
  /// Restores the previous limit.
  ~ThreadLimit();

 private:
  int count_before_;
  bool any_size_before_;
};

class Threads {
 public:
  /// Creates the threads of a run with `items` elements: `count` as for System; null for a single thread. Throws
  /// OptionError for less than 0 or more than 256.
  static std::shared_ptr<const Threads> make(int count, std::size_t items);

  ~Threads();
  /// Number of threads, including that of the caller; at least 2.
  int count() const { return count_; }

  /// Calls body(first, last) for chunks of 0 ... items, of at least `grain` items each, from several threads; for all
  /// items in one call if there are no more than that. Of the exceptions thrown, that of the first chunk is rethrown,
  /// which is the same for any number of threads if a chunk stops at its first exception.
  template <class Body>
  void for_parts(std::size_t items, std::size_t grain, const Body& body) const {
    if (items <= (any_size_ ? 1 : grain)) {
      if (items > 0) body(std::size_t{0}, items);
      return;
    }
    run(items, grain, &body, [](const void* object, std::size_t first, std::size_t last) {
      (*static_cast<const Body*>(object))(first, last);
    });
  }

  /// Calls body() from all available threads, at least from that of the caller. It must also terminate if called by a
  /// single thread.
  template <class Body>
  void for_each_thread(const Body& body) const {
    run_in_each(&body, [](const void* object) { (*static_cast<const Body*>(object))(); });
  }

  /// Whether loops of any size are divided.
  bool takes_any_size() const { return any_size_; }

 private:
  struct Impl;
  using Part = void (*)(const void* body, std::size_t first, std::size_t last);
  using Whole = void (*)(const void* body);

  Threads(int count, bool any_size);
  void run(std::size_t items, std::size_t grain, const void* body, Part part) const;
  void run_in_each(const void* body, Whole whole) const;

  int count_;
  bool any_size_;
  std::unique_ptr<Impl> impl_;
};

/// Threads::for_parts, in the calling thread if `threads` is null.
template <class Body>
void for_parts(const Threads* threads, std::size_t items, std::size_t grain, const Body& body) {
  if (threads == nullptr) {
    body(std::size_t{0}, items);
  } else {
    threads->for_parts(items, grain, body);
  }
}

}  // namespace picus
