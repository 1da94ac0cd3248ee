/// Beams pressed against beams and a drum, compared with beam theory.

#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/contacts/surface.hpp>
#include <picus/elements/forces/nodal_force.hpp>
#include <picus/solvers/analyses/static_equilibrium.hpp>
#include <picus/stepper.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace picus::beam_contact_test {
namespace {

/// Compliance of a cantilever along x between the points x and y: bending, and shear up to the nearer one.
struct Cantilever {
  double EI;
  double GA;

  double flexibility(double x, double y) const {
    const double near = std::min(x, y);
    const double far = std::max(x, y);
    return near * near * (3 * far - near) / (6 * EI) + near / GA;
  }
};

/// Errors, relative to the exact values.
struct Errors {
  double force = 0;
  std::array<double, 2> tips{};
};

constexpr double radius = 0.01, length_a = 1.0, length_b = 0.8, at_a = 0.63, at_b = 0.47;  // m

/// Two cantilevers that cross at right angles, the upper one b loaded at its end; `gap` in m, `load` in N.
Errors cross(int elements, double load, double gap) {
  const Section section = Section::circle(radius, {.E = 2e11, .nu = 0.3});
  const Cantilever beam{.EI = section.stiffness(4, 4), .GA = section.stiffness(1, 1)};
  Model model("cross");
  const BeamMesh a =
      make_beam(model, {.name = "a", .section = section, .to = Vec3(length_a, 0, 0), .elements = elements});
  const Vec3 start(at_a, -at_b, 2 * radius + gap);
  const BeamMesh b = make_beam(model, {.name = "b",
                                       .section = section,
                                       .from = start,
                                       .to = start + Vec3(0, length_b, 0),
                                       .elements = elements,
                                       .orientation = Vec3::UnitZ()});
  model.fix(a.first());
  model.fix(b.first());
  model.add<NodalForce>({.name = "load", .point = b.last(), .force = Vec3(0, 0, -load)});
  model.add<Surface>({.name = "lower", .of = shapes::Rope{a.nodes, radius}});
  model.add<Surface>({.name = "upper", .of = shapes::Rope{b.nodes, radius}});
  model.add<ContactsBetween>({.name = "all"});
  StaticEquilibrium statics({.increments = 2});
  Stepper stepper(model, statics);
  State state = stepper.start();
  for (int i = 0; i < 2; ++i) stepper.step(state);

  const double force = (load * beam.flexibility(at_b, length_b) - gap) /
                       (beam.flexibility(at_a, at_a) + beam.flexibility(at_b, at_b));
  const double tip_a = force * beam.flexibility(at_a, length_a);
  const double tip_b = load * beam.flexibility(length_b, length_b) - force * beam.flexibility(at_b, length_b);
  double found = 0;
  for (const auto& contact : stepper.system().contacts()) found += state.contact_impulse[contact.first_row];
  return {.force = found / force - 1,
          .tips = {-state.q.position(a.last()).z() / tip_a - 1,
                   (start.z() - state.q.position(b.last()).z()) / tip_b - 1}};
}

// The contact point is at no node of either. Element errors are proportional to the square of their length: 9e-3,
// 2.5e-3, 5e-4.
TEST(BeamContact, CrossedCantileversShareTheLoadAsTheirFlexibilitiesSay) {
  for (const double gap : {0.0, 1e-5}) {  // m; a fifth of what the load makes of it
    SCOPED_TRACE(fmt::format("gap {}", gap));
    Errors last{.force = 1, .tips = {1, 1}};
    for (const int elements : {8, 16, 32}) {
      SCOPED_TRACE(fmt::format("{} elements", elements));
      const Errors errors = cross(elements, 1.0, gap);
      EXPECT_LT(std::abs(errors.force), std::abs(last.force) / 3);
      for (int i = 0; i < 2; ++i) EXPECT_LT(std::abs(errors.tips[i]), std::abs(last.tips[i]) / 2.8);
      last = errors;
    }
    EXPECT_LT(std::abs(last.force), 1e-3);
  }
}

// Half of a beam, clamped at its middle on the top of a drum, with r the sum of both radii, and a force at its end.
// Shear smooths the end of the contact zone: there 1/r = M/EI - M''/GA, with M' = -F at its end c, beyond which
// M = F (l - x), so that
//     c - coth(k c)/k = l - EI/(r F),   k^2 = GA/EI,   w = c^2/(2 r) + c/r (l - c) + F (l - c)^3/(3 EI)
// and the contact forces have their centre at l - EI/(r F) + 1/(k sinh(k c)).
TEST(BeamContact, BeamLiesOnADrumAsFarAsTheoryOfBeamsSays) {
  constexpr double length = 1, drum = 100, r = drum + radius;  // m: angles of 0.01
  const Cantilever beam{.EI = 100, .GA = 4e4};
  const double k = std::sqrt(beam.GA / beam.EI);
  for (const double part : {0.5, 2.0}) {  // times the force at which a beam without shear begins to lie on it
    const double load = part * beam.EI / (r * length);
    const double lever = length - length / part;
    double low = 0;
    double high = std::max(lever, 0.0) + 2 / k;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (middle - 1 / (k * std::tanh(k * middle)) < lever ? low : high) = middle;
    }
    const double c = high;
    const double tip =
        c * c / (2 * r) + c / r * (length - c) + load * std::pow(length - c, 3) / (3 * beam.EI);
    const double centre = lever + 1 / (k * std::sinh(k * c));
    double last = 1;
    for (const int elements : {8, 16, 32}) {
      SCOPED_TRACE(fmt::format("load {}, {} elements", part, elements));
      Model model("beam");
      const Section section = Section::constants({.EA = 1e5,
                                                  .GA1 = beam.GA,
                                                  .GA2 = beam.GA,
                                                  .GJ = 80,
                                                  .EI1 = beam.EI,
                                                  .EI2 = beam.EI,
                                                  .mass = 1,
                                                  .I1 = 1e-3,
                                                  .I2 = 1e-3});
      const BeamMesh half = make_beam(
          model, {.name = "beam", .section = section, .to = Vec3(length, 0, 0), .elements = elements});
      for (const FrameNode& node : half.nodes) {
        if (node != half.first()) model.restrict_to_plane(node);
      }
      model.fix(half.first(), {Component::x, Component::z, Component::rx, Component::ry, Component::rz});
      model.add<NodalForce>({.name = "load", .point = half.last(), .force = Vec3(0, -load, 0)});
      model.add<Surface>({.name = "beam surface", .of = shapes::Rope{half.nodes, radius}});
      model.add<Surface>({.name = "drum", .of = shapes::Capsule{1.0, drum}, .position = {0, -r, 0}});
      model.add<ContactsBetween>({.name = "all"});
      StaticEquilibrium statics({.increments = 10});
      Stepper stepper(model, statics);
      State state = stepper.start();
      for (int i = 0; i < 10; ++i) stepper.step(state);
      double force = 0;
      double moment = 0;
      for (const auto& contact : stepper.system().contacts()) {
        const double at = state.contact_impulse[contact.first_row];
        force += at;
        moment += at * contact.role->contact_point(state.q)->x();
      }
      EXPECT_NEAR(force, load, 1e-4 * load);  // c/r is up to 0.006, and forces are inclined as much
      // The forces on a link go to its nodes.
      EXPECT_NEAR(moment / force, centre, 0.5 * length / elements);
      const double error = std::abs(-state.q.position(half.last()).y() / tip - 1);
      EXPECT_LT(error, last / 2.5);  // second order
      last = error;
    }
    EXPECT_LT(last, 1e-3);
  }
}

}  // namespace
}  // namespace picus::beam_contact_test
