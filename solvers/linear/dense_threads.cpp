#include <picus/solvers/linear/dense_threads.hpp>

#include <mutex>

#ifdef PICUS_HAVE_OPENBLAS
#include <cblas.h>
#endif

namespace picus::solvers {

#ifdef PICUS_HAVE_OPENBLAS

namespace {

std::mutex dense_threads_mutex;
int dense_threads_users = 0;
int dense_threads_before = 1;

}  // namespace

OneDenseThread::OneDenseThread() {
  const std::lock_guard lock(dense_threads_mutex);
  if (dense_threads_users++ > 0) return;
  dense_threads_before = openblas_get_num_threads();
  if (dense_threads_before != 1) openblas_set_num_threads(1);
}

OneDenseThread::~OneDenseThread() {
  const std::lock_guard lock(dense_threads_mutex);
  if (--dense_threads_users == 0 && dense_threads_before != 1) openblas_set_num_threads(dense_threads_before);
}

#else

OneDenseThread::OneDenseThread() = default;
OneDenseThread::~OneDenseThread() = default;

#endif

}  // namespace picus::solvers
