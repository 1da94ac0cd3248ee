#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/contacts/sphere_to_sphere.hpp>
#include <picus/models/impact_laws.hpp>
#include <picus/models/newtons_cradle.hpp>

#include <fmt/format.h>

#include <cmath>

namespace picus::models {
namespace {

constexpr double ball_radius = 0.03;  // m
constexpr double flight = 0.005;      // m, of the first ball before it touches the row

std::string ball_name(Index i) {
  return fmt::format("ball[{}]", i);
}

}  // namespace

std::vector<double> NewtonsCradle::masses() const {
  std::vector<double> result;
  for (Index i = 0; i < balls; ++i) result.push_back(mass * std::pow(ratio, static_cast<double>(i)));
  return result;
}

Model make_newtons_cradle(const NewtonsCradle& p) {
  Model model("newtons-cradle");
  const std::vector<double> masses = p.masses();
  std::vector<PointNode> balls;
  for (Index i = 0; i < p.balls; ++i) {
    const double x =
        i == 0 ? -flight - 2 * ball_radius : static_cast<double>(i - 1) * (2 * ball_radius + p.gap);
    balls.push_back(
        model.add_point(ball_name(i), {.position = {x, 0, 0}, .velocity = {i == 0 ? p.speed : 0.0, 0, 0}}));
    model.add<PointMass>({.name = fmt::format("mass[{}]", i), .node = balls.back(), .mass = masses[i]});
  }
  const ImpactLaw law{.kind = p.law, .stiffness = 1.0, .exponent = p.exponent};
  for (std::size_t i = 0; i + 1 < balls.size(); ++i) {
    model.add<SphereToSphereContact>({.name = fmt::format("pair[{}]", i),
                                      .a = {balls[i], ball_radius},
                                      .b = {balls[i + 1], ball_radius},
                                      .e_n = p.restitution,
                                      .impact_law = law});
  }
  return model;
}

Signals newtons_cradle_signals(const RunInfo& run, const NewtonsCradle& p) {
  Signals signals;
  std::vector<Node> nodes;
  for (Index i = 0; i < p.balls; ++i) {
    signals.push_back(velocity(run, ball_name(i), Axis::x));
    nodes.push_back(run.system.model().find_node(ball_name(i)));
  }
  signals.push_back(energy(run));
  signals.push_back({"momentum", "N s", "of all balls", [nodes, masses = p.masses()](const Snapshot& at) {
                       double sum = 0.0;
                       for (std::size_t i = 0; i < nodes.size(); ++i)
                         sum += masses[i] * at.state.v[nodes[i].v];
                       return sum;
                     }});
  return signals;
}

Measures newtons_cradle_measures(const RunInfo& run, const NewtonsCradle& p) {
  const Node first = run.system.model().find_node(ball_name(0));
  const Node last = run.system.model().find_node(ball_name(p.balls - 1));
  struct End {
    double first = 0.0, last = 0.0, energy = 0.0;
    void serialize(Archive& archive) { archive(first, last, energy); }
  };
  Measures measures;
  const End& end = measures.accumulate(End{}, [first, last](const Snapshot& at, End& watched) {
    watched = {at.state.v[first.v], at.state.v[last.v], at.audit.energies(at.state).kinetic};
  });
  measures.add("velocity of the first ball", "m/s", [&end] { return end.first; });
  measures.add("velocity of the last ball", "m/s", [&end] { return end.last; });
  measures.add("part of the energy that is left", "",
               [&end, before = 0.5 * p.mass * p.speed * p.speed] { return end.energy / before; });
  return measures;
}

RegisteredModel registered_newtons_cradle() {
  using P = NewtonsCradle;
  auto table =
      ParameterTable<P>()
          .integer("balls", &P::balls, {.low = 2, .high = 200}, "number of balls, the first one included")
          .real("mass", &P::mass, Range::positive(), "kg", "mass of the first ball")
          .real("ratio", &P::ratio, Range::positive(), "", "mass of each ball over that of the one before")
          .real("gap", &P::gap, Range::not_negative(), "m", "between the balls of the row")
          .real("speed", &P::speed, Range::positive(), "m/s", "of the first ball at the start")
          .real("restitution", &P::restitution, Range::between(0, 1), "", "of all contacts")
          .choice("law", &P::law, impact_law_names(), "law of impact")
          .real("exponent", &P::exponent, Range::between(1, 4), "", "of the deformation of contacts, of lzb");
  return ModelParts<P>{
      .info = {.name = "newtons-cradle",
               .summary = "A ball flies into a row of balls. What they do after the impact, which passes "
                          "through all of them, depends on the law of impact.",
               .source = "Liu, Zhao and Brogliato 2008; Acary and Brogliato 2008",
               .step = 1e-4,
               .until = 0.05},
      .parameters = table,
      .build = make_newtons_cradle,
      .measures = newtons_cradle_measures,
      .signals = newtons_cradle_signals};
}

}  // namespace picus::models
