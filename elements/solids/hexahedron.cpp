#include <picus/elements/solids/hexahedron.hpp>
#include <picus/elements/solids/hexahedron_checks.hpp>
#include <picus/elements/solids/hexahedron_kernel.hpp>

#include <cmath>

namespace picus {

using solids::AtPoints;
using solids::Corners;
using solids::Equilibrium;
using solids::NeoHooke;
using solids::point_count;
using solids::SaintVenantKirchhoff;
using solids::Vec6;

namespace {

/// int rho N_a N_b dV, exact for every trilinear shape: degree four in each direction, three Gauss points each.
solids::Matrix8 consistent_mass(const Corners& X, double density) {
  constexpr double far = 0.77459666924148337704;
  constexpr std::array<double, 3> places = {-far, 0, far};
  constexpr std::array<double, 3> weights = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  solids::Matrix8 M = solids::Matrix8::Zero();
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 xi(places[i], places[j], places[k]);
        const auto N = solids::shape(xi);
        const double weight = weights[i] * weights[j] * weights[k] * solids::jacobian(X, xi).determinant();
        M += (density * weight) * N * N.transpose();
      }
    }
  }
  return M;
}

Corners start_of(const Hexahedron::Parameters& parameters, const Model& model) {
  const Culprit who{"hexahedron", parameters.name};
  solids::require_nodes(who, parameters.nodes, model);
  Corners X;
  for (std::size_t a = 0; a < 8; ++a) {
    X.row(a) = model.initial_configuration().position(parameters.nodes[a]).transpose();
  }
  solids::require_volume(who, parameters.nodes, X, model);
  return X;
}

std::variant<SaintVenantKirchhoff, NeoHooke> law_of(const Culprit& who, const SolidMaterial& material) {
  require_material(who, material);
  if (material.law == SolidLaw::neo_hooke) return NeoHooke{material.lambda(), material.mu()};
  return SaintVenantKirchhoff{material.lambda(), material.mu()};
}

double von_mises(const Mat3& stress) {
  Mat3 deviator = stress;
  deviator.diagonal().array() -= stress.trace() / 3;
  return std::sqrt(1.5) * deviator.norm();
}

}  // namespace

Hexahedron::Hexahedron(Parameters parameters, const Model& model)
    : Element(parameters.name, {parameters.nodes.begin(), parameters.nodes.end()}),
      law_(law_of({"hexahedron", parameters.name}, parameters.material)),
      volume_(start_of(parameters, model)),
      damping_time_(parameters.damping_time) {
  const Culprit who{"hexahedron", name()};
  const SolidMaterial& material = parameters.material;
  require_not_negative(who, "damping_time", damping_time_, "s");
  if (damping_time_ > 0 && material.law == SolidLaw::neo_hooke) {
    throw ModelError(who.text() + ": damping_time needs the law saint_venant_kirchhoff");
  }
  const Corners X = positions(model.initial_configuration());
  if (parameters.formulation == HexahedronFormulation::enhanced) {
    const SaintVenantKirchhoff small_strains{material.lambda(), material.mu()};
    modes_ = std::make_unique<solids::EnhancedModes>(X, small_strains);
  }
  mass_ = consistent_mass(X, material.density);
  for (std::size_t a = 0; a < 8; ++a) nodal_masses_[a] = mass_.row(a).sum();
  if (parameters.lumped_mass) {
    mass_.setZero();
    for (std::size_t a = 0; a < 8; ++a) mass_.diagonal()[a] = nodal_masses_[a];
  }
}

Corners Hexahedron::positions(const Configuration& q) const {
  Corners x;
  for (std::size_t a = 0; a < 8; ++a) x.row(a) = q.position(nodes()[a]).transpose();
  return x;
}

std::string Hexahedron::fault(const Configuration& q) const {
  return solids::volume_fault(positions(q));
}

Corners Hexahedron::velocities(const Vector& v) const {
  Corners u;
  for (std::size_t a = 0; a < 8; ++a) {
    u.row(a) = v.segment<3>(nodes()[a].v).transpose();
  }
  return u;
}

template <class Action>
void Hexahedron::evaluate(const Configuration& q, const Vector* v, const Action& action) const {
  const Corners x = positions(q);
  const AtPoints<Mat3> F = solids::deformation_gradients(volume_, x);
  const auto run = [&](const auto& law, const AtPoints<Mat3>& F_hat) {
    Equilibrium<std::decay_t<decltype(law)>> state;
    for (std::size_t g = 0; g < point_count; ++g) state.E[g] = solids::green_lagrange_strain(F[g]);
    if (&F_hat != &F) {
      for (std::size_t g = 0; g < point_count; ++g) {
        state.E[g] += solids::strain_of_matrix(F[g].transpose() * (F_hat[g] - F[g]));
      }
    }
    if constexpr (std::is_same_v<std::decay_t<decltype(law)>, NeoHooke>) {
      // C alone does not reveal an inverted element.
      for (std::size_t g = 0; g < point_count; ++g) {
        if (!(F[g].determinant() > 0)) state.E[g].setConstant(std::numeric_limits<double>::quiet_NaN());
      }
    }
    solids::equilibrate(law, volume_, modes_.get(), F, state);
    action(law, F, F_hat, state);
  };
  if (v == nullptr || damping_time_ == 0) {
    std::visit([&](const auto& law) { run(law, F); }, law_);
  } else {
    // Only the linear law is viscous.
    const AtPoints<Mat3> F_hat = solids::deformation_gradients(volume_, x + damping_time_ * velocities(*v));
    run(std::get<SaintVenantKirchhoff>(law_), F_hat);
  }
}

Hexahedron::~Hexahedron() = default;

void Hexahedron::mass(const Configuration&, std::span<double> M) const {
  auto matrix = matrix_view<24, 24>(M);
  for (Index b = 0; b < 8; ++b) {
    for (Index a = 0; a < 8; ++a) {
      for (Index i = 0; i < 3; ++i) matrix(3 * a + i, 3 * b + i) = mass_(a, b);
    }
  }
}

Force::Traits Hexahedron::traits() const {
  return {.depends_on_configuration = true,
          .depends_on_velocity = damping_time_ > 0,
          .has_potential = true,
          .potential_kind = PotentialKind::strain,
          .is_conservative = damping_time_ == 0};
}

void Hexahedron::force(const Motion& motion, std::span<double> f) const {
  evaluate(motion.q, &motion.v, [&](const auto&, const auto& F, const auto&, const auto& state) {
    solids::subtract_internal_force(volume_, F, state.S, f);
  });
}

void Hexahedron::conservative_force(const Configuration& q, double, std::span<double> f) const {
  evaluate(q, nullptr, [&](const auto&, const auto& F, const auto&, const auto& state) {
    solids::subtract_internal_force(volume_, F, state.S, f);
  });
}

void Hexahedron::tangents(const Motion& motion, std::span<double> K, std::span<double> C) const {
  evaluate(motion.q, &motion.v, [&]<class L>(const L&, const auto& F, const auto& F_hat, const auto& state) {
    solids::add_stiffness<L>(volume_, modes_.get(), {F, F_hat, state, 1.0, true, &F == &F_hat}, K);
    if (damping_time_ > 0) {
      solids::add_stiffness<L>(volume_, modes_.get(), {F, F, state, damping_time_, false, true}, C);
    }
  });
}

double Hexahedron::potential_energy(const Configuration& q, double) const {
  double energy = 0;
  evaluate(q, nullptr, [&](const auto& law, const auto&, const auto&, const auto& state) {
    energy = solids::strain_energy(law, volume_, modes_.get(), state);
  });
  return energy;
}

std::vector<Quantity> Hexahedron::quantities() const {
  return {{"stress", {6}, "Pa", "mean Cauchy stress xx, yy, zz, xy, yz, zx in inertial axes"},
          {"von_mises_stress", {}, "Pa", "of the mean Cauchy stress"},
          {"strain_energy_density", {}, "J/m3", "per reference volume"}};
}

void Hexahedron::observe(const Motion& motion, std::span<double> values) const {
  Mat3 mean = Mat3::Zero();
  double volume = 0;
  double energy = 0;
  evaluate(motion.q, &motion.v, [&](const auto& law, const auto& F, const auto&, const auto& state) {
    energy = solids::strain_energy(law, volume_, modes_.get(), state);
    for (std::size_t g = 0; g < point_count; ++g) {
      // sigma dv = F S F^T dV
      mean += volume_.weight[g] * F[g] * solids::matrix_of_stress(state.S[g]) * F[g].transpose();
      volume += volume_.weight[g] * F[g].determinant();
    }
  });
  mean /= volume;
  vector_view<6>(values) = solids::stress_of_matrix(mean);
  values[6] = von_mises(mean);
  if (damping_time_ > 0)
    energy = potential_energy(motion.q, motion.t);  // without the viscous part of the strains
  values[7] = energy / volume_.volume();
}

std::vector<Quantity> Hexahedron::point_quantities() const {
  return {{"position", {3}, "m", "in the inertial frame"},
          {"velocity", {3}, "m/s", "in the inertial frame"},
          {"strain", {6}, "1", "Green-Lagrange xx, yy, zz, 2 xy, 2 yz, 2 zx in the axes of the start"},
          {"stress", {6}, "Pa", "Cauchy xx, yy, zz, xy, yz, zx in inertial axes"},
          {"von_mises_stress", {}, "Pa", "of the stress"}};
}

bool Hexahedron::contains(const Vec3& xi) const {
  constexpr double slack = 1e-9;
  return xi.allFinite() && xi.lpNorm<Eigen::Infinity>() <= 1 + slack;
}

void Hexahedron::observe_point(const Vec3& xi, const Motion& motion, std::span<double> values) const {
  const solids::ShapeValues N = solids::shape(xi);
  // The Gauss points are the corners of a cube on which xi is larger by this factor.
  const solids::ShapeValues weight = solids::shape(xi / solids::gauss_coordinate);
  Vec6 strain = Vec6::Zero();
  Mat3 stress = Mat3::Zero();
  const auto add_strain = [&](const auto&, const auto&, const auto&, const auto& state) {
    for (std::size_t g = 0; g < point_count; ++g) strain += weight[g] * state.E[g];
  };
  const bool is_viscous = damping_time_ > 0;  // the strains behind the stress then contain rates
  if (is_viscous) evaluate(motion.q, nullptr, add_strain);
  evaluate(motion.q, &motion.v, [&](const auto& law, const auto& F, const auto& F_hat, const auto& state) {
    if (!is_viscous) add_strain(law, F, F_hat, state);
    for (std::size_t g = 0; g < point_count; ++g) {
      const double part = weight[g] / F[g].determinant();
      stress += part * F[g] * solids::matrix_of_stress(state.S[g]) * F[g].transpose();
    }
  });
  auto vector = vector_view<19>(values);
  vector.segment<3>(0) = positions(motion.q).transpose() * N;
  vector.segment<3>(3) = velocities(motion.v).transpose() * N;
  vector.segment<6>(6) = strain;
  vector.segment<6>(12) = solids::stress_of_matrix(stress);
  vector[18] = von_mises(stress);
}

std::vector<MaterialPoint> Hexahedron::points() const {
  std::vector<MaterialPoint> result(8);
  for (std::size_t a = 0; a < 8; ++a) result[a].node = nodes()[a];
  return result;
}

}  // namespace picus
