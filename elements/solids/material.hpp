#pragma once

/// Isotropic hyperelastic materials for solids, in terms of the Green-Lagrange strain E = (F^T F - I)/2:
///
///     Saint Venant-Kirchhoff   W = lambda/2 (tr E)^2 + mu E : E
///     neo-Hooke, compressible  W = mu/2 (I_1 - 3) - mu ln J + lambda/2 (ln J)^2
///
/// with I_1 = tr C, C = I + 2 E, J^2 = det C (Bonet and Wood, Nonlinear Continuum Mechanics, eq. 6.27). For small
/// strains both reduce to Hooke's law with lambda = E nu/((1 + nu)(1 - 2 nu)) and mu = E/(2 (1 + nu)). Saint
/// Venant-Kirchhoff is meant for small strains with large rotations: it softens in compression and does not resist
/// inversion of the element.
///
/// Strains and stresses are vectors of six: (11, 22, 33, 2*12, 2*23, 2*31) for strains, (11, 22, 33, 12, 23, 31) for
/// stresses, so that their scalar product is work.

#include <picus/checks.hpp>
#include <picus/types.hpp>

#include <cmath>
#include <limits>

namespace picus {

/// The strain energy function W of a solid.
enum class SolidLaw : std::uint8_t {
  saint_venant_kirchhoff,  ///< small strains, large rotations
  neo_hooke,               ///< large strains
};

/// The material of a solid.
struct SolidMaterial {
  double youngs_modulus = 0.0;                                       ///< E, Pa, > 0
  double poissons_ratio = std::numeric_limits<double>::quiet_NaN();  ///< nu, in (-1, 0.5)
  double density = 0.0;                                              ///< initial density rho, kg/m3, > 0
  SolidLaw law = SolidLaw::saint_venant_kirchhoff;                   ///< the function W

  /// Lame's first parameter, Pa.
  double lambda() const {
    return youngs_modulus * poissons_ratio / ((1 + poissons_ratio) * (1 - 2 * poissons_ratio));
  }
  /// Shear modulus, Pa.
  double mu() const { return youngs_modulus / (2 * (1 + poissons_ratio)); }
};

/// Throws ModelError if a constant is out of range.
void require_material(const Culprit& who, const SolidMaterial& material);

/// Material laws and kernels of the solid elements.
namespace solids {

/// The six components of a strain or stress, in the order above.
using Vec6 = Eigen::Matrix<double, 6, 1>;

/// The symmetric matrix of a stress.
inline Mat3 matrix_of_stress(const Vec6& S) {
  Mat3 matrix;
  matrix << S[0], S[3], S[5], S[3], S[1], S[4], S[5], S[4], S[2];
  return matrix;
}
/// The six components of a symmetric matrix, as a stress.
inline Vec6 stress_of_matrix(const Mat3& S) {
  return {S(0, 0), S(1, 1), S(2, 2), S(0, 1), S(1, 2), S(2, 0)};
}
/// The symmetric part of a matrix as a strain.
inline Vec6 strain_of_matrix(const Mat3& E) {
  return {E(0, 0), E(1, 1), E(2, 2), E(0, 1) + E(1, 0), E(1, 2) + E(2, 1), E(2, 0) + E(0, 2)};
}

/// Second Piola-Kirchhoff stress S = dW/dE and the ingredients of its derivative:
///
///     dS = lambda (A : dE) A + 2 mu A dE A
struct Response {
  Vec6 S;         ///< Pa
  Mat3 A;         ///< 3 x 3
  double lambda;  ///< Pa
  double mu;      ///< Pa
};

/// Here A is the identity.
struct SaintVenantKirchhoff {
  static constexpr bool is_linear = true;  ///< whether S is linear in E
  double lambda;                           ///< Pa
  double mu;                               ///< Pa

  /// S of the strain E, Pa.
  Vec6 stress(const Vec6& E) const {
    Vec6 S = mu * E;
    S.head<3>() += mu * E.head<3>();
    S.head<3>().array() += lambda * E.head<3>().sum();
    return S;
  }
  /// S and its derivative.
  Response respond(const Vec6& E) const { return {stress(E), Mat3::Identity(), lambda, mu}; }
  /// W, J/m3.
  double energy(const Vec6& E) const { return 0.5 * E.dot(stress(E)); }
};

/// Here A is C^-1. Everything is NaN where det C <= 0, which no deformation attains. With `offset` the volumetric
/// part is lambda/2 (ln J - offset)^2.
struct NeoHooke {
  static constexpr bool is_linear = false;  ///< whether S is linear in E
  double lambda;                            ///< Pa
  double mu;                                ///< Pa

  /// S and its derivative.
  Response respond(const Vec6& E, double offset = 0) const;
  /// W, J/m3.
  double energy(const Vec6& E, double offset = 0) const;
};

/// ln J = 1/2 ln det(I + 2 E).
double ln_volume(const Vec6& E);

}  // namespace solids
}  // namespace picus
