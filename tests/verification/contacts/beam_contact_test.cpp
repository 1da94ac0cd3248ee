/// Beams pressed against beams and a drum, compared with beam theory.

#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/contacts/surface.hpp>
#include <picus/elements/forces/nodal_force.hpp>
#include <picus/models/crossed_cantilevers.hpp>
#include <picus/solvers/analyses/static_equilibrium.hpp>
#include <picus/stepper.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace picus::beam_contact_test {
namespace {

constexpr double radius = 0.01;  // of the section, m

/// Errors, relative to the exact values.
struct Errors {
  double force = 0;
  std::array<double, 2> tips{};
};

/// Two cantilevers that cross at right angles, the upper one loaded at its end; `gap` in m.
Errors cross(int elements, double gap) {
  const models::CrossedCantilevers p{.elements = elements, .gap = gap};
  const Model model = models::make_crossed_cantilevers(p);
  const models::CrossedCantileversExact exact = models::crossed_cantilevers_exact(p);
  StaticEquilibrium statics({.increments = 2});
  Stepper stepper(model, statics);
  State state = stepper.start();
  for (int i = 0; i < 2; ++i) stepper.step(state);
  double found = 0;
  for (const auto& contact : stepper.system().contacts()) found += state.contact_impulse[contact.first_row];
  const auto way = [&](const char* beam) {
    const Node tip = model.find_node(fmt::format("{}[{}]", beam, elements));
    return model.initial_configuration().position(tip).z() - state.q.position(tip).z();
  };
  return {.force = found / exact.force - 1,
          .tips = {way("lower") / exact.lower_tip - 1, way("upper") / exact.upper_tip - 1}};
}

// The contact point is at no node of either. Element errors are proportional to the square of their length: 9e-3,
// 2.5e-3, 5e-4.
TEST(BeamContact, CrossedCantileversShareTheLoadAsTheirFlexibilitiesSay) {
  for (const double gap : {0.0, 1e-5}) {  // m; a fifth of what the load makes of it
    SCOPED_TRACE(fmt::format("gap {}", gap));
    Errors last{.force = 1, .tips = {1, 1}};
    for (const int elements : {8, 16, 32}) {
      SCOPED_TRACE(fmt::format("{} elements", elements));
      const Errors errors = cross(elements, gap);
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
  struct {
    double EI = 100, GA = 4e4;
  } const beam;
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
