#pragma once

namespace picus::solvers {

/// Keeps the dense kernels (OpenBLAS) of the whole program to one thread while any of it lives: with more, sums depend on their
/// number, and the cores are busy with loops and runs of our own. What held before the first holds again after the last.
class OneDenseThread {
 public:
  OneDenseThread();
  ~OneDenseThread();
  OneDenseThread(const OneDenseThread&) = delete;
  OneDenseThread& operator=(const OneDenseThread&) = delete;
};

}  // namespace picus::solvers
