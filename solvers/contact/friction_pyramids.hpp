#pragma once

/// The contact problem of an impact with pyramids in place of the cones of friction, as a linear complementarity problem
/// (Stewart and Trinkle, Int. J. Numer. Meth. Engng 39 (1996) 2673). With the edges d_k of the pyramids, weights
/// beta_k >= 0 and the sliding speed lambda >= 0
///
///     P_T = sum beta_k d_k,   0 <= beta_k  perpendicular to  d_k . u_T + lambda >= 0,
///     0 <= lambda  perpendicular to  mu P_N - sum beta_k >= 0.
///
/// Its matrix is copositive, and Lemke's method solves it for every u in the range of W, also where W is singular: a
/// solution exists even for bodies that friction jams. With one friction direction the pyramid is the cone; with more
/// it approximates it from inside, and serves as a start of Newton's method.

#include <picus/solvers/contact/impact.hpp>
#include <picus/solvers/contact/lemke.hpp>

#include <vector>

namespace picus::solvers {

class FrictionPyramids {
 public:
  /// Computes impulses P with P_N >= a for each contact, where a are its apexes, from the rates u without P. One edge
  /// of each pyramid is opposed to the sliding that results from the given P. `least_compliance`, relative to that of a
  /// contact, is added to the diagonal of W, which rounding errors make indefinite where it is singular. Returns false,
  /// with P unchanged, if no impulses were found.
  bool solve(const Impact& impact, const Vector& u, const std::vector<double>& apexes,
             double least_compliance, Vector& P);

 private:
  /// An unknown weight: the normal impulse, or an edge in sliding or rolling rows.
  struct Column {
    Index first_row = 0;
    Index rows = 1;
    Vec3 direction = Vec3::UnitX();
    std::size_t contact = 0;
    Index speed = -1;  ///< index of the sliding speed of its pyramid; -1: normal
  };

  void find_columns(const Impact& impact, const Vector& rates);
  void add_pyramid(std::size_t contact, Index first_row, Index rows, const Vector& rates);
  double along(const Column& column, const Vector& y) const;

  Lemke lemke_{0};
  Index capacity_ = 0;
  Index speeds_ = 0;
  std::vector<Column> columns_;
  std::vector<double> scale_;  ///< of the impulses of a contact
  Eigen::MatrixXd A_, WD_;
  Vector b_, z_, u_a_, P_a_;
};

}  // namespace picus::solvers
