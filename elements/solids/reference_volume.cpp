#include <picus/elements/solids/hexahedron_shape.hpp>
#include <picus/elements/solids/reference_volume.hpp>

#include <Eigen/LU>

namespace picus::solids {

ReferenceVolume::ReferenceVolume(const Corners& X) {
  for (std::size_t g = 0; g < point_count; ++g) {
    const Mat3 J = jacobian(X, gauss_point(g));
    gradient[g] = shape_gradient(gauss_point(g)) * J.inverse();
    weight[g] = J.determinant();
  }
}

}  // namespace picus::solids
