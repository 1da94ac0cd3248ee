#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/contacts/sphere_to_sphere.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/error.hpp>
#include <picus/models/hollow_sphere.hpp>
#include <picus/models/sliding_point.hpp>

#include <Eigen/Geometry>

#include <cmath>
#include <memory>

namespace picus::models {
namespace {

using Face = SlidingPoint::Face;

Vec3 load_of(const SlidingPoint& p) {
  return {0, 0, -p.gravity};
}

/// 1 outside a sphere, -1 in a bowl.
double side_of(const SlidingPoint& p) {
  return p.face == Face::bowl ? -1.0 : 1.0;
}

/// Position, rate and acceleration of the centre of the sphere along x.
struct Carrier {
  double amplitude, omega;

  double position(double t) const { return amplitude * std::sin(omega * t); }
  double rate(double t) const { return amplitude * omega * std::cos(omega * t); }
  double acceleration(double t) const { return -omega * omega * position(t); }
};

Carrier carrier_of(const SlidingPoint& p) {
  return {p.amplitude, p.omega};
}

SlidingPointReference::Face round_face(const SlidingPoint& p) {
  const Carrier carrier = carrier_of(p);
  const double side = side_of(p);
  const auto normal = [=](double t, const Vec3& x) {
    return Vec3(side * (x - Vec3(carrier.position(t), 0, 0)).normalized());
  };
  // |x - c| is constant: differentiated twice.
  const auto normal_acceleration = [=](double t, const Vec3& x, const Vec3& v) {
    const double distance = (x - Vec3(carrier.position(t), 0, 0)).norm();
    const Vec3 relative = v - Vec3(carrier.rate(t), 0, 0);
    return carrier.acceleration(t) * normal(t, x).x() - side * relative.squaredNorm() / distance;
  };
  return {.normal = normal,
          .velocity = [=](double t, const Vec3&) { return Vec3(carrier.rate(t), 0, 0); },
          .normal_acceleration = normal_acceleration};
}

SlidingPointReference::Face turning_face(const SlidingPoint& p) {
  const double w = p.omega;
  const auto normal = [=](double t, const Vec3&) { return Vec3(-std::sin(w * t), std::cos(w * t), 0); };
  // n . x = 0, differentiated twice.
  const auto normal_acceleration = [=](double t, const Vec3& x, const Vec3& v) {
    const Vec3 along(std::cos(w * t), std::sin(w * t), 0);
    return 2 * w * along.dot(v) + w * w * normal(t, x).dot(x);
  };
  return {.normal = normal,
          .velocity = [=](double, const Vec3& x) { return Vec3(w * Vec3::UnitZ().cross(x)); },
          .normal_acceleration = normal_acceleration};
}

SlidingPointReference::Motion start_of(const SlidingPoint& p) {
  if (p.face == Face::paddle) return {.x = {p.radius, 0, 0}, .v = {p.speed, p.omega * p.radius, p.across}};
  const double side = side_of(p);
  const double s = std::sin(p.angle);
  const double c = std::cos(p.angle);
  return {.x = {p.radius * s, 0, side * p.radius * c},
          .v = {p.speed * c + carrier_of(p).rate(0), p.across, -side * p.speed * s}};
}

void add_sphere(Model& model, const SlidingPoint& p, const PointNode& point) {
  MaterialPoint centre = MaterialPoint::on_ground(Vec3::Zero());
  if (p.amplitude != 0) {
    const Carrier carrier = carrier_of(p);
    const FrameNode node = model.add_frame("carrier", {.velocity = {carrier.rate(0), 0, 0}});
    using enum Component;
    model.fix(node, {y, z, rx, ry, rz});
    model.drive(node, x,
                {.displacement = [=](double t) { return carrier.position(t); },
                 .rate = [=](double t) { return carrier.rate(t); },
                 .acceleration = [=](double t) { return carrier.acceleration(t); }});
    centre = node;
  }
  model.add<SphereToSphereContact>(
      {.name = "contact", .a = {centre, 0.7 * p.radius}, .b = {point, 0.3 * p.radius}, .mu = p.mu});
}

void add_paddle(Model& model, const SlidingPoint& p, const PointNode& point) {
  const FrameNode node = model.add_frame("paddle", {.angular_velocity = {0, 0, p.omega}});
  using enum Component;
  model.fix(node, {x, y, z, rx, ry});
  model.drive(node, rz, PrescribedMotion::constant_speed(p.omega));
  model.add<NodeToFaceContact>(
      {.name = "contact", .slave = point, .face = {.node = node, .normal = Vec3::UnitY()}, .mu = p.mu});
}

/// Angle from the vertical through the centre, towards x, and its rate.
struct Inclination {
  double angle, rate;
};

Inclination inclination(const SlidingPoint& p, double t, const Vec3& x, const Vec3& v) {
  const double across = x.x() - carrier_of(p).position(t);
  const double up = side_of(p) * x.z();
  const double turning = (v.x() - carrier_of(p).rate(t)) * up - side_of(p) * v.z() * across;
  return {std::atan2(across, up), turning / (across * across + up * up)};
}

void add_inclination(Signals& signals, const Node& point, const SlidingPoint& p,
                     const std::shared_ptr<SlidingPointReference>& exact) {
  const auto computed = [=](const Snapshot& at) {
    return inclination(p, at.state.time, at.state.q.position(point), at.state.v.segment<3>(point.v));
  };
  const auto expected = [=](double t) { return inclination(p, t, exact->at(t).x, exact->at(t).v); };
  signals.push_back({"angle", "rad", "angle from the vertical through the centre, towards x",
                     [=](const Snapshot& at) { return computed(at).angle; },
                     [=](double t) { return expected(t).angle; }});
  signals.push_back({"rate", "rad/s", "rate of that angle",
                     [=](const Snapshot& at) { return computed(at).rate; },
                     [=](double t) { return expected(t).rate; }});
}

}  // namespace

double SlidingPoint::lift_off() const {
  return std::acos((2 * std::cos(angle) + speed * speed / (gravity * radius)) / 3);
}

SlidingPointReference sliding_point_reference(const SlidingPoint& p, StopRequest stop_request) {
  return SlidingPointReference({.load = load_of(p),
                                .mu = p.mu,
                                .face = p.face == Face::paddle ? turning_face(p) : round_face(p),
                                .start = start_of(p)},
                               stop_request);
}

Model make_sliding_point(const SlidingPoint& p) {
  if (p.amplitude != 0 && p.face != Face::sphere)
    throw ModelError("sliding-point: an amplitude is that of a sphere, and the face is another one");
  const SlidingPointReference::Motion start = start_of(p);
  Model model("sliding-point");
  const PointNode point = model.add_point("point", {.position = start.x, .velocity = start.v});
  model.add<PointMass>({.name = "mass", .node = point, .mass = p.mass});
  model.add<Gravity>({.name = "gravity", .acceleration = load_of(p), .bodies = {{point, p.mass}}});
  switch (p.face) {
    case Face::bowl:
      model.add<HollowSphereContact>({.name = "contact", .point = point, .radius = p.radius, .mu = p.mu});
      break;
    case Face::sphere:
      add_sphere(model, p, point);
      break;
    case Face::paddle:
      add_paddle(model, p, point);
      break;
  }
  return model;
}

Signals sliding_point_signals(const RunInfo& run, const SlidingPoint& p) {
  const auto exact = std::make_shared<SlidingPointReference>(sliding_point_reference(p, run.stop_request));
  const double h = run.integrator.step_size();
  Signals signals;
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const auto i = static_cast<Index>(axis);
    signals.push_back(
        position(run, "point", axis).against([exact, i](double t) { return exact->at(t).x[i]; }));
    signals.push_back(
        velocity(run, "point", axis).against([exact, i](double t) { return exact->at(t).v[i]; }));
  }
  signals.push_back(normal_force(run, "contact").named("force").against([exact, h, m = p.mass](double t) {
    return t < h / 2 ? 0.0 : m * exact->normal_force(t - h / 2);
  }));
  if (p.face != Face::paddle) add_inclination(signals, run.system.model().find_node("point"), p, exact);
  signals.push_back(contact_state(run, "contact"));
  signals.push_back(energy(run));
  return signals;
}

Measures sliding_point_measures(const RunInfo& run, const SlidingPoint& p) {
  const ContactPlace contact = find_contact(run.system, "contact");
  Measures measures;
  measures.add("lifts off at", "s", measures.first_time([contact](const Snapshot& at) {
    return at.state.step > 0 && !is_closed(at.state, contact.number);
  }));
  for (const Signal& signal : sliding_point_signals(run, p)) {
    if (signal.name == "point.x" || signal.name == "point.z")
      measures.add("L1 error of " + signal.name, "", measures.l1_error(signal), 0.0, "reference");
  }
  return measures;
}

RegisteredModel registered_sliding_point() {
  using P = SlidingPoint;
  auto table =
      ParameterTable<P>()
          .choice("face", &P::face,
                  {{"bowl", Face::bowl}, {"sphere", Face::sphere}, {"paddle", Face::paddle}},
                  "the face: inner or outer side of a sphere, or a plane that turns about the vertical")
          .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction")
          .real("mass", &P::mass, Range::positive(), "kg", "mass of the point")
          .real("radius", &P::radius, Range::positive(), "m",
                "radius of the face; on the paddle, distance from the axis at the start")
          .real("angle", &P::angle, Range::between(-1.5, 1.5), "rad",
                "angle from the bottom of the bowl or the top of the sphere at the start")
          .real("speed", &P::speed, {}, "m/s",
                "speed at the start relative to the face, of increasing angle or away from the axis")
          .real("across", &P::across, {}, "m/s",
                "horizontal speed at the start normal to it; along the axis of the paddle")
          .real("amplitude", &P::amplitude, Range::not_negative(), "m", "of the motion of the sphere along x")
          .real("omega", &P::omega, Range::not_negative(), "rad/s",
                "of the motion of the sphere, or angular velocity of the paddle")
          .real("gravity", &P::gravity, Range::not_negative(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{
      .info = {.name = "sliding-point",
               .summary = "A point slides in a bowl, on a sphere at rest or in motion, or along a turning "
                          "paddle. The contact stays closed on a curved or turning face; the point leaves "
                          "the sphere where the force vanishes.",
               .source = "textbook problem; equation with the forces of the contact",
               .step = 1e-3,
               .until = 0.5,
               .convergence = {.quantities = {"point.x", "point.vx", "force"},
                               .steps = {4e-3, 2e-3, 1e-3, 5e-4}}},
      .parameters = table,
      .build = make_sliding_point,
      .measures = sliding_point_measures,
      .signals = sliding_point_signals};
}

}  // namespace picus::models
