#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/elements/joints/spherical_joint.hpp>
#include <picus/models/references/heavy_top_reference.hpp>
#include <picus/models/spinning_top.hpp>

#include <fmt/format.h>

#include <cmath>

namespace picus::models {
namespace {

Vec3 arm(const SpinningTop& p) {
  return {0.0, p.distance, 0.0};
}

Vec3 inertia(const SpinningTop& p) {
  return {p.transverse_inertia, p.axial_inertia, p.transverse_inertia};
}

Vec3 free_fall(const SpinningTop& p) {
  return {0.0, 0.0, -p.gravity};
}

Vec3 angular_velocity(const SpinningTop& p) {
  return {0.0, p.spin, p.precession};
}

double orthogonality_error(const Configuration& q, const Node& top) {
  const auto R = q.rotation(top);
  return (R.transpose() * R - Mat3::Identity()).norm();
}

}  // namespace

Model make_spinning_top(const SpinningTop& p) {
  Model model("spinning-top");
  const FrameNode node = model.add_frame("top", {.position = arm(p),
                                                 .velocity = angular_velocity(p).cross(arm(p)),
                                                 .angular_velocity = angular_velocity(p)});
  const auto body = model.add<RigidBody>(
      {.name = "body", .node = node, .mass = p.mass, .inertia = inertia(p).asDiagonal()});
  model.add<Gravity>({.name = "gravity", .acceleration = free_fall(p), .bodies = {body->mass_point()}});
  model.add<SphericalJoint>(
      {.name = "pivot", .a = MaterialPoint::on_ground(Vec3::Zero()), .b = {node, -arm(p)}});
  return model;
}

Signals spinning_top_signals(const RunInfo& run, const SpinningTop& p) {
  const auto exact =
      std::make_shared<HeavyTopReference>(HeavyTopParameters{.mass = p.mass,
                                                             .inertia = inertia(p),
                                                             .centre_of_mass = arm(p),
                                                             .gravity = free_fall(p),
                                                             .angular_velocity = angular_velocity(p)},
                                          run.stop_request);
  const Node top = run.system.model().find_node("top");
  Signals signals;
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const auto i = place_of(axis);
    signals.push_back(
        position(run, "top", axis).against([exact, i](double t) { return exact->position(t)[i]; }));
    signals.push_back(
        velocity(run, "top", axis).against([exact, i](double t) { return exact->velocity(t)[i]; }));
    // The pivot is the only constraint: its rows are the constraint rows of the state.
    const char name = "xyz"[i];
    signals.push_back({fmt::format("pivot.{}", name), "N", fmt::format("{} reaction of the pivot", name),
                       [i](const Snapshot& at) { return at.state.constraint_force[i]; },
                       [exact, i](double t) { return exact->reaction(t)[i]; }});
  }
  signals.push_back(energy(run));
  signals.push_back(violation(run));
  signals.push_back({"orthogonality", "", "|R^T R - I|",
                     [top](const Snapshot& at) { return orthogonality_error(at.state.q, top); }});
  return signals;
}

Measures spinning_top_measures(const RunInfo& run, const SpinningTop& /*parameters*/) {
  const Node top = run.system.model().find_node("top");
  struct Drift {
    std::optional<double> start;  ///< energy, J
    double largest = 0.0;
    void serialize(Archive& archive) {
      archive(start, largest);
      archive.require(largest >= 0);
    }
  };
  Measures measures;
  measures.add("largest |R^T R - I|", "",
               measures.largest([top](const Snapshot& at) { return orthogonality_error(at.state.q, top); }),
               0.0, "rotation");
  const Drift& drift =
      measures.accumulate(Drift{}, [total = energy(run)](const Snapshot& at, Drift& watched) {
        const double now = total.value(at);
        if (!watched.start) watched.start = now;
        watched.largest = std::max(watched.largest, std::abs(now - *watched.start));
      });
  measures.add(
      "largest change of energy", "J", [&drift] { return drift.largest; }, 0.0, "conserved");
  return measures;
}

RegisteredModel registered_spinning_top() {
  using P = SpinningTop;
  auto table =
      ParameterTable<P>()
          .real("mass", &P::mass, Range::positive(), "kg", "mass of the top")
          .real("transverse_inertia", &P::transverse_inertia, Range::positive(), "kg m2",
                "moment of inertia about the centre of mass, across the axis")
          .real("axial_inertia", &P::axial_inertia, Range::positive(), "kg m2",
                "moment of inertia about the axis")
          .real("distance", &P::distance, Range::positive(), "m", "from the pivot to the centre of mass")
          .real("gravity", &P::gravity, Range::not_negative(), "m/s2", "acceleration of gravity")
          .real("spin", &P::spin, {}, "rad/s", "angular velocity about the axis at the start")
          .real("precession", &P::precession, {}, "rad/s",
                "angular velocity about the vertical at the start");
  return ModelParts<P>{
      .info = {.name = "spinning-top",
               .summary =
                   "A heavy top spins at 150 rad/s about a fixed point and precesses. The motion is smooth, "
                   "with large rotations and three bilateral constraints: second order in position, velocity "
                   "and multiplier, and R stays a rotation.",
               .source = "thesis 2.8.4, 2.9",
               .step = 5e-4,
               .until = 2.0,
               .convergence = {.quantities = {"top.*", "pivot.*"},
                               .steps = {1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5}}},
      .parameters = table,
      .build = make_spinning_top,
      .measures = spinning_top_measures,
      .signals = spinning_top_signals};
}

}  // namespace picus::models
