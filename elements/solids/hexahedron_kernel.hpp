#pragma once

/// The integrals of the hexahedron over its reference volume, for any law and formulation.
///
///     f_a = -int F S G_a dV,     K_ab = int (F dS/dE F : G_a G_b + (G_a . S G_b) I) dV - L^T (dr/dalpha)^-1 L
///
/// Matrices are summed by components: K_ij is 8 x 8 and couples component i of all corners with component j.

#include <picus/elements/solids/enhanced_modes.hpp>
#include <picus/elements/solids/hexahedron_shape.hpp>
#include <picus/elements/solids/material.hpp>

namespace picus::solids {

/// F = sum_a x_a G_a at the points; of velocities it is dF/dt.
inline AtPoints<Mat3> deformation_gradients(const ReferenceVolume& volume, const Corners& x) {
  AtPoints<Mat3> F;
  for (std::size_t g = 0; g < point_count; ++g) F[g] = x.transpose().lazyProduct(volume.gradient[g]);
  return F;
}

/// E = (F^T F - I)/2.
inline Vec6 green_lagrange_strain(const Mat3& F) {
  const auto c_1 = F.col(0);
  const auto c_2 = F.col(1);
  const auto c_3 = F.col(2);
  return {0.5 * (c_1.squaredNorm() - 1),
          0.5 * (c_2.squaredNorm() - 1),
          0.5 * (c_3.squaredNorm() - 1),
          c_1.dot(c_2),
          c_2.dot(c_3),
          c_3.dot(c_1)};
}

/// Strains with the modes in them, and what tangents need beside the stresses.
template <class Law>
struct Equilibrium {
  AtPoints<Vec6> E;
  AtPoints<Response> at;
  EnhancedModes::Matrix W;  ///< of a law that is not linear
};

/// Brings the strains E into equilibrium; `modes` may be null.
template <class Law>
void equilibrate(const Law& law, const EnhancedModes* modes, Equilibrium<Law>& state) {
  if constexpr (Law::is_linear) {
    if (modes != nullptr) modes->equilibrate(law, state.E);
  } else if (modes != nullptr) {
    modes->equilibrate(law, state.E, state.at, state.W);
    return;
  }
  for (std::size_t g = 0; g < point_count; ++g) state.at[g] = law.respond(state.E[g]);
}

/// f -= int F S G dV, corner by corner.
inline void subtract_internal_force(const ReferenceVolume& volume, const AtPoints<Mat3>& F,
                                    const AtPoints<Response>& at, std::span<double> f) {
  Corners sum = Corners::Zero();
  for (std::size_t g = 0; g < point_count; ++g) {
    const Mat3 P_T = volume.weight[g] * matrix_of_stress(at[g].S).lazyProduct(F[g].transpose());
    for (Index i = 0; i < 3; ++i) {
      sum.col(i) += volume.gradient[g].col(0) * P_T(0, i) + volume.gradient[g].col(1) * P_T(1, i) +
                    volume.gradient[g].col(2) * P_T(2, i);
    }
  }
  Eigen::Map<Eigen::Matrix<double, 3, 8>>(f.data()) -= sum.transpose();
}

using Matrix8 = Eigen::Matrix<double, 8, 8>;

/// K += A B^T for matrices of 8 rows and n columns.
template <int n>
void add_product(const double* A, const double* B, double scale, Matrix8& K) {
  for (Index b = 0; b < 8; ++b) {
    std::array<double, 8> sum{};
    for (Index k = 0; k < n; ++k) {
      const double factor = B[8 * k + b];
      for (std::size_t a = 0; a < 8; ++a) sum[a] += A[8 * static_cast<std::size_t>(k) + a] * factor;
    }
    for (std::size_t a = 0; a < 8; ++a) K(static_cast<Index>(a), b) += scale * sum[a];
  }
}

/// What a stiffness is made of: dP = F dS + dF S with dS = dS/dE : sym(F_hat^T dF). F_hat is F but for a
/// material with viscosity, and then the matrix is not symmetric.
template <class Law>
struct StiffnessTerms {
  const AtPoints<Mat3>& F;
  const AtPoints<Mat3>& F_hat;
  const Equilibrium<Law>& state;
  double scale;       ///< of dS/dE
  bool has_stress;    ///< whether the part of dF S is in it
  bool is_symmetric;  ///< F_hat is F
};

/// dP_i/dF_j, a matrix over the reference axes.
template <class Law>
Mat3 tangent_block(const Mat3& F, const Mat3& F_hat, const Response& at, Index i, Index j) {
  const Vec3 f_i = F.row(i).transpose();
  const Vec3 f_j = F_hat.row(j).transpose();
  if constexpr (Law::is_linear) {
    Mat3 D = f_j * (at.mu * f_i).transpose() + f_i * (at.lambda * f_j).transpose();
    D.diagonal().array() += at.mu * f_i.dot(f_j);
    return D;
  } else {
    const Vec3 a_i = at.A * f_i;
    const Vec3 a_j = at.A * f_j;
    return a_j * (at.mu * a_i).transpose() + a_i * (at.lambda * a_j).transpose() +
           (at.mu * f_i.dot(a_j)) * at.A;
  }
}

/// Adds the stiffness to the 24 x 24 matrix `storage`, column by column.
template <class Law>
void add_stiffness(const ReferenceVolume& volume, const EnhancedModes* modes,
                   const StiffnessTerms<Law>& terms, std::span<double> storage) {
  EnhancedModes::Coupling Y;
  EnhancedModes::Coupling Y_hat;
  if (modes != nullptr) {
    const auto reduce = [&](const AtPoints<Mat3>& F, EnhancedModes::Coupling& result) {
      EnhancedModes::Coupling L;
      if constexpr (Law::is_linear) {
        modes->couple(volume.gradient, F, L);
        for (std::size_t j = 0; j < 3; ++j) result[j] = L[j].lazyProduct(modes->inverse_factor().transpose());
      } else {
        modes->couple(volume.gradient, F, terms.state.at, L);
        for (std::size_t j = 0; j < 3; ++j) result[j] = L[j].lazyProduct(terms.state.W.transpose());
      }
    };
    reduce(terms.F, Y);
    if (!terms.is_symmetric) reduce(terms.F_hat, Y_hat);
  }
  const EnhancedModes::Coupling& Y_right = terms.is_symmetric ? Y : Y_hat;

  auto K = matrix_view<24, 24>(storage);
  const double* G = volume.gradient[0].data();
  for (Index i = 0; i < 3; ++i) {
    for (Index j = terms.is_symmetric ? i : 0; j < 3; ++j) {
      std::array<Corners, point_count> GD;
      for (std::size_t g = 0; g < point_count; ++g) {
        Mat3 D = (terms.scale * volume.weight[g]) *
                 tangent_block<Law>(terms.F[g], terms.F_hat[g], terms.state.at[g], i, j);
        if (i == j && terms.has_stress) D += volume.weight[g] * matrix_of_stress(terms.state.at[g].S);
        const Corners& G_g = volume.gradient[g];
        for (Index k = 0; k < 3; ++k) {
          GD[g].col(k) = G_g.col(0) * D(k, 0) + G_g.col(1) * D(k, 1) + G_g.col(2) * D(k, 2);
        }
      }
      Matrix8 block = Matrix8::Zero();
      add_product<24>(G, GD[0].data(), 1.0, block);
      if (modes != nullptr) {
        add_product<12>(Y[static_cast<std::size_t>(i)].data(), Y_right[static_cast<std::size_t>(j)].data(),
                        -terms.scale, block);
      }
      for (Index b = 0; b < 8; ++b) {
        for (Index a = 0; a < 8; ++a) {
          K(3 * a + i, 3 * b + j) += block(a, b);
          if (terms.is_symmetric && i != j) K(3 * b + j, 3 * a + i) += block(a, b);
        }
      }
    }
  }
}

}  // namespace picus::solids
