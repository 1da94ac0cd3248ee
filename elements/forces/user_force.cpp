#include <picus/checks.hpp>
#include <picus/elements/forces/user_force.hpp>
#include <picus/local_dofs.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace picus {
namespace {

constexpr double unset = std::numeric_limits<double>::quiet_NaN();

/// A motion in which the nodes of one element are set and may be perturbed; all others are NaN. One per thread, so
/// that elements have no state and only the first call allocates.
class Scratch {
 public:
  Scratch(const Element& element, const Motion& motion) : element_(element), motion_(motion) {
    Storage& s = storage();
    if (s.q.data().size() != motion.q.data().size()) {
      s.q = Configuration(std::vector<double>(motion.q.data().size(), unset));
    }
    if (s.v.size() != motion.v.size()) s.v = Vector::Constant(motion.v.size(), unset);
    if (s.increment.size() != motion.v.size()) s.increment = Vector::Zero(motion.v.size());
    for (const Node& node : element.nodes()) {
      restore(node);
      s.increment.segment(node.v, velocity_size(node.kind)).setZero();  // f may have thrown while perturbed
      s.v.segment(node.v, velocity_size(node.kind)) = motion.v.segment(node.v, velocity_size(node.kind));
    }
  }
  ~Scratch() {
    Storage& s = storage();
    for (const Node& node : element_.nodes()) {
      std::fill_n(s.q.data().begin() + node.q, configuration_size(node.kind), unset);
      s.v.segment(node.v, velocity_size(node.kind)).setConstant(unset);
    }
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// f with component `i` of `node` perturbed.
  void moved(const UserForce::ForceFunction& f, const Node& node, Index i, double step,
             std::span<double> out) {
    Storage& s = storage();
    s.increment[node.v + i] = step;
    retract({&node, 1}, s.q, s.increment, s.q);
    f({s.q, s.v, motion_.t}, out);
    s.increment[node.v + i] = 0.0;
    restore(node);
  }
  /// f with a velocity component perturbed.
  void faster(const UserForce::ForceFunction& f, Index dof, double step, std::span<double> out) {
    Storage& s = storage();
    s.v[dof] = motion_.v[dof] + step;
    f({s.q, s.v, motion_.t}, out);
    s.v[dof] = motion_.v[dof];
  }

 private:
  struct Storage {
    Configuration q;
    Vector v;
    Vector increment;
  };
  static Storage& storage() {
    static thread_local Storage s;
    return s;
  }
  void restore(const Node& node) {
    std::copy_n(motion_.q.data().begin() + node.q, configuration_size(node.kind),
                storage().q.data().begin() + node.q);
  }

  const Element& element_;
  const Motion& motion_;
};

/// -df/ds by central differences of fourth order; evaluate(step, storage) gives f.
template <class Evaluate>
void negative_difference(Index n, double step, const Evaluate& evaluate, std::span<double> column) {
  constexpr std::array<double, 4> places = {-2, -1, 1, 2};
  constexpr std::array<double, 4> weights = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  std::array<double, max_local_dofs> storage;
  const std::span<double> f(storage.data(), n);
  std::fill(column.begin(), column.end(), 0.0);
  for (std::size_t k = 0; k < places.size(); ++k) {
    std::fill(f.begin(), f.end(), 0.0);
    evaluate(places[k] * step, f);
    for (std::size_t i = 0; i < f.size(); ++i) column[i] -= weights[k] * f[i] / step;
  }
}

}  // namespace

UserForce::UserForce(Parameters parameters, const Model& model)
    : Element(parameters.name, parameters.nodes), parameters_(std::move(parameters)) {
  const Culprit who{"user force", name()};
  const auto refuse = [&](std::string_view why) { throw ModelError(who.text() + ": " + std::string(why)); };
  if (nodes().empty()) refuse("nodes is empty, nothing is acted on");
  for (std::size_t i = 0; i < nodes().size(); ++i) {
    model.require_node(nodes()[i], who.text(), fmt::format("nodes[{}]", i));
    for (std::size_t j = 0; j < i; ++j) {
      if (nodes()[i] == nodes()[j]) refuse(fmt::format("nodes[{}] and nodes[{}] are the same", j, i));
    }
  }
  if (static_cast<std::size_t>(dof_count()) > max_local_dofs) {
    refuse(fmt::format("its nodes have {} velocity components, more than the {} of one element", dof_count(),
                       max_local_dofs));
  }
  if (!parameters_.force) refuse("force is not given");
  const Traits& traits = parameters_.traits;
  if (traits.has_potential && !parameters_.potential)
    refuse("has a potential by its traits, but none is given");
  if (!traits.has_potential && parameters_.potential)
    refuse("a potential is given, but denied by its traits");
  if (traits.has_potential && !traits.is_conservative && !parameters_.conservative_force) {
    refuse("conservative_force is not given, which a potential needs unless the traits say is_conservative");
  }
  require_positive(who, "length", parameters_.length, "m");

  const Configuration& q_0 = model.initial_configuration();
  const Vector v_0 = Eigen::Map<const Vector>(model.initial_velocity().data(), model.velocity_count());
  std::vector<double> f(dof_count(), 0.0);
  parameters_.force({q_0, v_0, 0.0}, f);
  for (std::size_t i = 0; i < f.size(); ++i) {
    require_finite(who, fmt::format("entry {} of the force at the start", i), f[i], "");
  }
}

void UserForce::tangents(const Motion& motion, std::span<double> K, std::span<double> C) const {
  if (parameters_.tangents) return parameters_.tangents(motion, K, C);
  const Traits& traits = parameters_.traits;
  const Index n = dof_count();
  const auto column = [&](std::span<double> matrix, Index j) { return matrix.subspan(j * n, n); };
  Scratch scratch(*this, motion);
  Index j = 0;
  for (const Node& node : nodes()) {
    for (Index i = 0; i < velocity_size(node.kind); ++i, ++j) {
      const bool is_translation = node.kind != NodeKind::scalar && i < 3;
      const double step = 1e-3 * (is_translation ? parameters_.length : 1.0);
      if (traits.depends_on_configuration) {
        negative_difference(
            n, step, [&](double s, std::span<double> f) { scratch.moved(parameters_.force, node, i, s, f); },
            column(K, j));
      }
      if (traits.depends_on_velocity) {
        negative_difference(
            n, step,
            [&](double s, std::span<double> f) { scratch.faster(parameters_.force, node.v + i, s, f); },
            column(C, j));
      }
    }
  }
}

}  // namespace picus
