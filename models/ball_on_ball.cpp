#include <picus/elements/bodies/planar_body.hpp>
#include <picus/elements/contacts/sphere_to_sphere.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/models/ball_on_ball.hpp>

#include <cmath>

namespace picus::models {
namespace {

double inertia_of(const BallOnBall& p) {
  return 0.4 * p.mass * p.radius * p.radius;
}

Vec3 radial(double angle) {
  return {std::sin(angle), std::cos(angle), 0};
}

Vec3 downhill(double angle) {
  return {std::cos(angle), -std::sin(angle), 0};
}

double start_spin(const BallOnBall& p) {
  return p.rolls ? -p.length() * p.rate / p.radius : 0.0;
}

double angle_of(const Vec3& centre) {
  return std::atan2(centre.x(), centre.y());
}

double rate_of(const Vec3& centre, const Vec3& velocity) {
  return downhill(angle_of(centre)).dot(velocity) / centre.norm();
}

}  // namespace

PlanarContactReference ball_on_ball_reference(const BallOnBall& p, StopRequest stop_request) {
  const Vec3 x = p.length() * radial(p.angle);
  const Vec3 v = p.length() * p.rate * downhill(p.angle);
  const auto directions = [r = p.radius](const PlanarContactReference::Coordinates& at) {
    const Vec3 centre(at.q.x(), at.q.y(), 0);
    const Vec3 velocity(at.v.x(), at.v.y(), 0);
    const double theta = angle_of(centre);
    const Vec3 e = radial(theta);
    const Vec3 t = downhill(theta);
    const double w = t.dot(velocity) / centre.norm();
    return PlanarContactReference::Directions{.n = {e.x(), e.y(), 0},
                                              .t = {t.x(), t.y(), r},
                                              .c_n = centre.norm() * w * w,
                                              .c_t = -w * e.dot(velocity)};
  };
  return PlanarContactReference(
      PlanarContactReference::Parameters{
          .mass = {p.mass, p.mass, inertia_of(p)},
          .load = {0, -p.mass * p.gravity, 0},
          .mu = p.mu,
          .start = {.q = {x.x(), x.y(), 0}, .v = {v.x(), v.y(), start_spin(p)}},
          .directions = directions},
      stop_request);
}

double BallOnBall::sliding_lift_off() const {
  return std::acos((2 * std::cos(angle) + length() * rate * rate / gravity) / 3);
}

double BallOnBall::rolling_lift_off() const {
  return std::acos((10 * std::cos(angle) + 7 * length() * rate * rate / gravity) / 17);
}

Model make_ball_on_ball(const BallOnBall& p) {
  Model model("ball-on-ball");
  const PlanarBody ball = add_planar_body(model, {.name = "ball",
                                                  .position = p.length() * radial(p.angle),
                                                  .velocity = p.length() * p.rate * downhill(p.angle),
                                                  .angular_velocity = start_spin(p),
                                                  .mass = p.mass,
                                                  .inertia = inertia_of(p)});
  model.add<Gravity>(
      {.name = "gravity", .acceleration = {0, -p.gravity, 0}, .bodies = {ball.body->mass_point()}});
  model.add<SphereToSphereContact>({.name = "contact",
                                    .a = {MaterialPoint::on_ground(Vec3::Zero()), p.fixed_radius},
                                    .b = {ball.node, p.radius},
                                    .mu = p.mu,
                                    .friction_directions = 1});
  return model;
}

Signals ball_on_ball_signals(const RunInfo& run, const BallOnBall& p) {
  const auto exact = std::make_shared<PlanarContactReference>(ball_on_ball_reference(p, run.stop_request));
  const Node ball = run.system.model().find_node("ball");
  const double h = run.integrator.step_size();
  const auto exact_centre = [exact](double t) {
    const Vec3& q = exact->at(t).at.q;
    return Vec3(q.x(), q.y(), 0);
  };
  Signals signals;
  signals.push_back({"angle", "rad", "angle of the line of centres with the vertical",
                     [ball](const Snapshot& at) { return angle_of(at.state.q.position(ball)); },
                     [exact_centre](double t) { return angle_of(exact_centre(t)); }});
  signals.push_back({"rate", "rad/s", "rate of that angle",
                     [ball](const Snapshot& at) {
                       return rate_of(at.state.q.position(ball), at.state.v.segment<3>(ball.v));
                     },
                     [exact, exact_centre](double t) {
                       const Vec3 v = exact->at(t).at.v;
                       return rate_of(exact_centre(t), Vec3(v.x(), v.y(), 0));
                     }});
  signals.push_back({"spin", "rad/s", "angular velocity of the ball",
                     [ball](const Snapshot& at) { return at.state.v[ball.v + 5]; },
                     [exact](double t) { return exact->at(t).at.v.z(); }});
  signals.push_back(normal_force(run, "contact").named("force").against([exact, h](double t) {
    return t < h / 2 ? 0.0 : exact->forces(t - h / 2).normal;
  }));
  signals.push_back(contact_state(run, "contact"));
  signals.push_back(energy(run));
  return signals;
}

Measures ball_on_ball_measures(const RunInfo& run, const BallOnBall& p) {
  const Node ball = run.system.model().find_node("ball");
  const ContactPlace contact = find_contact(run.system, "contact");
  struct LiftOff {
    bool has_come = false;
    double angle = 0.0;  ///< rad
    void serialize(Archive& archive) { archive(has_come, angle); }
  };
  Measures measures;
  const LiftOff& lift_off = measures.accumulate(LiftOff{}, [=](const Snapshot& at, LiftOff& last) {
    if (last.has_come || at.state.step == 0 || is_closed(at.state, contact.number)) return;
    last = {true, angle_of(at.state.q.position(ball))};
  });
  measures.add("lifts off at", "s", measures.first_time([contact](const Snapshot& at) {
    return at.state.step > 0 && !is_closed(at.state, contact.number);
  }));
  measures.add(
      "angle of lift-off", "rad",
      [&lift_off] { return lift_off.has_come ? std::optional(lift_off.angle) : std::nullopt; },
      p.mu == 0 ? std::optional(p.sliding_lift_off()) : std::nullopt,
      "exact, cos = 2/3 from rest at the top");
  for (const Signal& signal : ball_on_ball_signals(run, p)) {
    if (signal.name == "angle")
      measures.add("L1 error of the angle", "", measures.l1_error(signal), 0.0, "reference");
  }
  return measures;
}

RegisteredModel registered_ball_on_ball() {
  using P = BallOnBall;
  auto table = ParameterTable<P>()
                   .real("mass", &P::mass, Range::positive(), "kg", "mass of the ball")
                   .real("fixed_radius", &P::fixed_radius, Range::positive(), "m", "radius of the fixed ball")
                   .real("radius", &P::radius, Range::positive(), "m", "radius of the ball")
                   .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction")
                   .real("gravity", &P::gravity, Range::positive(), "m/s2", "acceleration of gravity")
                   .real("angle", &P::angle, Range::between(-0.8, 0.8), "rad",
                         "angle of the line of centres with the vertical at the start")
                   .real("rate", &P::rate, {}, "rad/s", "rate of that angle at the start")
                   .flag("rolls", &P::rolls, "whether the ball rolls at the start; else it does not spin");
  return ModelParts<P>{
      .info = {.name = "ball-on-ball",
               .summary = "A ball slides and rolls down a fixed ball until it lifts off. The contact stays "
                          "closed on a curved face, where position, velocity and force of a scheme show "
                          "their order.",
               .source = "textbook problem; reduced equations",
               .step = 1e-3,
               .until = 0.4,
               .convergence = {.quantities = {"angle", "rate", "force"},
                               .steps = {4e-3, 2e-3, 1e-3, 5e-4},
                               .until = 0.3}},
      .parameters = table,
      .build = make_ball_on_ball,
      .measures = ball_on_ball_measures,
      .signals = ball_on_ball_signals};
}

}  // namespace picus::models
