#pragma once

/// Counts every allocation of the process, including those of libraries, by replacing malloc, weakly, so that several
/// sources of a program may do so. PICUS_COUNTS_ALLOCATIONS is defined if that is possible.

#include <cerrno>
#include <cstddef>
#include <cstdlib>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define PICUS_COUNTS_ALLOCATIONS 1

namespace picus::support {
inline bool is_counting = false;
inline long allocations = 0;

inline void count_allocation() {
  if (is_counting) ++allocations;
}

/// Number of allocations of one call.
template <class Action>
long allocations_of(Action&& action) {
  allocations = 0;
  is_counting = true;
  action();
  is_counting = false;
  return allocations;
}
}  // namespace picus::support

// The names under which glibc provides its own functions to replacements, and those of its functions: they are not ours.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming,misc-definitions-in-headers,readability-inconsistent-declaration-parameter-name)
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t number, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

[[gnu::weak]] void* malloc(std::size_t size) {
  picus::support::count_allocation();
  return __libc_malloc(size);
}
[[gnu::weak]] void* calloc(std::size_t number, std::size_t size) {
  picus::support::count_allocation();
  return __libc_calloc(number, size);
}
[[gnu::weak]] void* realloc(void* old, std::size_t size) {
  picus::support::count_allocation();
  return __libc_realloc(old, size);
}
[[gnu::weak]] void* aligned_alloc(std::size_t alignment, std::size_t size) {
  picus::support::count_allocation();
  return __libc_memalign(alignment, size);
}
[[gnu::weak]] int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  picus::support::count_allocation();
  *result = __libc_memalign(alignment, size);
  return *result == nullptr ? ENOMEM : 0;
}
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming,misc-definitions-in-headers,readability-inconsistent-declaration-parameter-name)
#endif
