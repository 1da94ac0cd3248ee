#pragma once

/// A model that combines everything: frames that rotate freely, in a plane, or as driven; points, a scalar and a
/// massless node constrained to a body; varying mass; holonomic and rheonomic constraints; contacts of one, two and
/// three rows on planes at rest and on moving faces. It has no physical meaning: it serves to check derivatives.

#include <picus/system.hpp>
#include <support/bodies.hpp>
#include <support/contacts.hpp>
#include <support/guides.hpp>
#include <support/random.hpp>
#include <support/rods.hpp>

namespace picus::support {

inline PrescribedMotion swing(double amplitude, double w) {
  return {.displacement = [=](double t) { return amplitude * std::sin(w * t); },
          .rate = [=](double t) { return amplitude * w * std::cos(w * t); },
          .acceleration = [=](double t) { return -amplitude * w * w * std::sin(w * t); }};
}

inline Model make_mixed_model(Random& random, bool with_contacts = true) {
  Model model("mixed");
  const auto start = [&] { return FrameStart{.position = random.vec3(), .rotation = random.rotation()}; };
  const auto ground = model.add_frame("ground", start());
  const auto body = model.add_frame("body", start());
  const auto other = model.add_frame("other", start());
  const auto flat = model.add_frame("flat", {.position = random.vec3()});
  const auto belt = model.add_frame("belt", start());
  const auto point = model.add_point("point", {.position = random.vec3()});
  const auto knot = model.add_point("knot", {.position = random.vec3()});
  const auto angle = model.add_scalar("angle", {.value = 0.3});
  model.fix(ground);
  model.restrict_to_plane(flat);
  model.drive(belt, Component::x, PrescribedMotion::constant_speed(0.7));
  model.drive(belt, Component::rz, swing(0.8, 1.3));
  model.fix(belt, {Component::y, Component::z, Component::rx, Component::ry});

  const Vec3 g = random.vec3();
  model.add<OffsetBody>({.name = "mass of body",
                         .node = body,
                         .mass = 1.3,
                         .inertia = {0.5, 0.8, 1.1},
                         .centre = random.vec3(0.5),
                         .gravity = g});
  model.add<OffsetBody>({.name = "mass of other", .node = other, .mass = 0.9, .inertia = {1.2, 0.7, 0.4}});
  model.add<OffsetBody>({.name = "mass of flat", .node = flat, .mass = 0.8, .centre = random.vec3(0.3)});
  model.add<PointMass>({.name = "mass of point", .node = point, .mass = 0.6, .gravity = g});
  model.add<Oscillator>(
      {.name = "oscillator", .node = angle, .mass = 0.7, .stiffness = 2.0, .cubic = 0.5, .damping = 0.3});

  const auto on = [&](const FrameNode& node) { return MaterialPoint(node, random.vec3(0.6)); };
  model.add<Spring>({.name = "body to other",
                     .a = on(body),
                     .b = on(other),
                     .length = 0.8,
                     .stiffness = 1.5,
                     .cubic = 0.7,
                     .damping = 0.4});
  model.add<Spring>({.name = "flat to belt", .a = on(flat), .b = on(belt), .stiffness = 0.9, .damping = 0.2});
  model.add<Spring>({.name = "knot to body", .a = knot, .b = on(body), .length = 0.5, .stiffness = 1.1});

  model.add<Rod>({.name = "body to point", .a = on(body), .b = point, .length = 1.2});
  model.add<Rod>({.name = "other to ground", .a = on(other), .b = on(ground), .length = 0.9});
  model.add<Rod>({.name = "other to belt", .a = on(other), .b = on(belt)});
  for (int i = 0; i < 3; ++i) {
    const MaterialPoint foot = on(body);
    const Configuration& q = model.initial_configuration();
    model.add<Rod>({.name = "stay " + std::to_string(i),
                    .a = foot,
                    .b = knot,
                    .length = (foot.position(q) - q.position(knot)).norm()});
  }
  model.add<TurningWire>({.name = "wire", .point = on(body), .angular_speed = 0.9});
  model.add<LedCoordinate>(
      {.name = "leader", .point = on(flat), .direction = random.direction(), .motion = swing(0.5, 2.0)});

  if (!with_contacts) return model;
  const auto law = [](Index directions, double mu = 0.4) {
    return ContactLaw{.mu = mu, .e_n = 0.6, .e_t = 0.2, .friction_directions = directions};
  };
  const auto falling = [&](Index directions) {
    ContactLaw result = law(directions);
    result.friction =
        stribeck({.mu_at_rest = result.mu, .mu_sliding = 0.25, .speed = 0.8, .viscosity = 0.05});
    return result;
  };
  const auto plane = [&](std::string name, const MaterialPoint& slave, const ContactLaw& contact_law) {
    model.add<PlaneContact>({.name = std::move(name),
                             .point = slave,
                             .origin = random.vec3(),
                             .axes = random.rotation(),
                             .law = contact_law});
  };
  const auto face = [&](std::string name, const MaterialPoint& slave, const FrameNode& master,
                        const ContactLaw& contact_law) {
    model.add<FaceContact>({.name = std::move(name),
                            .point = slave,
                            .face = master,
                            .axes = random.rotation(),
                            .law = contact_law});
  };
  plane("body on plane", on(body), law(2));
  plane("point on plane", point, falling(1));
  plane("knot on plane", knot, law(0));
  face("other on body", on(other), body, falling(2));
  face("point on belt", point, belt, law(2));
  face("flat on other", on(flat), other, law(1));
  face("body on belt without friction", on(body), belt, law(2, 0.0));
  return model;
}

/// A configuration reached from q by free motions of the given size: metres, radians.
inline Configuration moved_freely(const System& system, const Configuration& q, Random& random, double size) {
  Vector increment = random.vector(system.velocity_count(), size);
  system.clear_prescribed(increment);
  Configuration result = q;
  retract(system.nodes(), q, increment, result);
  return result;
}

}  // namespace picus::support
