#pragma once

/// The loop over the elements of a model in one of their roles, executed by the threads of a run.

#include <picus/element.hpp>
#include <picus/threads.hpp>

#include <algorithm>
#include <exception>
#include <vector>

namespace picus {

class ElementLoop {
 public:
  /// Executes in the calling thread.
  ElementLoop() = default;
  /// For `elements`, whose entries have a member `element`. The threads must outlive the loop; null: the calling
  /// thread.
  template <class Elements>
  ElementLoop(const Threads* threads, const Elements& elements) : threads_(threads) {
    if (threads == nullptr) return;
    std::size_t i = 0;
    for (const auto& entry : elements) {
      if (entry.element->is_evaluated_serially()) serial_.push_back(i);
      ++i;
    }
  }

  /// The threads of the loop; null: the calling thread.
  const Threads* threads() const { return threads_; }

  /// Calls visit(i) for the elements first ... last - 1. Of several exceptions that of the first element is rethrown.
  template <class Visit>
  void for_each(std::size_t first, std::size_t last, const Visit& visit) const {
    if (threads_ == nullptr) {
      for (std::size_t i = first; i < last; ++i) visit(i);
    } else if (serial_.empty()) {
      visit_parallel(first, last, visit);
    } else {
      visit_all(first, last, visit);
    }
  }

 private:
  /// Smallest number of elements for which a further thread pays off: some microseconds of work.
  static constexpr std::size_t grain = 32;

  template <class Visit>
  void visit_parallel(std::size_t first, std::size_t last, const Visit& visit) const {
    threads_->for_parts(last - first, grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = first + begin; i < first + end; ++i) visit(i);
    });
  }

  template <class Visit>
  void visit_all(std::size_t first, std::size_t last, const Visit& visit) const {
    std::exception_ptr failure;
    for (auto i = std::ranges::lower_bound(serial_, first); i != serial_.end() && *i < last; ++i) {
      try {
        visit(*i);
      } catch (...) {
        failure = std::current_exception();
        last = *i;  // earlier ones may fail, too
        break;
      }
    }
    visit_parallel(first, last, [&](std::size_t i) {
      if (!std::ranges::binary_search(serial_, i)) visit(i);
    });
    if (failure) std::rethrow_exception(failure);
  }

  const Threads* threads_ = nullptr;
  std::vector<std::size_t> serial_;  ///< ascending
};

}  // namespace picus
