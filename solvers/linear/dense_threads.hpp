#pragma once

namespace picus::solvers {

/// Restricts the dense kernels (OpenBLAS) of the whole program to one thread while any such object exists: with more
/// threads, sums depend on their number, and the cores are already used by the loops and runs of Picus. The previous
/// setting is restored when the last object is destroyed.
class OneDenseThread {
 public:
  OneDenseThread();
  ~OneDenseThread();
  OneDenseThread(const OneDenseThread&) = delete;
  OneDenseThread& operator=(const OneDenseThread&) = delete;
};

}  // namespace picus::solvers
