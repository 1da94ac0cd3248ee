#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace picus {

/// Numbers below 2e-308 count as zero while this lives. They mean nothing in mechanics, but where a disturbance dies away
/// along a long structure a processor spends a hundred times longer on each. Without effect on processors other than x86.
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

}  // namespace picus
