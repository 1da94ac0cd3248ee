#pragma once

/// A frame of reference that rotates steadily about the origin with the angular velocity w (inertial axes, rad/s). A
/// system at rest in it moves rigidly,
///
///     v = (w x x, R^T w),   a = (w x (w x x), 0)   for a frame node, and the first parts for a point,
///
/// and is in equilibrium when M(q) a = f(q, v) + G^T lambda. A small motion d in the frame adds
///
///     dv = V d + dd/dt,              V = (w^, (R^T w)^)
///     da = A d + B dd/dt + d2d/dt2,  A = (w^ w^, 0),   B = (2 w^, (R^T w)^)
///
/// (left-trivialised increments), so that with K = -df/dq and C = -df/dv the stiffness in the frame is
/// K + d(M a)/dq + M A + C V and the gyroscopic matrix M B + C.

#include <picus/chart.hpp>
#include <picus/sparse_matrix.hpp>
#include <picus/system.hpp>

#include <vector>

namespace picus::solvers {

class RotatingFrame {
 public:
  /// `pattern` is that of the matrix `base` of combine(), whose first unknowns are the free components.
  RotatingFrame(const System& system, const SparseMatrix& pattern);

  void set_angular_velocity(const Vec3& w) { w_ = w; }
  /// v and a of a system at rest in the frame (natural layout; including prescribed components).
  void rest(const Configuration& q, Vector& v, Vector& a) const;

  /// The matrix of combine(): the pattern given to the constructor plus the entries of M A and C V.
  const SparseMatrix& matrix() const { return matrix_; }
  /// `base` + (M A + C V) T.
  const SparseMatrix& combine(const SparseMatrix& base, const Motion& motion, double load_factor,
                              const Chart& chart);
  /// M B + C, dense, of the free components.
  Eigen::MatrixXd gyroscopic(const Motion& motion, double load_factor);

 private:
  /// The square block of an element: targets [first, last) of scatter_.
  struct Square {
    Index first, last;
  };
  struct Scatter {
    Index source, row, column, target;
  };
  enum class Term : std::uint8_t { A, B, V };
  Square list_square(const Element& element);
  void multiply(const Element& element, const Configuration& q, Term term, std::span<double> block) const;
  template <class Add>
  void for_each_term(const Motion& motion, double load_factor, bool gyroscopic, Add&& add);

  const System* system_;
  Vec3 w_ = Vec3::Zero();
  SparseMatrix matrix_;
  std::vector<Index> base_target_;
  std::vector<Square> inertias_, forces_;
  std::vector<Scatter> scatter_;
  std::vector<double> local_, other_;
};

}  // namespace picus::solvers
