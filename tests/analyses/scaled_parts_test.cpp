// The size of a part does not matter to its reduction.

#include <picus/picus.hpp>
#include <picus/solvers/analyses/mobility.hpp>
#include <picus/solvers/analyses/reduction.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace picus::scaled_parts_test {
namespace {

constexpr BeamMaterial steel{.E = 2.1e11, .nu = 0.3, .density = 7800};

BeamMesh add_rod(Model& model, double length) {
  return make_beam(model, {.name = "rod",
                           .section = Section::rectangle(0.02 * length, 0.03 * length, steel),
                           .to = Vec3(length, 0, 0),
                           .elements = 10});
}

ReducedBasis reduced_bar(double length, InterfaceKind kind, const std::string& frame) {
  Model part("bar");
  const Solid bar =
      add_solid(part, make_box_mesh({.size = Vec3(length * Vec3(1, 0.05, 0.03)), .divisions = {15, 2, 2}}),
                {.name = "bar", .material = {.youngs_modulus = 2e9, .poissons_ratio = 0.3, .density = 1200}});
  const auto face = [&](std::string_view set, const std::string& name) {
    const std::vector<PointNode> nodes = bar.nodes(set);
    return ReductionInterface{.name = name, .nodes = {nodes.begin(), nodes.end()}, .kind = kind};
  };
  return reduce(part, {.interfaces = {face("x-", "first"), face("x+", "last")}, .modes = 4, .frame = frame});
}

/// For the same material frequencies are inversely proportional to the length; errors, being ratios, are equal.
void expect_similar(const ReducedBasis& one, double length, const ReducedBasis& other) {
  ASSERT_EQ(one.mode_count(), other.mode_count());
  const Vector frequencies = length * one.accuracy.frequencies;
  EXPECT_LT((frequencies - other.accuracy.frequencies).cwiseQuotient(other.accuracy.frequencies).norm(),
            1e-7);
  EXPECT_LT((one.accuracy.frequency_errors() - other.accuracy.frequency_errors()).norm(), 1e-7);
  EXPECT_NEAR(one.accuracy.static_error, other.accuracy.static_error, 1e-7);
  // The stiffening by spin over a mass; each shape may have another sign.
  for (std::size_t c = 0; c < 3; ++c)
    EXPECT_NEAR(one.inertia_2[c].norm(), other.inertia_2[c].norm(), 1e-5 * other.inertia_2[c].norm());
  // The geometric stiffness of a unit force, 1/(kg m).
  for (std::size_t i = 0; i < one.interfaces.size(); ++i) {
    const ReducedPoint &a = one.interfaces[i], &b = other.interfaces[i];
    ASSERT_EQ(a.stiffening.size(), b.stiffening.size());
    for (std::size_t c = 0; c < a.stiffening.size() && c < 3; ++c)
      EXPECT_NEAR(std::pow(length, 4) * a.stiffening[c].norm(), b.stiffening[c].norm(),
                  1e-5 * b.stiffening[c].norm());
  }
}

TEST(ScaledParts, HaveTheSameReduction) {
  const auto free_rod = [](double length) {
    Model part("rod");
    add_rod(part, length);
    return reduce(part, {.modes = 6});
  };
  const ReducedBasis rod = free_rod(1.0);
  for (const double length : {1e-6, 1e-3, 1e3}) {
    SCOPED_TRACE(length);
    expect_similar(free_rod(length), length, rod);
  }
  for (const InterfaceKind kind : {InterfaceKind::rigid, InterfaceKind::average}) {
    for (const std::string frame : {"", "first"}) {
      const ReducedBasis bar = reduced_bar(1.0, kind, frame);
      for (const double length : {1e-6, 1e-3, 1e3}) {
        SCOPED_TRACE(length);
        expect_similar(reduced_bar(length, kind, frame), length, bar);
      }
    }
  }
}

// A unit modal coordinate of a small part moves it by millions of its lengths; beside such entries the other entries of
// the rows of joints must not count as rounding.
TEST(ScaledParts, HaveIndependentJoints) {
  for (const double length : {1e-6, 1e-3, 1.0, 1e3}) {
    Model part("rod");
    const BeamMesh rod = add_rod(part, length);
    const auto basis = std::make_shared<const ReducedBasis>(reduce(
        part,
        {.interfaces = {{.name = "foot", .nodes = {rod.first()}}, {.name = "tip", .nodes = {rod.last()}}},
         .modes = 4}));
    Model model("hinged rod");
    const ReducedBodyMesh body = add_reduced_body(model, {.name = "rod", .basis = basis});
    model.add<Hinge>({.name = "hinge",
                      .a = MaterialPoint::on_ground(Vec3::Zero()),
                      .b = body.interface("foot"),
                      .axis = Vec3::UnitY()});
    const Mobility mobility = analyse_mobility(System(model));
    EXPECT_EQ(mobility.rank, mobility.equations) << length << " m";
    EXPECT_TRUE(mobility.redundancies.empty()) << length << " m";
  }
}

}  // namespace
}  // namespace picus::scaled_parts_test
