#pragma once

#include <ctime>

namespace picus::models {

/// CPU time used by this thread, s: comparable even if several runs share few cores.
inline double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace picus::models
