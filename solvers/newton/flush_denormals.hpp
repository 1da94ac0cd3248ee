#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace picus::solvers {

/// During the lifetime of such an object denormal numbers, below 2e-308, are treated as zero. They have no meaning in
/// mechanics, but arithmetic with them is a hundred times slower, e.g. where a disturbance decays along a long
/// structure. No effect on processors other than x86.
class FlushDenormals {
 public:
#if defined(__SSE2__)
  FlushDenormals() : before_(_mm_getcsr()) {
    _mm_setcsr(before_ | flush_to_zero | denormals_are_zero);
  }
  ~FlushDenormals() {
    _mm_setcsr(before_);
  }
#else
  FlushDenormals() {}
  ~FlushDenormals() {}
#endif
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

#if defined(__SSE2__)
 private:
  static constexpr unsigned flush_to_zero = 0x8000;
  static constexpr unsigned denormals_are_zero = 0x0040;
  unsigned before_;
#endif
};

}  // namespace picus::solvers
