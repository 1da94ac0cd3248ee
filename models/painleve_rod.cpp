#include <picus/elements/bodies/planar_body.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/models/painleve_rod.hpp>

#include <cmath>
#include <memory>
#include <numbers>

namespace picus::models {
namespace {

double lean_of(const Configuration& q, const Node& rod) {
  const Vec3 along = q.rotation(rod).col(0);
  return std::atan2(along.x(), along.y());
}

MaterialPoint lower_end(const Node& rod, const PainleveRod& p) {
  return {FrameNode{rod}, {-p.length / 2, 0, 0}};
}

}  // namespace

PainleveRodReference painleve_rod_reference(const PainleveRod& p, StopRequest stop_request) {
  return PainleveRodReference({.mass = p.mass,
                               .length = p.length,
                               .mu = p.mu,
                               .gravity = p.gravity,
                               .inclination = p.inclination,
                               .rate = p.rate,
                               .slip = p.slip,
                               .height = p.height},
                              stop_request);
}

Model make_painleve_rod(const PainleveRod& p) {
  Model model("painleve-rod");
  const double a = p.length / 2;
  const double s = std::sin(p.inclination);
  const double c = std::cos(p.inclination);
  const PlanarBody rod = add_planar_body(model, {.name = "rod",
                                                 .position = {a * s, p.height + a * c, 0},
                                                 .angle = std::numbers::pi / 2 - p.inclination,
                                                 .velocity = {p.slip + a * c * p.rate, -a * s * p.rate, 0},
                                                 .angular_velocity = -p.rate,
                                                 .mass = p.mass,
                                                 .inertia = p.mass * p.length * p.length / 12});
  model.add<Gravity>(
      {.name = "gravity", .acceleration = {0, -p.gravity, 0}, .bodies = {rod.body->mass_point()}});
  model.add<NodeToFaceContact>({.name = "floor",
                                .slave = lower_end(rod.node, p),
                                .face = {.normal = Vec3::UnitY(), .tangent = Vec3::UnitX()},
                                .mu = p.mu,
                                .friction_directions = 1});
  return model;
}

Signals painleve_rod_signals(const RunInfo& run, const PainleveRod& p) {
  const auto reference = std::make_shared<PainleveRodReference>(painleve_rod_reference(p, run.stop_request));
  const auto exact = [&](auto of) -> std::function<double(double)> {
    if (!reference->is_unique()) return {};
    return [reference, of](double t) { return of(reference->at(t)); };
  };
  using At = PainleveRodReference::Coordinates;
  const Node rod = run.system.model().find_node("rod");
  const MaterialPoint end = lower_end(rod, p);
  Signals signals;
  signals.push_back({"inclination", "rad", "angle of the rod with the vertical",
                     [rod](const Snapshot& at) { return lean_of(at.state.q, rod); },
                     exact([](const At& at) { return std::numbers::pi / 2 - at.q.z(); })});
  signals.push_back({"rate", "rad/s", "rate of that angle",
                     [rod](const Snapshot& at) { return -at.state.v[rod.v + 5]; },
                     exact([](const At& at) { return -at.v.z(); })});
  signals.push_back(position(run, "rod", Axis::x).against(exact([](const At& at) { return at.q.x(); })));
  signals.push_back(velocity(run, "rod", Axis::x).against(exact([](const At& at) { return at.v.x(); })));
  signals.push_back({"end.vx", "m/s", "x velocity of the lower end",
                     [end](const Snapshot& at) { return end.velocity(at.state.q, at.state.v).x(); }});
  signals.push_back(gap(run, "floor"));
  signals.push_back(contact_state(run, "floor"));
  signals.push_back(normal_impulse(run, "floor"));
  signals.push_back(energy(run));
  return signals;
}

Measures painleve_rod_measures(const RunInfo& run, const PainleveRod& p) {
  Measures measures;
  for (const Signal& signal : painleve_rod_signals(run, p)) {
    if (signal.exact && (signal.name == "inclination" || signal.name == "rod.x"))
      measures.add("L1 error of " + signal.name, "", measures.l1_error(signal), 0.0, "reference");
  }
  return measures;
}

RegisteredModel registered_painleve_rod() {
  using P = PainleveRod;
  auto table = ParameterTable<P>()
                   .real("mass", &P::mass, Range::positive(), "kg", "mass of the rod")
                   .real("length", &P::length, Range::positive(), "m", "length of the rod")
                   .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction")
                   .real("gravity", &P::gravity, Range::positive(), "m/s2", "acceleration of gravity")
                   .real("inclination", &P::inclination, Range::between(-1.5, 1.5), "rad",
                         "angle of the rod with the vertical at the start")
                   .real("rate", &P::rate, {}, "rad/s", "rate of that angle at the start")
                   .real("slip", &P::slip, {}, "m/s", "velocity of the lower end at the start")
                   .real("height", &P::height, Range::not_negative(), "m", "of the lower end at the start");
  return ModelParts<P>{
      .info = {.name = "painleve-rod",
               .summary =
                   "A rod slides on a very rough floor with its lower end ahead: the paradox of Painleve. No "
                   "finite force is a solution, and the slip stops at once; other starts have one "
                   "solution or several.",
               .source = "Painleve 1895; Genot and Brogliato 1999",
               .step = 1e-3,
               .until = 0.3,
               .convergence = {.quantities = {"inclination", "rate", "rod.x", "rod.vx"},
                               .steps = {4e-3, 2e-3, 1e-3, 5e-4}}},
      .parameters = table,
      .build = make_painleve_rod,
      .measures = painleve_rod_measures,
      .signals = painleve_rod_signals};
}

}  // namespace picus::models
