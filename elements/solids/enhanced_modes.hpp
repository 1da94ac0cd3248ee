#pragma once

/// Enhanced assumed strain of the hexahedron (Simo and Rifai 1990; Simo, Armero and Taylor 1993):
///
///     E = E(u) + sum_i alpha_i M_i(xi),   int M_i dV = 0,   V(u) = min over alpha of int W(E) dV.
///
/// Twelve modes, with j = det dX/dxi, j_0 that of the centre, and t_1, t_2, t_3 the gradients of xi, eta,
/// zeta there:
///
///     j_0/j xi t_1 t_1,  j_0/j eta t_2 t_2,  j_0/j zeta t_3 t_3                     bending,
///     j_0/j (xi or eta) t_1 t_2,  (eta or zeta) t_2 t_3,  (zeta or xi) t_3 t_1      (9 modes),
///     j_0/j (xi eta or eta zeta or zeta xi) I                                       volumetric locking (3).
///
/// The modes are added to the Green-Lagrange strain, so they are objective and E is linear in alpha. An element has
/// no state variables: alpha is solved for in each evaluation, from
///
///     r_i = int M_i : S dV = 0.
///
/// For Saint Venant-Kirchhoff this is one linear system with a constant matrix.
///
/// Neo-Hooke needs care: as a function of strain its volumetric part is not convex in tension, and the minimum would
/// cease to exist at a mean tension of about mu. Therefore the mean m of ln J, with the modes included, is replaced
/// by the mean m_u of the displacements alone, which is the same for constant strains and in the linearisation:
///
///     V = int mu/2 (I_1 - 3) - mu ln J + lambda/2 (ln J - m)^2 dV + lambda/2 V_0 m_u^2.
///
/// The minimum over alpha is found by a local Newton iteration, to rounding level.

#include <picus/elements/solids/hexahedron_shape.hpp>
#include <picus/elements/solids/material.hpp>

namespace picus::solids {

/// One value at each integration point.
template <class T>
using AtPoints = std::array<T, point_count>;

class EnhancedModes {
 public:
  static constexpr std::size_t count = 12;
  using Alpha = Eigen::Matrix<double, 12, 1>;
  using Matrix = Eigen::Matrix<double, 12, 12>;
  /// For each displacement component the coupling of the corners with the modes.
  using Coupling = std::array<Eigen::Matrix<double, 8, 12>, 3>;

  /// `X`: corners of the reference configuration; `law`: for small strains.
  EnhancedModes(const Corners& X, const SaintVenantKirchhoff& law);

  /// Adds to the compatible strains E the modes that satisfy r = 0, and returns there the mean m of ln J, the
  /// responses with that offset, and W with (dr/dalpha)^-1 = W^T W. Everything is NaN if the iteration fails.
  void equilibrate(const NeoHooke& law, AtPoints<Vec6>& E, double& m, AtPoints<Response>& responses,
                   Matrix& W) const;
  /// The same for the linear law, whose W is inverse_factor().
  void equilibrate(const SaintVenantKirchhoff& law, AtPoints<Vec6>& E) const;
  const Matrix& inverse_factor() const { return W_; }

  /// L_j = dr/du_j; `F` is that of dE = sym(F^T dF).
  void couple(const AtPoints<Corners>& G, const AtPoints<Mat3>& F, Coupling& L) const;
  /// The same for neo-Hooke; `dm` is dm/du.
  void couple(const AtPoints<Corners>& G, const AtPoints<Mat3>& F, const AtPoints<Response>& responses,
              const Corners& dm, Coupling& L) const;

 private:
  static constexpr std::size_t tensor_count = 7;

  Alpha residual(const AtPoints<Vec6>& S) const;
  /// A trial value of alpha for neo-Hooke.
  struct Trial {
    double m;
    double energy;  ///< without the term of m_u, J
    AtPoints<Response> responses;
    Alpha r;
  };
  Trial respond(const NeoHooke& law, const AtPoints<Vec6>& E) const;
  /// W of the stiffness of the modes, with the mu of each response raised to at least `least_mu`; false if that
  /// stiffness is not positive definite.
  bool factorize(const NeoHooke& law, const AtPoints<Response>& responses, double least_mu, Matrix& W) const;
  /// dm/dalpha.
  Alpha mean_volume_change(const AtPoints<Response>& responses) const;
  void add_strain(const Alpha& alpha, AtPoints<Vec6>& E) const;
  void add_stiffness(std::size_t g, const std::array<Mat3, tensor_count>& Z, Matrix& K) const;
  void add_coupling(std::size_t g, const Corners& G, const Mat3& F, const std::array<Mat3, tensor_count>& Z,
                    Coupling& L) const;
  /// dS for a unit amplitude of each of the tensors.
  std::array<Mat3, tensor_count> stress_changes(const Response& at) const;

  double centre_weight_;              ///< j_0, m3
  AtPoints<double> ratio_;            ///< j_0/j
  std::array<Vec6, tensor_count> T_;  ///< the tensors of the modes, scaled to norm 1
  std::array<Mat3, tensor_count> Z_;  ///< their stress changes for the linear law
  double volume_;                     ///< V_0, m3
  double stiffness_scale_;            ///< work of a unit strain, J
  Matrix W_;
};

}  // namespace picus::solids
