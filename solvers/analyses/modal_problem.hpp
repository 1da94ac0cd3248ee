#pragma once

/// The matrices of small vibrations about an equilibrium,
///
///     K x = w^2 M x + G^T mu,   G x = 0,
///
/// K including the geometric stiffness of constraints and closed contacts, G including the rows of closed contacts; and
/// the shift-and-invert operator,
///
///     [ K - s M   -G^T ] [ x  ]   [ b ]
///     [ -G          0  ] [ mu ] = [ 0 ].
///
/// Vectors contain the free components. K is symmetrised; asymmetry() measures its asymmetry before.

#include <picus/solvers/analyses/static_problem.hpp>

#include <memory>
#include <optional>

namespace picus::solvers {

class ModalProblem {
 public:
  /// Throws SolverError when the state is not an equilibrium (in the rotating frame, if there is one).
  ModalProblem(const System& system, const State& state, bool holds_contacts,
               const std::optional<Vec3>& angular_velocity, LinearSolverKind solver);

  Index size() const { return problem_.free_count(); }
  /// [K -G^T k; -k G E], K symmetrised, of all unknowns; E is proximal() where a row constrains a motion.
  const SparseMatrix& stiffness() const { return stiffness_; }
  const Vector& proximal() const { return proximal_; }
  /// Largest |K - K^T| over largest |K|, as assembled.
  double asymmetry() const { return asymmetry_; }
  /// The least ratio of stiffness to mass of a component, 1/s2; 1 if no component has both.
  double typical_eigenvalue() const;

  /// An entry of M, and its place in the values of stiffness().
  struct MassEntry {
    Index row, column, target;
    double value;
  };
  std::span<const MassEntry> mass_entries() const { return mass_; }

  /// Throws SolverError when the matrix is singular: the shift is an eigenvalue.
  void set_shift(double shift);
  double shift() const { return shift_; }
  void solve(const Vector& b, Vector& x);
  void multiply_stiffness(const Vector& x, Vector& out) const;
  void multiply_mass(const Vector& x, Vector& out) const;

  /// |K x - w^2 M x - G^T mu| over the sum of the magnitudes of the terms, minimised over mu.
  double residual(const Vector& x, double eigenvalue);
  /// Upper bound of the rounding error of x^T K x.
  double stiffness_rounding(const Vector& x) const;

  /// Largest possible number of modes: the independent motions that constraints and closed contacts leave, less those
  /// without mass.
  Index mode_count() const;

  /// Number of components with mass, and the square root L of M = L L^T (size() x rank of M) from its eigenvectors.
  Index mass_count() const;
  Eigen::MatrixXd mass_root() const;

  /// Dense K, the gyroscopic matrix of the rotating frame and M; and the active rows of G.
  struct Dense {
    Eigen::MatrixXd K, gyroscopic, M, G;
  };
  Dense make_dense();

 private:
  Index rank_of_rows(const std::vector<char>& components) const;
  void find_proximal_terms();
  void symmetrize();

  const System* system_;
  double load_factor_;
  StepData data_;
  StaticProblem problem_;
  SparseMatrix stiffness_;  ///< [K -G^T k; -k G E]
  SparseMatrix shifted_;
  std::vector<MassEntry> mass_;
  std::unique_ptr<LinearSolver> solver_;
  Vector proximal_;  ///< on the diagonal of the matrix, but not part of the problem
  Vector work_;      ///< all unknowns of the last solution
  Vector right_side_;
  double shift_ = 0.0;
  double asymmetry_ = 0.0;
};

}  // namespace picus::solvers
