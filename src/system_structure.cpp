#include "overrun_check.hpp"
#include <picus/component_units.hpp>
#include <picus/local_dofs.hpp>
#include <picus/system.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace picus {

Vector component_units(const System& system) {
  Vector most = Vector::Ones(system.velocity_count());
  std::vector<char> is_scalar(system.velocity_count(), 0);
  for (const Node& node : system.nodes()) {
    if (node.kind == NodeKind::scalar) {
      is_scalar[node.v] = 1;
    } else {
      most.segment<3>(node.v).setConstant(system.length_scale());
    }
  }
  std::vector<double> G;
  std::vector<Index> natural;
  for (const auto& block : system.constraints()) {
    natural.clear();
    for_each_dof(*block.element, [&](Index, Index dof) { natural.push_back(dof); });
    const bool has_scalar = std::ranges::any_of(natural, [&](Index dof) { return is_scalar[dof] != 0; });
    const Index m = block.rows;
    if (!has_scalar || m == 0) continue;
    G.assign(m * block.dofs, 0.0);
    block.role->gradient(system.model().initial_configuration(), 0.0, G);
    std::vector<double> moved_by_others(m, 0.0);
    for (std::size_t c = 0; c < natural.size(); ++c) {
      const Index dof = natural[c];
      if (is_scalar[dof] != 0) continue;
      for (Index r = 0; r < m; ++r)
        moved_by_others[r] = std::max(moved_by_others[r], std::abs(G[c * m + r]) * most[dof]);
    }
    constexpr double idle = 1e-9;  // rows that only scalars move at the start, up to rounding
    const double least = idle * *std::ranges::max_element(moved_by_others);
    for (Index r = 0; r < m; ++r) {
      const double moved = moved_by_others[r];
      if (!(moved > least)) continue;
      for (std::size_t c = 0; c < natural.size(); ++c) {
        const Index dof = natural[c];
        const double by_one = std::abs(G[c * m + r]);
        if (is_scalar[dof] != 0 && by_one * most[dof] > moved) most[dof] = moved / by_one;
      }
    }
  }
  return most;
}

namespace {

/// Configurations that free and driven components reach from the start by large random motions, and random times. An
/// entry of a gradient, an analytic function of q and t, that vanishes at all of them vanishes everywhere (with
/// probability one).
class Probes {
 public:
  explicit Probes(const System& system) {
    std::mt19937 generator(20200921);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const Vector most = component_units(system);
    for (int k = 0; k < 4; ++k) {
      Vector increment = Vector::Zero(system.velocity_count());
      Vector v = Vector::Zero(system.velocity_count());
      for (const Node& node : system.nodes()) {
        for (Index i = 0; i < velocity_size(node.kind); ++i) {
          if (system.model().is_fixed(node.v + i)) continue;
          increment[node.v + i] = uniform(generator) * most[node.v + i];
          v[node.v + i] = uniform(generator) * most[node.v + i];
        }
      }
      Configuration q = system.model().initial_configuration();
      retract(system.nodes(), system.model().initial_configuration(), increment, q);
      configurations.push_back(std::move(q));
      velocities.push_back(std::move(v));
      times.push_back(std::abs(uniform(generator)));
    }
  }

  std::vector<Configuration> configurations;
  std::vector<Vector> velocities;
  std::vector<double> times;
};

/// Updates the largest magnitudes over the probes, entry by entry.
void raise(std::vector<double>& largest, const std::vector<double>& values) {
  for (std::size_t k = 0; k < largest.size(); ++k) largest[k] = std::max(largest[k], std::abs(values[k]));
}

/// Throws ModelError if a force depends on a quantity that its traits declare it independent of: its tangents and
/// changes would be omitted, and steps would converge to wrong results.
void refuse_false_traits(const InRole<Force>& force, const Probes& probes) {
  const Force::Traits traits = force.role->traits();
  const Index n = force.element->dof_count();
  std::vector<double> f(n), other(n);
  const auto evaluate = [&](std::size_t q, std::size_t v, std::vector<double>& out) {
    std::fill(out.begin(), out.end(), 0.0);
    force.role->force({probes.configurations[q], probes.velocities[v], probes.times[0]}, out);
  };
  const auto require_equal = [&](std::size_t q, std::size_t v, std::string_view what) {
    evaluate(q, v, other);
    double scale = 0, change = 0;
    for (Index i = 0; i < n; ++i) {
      scale = std::max({scale, std::abs(f[i]), std::abs(other[i])});
      change = std::max(change, std::abs(f[i] - other[i]));
    }
    if (!std::isfinite(scale) || change <= 1e-9 * scale) return;  // rounding of positions and times
    throw ModelError(
        fmt::format("force \"{}\" depends on the {}, which its traits deny", force.element->name(), what));
  };
  if (traits.depends_on_configuration && traits.depends_on_velocity) return;
  evaluate(0, 0, f);
  for (std::size_t p = 1; p < probes.configurations.size(); ++p) {
    if (!traits.depends_on_configuration) require_equal(p, 0, "configuration");
    if (!traits.depends_on_velocity) require_equal(0, p, "velocity");
  }
}

/// An entry below this fraction of a gradient's largest entry is a rounding error. Scalar nodes have units of their own
/// (one unit of a modal coordinate of a light body may correspond to displacements of thousands of metres), and are
/// compared separately.
constexpr double rounding = 1e-13;

}  // namespace

void System::find_structure() {
  detail::refuse_overruns(*model_);
  const Probes probes(*this);
  active_row_.assign(row_count_, -1);
  std::vector<bool> is_scalar(velocity_count(), false);
  for (const Node& node : nodes()) {
    if (node.kind == NodeKind::scalar) is_scalar[node.v] = true;
  }

  for (const auto& block : constraints_) {
    const Index n = block.dofs;
    const Index m = block.rows;
    std::vector<Index> natural;
    for_each_dof(*block.element, [&](Index, Index dof) { natural.push_back(dof); });
    std::vector<double> G_max(m * n, 0.0);
    std::vector<double> H_max(m * n, 0.0);
    std::vector<double> local(m * n);
    std::vector<double> v(n);
    for (std::size_t p = 0; p < probes.configurations.size(); ++p) {
      std::fill(local.begin(), local.end(), 0.0);
      block.role->gradient(probes.configurations[p], probes.times[p], local);
      raise(G_max, local);
      std::fill(local.begin(), local.end(), 0.0);
      gather(*block.element, probes.velocities[p], v);
      block.role->rate_jacobian(probes.configurations[p], probes.times[p], v, local);
      raise(H_max, local);
    }
    const bool may_drop = block.role->has_structural_zeros();
    std::array<double, 2> scales{};
    const auto scale_of = [&](Index c) -> double& { return scales[is_scalar[natural[c]] ? 1 : 0]; };
    for (Index c = 0; c < n; ++c) {
      for (Index r = 0; r < m; ++r) scale_of(c) = std::max(scale_of(c), G_max[c * m + r]);
    }
    for (Index r = 0; r < m; ++r) {
      const Index row = block.first_row + r;
      bool idle = may_drop;
      for (Index c = 0; c < n && idle; ++c) {
        const bool is_free = free_index_[natural[c]] >= 0;
        if (is_free && G_max[c * m + r] > rounding * scale_of(c)) idle = false;
      }
      if (idle) continue;
      active_row_[row] = active_row_count_++;
      for (Index c = 0; c < n; ++c) {
        const Index source = block.first_source + c * m + r;
        const bool in_gradient = !may_drop || G_max[c * m + r] > rounding * scale_of(c);
        if (in_gradient) constraint_entries_.push_back({source, row, natural[c]});
        const bool in_rate = !may_drop || H_max[c * m + r] > rounding * scale_of(c);
        if (in_gradient || in_rate) constraint_pattern_.push_back({source, row, natural[c]});
      }
    }
  }
  refuse_violated_inactive_rows();
  for (const InRole<Force>& force : model_->forces()) refuse_false_traits(force, probes);

  for (const auto& block : contacts_) {
    const Index n = block.dofs;
    const Index m = block.rows;
    std::vector<double> G_max(m * n, 0.0);
    std::vector<double> local(m * n);
    for (const Configuration& q : probes.configurations) {
      std::fill(local.begin(), local.end(), 0.0);
      block.role->gradient(q, local);
      raise(G_max, local);
    }
    const bool may_drop = block.role->has_structural_zeros();
    double scale = 0;
    for (const double value : G_max) scale = std::max(scale, value);
    // Friction may act along any tangential direction: its rows share their pattern.
    const ContactLaw& law = block.role->law();
    const auto share = [&](Index first_row) {
      for (Index k = first_row; k < m * n; k += m) G_max[k] = G_max[k + 1] = std::max(G_max[k], G_max[k + 1]);
    };
    if (law.friction_directions == 2) share(1);
    if (law.rolling_directions == 2) share(1 + law.sliding_rows());
    for_each_dof(*block.element, [&](Index c, Index dof) {
      for (Index r = 0; r < m; ++r) {
        const auto k = c * m + r;
        if (may_drop && G_max[k] <= rounding * scale) continue;
        contact_entries_.push_back({block.first_source + k, block.first_row + r, dof});
      }
    });
  }
  declared_entry_count_ = contact_entries_.size();
}

void System::refuse_violated_inactive_rows() const {
  Vector g = Vector::Zero(row_count_);
  evaluate_constraint_residual(model_->initial_configuration(), 0.0, g);
  for (Index row = 0; row < row_count_; ++row) {
    if (!std::isfinite(g[row])) {
      throw ModelError(
          fmt::format("{} is {} at the start: positions or lengths of the model are out of range",
                      describe_row(row), std::abs(g[row])));
    }
    // The residual that start() may leave in an active row (docs/theory.md): rounding of a length.
    if (active_row_[row] < 0 && !(std::abs(g[row]) <= 1e-9 * std::max(1.0, length_scale_))) {
      throw ModelError(
          fmt::format("{} is violated by {:.3g} at the start, and it binds fixed or driven components only: "
                      "nothing can satisfy it",
                      describe_row(row), g[row]));
    }
  }
}

}  // namespace picus
