#include <picus/solvers/contact/block_kernels.hpp>

#include <cstring>

// Processors of the last ten years have instructions for four values at once, with product and sum in one, but programs
// may only use them after a question. A compiler that is told to use them everywhere would make a program for these only.
#if defined(__x86_64__) && defined(__GNUC__)
#define PICUS_HAS_WIDE_KERNELS 1
#define PICUS_WIDE __attribute__((target("avx2,fma")))
#endif
#define PICUS_INLINE inline __attribute__((always_inline))

namespace picus::solvers {
namespace {

/// Lowered to two vectors of two where there are no wider ones.
using Four = double __attribute__((vector_size(32)));

PICUS_INLINE void load(Four& to, const double* from) {
  std::memcpy(&to, from, sizeof(Four));
}
PICUS_INLINE void store(double* to, const Four& from) {
  std::memcpy(to, &from, sizeof(Four));
}

PICUS_INLINE void subtract_products(std::span<const BlockEntry> factors, const double* values,
                                    const double* b, double* column) {
  const double b_00 = b[0], b_10 = b[1], b_20 = b[2];
  const double b_01 = b[4], b_11 = b[5], b_21 = b[6];
  const double b_02 = b[8], b_12 = b[9], b_22 = b[10];
  for (const BlockEntry& factor : factors) {
    const double* const a = values + factor.first;
    double* const c = column + factor.position * padded_values;
    Four a_0, a_1, a_2, c_0, c_1, c_2;
    load(a_0, a);
    load(a_1, a + 4);
    load(a_2, a + 8);
    load(c_0, c);
    load(c_1, c + 4);
    load(c_2, c + 8);
    c_0 -= a_0 * b_00;
    c_1 -= a_0 * b_01;
    c_2 -= a_0 * b_02;
    c_0 -= a_1 * b_10;
    c_1 -= a_1 * b_11;
    c_2 -= a_1 * b_12;
    c_0 -= a_2 * b_20;
    c_1 -= a_2 * b_21;
    c_2 -= a_2 * b_22;
    store(c, c_0);
    store(c + 4, c_1);
    store(c + 8, c_2);
  }
}

PICUS_INLINE void subtract_vectors(std::span<const BlockEntry> factors, const double* values, const double* x,
                                   double* vector) {
  const double x_0 = x[0], x_1 = x[1], x_2 = x[2];
  for (const BlockEntry& factor : factors) {
    const double* const a = values + factor.first;
    double* const y = vector + factor.position * padded_rows;
    Four a_0, a_1, a_2, y_0;
    load(a_0, a);
    load(a_1, a + 4);
    load(a_2, a + 8);
    load(y_0, y);
    y_0 -= a_0 * x_0;
    y_0 -= a_1 * x_1;
    y_0 -= a_2 * x_2;
    store(y, y_0);
  }
}

constexpr BlockKernels plain = {[](std::span<const BlockEntry> factors, const double* values, const double* b,
                                   double* column) { subtract_products(factors, values, b, column); },
                                [](std::span<const BlockEntry> factors, const double* values, const double* x,
                                   double* vector) { subtract_vectors(factors, values, x, vector); }};

#ifdef PICUS_HAS_WIDE_KERNELS
PICUS_WIDE void subtract_products_wide(std::span<const BlockEntry> factors, const double* values,
                                       const double* b, double* column) {
  subtract_products(factors, values, b, column);
}
PICUS_WIDE void subtract_vectors_wide(std::span<const BlockEntry> factors, const double* values,
                                      const double* x, double* vector) {
  subtract_vectors(factors, values, x, vector);
}
constexpr BlockKernels wide = {subtract_products_wide, subtract_vectors_wide};
const bool is_wide = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
#else
constexpr BlockKernels wide = plain;
constexpr bool is_wide = false;
#endif

}  // namespace

const BlockKernels& plain_block_kernels() {
  return plain;
}

const BlockKernels& block_kernels() {
  return is_wide ? wide : plain;
}

}  // namespace picus::solvers
