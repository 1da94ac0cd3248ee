#pragma once

/// The order in which Gauss-Seidel sweeps visit contacts. Few contacts are visited in the order of their numbers; many
/// by a graph colouring: contacts of one colour are not coupled, so that they can be processed in parallel, and the
/// order is the same for any number of threads.

#include <picus/solvers/contact/delassus_operator.hpp>
#include <picus/threads.hpp>

#include <atomic>
#include <span>
#include <thread>
#include <vector>

namespace picus::solvers {

class ContactOrder {
 public:
  /// Determines the order for the contacts of W.
  void build(const DelassusOperator& W);
  /// Whether contacts are visited by colour.
  bool has_colours() const { return !first_task_.empty(); }
  /// Number of tasks: groups of consecutive contacts of one colour.
  std::size_t task_count() const { return tasks_.size(); }

  /// Calls visit(task, contact) for all contacts, one colour after the other, from several threads unless `threads` is
  /// null.
  template <class Visit>
  void visit(const Threads* threads, const Visit& visit) const {
    if (threads == nullptr) {
      for (std::size_t i = 0; i < tasks_.size(); ++i) run(i, visit);
      return;
    }
    std::atomic<std::size_t> next = 0;
    std::atomic<std::size_t> done = 0;
    threads->for_each_thread([&] {
      for (std::size_t i = next++; i < tasks_.size(); i = next++) {
        constexpr int patience = 2000;  // polls before the core is yielded
        for (int looks = 0; done.load(std::memory_order_acquire) < first_task_[tasks_[i].colour]; ++looks) {
          if (looks > patience) std::this_thread::yield();
        }
        run(i, visit);
        done.fetch_add(1, std::memory_order_release);
      }
    });
  }

 private:
  struct Task {
    Index colour;
    Index first, last;  ///< indices into order_
  };
  template <class Visit>
  void run(std::size_t i, const Visit& visit) const {
    for (Index k = tasks_[i].first; k < tasks_[i].last; ++k) visit(i, order_[k]);
  }
  void find_colours(const DelassusOperator& W);

  std::vector<Index> colour_;  ///< colour of each contact
  std::vector<Index> order_;   ///< contacts sorted by colour
  std::vector<Task> tasks_;
  std::vector<std::size_t> first_task_;  ///< first task of each colour
};

}  // namespace picus::solvers
