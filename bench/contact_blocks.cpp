/// The time of a step of a flexible cube with many frictional contacts, and its breakdown:
///
///     bench_contact_blocks [automatic|direct|alternatives]      (all of them unless one is named)
///
/// automatic       with the solvers that are chosen by default
/// direct          the same steps with LU factorisations of the whole matrix in the position and velocity problems
/// alternatives    one matrix of a position problem solved in several ways
///
/// The cube of Galvez 2020, section 3.3.4 (E = 90 Pa, nu = 0.3, 1 kg/m3, 0.1 m, Saint Venant-Kirchhoff), of 5 x 5 x 5,
/// 10 x 10 x 10 and 20 x 20 x 20 hexahedra, as it touches down on a plane with friction (mu = 0.3).

#include "linear_times.hpp"
#include "scenes.hpp"
#include <picus/models/study/thread_clock.hpp>
#include <picus/solvers/linear/gmres_solver.hpp>
#include <picus/solvers/linear/umfpack_solver.hpp>

#include <Eigen/LU>
#include <Eigen/SparseCore>
#include <cholmod.h>
#include <fmt/format.h>
#include <umfpack.h>

#include <array>
#include <cstdio>
#include <exception>
#include <string>

namespace {

using namespace picus;
using models::thread_seconds;
using picus::solvers::GmresSolver;
using picus::solvers::UmfpackSolver;

/// The steps in which contacts open and close: `skipped` ones precede them.
struct Window {
  double h;
  int skipped, steps;
};

void print_head() {
  fmt::print(
      "columns: start s, ms a step; Newton iterations in the three sub-problems, factorisations and inner "
      "iterations a "
      "step; factorisations and solves, ms a step, and their share; open, sticking and slipping contacts\n");
  fmt::print(
      "{:>8} {:>8} {:>6} {:>8} {:>6} {:>9} | {:>6} {:>8} {:>8} | {:>7} {:>6} | {:>9} {:>9} {:>6} | {:>12}\n",
      "elements", "unknowns", "h", "solver", "start", "step", "smooth", "position", "velocity", "factor.",
      "inner", "factor.", "solves", "share", "contacts");
}

struct Cube {
  explicit Cube(Index divisions)
      : elements(divisions * divisions * divisions), model(bench::make_landing_cube(divisions)) {}
  Index elements;
  Model model;
};

void measure(const Cube& cube, const Window& window, LinearSolverKind kind) {
  System system(cube.model);
  DecoupledNsga first({.step = window.h});
  const double begin = thread_seconds();
  State state = first.start(system);
  const double start = thread_seconds() - begin;
  for (int i = 0; i < window.skipped; ++i) first.step(state);

  Profile profile(thread_seconds);
  system.set_profile(&profile);
  std::string solver;
  DecoupledNsga integrator({.step = window.h,
                            .linear_solver = kind,
                            .wrap_linear_solver = [&](std::unique_ptr<LinearSolver> inner) {
                              solver = inner->name();  // the last one is that of the velocity problem
                              return inner;
                            }});
  integrator.start(system);
  const auto total = [&](auto LinearSolverStatistics::*count) {
    std::int64_t sum = 0;
    for (int i = 0; i < 3; ++i) sum += integrator.linear_statistics(i).*count;
    return static_cast<double>(sum);
  };
  const bench::LinearTimes of_start = bench::linear_times(profile);
  const double factorizations = total(&LinearSolverStatistics::factorizations);
  const double inner = total(&LinearSolverStatistics::iterations);
  std::array<int, 3> iterations{};
  std::array<int, 3> contacts{};
  const double loop = thread_seconds();
  for (int i = 0; i < window.steps; ++i) {
    const StepReport report = integrator.step(state);
    for (std::size_t k = 0; k < 3; ++k) iterations[k] += report.subproblems[k].iterations;
    for (const ContactState contact : state.contact_state) ++contacts[place_of(contact)];
    for (const int count : report.fallbacks) {
      if (count > 0) fmt::print("a fallback in step {}\n", i + 1);
    }
  }
  const double seconds = thread_seconds() - loop;
  const bench::LinearTimes times = bench::linear_times(profile) - of_start;
  const double n = window.steps;
  fmt::print(
      "{:>8} {:>8} {:>6g} {:>8} {:>6.2f} {:>9.1f} | {:>6.1f} {:>8.1f} {:>8.1f} | {:>7.1f} {:>6.0f} | "
      "{:>9.1f} {:>9.1f} "
      "{:>6.2f} | {:>12}\n",
      cube.elements, system.free_dofs().size() + state.contact_rate.size(), window.h, solver, start,
      1e3 * seconds / n, iterations[0] / n, iterations[1] / n, iterations[2] / n,
      (total(&LinearSolverStatistics::factorizations) - factorizations) / n,
      (total(&LinearSolverStatistics::iterations) - inner) / n, 1e3 * times.factorize / n,
      1e3 * times.solve / n, (times.factorize + times.solve) / seconds,
      fmt::format("{:.0f}/{:.0f}/{:.0f}", contacts[0] / n, contacts[1] / n, contacts[2] / n));
  std::fflush(stdout);
}

/// Stores a copy of the last matrix that was factorised.
class KeepingSolver : public LinearSolver {
 public:
  KeepingSolver(std::unique_ptr<LinearSolver> inner, SparseMatrix& kept)
      : inner_(std::move(inner)), kept_(&kept) {}

  std::string_view name() const override { return inner_->name(); }
  void analyze(const SparseMatrix& matrix, Index trailing) override { inner_->analyze(matrix, trailing); }
  bool factorize(const SparseMatrix& matrix) override {
    *kept_ = matrix;
    return inner_->factorize(matrix);
  }
  void solve(std::span<double> b) override { inner_->solve(b); }
  const LinearSolverStatistics& statistics() const override { return inner_->statistics(); }

 private:
  std::unique_ptr<LinearSolver> inner_;
  SparseMatrix* kept_;
};

void print_time(std::string_view what, double seconds) {
  fmt::print("{:<60} {:>10.1f}\n", what, 1e3 * seconds);
  std::fflush(stdout);
}

/// UMFPACK with its default settings.
void time_plain_umfpack(const SparseMatrix& K) {
  void *symbolic = nullptr, *numeric = nullptr;
  umfpack_di_symbolic(K.size, K.size, K.column_start.data(), K.row.data(), nullptr, &symbolic, nullptr,
                      nullptr);
  const double begin = thread_seconds();
  umfpack_di_numeric(K.column_start.data(), K.row.data(), K.values.data(), symbolic, &numeric, nullptr,
                     nullptr);
  print_time("LU of the whole matrix, UMFPACK by default", thread_seconds() - begin);
  umfpack_di_free_numeric(&numeric);
  umfpack_di_free_symbolic(&symbolic);
}

void time_solver(LinearSolver& solver, const SparseMatrix& K, Index contact_rows, std::string_view factors,
                 std::string_view solution) {
  solver.analyze(K, contact_rows);
  SparseMatrix changed = K;
  for (double& value : changed.values) value *= 1.0001;  // setup with the first matrix is not timed
  solver.factorize(changed);
  double begin = thread_seconds();
  solver.factorize(K);
  print_time(factors, thread_seconds() - begin);
  std::vector<double> b(K.size, 1e-6);
  begin = thread_seconds();
  solver.solve(b);
  print_time(solution, thread_seconds() - begin);
}

/// The dense Schur complement C S^-1 B of all contacts: factor of S, columns S^-1 B, LU of the complement.
void time_schur_complement(const SparseMatrix& K, Index contact_rows) {
  const Index n = K.size - contact_rows;
  cholmod_common common;
  cholmod_start(&common);
  common.final_ll = 1;
  PatternBuilder lower(n);
  for (Index c = 0; c < n; ++c) {
    for (Index k = K.column_start[c]; k < K.column_start[c + 1]; ++k) {
      if (K.row[k] >= c && K.row[k] < n) lower.add(K.row[k], c);
    }
  }
  SparseMatrix S = lower.compress();
  for (Index c = 0; c < n; ++c) {
    for (Index k = S.column_start[c]; k < S.column_start[c + 1]; ++k)
      S.values[k] = K.values[K.find(S.row[k], c)];
  }
  std::vector<Index> starts(S.column_start.begin(), S.column_start.end()), rows(S.row.begin(), S.row.end());
  cholmod_sparse view{};
  view.nrow = view.ncol = n;
  view.nzmax = rows.size();
  view.p = starts.data();
  view.i = rows.data();
  view.x = S.values.data();
  view.stype = -1;
  view.itype = CHOLMOD_INT;
  view.xtype = CHOLMOD_REAL;
  view.sorted = view.packed = 1;
  cholmod_factor* factor = cholmod_analyze(&view, &common);
  double begin = thread_seconds();
  cholmod_factorize(&view, factor, &common);
  print_time("Schur complement: CHOLMOD of S", thread_seconds() - begin);

  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(n, contact_rows);
  for (Index c = n; c < K.size; ++c) {
    for (Index k = K.column_start[c]; k < K.column_start[c + 1]; ++k) {
      if (K.row[k] < n) B(K.row[k], c - n) = K.values[k];
    }
  }
  cholmod_dense columns{};
  columns.nrow = columns.d = n;
  columns.ncol = contact_rows;
  columns.nzmax = columns.nrow * columns.ncol;
  columns.x = B.data();
  columns.xtype = CHOLMOD_REAL;
  begin = thread_seconds();
  cholmod_dense* solved = cholmod_solve(CHOLMOD_A, factor, &columns, &common);
  print_time(fmt::format("Schur complement: {} columns S^-1 B", contact_rows), thread_seconds() - begin);

  const Eigen::Map<const Eigen::MatrixXd> X(static_cast<const double*>(solved->x), n, contact_rows);
  const Eigen::MatrixXd complement = Eigen::MatrixXd::Identity(contact_rows, contact_rows) -
                                     Eigen::SparseMatrix<double>(B.transpose().sparseView()) * X;
  begin = thread_seconds();
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(complement);
  print_time("Schur complement: its dense LU, in each Newton iteration", thread_seconds() - begin);
  cholmod_free_dense(&solved, &common);
  cholmod_free_factor(&factor, &common);
  cholmod_finish(&common);
}

void compare_alternatives(const Cube& cube, const Window& window) {
  const System system(cube.model);
  SparseMatrix K;
  int number = 0;
  DecoupledNsga integrator({.step = window.h, .wrap_linear_solver = [&](std::unique_ptr<LinearSolver> inner) {
                              if (number++ != 1) return inner;  // the position problem is the second one
                              return std::unique_ptr<LinearSolver>(
                                  std::make_unique<KeepingSolver>(std::move(inner), K));
                            }});
  State state = integrator.start(system);
  for (int i = 0; i < window.skipped; ++i) integrator.step(state);
  const auto contact_rows = count_of(state.contact_rate);
  fmt::print("\none matrix of {} unknowns, {} of them multipliers of contacts, h = {} s: ms\n", K.size,
             contact_rows, window.h);
  time_plain_umfpack(K);
  UmfpackSolver umfpack;
  time_solver(umfpack, K, contact_rows, "LU of the whole matrix, UmfpackSolver", "a solution with it");
  time_schur_complement(K, contact_rows);
  GmresSolver gmres;
  time_solver(gmres, K, contact_rows, "GMRES: elimination of the contacts", "a solution with it, to 1e-3");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string asked = argc > 1 ? argv[1] : "";
  const auto wants = [&](std::string_view part) { return asked.empty() || asked == part; };
  constexpr Window fine{1e-4, 40, 20};
  constexpr Window coarse{1e-3, 6, 10};
  const auto with_steps = [](Window window, int steps) {
    window.steps = steps;
    return window;
  };
  try {
    const Cube small(5), medium(10), large(20);
    print_head();
    if (wants("automatic")) {
      for (const Cube* cube : {&small, &medium, &large}) {
        for (const Window& window : {fine, coarse}) measure(*cube, window, LinearSolverKind::automatic);
      }
    }
    if (wants("direct")) {
      for (const Cube* cube : {&small, &medium}) {
        for (const Window& window : {fine, coarse}) measure(*cube, window, LinearSolverKind::umfpack);
      }
      for (const Window& window : {fine, coarse})
        measure(large, with_steps(window, 2), LinearSolverKind::umfpack);
    }
    if (wants("alternatives")) {
      for (const Cube* cube : {&medium, &large}) compare_alternatives(*cube, coarse);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_contact_blocks: {}\n", error.what());
    return 1;
  }
  return 0;
}
