#pragma once

/// The second-order cone L = {|x_T| <= x_0} of dimension 1 to 6 and its Jordan algebra, as interior-point methods use
/// them.

#include <picus/element.hpp>
#include <picus/types.hpp>

namespace picus::solvers {

using ConeVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, static_cast<int>(max_contact_rows), 1>;
using ConeMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0,
                                 static_cast<int>(max_contact_rows), static_cast<int>(max_contact_rows)>;

/// x_0^2 - |x_T|^2.
double determinant(const ConeVector& x);

/// The matrix of the Jordan product x o.
ConeMatrix arrow(const ConeVector& x);

/// The Nesterov-Todd scaling W of two points inside of the cone: symmetric, W z = W^-1 p.
ConeMatrix nesterov_todd(const ConeVector& p, const ConeVector& z);

/// Largest a, at most `limit`, with x + a dx in the cone; x is inside.
double step_to_boundary(const ConeVector& x, const ConeVector& dx, double limit);

}  // namespace picus::solvers
