#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/contacts/surface.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/models/dominoes.hpp>
#include <picus/models/references/domino_train.hpp>

#include <fmt/format.h>

#include <memory>

namespace picus::models {
namespace {

std::vector<Node> find_dominoes(const RunInfo& run, const Dominoes& p) {
  std::vector<Node> nodes;
  for (Index i = 0; i < p.count; ++i)
    nodes.push_back(run.system.model().find_node(fmt::format("domino[{}]", i)));
  return nodes;
}

/// Rate of forward rotation, rad/s.
double domino_rate(const Snapshot& at, const Node& node) {
  return -at.state.v[node.v + 5];
}

/// The times of impact: how many dominoes have been hit so far, and the times of two of them.
struct DominoHits {
  Index hit = 1;  ///< the first one moves initially
  std::optional<double> middle, last;
  void serialize(Archive& archive) {
    archive(hit, middle, last);
    archive.require(hit >= 1);
  }
};

}  // namespace

Model make_dominoes(const Dominoes& p) {
  Model model("dominoes");
  const Vec3 size(p.thickness, p.height, p.width);
  const double mass = p.density * size.prod();
  std::vector<MassPoint> bodies;
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{Vec3::UnitY()}, .material = "floor"});
  for (Index i = 0; i < p.count; ++i) {
    const std::string name = fmt::format("domino[{}]", i);
    const double rate = i == 0 ? p.rate : 0.0;  // about the front edge of its foot
    const FrameNode node = model.add_frame(
        name, {.position = {static_cast<double>(i) * (p.spacing + p.thickness), 0.5 * p.height, 0},
               .velocity = {0.5 * rate * p.height, 0.5 * rate * p.thickness, 0},
               .angular_velocity = {0, 0, -rate}});
    model.restrict_to_plane(node);
    bodies.push_back(
        model
            .add<RigidBody>(
                {.name = name + " mass", .node = node, .mass = mass, .inertia = inertia::box(mass, size)})
            ->mass_point());
    model.add<Surface>({.name = name, .of = shapes::Box{size}, .on = node, .material = "domino"});
  }
  add_gravity(model, {.name = "gravity", .acceleration = {0, -p.gravity, 0}, .bodies = bodies});
  model.add<ContactsBetween>({.name = "touch",
                              .mu = p.mu_floor,
                              .pairs = {{.materials = {"domino", "domino"}, .mu = p.mu}},
                              .friction_directions = 1});
  return model;
}

Signals dominoes_signals(const RunInfo& run, const Dominoes& p) {
  const std::vector<Node> nodes = find_dominoes(run, p);
  const double least = 1e-3 * p.rate;
  Signals signals;
  signals.push_back({"moving", "", "dominoes that turn", [nodes, least](const Snapshot& at) {
                       double count = 0;
                       for (const Node& node : nodes) count += domino_rate(at, node) > least ? 1 : 0;
                       return count;
                     }});
  signals.push_back(planar_angle(run, "domino[0]").named("first.angle"));
  signals.push_back(planar_angle(run, fmt::format("domino[{}]", p.count - 1)).named("last.angle"));
  signals.push_back(energy(run));
  return signals;
}

Measures dominoes_measures(const RunInfo& run, const Dominoes& p) {
  const std::vector<Node> nodes = find_dominoes(run, p);
  const double least = 1e-3 * p.rate;
  const Index middle = p.count / 2;
  Measures measures;
  const DominoHits& hits = measures.accumulate(DominoHits{}, [=](const Snapshot& at, DominoHits& kept) {
    while (kept.hit < p.count && domino_rate(at, nodes[kept.hit]) > least) {
      if (kept.hit == middle) kept.middle = at.state.time;
      if (++kept.hit == p.count) kept.last = at.state.time;
    }
  });
  const bool is_known = p.mu == 0 && p.spacing < p.height;
  std::vector<double> exact;
  if (is_known) {
    exact = domino_hits({.height = p.height,
                         .thickness = p.thickness,
                         .spacing = p.spacing,
                         .rate = p.rate,
                         .gravity = p.gravity},
                        static_cast<int>(p.count) - 1);
  }
  const bool has_all = count_of(exact) == p.count - 1;
  const auto speed = [p, middle](double from, double to) {
    return static_cast<double>(p.count - 1 - middle) * (p.spacing + p.thickness) / (to - from);
  };
  const std::string source = "train of dominoes, van Leeuwen 2010";
  measures.add(
      "the last one is hit at", "s", [&hits] { return hits.last; },
      has_all ? std::optional(exact.back()) : std::nullopt, source);
  measures.add(
      "speed of the wave, second half", "m/s",
      [&hits, speed] {
        return hits.last && hits.middle && *hits.last > *hits.middle
                   ? std::optional(speed(*hits.middle, *hits.last))
                   : std::nullopt;
      },
      has_all && p.count > 3 ? std::optional(speed(exact[middle - 1], exact.back())) : std::nullopt, source);
  return measures;
}

RegisteredModel registered_dominoes() {
  using P = Dominoes;
  auto table =
      ParameterTable<P>()
          .integer("count", &P::count, {.low = 2, .high = 10'000}, "number of dominoes")
          .real("height", &P::height, Range::positive(), "m", "height")
          .real("thickness", &P::thickness, Range::positive(), "m", "thickness along the row")
          .real("width", &P::width, Range::positive(), "m", "width across the row")
          .real("spacing", &P::spacing, Range::positive(), "m", "gaps between neighbours")
          .real("density", &P::density, Range::positive(), "kg/m3", "density")
          .real("rate", &P::rate, Range::not_negative(), "rad/s", "of the first one at the start")
          .real("mu_floor", &P::mu_floor, Range::not_negative(), "", "coefficient of friction of the floor")
          .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction between dominoes")
          .real("gravity", &P::gravity, Range::positive(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{
      .info = {.name = "dominoes",
               .summary = "A row of dominoes topples, each hitting the next one. Contacts between the boxes "
                          "are found as they fall; the wave soon has the speed of a train of dominoes that "
                          "lean on each other.",
               .source = "van Leeuwen 2010; Stronge 1987",
               .step = 2e-4,
               .until = 0.8,
               .convergence = {.quantities = {"first.angle"}, .steps = {4e-4, 2e-4, 1e-4}, .until = 0.1}},
      .parameters = table,
      .build = make_dominoes,
      .measures = dominoes_measures,
      .signals = dominoes_signals};
}

}  // namespace picus::models
