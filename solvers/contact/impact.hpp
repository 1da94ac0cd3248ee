#pragma once

/// An impact as plain data: at frozen positions the rates u of the contacts jump under their impulses P,
///
///     u = u_0 + W P,   W = G A^-1 G^T,
///
/// with the matrix A of M and of the bilateral constraints. Laws of impact (poisson_impact.hpp, lzb_impact.hpp) find P.
/// The kinetic energy changes by P . (u_0 + u) / 2.

#include <picus/types.hpp>

#include <Eigen/Core>

#include <vector>

namespace picus::solvers {

/// A contact that takes part in an impact.
struct ImpactContact {
  Index first_row = 0;     ///< index of its normal row; the others follow
  Index rows = 1;          ///< number of rows
  Index rolling_rows = 0;  ///< number of rolling rows, which are the last ones
  double mu = 0.0;         ///< coefficient of friction
  double e = 0.0;          ///< coefficient of restitution
  double stiffness = 1.0;  ///< relative, of lzb_impact.hpp
};

struct Impact {
  std::vector<ImpactContact>
      contacts;       ///< in the order of their rows; those that approach have a positive compliance
  Eigen::MatrixXd W;  ///< 1/kg, symmetric
  Vector u_0;         ///< rates before, m/s

  /// Largest speed of approach, m/s; 0 if no contact approaches.
  double approach() const;
  /// Change of the kinetic energy by the impulses P, J.
  double energy_change(const Vector& P) const { return P.dot(u_0) + 0.5 * P.dot(W * P); }
};

}  // namespace picus::solvers
