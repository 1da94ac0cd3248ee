#include <picus/picus.hpp>
#include <picus/program.hpp>

#include <memory>

struct Bow {
  double mass = 2e-3;       // of the string, kg
  double stiffness = 800;   // of the string, N/m
  double force = 1.0;       // of the bow on the string, N
  double speed = 0.2;       // of the bow, m/s
  double mu_at_rest = 0.8;  // of rosin
  double mu_sliding = 0.3;
  double softening = 0.1;  // sliding speed at which half of the difference is lost, m/s
};

// Rosin: friction falls with the speed as a hyperbola.
class Rosin : public picus::FrictionLaw {
 public:
  explicit Rosin(const Bow& bow) : p_(bow) {}
  Value at(double speed) const override {
    const double rest = p_.mu_at_rest - p_.mu_sliding;
    const double share = p_.softening / (p_.softening + speed);
    return {.mu = p_.mu_sliding + rest * share, .slope = -rest * share * share / p_.softening};
  }

 private:
  Bow p_;
};

// A bow moves across a string, takes it along until it slips back, and again.
picus::Model build(const Bow& p) {
  picus::Model model("bow");
  const auto bow = model.add_frame("bow");
  const auto string = model.add_point("string");
  model.drive(bow, picus::Component::x, picus::PrescribedMotion::constant_speed(p.speed));
  for (const auto component : {picus::Component::y, picus::Component::z, picus::Component::rx,
                               picus::Component::ry, picus::Component::rz})
    model.fix(bow, {component});
  model.fix(string, {picus::Component::y});
  model.add<picus::PointMass>({.name = "mass", .node = string, .mass = p.mass});
  model.add<picus::SpringDamper>({.name = "tension",
                                  .a = picus::MaterialPoint::on_ground({-1, 0, 0}),
                                  .b = string,
                                  .stiffness = p.stiffness});
  model.add<picus::NodalForce>({.name = "weight", .point = string, .force = picus::Vec3(0, 0, -p.force)});
  model.add<picus::NodeToFaceContact>(
      {.name = "rosin",
       .slave = string,
       .face = {.node = bow, .normal = {0, 0, 1}, .tangent = picus::Vec3(1, 0, 0)},
       .mu = Rosin(p),
       .friction_directions = 1});
  return model;
}

picus::Signals signals(const picus::RunInfo& run, const Bow&) {
  return {picus::signals::position(run, "string", picus::signals::Axis::x),
          picus::signals::friction_force(run, "rosin")};
}

int main(int argc, char** argv) {
  using picus::Range;
  return picus::run_main(
      argc, argv,
      {picus::ModelParts<Bow>{
          .info = {.name = "bow",
                   .summary = "A bow takes a string along until it slips back, again and again.",
                   .step = 2e-5,
                   .until = 0.1},
          .parameters =
              picus::ParameterTable<Bow>()
                  .real("mass", &Bow::mass, Range::positive(), "kg", "of the string")
                  .real("stiffness", &Bow::stiffness, Range::positive(), "N/m", "of the string")
                  .real("force", &Bow::force, Range::positive(), "N", "of the bow on the string")
                  .real("speed", &Bow::speed, Range::positive(), "m/s", "of the bow")
                  .real("mu_at_rest", &Bow::mu_at_rest, Range::not_negative(), "", "of rosin")
                  .real("mu_sliding", &Bow::mu_sliding, Range::not_negative(), "", "of rosin at high speed")
                  .real("softening", &Bow::softening, Range::positive(), "m/s",
                        "sliding speed at which half of the difference is lost"),
          .build = build,
          .signals = signals}});
}
