// Bodies reduced to shapes given by hand, against closed forms of the Ritz method with these shapes.

#include <picus/elements/reduced/add_reduced_body.hpp>
#include <picus/picus.hpp>
#include <picus/solvers/analyses/reduction.hpp>
#include <support/message.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace picus::given_shapes_test {
namespace {

using support::message_of;

constexpr double L = 1.0, side = 0.01;
constexpr BeamMaterial steel{.E = 2.1e11, .nu = 0.3, .density = 7800};
constexpr double EI = 2.1e11 * side * side * side * side / 12, rho_A = 7800 * side * side;
/// Unit of the angular frequencies of a slender rod, 1/s: they are the squares of beta L times this.
const double unit = std::sqrt(EI / rho_A) / (L * L);

BeamMesh add_rod(Model& model, int elements) {
  return make_beam(model, {.name = "rod",
                           .section = Section::rectangle(side, side, steel),
                           .to = Vec3(L, 0, 0),
                           .elements = elements});
}

/// Bending along y by w(x).
template <class Function, class Slope>
ReductionShape bending(Function w, Slope slope) {
  return {.translation = [w](const Vec3& X) { return Vec3(0, w(X.x()), 0); },
          .rotation = [slope](const Vec3& X) { return Vec3(0, 0, slope(X.x())); }};
}

/// The deflection under a force at the tip.
ReductionShape tip_load() {
  return bending([](double x) { return x * x * (3 * L - x); }, [](double x) { return 3 * x * (2 * L - x); });
}

/// Beam functions of a rod clamped at 0 or free, times any factor: with b = beta L,
/// cosh - cos - sigma (sinh - sin), or cosh + cos - sigma (sinh + sin).
ReductionShape beam_function(double b, double sigma, bool is_free) {
  const double sign = is_free ? 1.0 : -1.0;
  return bending(
      [=](double x) {
        const double z = b * x / L;
        return std::cosh(z) + sign * std::cos(z) - sigma * (std::sinh(z) + sign * std::sin(z));
      },
      [=](double x) {
        const double z = b * x / L;
        return b / L * (std::sinh(z) - sign * std::sin(z) - sigma * (std::cosh(z) + sign * std::cos(z)));
      });
}

double angular_frequency(const ReducedBasis& basis, Index k) {
  return 2 * std::numbers::pi * basis.accuracy.frequencies[k];
}

// The static deflection under a force at the tip as the only shape: its tip compliance is L^3 / 3 EI, and the mass of the
// rod counts as 33/140 of it (Rayleigh). Shear, rotary inertia and the length of elements change this by (1 cm / 1 m)^2.
TEST(GivenShapes, OneShapeOfAClampedRodIsRayleighsQuotient) {
  Model part("rod");
  const BeamMesh rod = add_rod(part, 80);
  part.fix(rod.first());
  const ReducedBasis basis = reduce(part, {.interfaces = {{.name = "tip", .nodes = {rod.last()}}},
                                           .modes = 0,
                                           .shapes = {tip_load()},
                                           .interface_shapes = false});
  ASSERT_EQ(basis.mode_count(), 1);
  const double exact = std::sqrt(3 / (33.0 / 140.0)) * unit;
  EXPECT_NEAR(angular_frequency(basis, 0), exact, 2e-4 * exact);
  const double phi = basis.point("tip").translation(1, 0);
  EXPECT_NEAR(phi * phi / basis.stiffness(0, 0), L * L * L / (3 * EI), 4e-4 * L * L * L / (3 * EI));
  // The accuracy states the error due to a single shape: the lowest value of a slender rod is 3.5160, not 3.5675.
  EXPECT_NEAR(basis.accuracy.frequency_errors()[0], std::sqrt(140.0 / 11) / 3.5160153 - 1, 2e-4);
}

// Frequencies (beta L)^2 of slender rods; rotary inertia and shear lower the third by 1e-3.
TEST(GivenShapes, BeamFunctionsOfAClampedRodHaveItsFrequencies) {
  Model part("rod");
  const BeamMesh rod = add_rod(part, 120);
  part.fix(rod.first());
  const std::array<double, 3> b = {1.8751040687, 4.6940911330, 7.8547574382};
  const std::array<double, 3> sigma = {0.7340955138, 1.0184673192, 0.9992244965};
  std::vector<ReductionShape> shapes;
  for (std::size_t k = 0; k < b.size(); ++k) shapes.push_back(beam_function(b[k], sigma[k], false));
  const ReducedBasis basis = reduce(part, {.modes = 0, .shapes = shapes});
  ASSERT_EQ(basis.mode_count(), 3);
  for (Index k = 0; k < 3; ++k) {
    const double exact = b[k] * b[k] * unit;
    EXPECT_NEAR(angular_frequency(basis, k), exact, 3e-3 * exact) << k;
  }
}

// In mean axes, with and without an interface; a rigid motion in a shape is removed.
TEST(GivenShapes, BeamFunctionsOfAFreeRodInMeanAxes) {
  const double b = 4.7300407449, sigma = 0.9825022146;
  for (const bool has_interface : {false, true}) {
    Model part("rod");
    const BeamMesh rod = add_rod(part, 100);
    ReductionShape shape = beam_function(b, sigma, true);
    const auto plain = shape.translation;
    shape.translation = [plain](const Vec3& X) { return Vec3(plain(X) + Vec3(0.3, 0.2, 0.0)); };
    ReductionOptions options{.modes = 0, .shapes = {shape}, .interface_shapes = false};
    if (has_interface) options.interfaces = {{.name = "end", .nodes = {rod.last()}}};
    const ReducedBasis basis = reduce(part, options);
    ASSERT_EQ(basis.mode_count(), 1);
    EXPECT_NEAR(angular_frequency(basis, 0), b * b * unit, 3e-3 * b * b * unit);
    EXPECT_NEAR(basis.mass, rho_A * L, 1e-9);
  }
}

// With its frame at the clamped end and a given motion in the shape: the same body as one clamped to the ground.
TEST(GivenShapes, TheInterfaceOfTheFrameIsHeld) {
  Model part("rod");
  const BeamMesh rod = add_rod(part, 40);
  ReductionShape shape = tip_load();
  const auto translation = shape.translation, rotation = shape.rotation;
  const Vec3 turn(0.1, -0.2, 0.3);
  shape.translation = [=](const Vec3& X) { return Vec3(translation(X) + Vec3(1, 2, 3) + turn.cross(X)); };
  shape.rotation = [=](const Vec3& X) { return Vec3(rotation(X) + turn); };
  const ReducedBasis moved = reduce(part, {.interfaces = {{.name = "foot", .nodes = {rod.first()}}},
                                           .modes = 0,
                                           .shapes = {shape},
                                           .interface_shapes = false,
                                           .frame = "foot"});
  Model clamped("rod");
  const BeamMesh same = add_rod(clamped, 40);
  clamped.fix(same.first());
  const ReducedBasis fixed = reduce(clamped, {.modes = 0, .shapes = {tip_load()}});
  ASSERT_EQ(moved.mode_count(), 1);
  EXPECT_NEAR(moved.stiffness(0, 0), fixed.stiffness(0, 0), 1e-9 * fixed.stiffness(0, 0));
  EXPECT_LT(moved.point("foot").translation.norm(), 1e-12);
}

// The reduced body vibrates with Rayleigh's frequency: a quarter of a period after its release at rest it passes zero.
TEST(GivenShapes, TheBodyVibratesWithRayleighsFrequency) {
  Model part("rod");
  const BeamMesh rod = add_rod(part, 80);
  part.fix(rod.first());
  const auto basis = std::make_shared<const ReducedBasis>(reduce(part, {.modes = 0, .shapes = {tip_load()}}));
  Model model("body");
  const ReducedBodyMesh body =
      add_reduced_body(model, {.name = "body", .basis = basis, .coordinates = Vector::Constant(1, 1e-4)});
  model.fix(body.frame);
  const System system(model);
  const double quarter = 0.5 * std::numbers::pi / (std::sqrt(140.0 / 11) * unit);
  DecoupledNsga integrator({.step = quarter / 200});
  State state = integrator.start(system);
  for (int i = 0; i < 200; ++i) integrator.step(state);
  EXPECT_LT(std::abs(state.q.data()[body.coordinates[0].q]), 5e-3 * 1e-4);
  EXPECT_NEAR(state.v[body.coordinates[0].v], -1e-4 * std::sqrt(140.0 / 11) * unit,
              5e-3 * 1e-4 * 3.57 * unit);
}

TEST(GivenShapes, RefuseWhatDoesNotSuitThePart) {
  Model part("rod");
  const BeamMesh rod = add_rod(part, 4);
  part.fix(rod.first());
  const auto message = [&](const ReductionShape& shape) {
    return message_of<ModelError>([&] { reduce(part, {.modes = 0, .shapes = {tip_load(), shape}}); });
  };
  ReductionShape shape = tip_load();
  shape.rotation = {};
  EXPECT_EQ(message(shape), "\"rod\": shape 2 has no rotation for \"rod[0]\"");
  EXPECT_EQ(message({}), "\"rod\": shape 2 has no translation");
  shape = bending([](double) { return 1.0; }, [](double) { return 0.0; });
  EXPECT_EQ(message(shape), "\"rod\": shape 2 moves \"rod[0]\" along a component that is fixed");
  shape = bending([](double) { return 0.0; }, [](double) { return 0.0; });
  EXPECT_EQ(message(shape), "\"rod\": shape 2 moves nothing");
  shape = bending([](double x) { return 1 / (x - 0.5); }, [](double) { return 0.0; });
  EXPECT_EQ(message(shape), "\"rod\": shape 2 is not finite");

  Model solid("block");
  const Solid block = add_solid(
      solid, make_box_mesh({.size = {0.4, 0.1, 0.1}, .divisions = {2, 1, 1}}),
      {.name = "block", .material = {.youngs_modulus = 7e10, .poissons_ratio = 0.3, .density = 2700}});
  const std::vector<PointNode> face = block.nodes("x+");
  EXPECT_EQ(message_of<ModelError>([&] {
              reduce(solid, {.interfaces = {{.name = "end", .nodes = {face.begin(), face.end()}}},
                             .modes = 0,
                             .shapes = {{.translation = [](const Vec3& X) { return Vec3(0, X.y(), 0); }}}});
            }),
            "\"block\": shape 1 deforms interface \"end\", which is rigid");
}

}  // namespace
}  // namespace picus::given_shapes_test
