#include <picus/checks.hpp>
#include <picus/elements/forces/user_force.hpp>
#include <picus/elements/local_differences.hpp>
#include <picus/local_dofs.hpp>

#include <fmt/format.h>

#include <limits>

namespace picus {
namespace {

constexpr double unset = std::numeric_limits<double>::quiet_NaN();

/// The velocities of the nodes of one element; those of all others are NaN. One per thread.
class LocalVelocity {
 public:
  LocalVelocity(const Element& element, const Vector& given) : element_(element) {
    if (v().size() != given.size()) v() = Vector::Constant(given.size(), unset);
    for (const Node& node : element.nodes())
      v().segment(node.v, velocity_size(node.kind)) = given.segment(node.v, velocity_size(node.kind));
  }
  ~LocalVelocity() {
    for (const Node& node : element_.nodes())
      v().segment(node.v, velocity_size(node.kind)).setConstant(unset);
  }
  LocalVelocity(const LocalVelocity&) = delete;
  LocalVelocity& operator=(const LocalVelocity&) = delete;

  static Vector& v() {
    static thread_local Vector storage;
    return storage;
  }

 private:
  const Element& element_;
};

}  // namespace

UserForce::UserForce(Parameters parameters, const Model& model)
    : Element(parameters.name, parameters.nodes), parameters_(std::move(parameters)) {
  const Culprit who{"user force", name()};
  const auto refuse = [&](std::string_view why) { throw ModelError(who.text() + ": " + std::string(why)); };
  require_nodes_of_user(who, *this, model);
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
  const DifferenceSteps steps(*this, parameters_.length);
  LocalConfiguration moved(*this, motion.q);
  LocalVelocity faster(*this, motion.v);
  for_each_dof(*this, [&](Index j, Index dof) {
    if (traits.depends_on_configuration) {
      central_difference(steps.of(j), column(K, j), [&](double by, std::span<double> f) {
        moved.move(j, by);
        parameters_.force({moved.q(), faster.v(), motion.t}, f);
        moved.restore();
      });
    }
    if (traits.depends_on_velocity) {
      central_difference(steps.of(j), column(C, j), [&](double by, std::span<double> f) {
        faster.v()[dof] = motion.v[dof] + by;
        parameters_.force({moved.q(), faster.v(), motion.t}, f);
        faster.v()[dof] = motion.v[dof];
      });
    }
  });
  for (const std::span<double> matrix : {K, C}) {
    for (double& entry : matrix) entry = -entry;
  }
}

}  // namespace picus
