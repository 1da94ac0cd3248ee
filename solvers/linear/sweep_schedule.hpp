#pragma once

/// Parallel Gauss-Seidel sweeps with the same sums as sequential ones. Consecutive lines of a sparse matrix that are
/// coupled (three components of a node, nodes of an edge of a mesh) form blocks; a block depends on the preceding
/// blocks with which it shares entries. Tasks, of one block or several independent ones, are started level by level:
/// when a task is started, all tasks on which it depends have been started before, so that a single thread also
/// terminates.

#include <picus/sparse_matrix.hpp>
#include <picus/threads.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

namespace picus::solvers {

class SweepSchedule {
 public:
  /// For the lines (columns or rows) of a matrix, with the position of each diagonal entry. `threads` null: sequential.
  void build(const Threads* threads, const SparseMatrix& lines, std::span<const Index> diagonal);
  /// Whether sweeps are parallel: tasks are large enough, and enough of them are independent.
  bool is_parallel() const { return threads_ != nullptr; }

  /// Calls sweep(first, last) for ranges of lines, each after the lower ones with which it shares entries.
  template <class Sweep>
  void forward(const Sweep& sweep) const {
    run_tasks([&](Index i) { run(i, before_, sweep); });
  }
  /// The same, each after the higher ones; lines of a range are to be swept backward.
  template <class Sweep>
  void backward(const Sweep& sweep) const {
    const Index last = task_count() - 1;
    run_tasks([&](Index i) { run(last - i, after_, sweep); });
  }

 private:
  struct Range {
    Index first;
    Index last;
  };
  /// Concatenated lists.
  struct Lists {
    std::vector<Index> start = {0};
    std::vector<Index> entries;
    std::span<const Index> operator[](Index i) const {
      return std::span(entries).subspan(start[i], start[i + 1] - start[i]);
    }
    void append(std::span<const Index> list);
  };
  /// Blocks of lines, used while the schedule is built.
  struct Blocks {
    std::vector<Range> lines;
    std::vector<std::vector<Index>> before;  ///< blocks on which each one depends, ascending
    std::vector<Index> level;
  };

  static Blocks find_blocks(const SparseMatrix& lines, std::span<const Index> diagonal);
  std::vector<Index> make_tasks(const SparseMatrix& lines, const Blocks& blocks);
  void link_tasks(const Blocks& blocks, std::span<const Index> task_of_block);
  bool is_worthwhile(const SparseMatrix& lines) const;

  Index task_count() const { return count_of(first_range_) - 1; }

  template <class Run>
  void run_tasks(const Run& run_task) const {
    const Index count = task_count();
    ++sweep_;
    next_.store(0, std::memory_order_relaxed);
    threads_->for_each_thread([&] {
      for (Index i = next_.fetch_add(1, std::memory_order_relaxed); i < count;
           i = next_.fetch_add(1, std::memory_order_relaxed))
        run_task(i);
    });
  }

  template <class Sweep>
  void run(Index task, const Lists& waits_for, const Sweep& sweep) const {
    constexpr int patience = 2000;  // polls before the core is yielded
    for (const Index other : waits_for[task]) {
      for (int looks = 0; done_[other].load(std::memory_order_acquire) != sweep_; ++looks) {
        if (looks > patience) std::this_thread::yield();
      }
    }
    for (Index r = first_range_[task]; r < first_range_[task + 1]; ++r)
      sweep(ranges_[r].first, ranges_[r].last);
    done_[task].store(sweep_, std::memory_order_release);
  }

  const Threads* threads_ = nullptr;
  std::vector<Range> ranges_;
  std::vector<Index> first_range_ = {0};  ///< of each task, and the end
  Lists before_, after_;                  ///< the tasks on which each one depends, forward and backward
  mutable std::uint32_t sweep_ = 0;       ///< number of the present sweep
  mutable std::atomic<Index> next_{0};
  mutable std::unique_ptr<std::atomic<std::uint32_t>[]>
      done_;  ///< the last sweep in which each task was completed
};

}  // namespace picus::solvers
