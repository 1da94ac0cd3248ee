// The solver for many contacts on problems of the Frictional Contact Library, from zero impulses.

#include <picus/friction_problem.hpp>
#include <picus/solvers/contact/contact_solver.hpp>
#include <picus/solvers/contact/sparse_contacts.hpp>
#include <support/random.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

namespace picus::fclib_test {
namespace {

using solvers::ContactSolver;
using solvers::DelassusOperator;

const char* const files[] = {"LMGC_100_PR_PerioBox-i00361-60-03000.hdf5", "Box_Stacks-i0122-82-5.hdf5",
                             "spheres-in-a-box-98-i10000-256-10.hdf5", "Capsules-i125-1213.hdf5",
                             "Spheres-i099-356-679.hdf5"};

FrictionProblem read(const char* file) {
  return read_friction_problem(std::filesystem::path(PICUS_FCLIB) / file);
}

/// u = W r + q
Vector motion(const FrictionProblem& problem, const Vector& r) {
  Vector u = problem.q;
  for (Index column = 0; column < problem.W.size; ++column) {
    for (Index k = problem.W.column_start[column]; k < problem.W.column_start[column + 1]; ++k)
      u[problem.W.row[k]] += problem.W.values[k] * r[column];
  }
  return u;
}

/// The nearest point of the cone |x_T| <= mu x_N.
Vec3 project(const Vec3& x, double mu) {
  const double length = std::hypot(x[1], x[2]);
  if (length <= mu * x[0]) return x;
  if (mu * length <= -x[0]) return Vec3::Zero();
  const double normal = (x[0] + mu * length) / (1.0 + mu * mu);
  return {normal, mu * normal * x[1] / length, mu * normal * x[2] / length};
}

/// Residuals of the natural map F = r - P_K(r - rho (u + mu |u_T| e_N)), the conditions of contact and friction in de
/// Saxce's form.
struct Residuals {
  double of_fclib = 0.0;   ///< |F| / |q| with rho = 1, the measure of FCLIB and Siconos
  double of_speeds = 0.0;  ///< |F / rho| / |q| with rho = 3 / trace(W) of each contact, which has a unit
};

Residuals residuals(const FrictionProblem& problem, const Vector& r) {
  Vector mass(problem.mu.size());
  for (Index c = 0; c < problem.mu.size(); ++c) {
    double trace = 0.0;
    for (Index i = 3 * c; i < 3 * c + 3; ++i) trace += problem.W.values[problem.W.find(i, i)];
    mass[c] = 3.0 / trace;
  }
  const Vector u = motion(problem, r);
  double plain = 0.0, scaled = 0.0;
  for (Index c = 0; c < problem.mu.size(); ++c) {
    const double mu = problem.mu[c];
    const Vec3 P = r.segment<3>(3 * c);
    Vec3 v = u.segment<3>(3 * c);
    v[0] += mu * std::hypot(v[1], v[2]);
    plain += (P - project(P - v, mu)).squaredNorm();
    scaled += (P - project(P - mass[c] * v, mu)).squaredNorm() / (mass[c] * mass[c]);
  }
  return {std::sqrt(plain) / problem.q.norm(), std::sqrt(scaled) / problem.q.norm()};
}

struct Solution {
  bool converged = false;
  Vector r;
};

Solution solve(const FrictionProblem& problem, double tolerance) {
  const DelassusOperator W = solvers::make_delassus_operator(problem.W, 3);
  const auto cones = solvers::make_contact_cones(W, problem.mu);
  const double speed = tolerance * problem.q.norm() / std::sqrt(static_cast<double>(problem.q.size()));
  Solution solution{.r = Vector::Zero(problem.q.size())};
  ContactSolver solver;
  solution.converged =
      solver.solve({cones, W, problem.q, solvers::make_contact_weights(cones, speed)}, solution.r).converged;
  return solution;
}

/// Adds another motion of the bodies, this fraction of the given one: a solution exists if it did before.
void disturb(FrictionProblem& problem, double part, support::Random& random) {
  Vector change = motion(problem, random.vector(problem.q.size())) - problem.q;
  problem.q += part * problem.q.norm() / change.norm() * change;
}

TEST(ContactsOfFclib, AreSolvedToTenDigits) {
  for (const char* const file : files) {
    SCOPED_TRACE(file);
    const FrictionProblem problem = read(file);
    const Solution solution = solve(problem, 1e-10);
    EXPECT_TRUE(solution.converged);
    const Residuals left = residuals(problem, solution.r);
    // The residuals of the law and of the map agree to a factor of a few.
    EXPECT_LE(left.of_speeds, 3e-10);
    EXPECT_LE(left.of_fclib, 3e-10);
  }
}

// In the jammed problem sweeps and Newton's method stall, and report the residual of where they end; the others solve it
// from there.
TEST(ContactsOfFclib, AreSolvedThoroughlyFromWhereNewtonsMethodStalls) {
  const FrictionProblem problem = read(files[2]);
  const DelassusOperator W = solvers::make_delassus_operator(problem.W, 3);
  const auto cones = solvers::make_contact_cones(W, problem.mu);
  const double speed = 1e-8 * problem.q.norm() / std::sqrt(static_cast<double>(problem.q.size()));
  const Vector weight = solvers::make_contact_weights(cones, speed);
  Vector r = Vector::Zero(problem.q.size());
  ContactSolver solver;
  EXPECT_FALSE(solver.solve_by_sweeps({cones, W, problem.q, weight}, r).converged);
  const auto by_newton = solver.solve_by_newton({cones, W, problem.q, weight}, r);
  EXPECT_FALSE(by_newton.converged);
  EXPECT_EQ(by_newton.interior_point_iterations + by_newton.proximal_iterations, 0);
  Vector y(r.size()), residual(r.size());
  const double left = solvers::weighted_residual({cones, W, problem.q, weight}, r, y, residual).worst;
  EXPECT_DOUBLE_EQ(by_newton.residual, left);
  const auto thorough = solver.solve_thoroughly({cones, W, problem.q, weight}, r);
  EXPECT_TRUE(thorough.converged);
  EXPECT_EQ(thorough.sweeps, 0);
  EXPECT_LE(residuals(problem, r).of_speeds, 3e-8);
}

/// How many of ten variants of the spheres in a box, wedged between walls by a multiple of their friction, are solved.
int count_solved_jams(double factor) {
  support::Random random(7);
  int solved = 0;
  for (int k = 0; k < 10; ++k) {
    FrictionProblem problem = read(files[2]);
    problem.mu *= factor;
    disturb(problem, 0.02 * k, random);
    const Solution solution = solve(problem, 1e-8);
    if (!solution.converged) continue;
    ++solved;
    EXPECT_LE(residuals(problem, solution.r).of_speeds, 3e-8) << k;
  }
  return solved;
}

// Sweeps, Newton's iteration and one interior point solve one or two of ten.
TEST(ContactsOfFclib, AreMostlySolvedAlsoWhereTheyJam) {
  EXPECT_GE(count_solved_jams(4.0), 9);
}

// The paths of the interior-point method turn back: from two initial points six of ten are solved.
TEST(ContactsOfFclib, AreSolvedFromOneOfTwoPointsWhereTheyJamMore) {
  EXPECT_GE(count_solved_jams(8.0), 4);
}

TEST(ContactsOfFclib, AreSolvedWithOtherFrictionAndOtherMotion) {
  support::Random random(1);
  int solved = 0, cases = 0;
  for (const char* const file : files) {
    const FrictionProblem given = read(file);
    for (const double factor : {0.0, 0.3, 1.0, 2.0}) {
      for (int k = 0; k < 3; ++k) {
        FrictionProblem problem = given;
        problem.mu *= factor;
        disturb(problem, 0.06 * k, random);
        ++cases;
        const Solution solution = solve(problem, 1e-8);
        if (!solution.converged) continue;
        ++solved;
        EXPECT_LE(residuals(problem, solution.r).of_speeds, 3e-8)
            << file << ", mu times " << factor << ", case " << k;
      }
    }
  }
  EXPECT_GE(solved, cases - 1) << "of " << cases;
}

}  // namespace
}  // namespace picus::fclib_test
