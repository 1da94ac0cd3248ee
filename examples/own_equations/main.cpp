#include <picus/picus.hpp>
#include <picus/program.hpp>

#include <cmath>

struct Cam {
  double radius = 0.05;    // m
  double lift = 0.02;      // m
  double ratio = 2.0;      // turns of the wheel for one of the cam
  double speed = 30.0;     // of the wheel, rad/s
  double mass = 0.4;       // of the follower, kg
  double stiffness = 2e5;  // of its spring, N/m3
  double profile(double angle) const { return radius + lift * std::cos(angle); }  // m
};

// A wheel turns a cam by gears; the cam lifts a follower, which a spring that stiffens presses down.
picus::Model build(const Cam& p) {
  picus::Model model("cam");
  const auto wheel = model.add_scalar("wheel");
  const auto cam = model.add_scalar("cam");
  const auto follower = model.add_point("follower", {.position = {0, 0, p.profile(0)}});
  model.drive(wheel, picus::Component::s, picus::PrescribedMotion::constant_speed(p.speed));
  model.fix(follower, {picus::Component::x, picus::Component::y});
  const auto mass = model.add<picus::PointMass>({.name = "mass", .node = follower, .mass = p.mass});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = {mass->mass_point()}});

  model.add<picus::UserConstraint>(
      {.name = "gears",
       .nodes = {wheel, cam},
       .residual = [=](const picus::Configuration& q, double, std::span<double> g) {
         g[0] = p.ratio * q.value(cam) + q.value(wheel);
       }});
  model.add<picus::UserContact>(
      {.name = "profile",
       .nodes = {follower, cam},
       .gap =
           [=](const picus::Configuration& q) { return q.position(follower).z() - p.profile(q.value(cam)); },
       .length = p.radius});
  model.add<picus::UserForce>(
      {.name = "spring",
       .nodes = {follower},
       .force =
           [=](const picus::Motion& at, std::span<double> f) {
             const double z = at.q.position(follower).z();
             f[2] = -p.stiffness * z * z * z;
           },
       .potential = [=](const picus::Configuration& q,
                        double) { return p.stiffness * std::pow(q.position(follower).z(), 4) / 4; },
       .traits = {.depends_on_velocity = false, .has_potential = true, .is_conservative = true},
       .length = p.radius});
  return model;
}

// The follower does what the cam does as long as the spring holds it down.
picus::Signals signals(const picus::RunInfo& run, const Cam& p) {
  const auto exact = [p](double t) { return p.profile(p.speed * t / p.ratio); };
  return {picus::signals::position(run, "follower", picus::signals::Axis::z).against(exact),
          picus::signals::scalar_value(run, "cam", "rad").against([p](double t) {
            return -p.speed * t / p.ratio;
          })};
}

int main(int argc, char** argv) {
  using picus::Range;
  return picus::run_main(
      argc, argv,
      {picus::ModelParts<Cam>{
          .info = {.name = "cam",
                   .summary = "A wheel turns a cam by gears, and the cam lifts a follower on a spring.",
                   .step = 1e-3,
                   .until = 1.0},
          .parameters =
              picus::ParameterTable<Cam>()
                  .real("radius", &Cam::radius, Range::positive(), "m", "mean radius of the cam")
                  .real("lift", &Cam::lift, Range::positive(), "m", "half of what it lifts")
                  .real("ratio", &Cam::ratio, Range::positive(), "", "turns of the wheel for one of the cam")
                  .real("speed", &Cam::speed, {}, "rad/s", "of the wheel")
                  .real("mass", &Cam::mass, Range::positive(), "kg", "of the follower")
                  .real("stiffness", &Cam::stiffness, Range::not_negative(), "N/m3", "of its spring"),
          .build = build,
          .signals = signals}});
}
