#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/models/elastic_bar.hpp>
#include <picus/models/references/impacting_bar_exact.hpp>

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace picus::models {
namespace {

ImpactingBarExact exact_of(const ElasticBar& p) {
  return ImpactingBarExact({.youngs_modulus = p.youngs_modulus,
                            .density = p.density,
                            .area = p.area,
                            .length = p.length,
                            .gap = p.gap,
                            .speed = p.speed});
}

Node find_bar_node(const RunInfo& run, Index i) {
  return run.system.model().find_node(fmt::format("bar[{}]", i));
}

/// The material point of the bar at distance X from its tip, between the nodes a and b.
struct BarPoint {
  Node a;
  Node b;
  double share_of_b;

  double position(const State& state) const {
    return (1.0 - share_of_b) * state.q.position(a).x() + share_of_b * state.q.position(b).x();
  }
  double velocity(const State& state) const {
    return (1.0 - share_of_b) * state.v[a.v] + share_of_b * state.v[b.v];
  }
};

BarPoint find_point(const RunInfo& run, const ElasticBar& p, double X) {
  const double place = X / p.length * static_cast<double>(p.elements);
  const Index first = std::min(static_cast<Index>(place), p.elements - 1);
  return {find_bar_node(run, first), find_bar_node(run, first + 1), place - static_cast<double>(first)};
}

/// The node nearest to the observed interior point.
Index nearest_node(const ElasticBar& p) {
  return static_cast<Index>(std::lround(p.probe / p.length * static_cast<double>(p.elements)));
}

/// The action of the wall on the bar.
struct WallContact {
  double time = 0.0;                   ///< now, s
  std::optional<double> first_closed;  ///< ends of steps, s
  double last_closed = 0.0;
  double impulse = 0.0;   ///< during the middle half of the exact contact time, N s
  double duration = 0.0;  ///< total duration of the steps summed, s
  double mean_velocity = 0.0;
  void serialize(Archive& archive) {
    archive(time, first_closed, last_closed, impulse, duration, mean_velocity);
    archive.require(last_closed >= 0 && last_closed <= time && duration >= 0);
  }
};

/// Velocity of the centre of mass; both mass matrices have the same row sums.
double mean_velocity_of(const std::vector<Node>& nodes, const Vector& v) {
  double sum = 0.0;
  for (const Node& node : nodes) sum += v[node.v];
  return (sum - (v[nodes.front().v] + v[nodes.back().v]) / 2) / static_cast<double>(nodes.size() - 1);
}

}  // namespace

Model make_elastic_bar(const ElasticBar& p) {
  if (p.probe > p.length) {
    throw OptionError(fmt::format("parameter probe is {} m, must lie on the bar of {} m", p.probe, p.length));
  }
  Model model("elastic-bar");
  // Only the area of the section matters.
  const double side = std::sqrt(p.area);
  const BeamMesh bar = make_beam(
      model, {.name = "bar",
              .section = Section::rectangle(side, side, {.E = p.youngs_modulus, .density = p.density}),
              .from = Vec3(p.gap, 0.0, 0.0),
              .to = Vec3(p.gap + p.length, 0.0, 0.0),
              .elements = static_cast<int>(p.elements),
              .velocity = {-p.speed, 0.0, 0.0},
              .mass = p.mass == ElasticBar::Mass::lumped ? BeamMass::lumped : BeamMass::consistent});
  for (const FrameNode& node : bar.nodes) {
    model.fix(node, {Component::y, Component::z, Component::rx, Component::ry, Component::rz});
  }
  model.add<NodeToFaceContact>(
      {.name = "wall", .slave = bar.first(), .face = {.normal = Vec3::UnitX()}, .e_n = p.restitution});
  return model;
}

Signals elastic_bar_signals(const RunInfo& run, const ElasticBar& p) {
  const ImpactingBarExact exact = exact_of(p);
  Signals signals;
  const auto add_point = [&](const std::string& name, const std::string& meaning, double X) {
    const BarPoint point = find_point(run, p, X);
    signals.push_back({name + ".x", "m", "x of " + meaning,
                       [point](const Snapshot& at) { return point.position(at.state); },
                       [exact, X](double t) { return exact.position(X, t); }});
    signals.push_back({name + ".vx", "m/s", "x velocity of " + meaning,
                       [point](const Snapshot& at) { return point.velocity(at.state); },
                       [exact, X](double t) { return exact.velocity(X, t); }});
  };
  add_point("tip", "the tip", 0.0);
  add_point("probe", fmt::format("the point {} m from the tip", p.probe), p.probe);
  add_point("end", "the free end", p.length);
  for (const Index node : std::set{Index{0}, nearest_node(p)}) {
    const std::string name = fmt::format("bar[{}]", node);
    signals.push_back(position(run, name, Axis::x));
    signals.push_back(velocity(run, name, Axis::x));
  }
  signals.push_back(gap(run, "wall").against([exact](double t) { return exact.position(0.0, t); }));
  signals.push_back(normal_force(run, "wall").against([exact](double t) { return exact.contact_force(t); }));
  const auto kinetic = [exact](double t) { return exact.kinetic_energy(t); };
  const auto strain = [exact](double t) { return exact.strain_energy(t); };
  signals.push_back(kinetic_energy(run).against(kinetic));
  signals.push_back(potential_energy(run).against(strain));
  signals.push_back(energy(run).against([kinetic, strain](double t) { return kinetic(t) + strain(t); }));
  return signals;
}

Measures elastic_bar_measures(const RunInfo& run, const ElasticBar& parameters) {
  const ImpactingBarExact exact = exact_of(parameters);
  std::vector<Node> nodes;
  for (Index i = 0; i <= parameters.elements; ++i) nodes.push_back(find_bar_node(run, i));
  const Index row = find_contact(run.system, "wall").row;
  const double step = run.integrator.step_size();
  const double closed_for = exact.opens_at() - exact.closes_at();
  const std::string source = "exact, d'Alembert";
  Measures measures;
  const WallContact& wall = measures.accumulate(WallContact{}, [=](const Snapshot& at, WallContact& watched) {
    const State& state = at.state;
    watched.time = state.time;
    watched.mean_velocity = mean_velocity_of(nodes, state.v);
    if (state.step == 0) return;
    const double impulse = state.contact_impulse[row];
    if (impulse > 0.0) {
      if (!watched.first_closed) watched.first_closed = state.time;
      watched.last_closed = state.time;
    }
    if (std::abs(state.time - exact.closes_at() - closed_for / 2) < closed_for / 4) {
      watched.impulse += impulse;
      watched.duration += step;
    }
  });
  const auto once_over = [&wall, step, opens_at = exact.opens_at()](auto value) -> Measures::Number {
    return [&wall, step, opens_at, value]() -> std::optional<double> {
      if (!wall.first_closed || !(wall.time > opens_at + step)) return {};
      return value();
    };
  };
  measures.add(
      "closes at", "s", [&wall] { return wall.first_closed; }, exact.closes_at(), source);
  measures.add("closed for", "s",
               once_over([&wall, step] { return wall.last_closed - *wall.first_closed + step; }), closed_for,
               source);
  measures.add("mean force in the middle half of that", "N", once_over([&wall]() -> std::optional<double> {
                 if (!(wall.duration > 0.0)) return {};
                 return wall.impulse / wall.duration;
               }),
               exact.impact_force(), source);
  measures.add("velocity of the centre of mass at the end", "m/s",
               once_over([&wall] { return wall.mean_velocity; }), parameters.speed, source);
  return measures;
}

RegisteredModel registered_elastic_bar() {
  using P = ElasticBar;
  auto table =
      ParameterTable<P>()
          .real("youngs_modulus", &P::youngs_modulus, Range::positive(), "N/m2", "Young's modulus")
          .real("density", &P::density, Range::positive(), "kg/m3", "density")
          .real("area", &P::area, Range::positive(), "m2", "cross-section area")
          .real("length", &P::length, Range::positive(), "m", "length of the bar, undeformed")
          .real("gap", &P::gap, Range::not_negative(), "m", "distance of the tip from the wall at the start")
          .real("speed", &P::speed, Range::positive(), "m/s", "velocity at the start, towards the wall")
          .real("restitution", &P::restitution, Range::between(0, 1), "",
                "velocity of the tip node after an impact over that before")
          .integer("elements", &P::elements, {.low = 1, .high = 100000}, "number of beam elements")
          .choice("mass", &P::mass, {{"consistent", P::Mass::consistent}, {"lumped", P::Mass::lumped}},
                  "mass matrix of the elements")
          .real("probe", &P::probe, Range::not_negative(), "m",
                "distance of the observed interior point from the tip");
  return ModelParts<P>{
      .info = {.name = "elastic-bar",
               .summary =
                   "An elastic bar flies against a rigid wall and bounces back. A front of compression runs "
                   "from the wall to the free end and returns; until then the tip stays on the wall under a "
                   "constant force. The exact solution is known.",
               .source = "thesis 3.3.2; Chen 2013, 5.3; Acary's slides",
               .step = 1e-3,
               .until = 1.5,
               .convergence = {.quantities = {"bar*.x"},
                               .steps = {2e-2, 1e-2, 4e-3, 2e-3, 1e-3, 4e-4, 2e-4}}},
      .parameters = table,
      .build = make_elastic_bar,
      .measures = elastic_bar_measures,
      .signals = elastic_bar_signals};
}

}  // namespace picus::models
