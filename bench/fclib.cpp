/// Methods for frictional contact on problems in FCLIB format: the residual each attains, and the CPU time from zero
/// impulses.
///
///     bench_fclib FILES...
///
/// One line per method and tolerance; the residual matches the tolerance within a small factor. Residuals are those
/// of the natural map F = r - P_K(r - rho (u + mu |u_T| e_N)), relative to |q|: F / rho with rho the effective mass
/// of each contact, and F with rho = 1, the measure of FCLIB. A minus sign before the residual: the method stagnated
/// above the tolerance. The last line of a problem: the time of a factorisation of W + 1e-3 / k, which such methods
/// need in each iteration, by blocks, by KLU with the pivots of an earlier one and by UMFPACK.

#include <picus/friction_problem.hpp>
#include <picus/solvers/contact/block_elimination.hpp>
#include <picus/solvers/contact/block_matrix.hpp>
#include <picus/solvers/contact/contact_newton.hpp>
#include <picus/solvers/contact/contact_solver.hpp>
#include <picus/solvers/contact/gauss_seidel.hpp>
#include <picus/solvers/contact/interior_point.hpp>
#include <picus/solvers/contact/local_contact.hpp>
#include <picus/solvers/contact/sparse_contacts.hpp>
#include <picus/solvers/linear/klu_solver.hpp>
#include <picus/solvers/linear/umfpack_solver.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace {

using picus::ContactCone;
using picus::FrictionProblem;
using picus::Index;
using picus::max_contact_rows;
using picus::Vector;
using picus::solvers::ContactNewton;
using picus::solvers::ContactSolver;
using picus::solvers::DelassusOperator;
using picus::solvers::GaussSeidel;

constexpr std::array tolerances = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10};

double cpu_time() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Problem {
  std::vector<ContactCone> cones;
  DelassusOperator W;
  Vector q;

  explicit Problem(const FrictionProblem& read)
      : W(picus::solvers::make_delassus_operator(read.W, read.dimension)), q(read.q) {
    cones = picus::solvers::make_contact_cones(W, read.mu);
  }
  Vector weight(double tolerance) const {
    return picus::solvers::make_contact_weights(
        cones, tolerance * q.norm() / std::sqrt(static_cast<double>(q.size())));
  }
  /// Residual of the natural map.
  double residual(const Vector& r, bool with_mass) const;
};

double Problem::residual(const Vector& r, bool with_mass) const {
  double square = 0.0;
  for (Index c = 0; c < picus::count_of(cones); ++c) {
    const ContactCone& cone = cones[c];
    const Index first = cone.first_row;
    Vector u(cone.rows);
    W.evaluate(c, q, r, u.data());
    u[0] += cone.mu * u.tail(cone.rows - 1).norm();
    const Vector mine = r.segment(first, cone.rows);
    const double rho = with_mass ? cone.k : 1.0;
    Vector x = mine - rho * u;
    const double length = x.tail(cone.rows - 1).norm();
    if (cone.mu * length <= -x[0]) {
      x.setZero();
    } else if (length > cone.mu * x[0]) {
      const double normal = (x[0] + cone.mu * length) / (1.0 + cone.mu * cone.mu);
      x.tail(cone.rows - 1) *= cone.mu * normal / length;
      x[0] = normal;
    }
    square += ((mine - x) / rho).squaredNorm();
  }
  return std::sqrt(square) / q.norm();
}

struct Method {
  const char* name;
  std::function<std::string(const Problem&, double, Vector&)> solve;
};

/// Without acceleration, until the largest weighted change in a sweep is below 1.
std::string sweep_plainly(const Problem& problem, double tolerance, Vector& r) {
  constexpr int most = 5000;
  const Vector weight = problem.weight(tolerance);
  std::array<double, max_contact_rows> y{};
  Vector before;
  for (int sweeps = 1;; ++sweeps) {
    before = r;
    for (Index c = 0; c < picus::count_of(problem.cones); ++c) {
      const ContactCone& cone = problem.cones[c];
      double* const P = r.data() + cone.first_row;
      problem.W.evaluate(c, problem.q, r, y.data());
      const double* const own = problem.W.diagonal(c);
      for (Index k = 0; k < cone.rows; ++k) {
        for (Index l = 0; l < cone.rows; ++l) y[l] -= own[k * cone.rows + l] * P[k];
      }
      picus::solvers::solve_local(cone, own, y.data(), P);
    }
    const double change = (r - before).cwiseProduct(weight).lpNorm<Eigen::Infinity>();
    if (change <= 1.0 || sweeps == most) return fmt::format("{} sweeps", sweeps);
  }
}

const std::vector<Method> methods = {
    {"Gauss-Seidel", sweep_plainly},
    {"Gauss-Seidel, accelerated",
     [](const Problem& problem, double tolerance, Vector& r) {
       GaussSeidel sweeps;
       const auto report = sweeps.solve({problem.cones, problem.W, problem.q, problem.weight(tolerance)}, r,
                                        {.max_sweeps = 5000, .patience = 2000});
       return fmt::format("{} sweeps", report.sweeps);
     }},
    {"proximal Newton",
     [](const Problem& problem, double tolerance, Vector& r) {
       ContactNewton newton;
       const auto report = newton.solve({problem.cones, problem.W, problem.q, problem.weight(tolerance)}, r,
                                        {.max_iterations = 200});
       return fmt::format("{} iterations", report.iterations);
     }},
    {"interior point",
     [](const Problem& problem, double tolerance, Vector& r) {
       const auto report = picus::solvers::InteriorPointSolver().solve(problem.cones, problem.W, problem.q, r,
                                                                       {.tolerance = tolerance});
       return fmt::format("{} iterations", report.iterations);
     }},
    {"default", [](const Problem& problem, double tolerance, Vector& r) {
       ContactSolver solver;
       const auto report = solver.solve({problem.cones, problem.W, problem.q, problem.weight(tolerance)}, r);
       return fmt::format("{} sweeps, {} Newton, {} interior point", report.sweeps, report.newton_iterations,
                          report.interior_point_iterations);
     }}};

/// CPU time of each of several factorisations, ms.
template <class Factorize>
double milliseconds_of(const Factorize& factorize) {
  constexpr int repetitions = 20;
  factorize();  // chooses pivots
  const double begin = cpu_time();
  for (int i = 0; i < repetitions; ++i) factorize();
  return 1e3 * (cpu_time() - begin) / repetitions;
}

void measure_factorizations(const Problem& problem) {
  const DelassusOperator& W = problem.W;
  picus::solvers::BlockMatrix matrix;
  matrix.analyze(W);
  picus::solvers::BlockElimination blocks;
  picus::solvers::KluSolver klu(picus::solvers::KluOrdering::symmetric);
  picus::solvers::UmfpackSolver umfpack(0);
  blocks.analyze(matrix.matrix(), matrix.first_rows());
  klu.analyze(matrix.matrix(), 0);
  umfpack.analyze(matrix.matrix(), 0);
  double shift = 1e-3;
  const auto set = [&] {  // other values each time, as unchanged ones are not factorised again
    shift *= 1.01;
    for (Index c = 0; c < W.contact_count(); ++c) {
      const auto entries = W.blocks(c);
      for (Index k = 0; k < picus::count_of(entries); ++k) {
        Eigen::MatrixXd value =
            Eigen::Map<const Eigen::MatrixXd>(W.values(entries[k]), W.rows(c), W.rows(entries[k].contact));
        if (entries[k].contact == c) value.diagonal().array() += shift / problem.cones[c].k;
        matrix.set(W, c, k, value);
      }
    }
  };
  const double setting = milliseconds_of(set);
  const auto factorize = [&](auto& solver) {
    return milliseconds_of([&] {
             set();
             solver.factorize(matrix.matrix());
           }) -
           setting;
  };
  fmt::print("  factorisation: {:.2f} ms by blocks, {:.2f} ms KLU, {:.2f} ms UMFPACK\n", factorize(blocks),
             factorize(klu), factorize(umfpack));
}

void measure(const std::string& path) {
  const FrictionProblem read = picus::read_friction_problem(path);
  const Problem problem(read);
  fmt::print("{}: {} contacts, {} numbers in W\n", path, read.mu.size(), read.W.values.size());
  for (const Method& method : methods) {
    for (const double tolerance : tolerances) {
      Vector r = Vector::Zero(problem.q.size());
      const double begin = cpu_time();
      const std::string work = method.solve(problem, tolerance, r);
      const double end = cpu_time();
      const double residual = problem.residual(r, true);
      fmt::print("  {:<26} {:7.0e} {:>9} {:9.1e} {:9.1f} ms  {}\n", method.name, tolerance,
                 fmt::format("{}{:.1e}", residual > 10.0 * tolerance ? "-" : "", residual),
                 problem.residual(r, false), 1e3 * (end - begin), work);
    }
    std::fflush(stdout);
  }
  measure_factorizations(problem);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    fmt::print("  {:<26} {:>7} {:>9} {:>9} {:>12}\n", "method", "wanted", "residual", "rho = 1", "CPU time");
    for (int i = 1; i < count; ++i) measure(arguments[i]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_fclib: {}\n", error.what());
    return 1;
  }
  return 0;
}
