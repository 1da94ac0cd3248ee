#include <picus/elements/bodies/planar_body.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/models/four_bar_chain.hpp>
#include <picus/models/references/swing_reference.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace picus::models {
namespace {

double stiffness_of_swing(const FourBarChain& p) {
  const auto N = static_cast<double>(p.windows);
  return p.gravity / p.length * ((N + 1) / 2 + N) / ((N + 1) / 3 + N);
}

}  // namespace

Model make_four_bar_chain(const FourBarChain& p) {
  Model model("four-bar-chain");
  const FrameNode ground = model.add_frame("ground");
  model.fix(ground);
  const double half = p.length / 2;
  const double inertia = p.mass * p.length * p.length / 12;
  const Vec3 along(half, 0, 0);
  std::vector<MassPoint> bodies;
  std::vector<PlanarBody> uprights;
  const auto add_body = [&](const std::string& name, PlanarBodyParameters parameters) {
    parameters.name = name;
    parameters.mass = p.mass;
    parameters.inertia = inertia;
    const PlanarBody body = add_planar_body(model, parameters);
    bodies.push_back(body.body->mass_point());
    return body;
  };
  const auto add_hinge = [&](const std::string& name, const MaterialPoint& a, const MaterialPoint& b) {
    model.add<Hinge>({.name = name, .a = a, .b = b, .axis = Vec3::UnitZ()});
  };
  for (Index i = 0; i <= p.windows; ++i) {
    const double x = static_cast<double>(i) * p.length;
    uprights.push_back(add_body(fmt::format("upright[{}]", i), {.position = {x, half, 0},
                                                                .angle = std::numbers::pi / 2,
                                                                .velocity = {p.speed / 2, 0, 0},
                                                                .angular_velocity = -p.speed / p.length}));
    add_hinge(fmt::format("A[{}]", i), {ground, {x, 0, 0}}, uprights.back().at(-along));
  }
  for (Index i = 0; i < p.windows; ++i) {
    const double x = (static_cast<double>(i) + 0.5) * p.length;
    const PlanarBody coupler =
        add_body(fmt::format("coupler[{}]", i), {.position = {x, p.length, 0}, .velocity = {p.speed, 0, 0}});
    const std::size_t left = i;
    add_hinge(fmt::format("left[{}]", i), uprights[left].at(along), coupler.at(-along));
    add_hinge(fmt::format("right[{}]", i), uprights[left + 1].at(along), coupler.at(along));
  }
  add_gravity(model, {.name = "gravity", .acceleration = {0, -p.gravity, 0}, .bodies = bodies});
  return model;
}

Signals four_bar_chain_signals(const RunInfo& run, const FourBarChain& p) {
  const auto exact = std::make_shared<SwingReference>(
      SwingParameters{.k = stiffness_of_swing(p), .angle = std::numbers::pi / 2, .rate = -p.speed / p.length},
      run.stop_request);
  const Node upright = run.system.model().find_node("upright[0]");
  const MaterialPoint B(FrameNode{upright}, {p.length / 2, 0, 0});
  Signals signals;
  signals.push_back({"B0.x", "m", "x of B_0", [B](const Snapshot& at) { return B.position(at.state.q).x(); },
                     [exact, p](double t) { return p.length * std::cos(exact->at(t).angle); }});
  signals.push_back({"B0.y", "m", "y of B_0", [B](const Snapshot& at) { return B.position(at.state.q).y(); },
                     [exact, p](double t) { return p.length * std::sin(exact->at(t).angle); }});
  signals.push_back(energy(run));
  signals.push_back(violation(run));
  return signals;
}

Measures four_bar_chain_measures(const RunInfo& /*run*/, const FourBarChain& /*parameters*/) {
  Measures measures;
  const Energies& energies = measures.energies();
  measures.add(
      "change of energy", "J", [&energies] { return energies.balance; }, 0.0, "conserved");
  return measures;
}

RegisteredModel registered_four_bar_chain() {
  using P = FourBarChain;
  auto table =
      ParameterTable<P>()
          .integer("windows", &P::windows, {.low = 1, .high = 1000}, "four-bar linkages side by side")
          .real("mass", &P::mass, Range::positive(), "kg", "mass of each rod")
          .real("length", &P::length, Range::positive(), "m", "length of each rod")
          .real("speed", &P::speed, {}, "m/s", "velocity of the couplers at the start")
          .real("gravity", &P::gravity, Range::not_negative(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{
      .info = {.name = "four-bar-chain",
               .summary = "Four-bar linkages side by side turn through the positions in which all rods lie "
                          "in a line. There "
                          "the equations of the joints lose their independence, and motion could branch.",
               .source = "IFToMM A02; Gonzalez and others 2006",
               .step = 1e-3,
               .until = 10.0,
               .convergence = {.quantities = {"B0.*"}, .steps = {2e-3, 1e-3, 5e-4}, .until = 5.0}},
      .parameters = table,
      .build = make_four_bar_chain,
      .measures = four_bar_chain_measures,
      .signals = four_bar_chain_signals};
}

}  // namespace picus::models
