#include <picus/elements/solids/material.hpp>
#include <picus/error.hpp>

#include <Eigen/LU>
#include <fmt/format.h>

namespace picus {

void require_material(const Culprit& who, const SolidMaterial& material) {
  require_positive(who, "youngs_modulus", material.youngs_modulus, "Pa");
  const double nu = material.poissons_ratio;
  require_finite(who, "poissons_ratio", nu, "");
  if (nu <= -1 || nu >= 0.5) {
    throw ModelError(fmt::format("{}: poissons_ratio is {}, must lie between -1 and 0.5", who.text(), nu));
  }
  require_positive(who, "density", material.density, "kg/m3");
}

namespace solids {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Mat3 right_cauchy_green(const Vec6& E) {
  Mat3 C = matrix_of_stress(E);
  C.diagonal() *= 2;
  C.diagonal().array() += 1;
  return C;
}

}  // namespace

Response NeoHooke::respond(const Vec6& E, double offset) const {
  const Mat3 C = right_cauchy_green(E);
  const Vec3 minors(C(1, 1) * C(2, 2) - C(1, 2) * C(1, 2), C(1, 2) * C(0, 2) - C(0, 1) * C(2, 2),
                    C(0, 1) * C(1, 2) - C(1, 1) * C(0, 2));
  const double det = C.row(0).dot(minors);
  const double ln_J = det > 0 ? 0.5 * std::log(det) : nan;
  const double scale = 1 / det;
  Response response;
  Mat3& A = response.A;
  A.col(0) = scale * minors;
  A(1, 1) = scale * (C(0, 0) * C(2, 2) - C(0, 2) * C(0, 2));
  A(2, 2) = scale * (C(0, 0) * C(1, 1) - C(0, 1) * C(0, 1));
  A(2, 1) = scale * (C(0, 1) * C(0, 2) - C(0, 0) * C(1, 2));
  A(0, 1) = A(1, 0);
  A(0, 2) = A(2, 0);
  A(1, 2) = A(2, 1);
  response.lambda = lambda;
  response.mu = mu - lambda * (ln_J - offset);
  response.S = -response.mu * stress_of_matrix(A);
  response.S.head<3>().array() += mu;
  return response;
}

double NeoHooke::energy(const Vec6& E, double offset) const {
  const double ln_J = ln_volume(E);
  return mu * (E.head<3>().sum() - ln_J) + 0.5 * lambda * (ln_J - offset) * (ln_J - offset);
}

double ln_volume(const Vec6& E) {
  const double det = right_cauchy_green(E).determinant();
  return det > 0 ? 0.5 * std::log(det) : nan;
}

}  // namespace solids
}  // namespace picus
