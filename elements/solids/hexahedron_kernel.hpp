#pragma once

/// The integrals of the hexahedron over its reference volume, for any law and formulation.
///
///     f_a = -int F S G_a dV,     K_ab = int (F dS/dE F : G_a G_b + (G_a . S G_b) I) dV - L^T (dr/dalpha)^-1 L
///
/// Neo-Hooke with modes contains the mean volume change m_u of the displacements (enhanced_modes.hpp), with d ln
/// J = F^-T : dF:
///
///     S += lambda m_u C^-1,    K += lambda V_0 (dm_u dm_u^T - dm dm^T) - lambda m_u int (F^-1 G_a)(F^-1 G_b)^T dV
///
/// Matrices are assembled by components: K_ij is 8 x 8 and couples component i of all corners with component j.

#include <picus/elements/solids/enhanced_modes.hpp>
#include <picus/elements/solids/hexahedron_shape.hpp>
#include <picus/elements/solids/material.hpp>

namespace picus::solids {

/// F = sum_a x_a G_a at the Gauss points; applied to velocities, dF/dt.
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

/// The quantities of neo-Hooke with modes that depend on the mean volume change.
struct MeanVolume {
  double m = 0.0;               ///< mean of ln J, modes included
  double m_u = 0.0;             ///< mean of ln J of the displacements alone
  AtPoints<Mat3> inverse = {};  ///< F^-1
};

/// Strains with the modes included, and what else forces and tangents need.
template <class Law>
struct Equilibrium {
  AtPoints<Vec6> E;
  AtPoints<Response> at;
  AtPoints<Vec6> S;         ///< the total stress
  EnhancedModes::Matrix W;  ///< for neo-Hooke with modes
  MeanVolume mean;          ///< likewise
};

/// Adds the modes to the strains E such that r = 0; `modes` may be null.
template <class Law>
void equilibrate(const Law& law, const ReferenceVolume& volume, const EnhancedModes* modes,
                 const AtPoints<Mat3>& F, Equilibrium<Law>& state) {
  if constexpr (Law::is_linear) {
    if (modes != nullptr) modes->equilibrate(law, state.E);
  } else if (modes != nullptr) {
    MeanVolume& mean = state.mean;
    mean.m_u = 0;
    for (std::size_t g = 0; g < point_count; ++g) mean.m_u += volume.weight[g] * ln_volume(state.E[g]);
    mean.m_u /= volume.volume();
    modes->equilibrate(law, state.E, mean.m, state.at, state.W);
    for (std::size_t g = 0; g < point_count; ++g) {
      mean.inverse[g] = F[g].inverse();
      state.S[g] = state.at[g].S +
                   (law.lambda * mean.m_u) * stress_of_matrix(mean.inverse[g] * mean.inverse[g].transpose());
    }
    return;
  }
  for (std::size_t g = 0; g < point_count; ++g) {
    state.at[g] = law.respond(state.E[g]);
    state.S[g] = state.at[g].S;
  }
}

template <class Law>
double strain_energy(const Law& law, const ReferenceVolume& volume, const EnhancedModes* modes,
                     const Equilibrium<Law>& state) {
  double sum = 0;
  if constexpr (!Law::is_linear) {
    if (modes != nullptr) {
      for (std::size_t g = 0; g < point_count; ++g) {
        sum += volume.weight[g] * law.energy(state.E[g], state.mean.m);
      }
      return sum + 0.5 * law.lambda * volume.volume() * state.mean.m_u * state.mean.m_u;
    }
  }
  for (std::size_t g = 0; g < point_count; ++g) sum += volume.weight[g] * law.energy(state.E[g]);
  return sum;
}

/// f -= int F S G dV, corner by corner.
inline void subtract_internal_force(const ReferenceVolume& volume, const AtPoints<Mat3>& F,
                                    const AtPoints<Vec6>& S, std::span<double> f) {
  Corners sum = Corners::Zero();
  for (std::size_t g = 0; g < point_count; ++g) {
    const Mat3 P_T = volume.weight[g] * matrix_of_stress(S[g]).lazyProduct(F[g].transpose());
    sum += volume.gradient[g].lazyProduct(P_T);
  }
  Eigen::Map<Eigen::Matrix<double, 3, 8>>(f.data()) -= sum.transpose();
}

using Matrix8 = Eigen::Matrix<double, 8, 8>;

/// K += scale A B^T for matrices with 8 rows and n columns.
template <int n>
void add_product(const double* A, const double* B, double scale, Matrix8& K) {
  for (Index b = 0; b < 8; ++b) {
    std::array<double, 8> sum{};
    for (Index k = 0; k < n; ++k) {
      const double factor = B[8 * k + b];
      for (std::size_t a = 0; a < 8; ++a) sum[a] += A[8 * k + a] * factor;
    }
    for (std::size_t a = 0; a < 8; ++a) K(a, b) += scale * sum[a];
  }
}

/// The terms of a stiffness matrix: dP = F dS + dF S with dS = dS/dE : sym(F_hat^T dF). F_hat differs from F only for
/// a viscous material, and then the matrix is not symmetric.
template <class Law>
struct StiffnessTerms {
  const AtPoints<Mat3>& F;
  const AtPoints<Mat3>& F_hat;
  const Equilibrium<Law>& state;
  double scale;       ///< factor of dS/dE
  bool has_stress;    ///< whether the term dF S is included
  bool is_symmetric;  ///< whether F_hat is F
};

/// dP_i/dF_j without the term dF S, a matrix over the reference axes.
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

/// The reduction of the stiffness by condensation of the modes: Y_i Y_right_j^T.
struct Condensation {
  EnhancedModes::Coupling Y;
  EnhancedModes::Coupling Y_right;
};

template <class Law>
void condense(const ReferenceVolume& volume, const EnhancedModes& modes, const StiffnessTerms<Law>& terms,
              const Corners& dm, Condensation& result) {
  const auto reduce = [&](const AtPoints<Mat3>& F, EnhancedModes::Coupling& Y) {
    EnhancedModes::Coupling L;
    if constexpr (Law::is_linear) {
      modes.couple(volume.gradient, F, L);
    } else {
      modes.couple(volume.gradient, F, terms.state.at, dm, L);
    }
    const EnhancedModes::Matrix& W = Law::is_linear ? modes.inverse_factor() : terms.state.W;
    for (std::size_t j = 0; j < 3; ++j) Y[j] = L[j].lazyProduct(W.transpose());
  };
  reduce(terms.F, result.Y);
  if (terms.is_symmetric) {
    result.Y_right = result.Y;
  } else {
    reduce(terms.F_hat, result.Y_right);
  }
}

/// Adds the stiffness to the 24 x 24 matrix `storage`, column by column.
template <class Law>
void add_stiffness(const ReferenceVolume& volume, const EnhancedModes* modes,
                   const StiffnessTerms<Law>& terms, std::span<double> storage) {
  const Equilibrium<Law>& state = terms.state;
  const bool has_mean_volume = !Law::is_linear && modes != nullptr;
  Corners dm = Corners::Zero();
  Corners dm_u = Corners::Zero();
  if (has_mean_volume) {
    for (std::size_t g = 0; g < point_count; ++g) {
      const double part = volume.weight[g] / volume.volume();
      dm += volume.gradient[g].lazyProduct(part * state.at[g].A.lazyProduct(terms.F[g].transpose()));
      dm_u += volume.gradient[g].lazyProduct(part * state.mean.inverse[g]);
    }
  }
  Condensation modes_part;
  if (modes != nullptr) condense(volume, *modes, terms, dm, modes_part);

  auto K = matrix_view<24, 24>(storage);
  const double* G = volume.gradient[0].data();
  for (Index i = 0; i < 3; ++i) {
    for (Index j = terms.is_symmetric ? i : 0; j < 3; ++j) {
      std::array<Corners, point_count> GD;
      for (std::size_t g = 0; g < point_count; ++g) {
        Mat3 D = (terms.scale * volume.weight[g]) *
                 tangent_block<Law>(terms.F[g], terms.F_hat[g], state.at[g], i, j);
        if (i == j && terms.has_stress) D += volume.weight[g] * matrix_of_stress(state.at[g].S);
        if (has_mean_volume) {
          const double p = volume.weight[g] * state.at[g].lambda * state.mean.m_u;
          D -= (p * state.mean.inverse[g].col(j)) * state.mean.inverse[g].col(i).transpose();
        }
        const Corners& G_g = volume.gradient[g];
        for (Index k = 0; k < 3; ++k) {
          GD[g].col(k) = G_g.col(0) * D(k, 0) + G_g.col(1) * D(k, 1) + G_g.col(2) * D(k, 2);
        }
      }
      Matrix8 block = Matrix8::Zero();
      add_product<24>(G, GD[0].data(), 1.0, block);
      if (modes != nullptr) {
        add_product<12>(modes_part.Y[i].data(), modes_part.Y_right[j].data(), -terms.scale, block);
      }
      if (has_mean_volume) {
        const double stiffness = state.at[0].lambda * volume.volume();
        add_product<1>(dm_u.col(i).data(), dm_u.col(j).data(), stiffness, block);
        add_product<1>(dm.col(i).data(), dm.col(j).data(), -stiffness, block);
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
