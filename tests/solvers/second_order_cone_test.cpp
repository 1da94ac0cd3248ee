#include <picus/solvers/contact/second_order_cone.hpp>
#include <support/random.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace picus::second_order_cone_test {

using solvers::ConeMatrix;
using solvers::ConeVector;
using solvers::jordan_product;
using solvers::jordan_quotient;
using solvers::NesterovTodd;
using solvers::step_to_boundary;

namespace {

using support::Random;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Calls check(rows, a point of its size) for sizes known at compile time and not.
template <class Check>
void for_each_size(const Check& check) {
  for (Index n = 1; n <= 6; ++n) check.template operator()<Eigen::Dynamic>(n);
  check.template operator()<3>(3);
}

/// A point whose distance from the boundary is `distance` of its length.
template <int Size>
ConeVector<Size> inner_point(Random& random, Index n, double distance) {
  ConeVector<Size> x = random.vector(n);
  x[0] = (1.0 + distance) * x.tail(n - 1).norm() + (n == 1 ? 1.0 : 0.0);
  return std::pow(10.0, random.uniform(-3, 3)) * x;
}

TEST(JordanAlgebra, QuotientsUndoProducts) {
  Random random(61);
  for_each_size([&]<int Size>(Index n) {
    for (const double distance : {1.0, 1e-3}) {
      const ConeVector<Size> x = inner_point<Size>(random, n, distance);
      const ConeVector<Size> u = random.vector(n);
      const ConeVector<Size> y = jordan_product<Size>(x, u);
      EXPECT_NEAR(y[0], x.dot(u), 8 * epsilon * x.norm() * u.norm());
      // The condition number of the product is 2 / distance.
      EXPECT_LE((jordan_quotient<Size>(x, y) - u).norm(), 16 * epsilon / distance * u.norm())
          << n << ", " << distance;
      EXPECT_LE((y - jordan_product<Size>(u, x)).norm(), 8 * epsilon * x.norm() * u.norm());
    }
  });
}

/// W is symmetric with W z = W^-1 p, and all of its functions belong to one matrix.
TEST(NesterovToddScaling, MapsOnePointToTheOther) {
  Random random(62);
  for_each_size([&]<int Size>(Index n) {
    for (const double distance : {1.0, 1e-4}) {
      const ConeVector<Size> p = inner_point<Size>(random, n, distance);
      const ConeVector<Size> z = inner_point<Size>(random, n, 1.0);
      const NesterovTodd<Size> W(p, z);
      ASSERT_TRUE(W.is_finite());
      // Determinants cancel to `distance`, and appear under roots and in the conditions of W and W^2.
      const double tolerance = 64 * epsilon / (distance * distance);
      const ConeVector<Size> lambda = W.times(z);
      EXPECT_LE((lambda - W.solve(p)).norm(), tolerance * lambda.norm()) << n << ", " << distance;
      ConeMatrix<Size> dense(n, n), inverse(n, n);
      for (Index i = 0; i < n; ++i) {
        dense.col(i) = W.times(ConeVector<Size>::Unit(n, i));
        inverse.col(i) = W.solve(ConeVector<Size>::Unit(n, i));
      }
      EXPECT_LE((dense - dense.transpose()).norm(), 8 * epsilon * dense.norm());
      EXPECT_LE((dense * inverse - ConeMatrix<Size>::Identity(n, n)).norm(), tolerance)
          << n << ", " << distance;
      EXPECT_LE((inverse * inverse - W.inverse_square()).norm(), tolerance * W.inverse_square().norm());
    }
  });
}

TEST(NesterovToddScaling, IsNotFiniteOutsideOfTheCone) {
  for_each_size([&]<int Size>(Index n) {
    if (n == 1) return;
    const ConeVector<Size> inside = ConeVector<Size>::Unit(n, 0);
    const ConeVector<Size> outside = inside + 2.0 * ConeVector<Size>::Unit(n, 1);
    EXPECT_FALSE(NesterovTodd<Size>(outside, inside).is_finite());
    EXPECT_FALSE(NesterovTodd<Size>(inside, outside).is_finite());
  });
}

TEST(StepToTheBoundary, EndsWhereTheDeterminantVanishes) {
  Random random(63);
  for_each_size([&]<int Size>(Index n) {
    if (n == 1) return;
    const ConeVector<Size> x = inner_point<Size>(random, n, 0.5);
    const ConeVector<Size> dx = -10.0 * x.norm() * ConeVector<Size>(random.vector(n)).cwiseAbs();
    const double a = step_to_boundary<Size>(x, dx, 1.0);
    ASSERT_LT(a, 1.0);
    const ConeVector<Size> end = x + a * dx;
    EXPECT_NEAR(end[0], end.tail(n - 1).norm(), 64 * epsilon * x.norm());
    EXPECT_EQ(step_to_boundary<Size>(x, x, 0.7), 0.7);
  });
}

}  // namespace
}  // namespace picus::second_order_cone_test
