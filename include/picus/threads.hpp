#pragma once

/// Threads of a run. Loops over elements, contacts and rows of matrices are cut into parts, which threads take one after the other.
/// Parts write to places of their own, and sums are taken in the order of the elements, so that results have the same bits
/// for any number of threads.
///
/// A System has the threads of its run; the loops of small models stay in the thread that calls them.

#include <cstddef>
#include <memory>

namespace picus {

/// What a System takes that is made in this thread while it lives, where nothing else is said: programs with several runs at the
/// same time share out the cores by it.
class ThreadLimit {
 public:
  /// `count` as System has it, 0 included. `loops_of_any_size`: also loops that are too short to pay; for tests. Throws OptionError
  /// for less than 0 and more than 256.
  explicit ThreadLimit(int count, bool loops_of_any_size = false);
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;
  /// What held before holds again.
  ~ThreadLimit();

 private:
  int count_before_;
  bool any_size_before_;
};

class Threads {
 public:
  /// Those of a run of `items` elements: `count` as System has it; null for one. Throws OptionError for less than 0 and more than 256.
  static std::shared_ptr<const Threads> make(int count, std::size_t items);

  ~Threads();
  /// How many there are, that of the caller included; at least 2.
  int count() const { return count_; }

  /// Calls body(first, last) for parts of 0 ... items, of `grain` items and more, from several threads; for all of them at once
  /// where they are no more than that. Of the exceptions that parts throw, that of the first part goes on to the caller, the same
  /// for any number of threads where a part stops at its first one.
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

  /// Calls body() from all threads that are at hand, at least from that of the caller. It must end in one that is alone.
  template <class Body>
  void for_each_thread(const Body& body) const {
    run_in_each(&body, [](const void* object) { (*static_cast<const Body*>(object))(); });
  }

  /// Whether loops of any size are cut.
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

/// The loop, in the calling thread where `threads` is null.
template <class Body>
void for_parts(const Threads* threads, std::size_t items, std::size_t grain, const Body& body) {
  if (threads == nullptr) {
    body(std::size_t{0}, items);
  } else {
    threads->for_parts(items, grain, body);
  }
}

}  // namespace picus
