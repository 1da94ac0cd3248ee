// Reduced bodies against the full ones, and against closed forms.

#include "modes.hpp"
#include <picus/elements/reduced/add_reduced_body.hpp>
#include <picus/picus.hpp>
#include <picus/solvers/analyses/reduction.hpp>
#include <support/message.hpp>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace picus::reduction_test {
namespace {

using support::message_of;

constexpr BeamMaterial steel{.E = 2.1e11, .nu = 0.3, .density = 7800};

BeamMesh add_rod(Model& model, double length, double side, int elements) {
  return make_beam(model, {.name = "rod",
                           .section = Section::rectangle(side, side, steel),
                           .to = Vec3(length, 0, 0),
                           .elements = elements});
}

struct Block {
  Model model{"block"};
  Solid solid;
};

/// 0.4 x 0.1 x 0.08 m
Block make_block(std::array<Index, 3> divisions) {
  Model model("block");
  const HexahedralMesh mesh = make_box_mesh({.size = {0.4, 0.1, 0.08}, .divisions = divisions});
  Solid solid = add_solid(
      model, mesh,
      {.name = "block", .material = {.youngs_modulus = 7e10, .poissons_ratio = 0.3, .density = 2700}});
  return {std::move(model), std::move(solid)};
}

std::vector<Node> nodes_of(const Solid& solid, std::string_view set) {
  const std::vector<PointNode> points = solid.nodes(set);
  return {points.begin(), points.end()};
}

/// Elastic modes of a free body are those of the full body.
TEST(Reduction, ModesOfAFreeBodyAreItsOwn) {
  Model part("rod");
  add_rod(part, 1.0, 0.02, 12);
  const ReducedBasis basis = reduce(part, {.modes = 8});
  ASSERT_EQ(basis.mode_count(), 8);
  const VibrationModes full = modes_of(part, {.count = 14});
  for (Index k = 0; k < 8; ++k)
    EXPECT_NEAR(basis.accuracy.frequencies[k], full.frequencies[6 + k], 1e-8 * full.frequencies[6 + k]);
  ASSERT_GE(basis.accuracy.full_frequencies.size(), 6);
  EXPECT_LT(basis.accuracy.frequency_errors().cwiseAbs().maxCoeff(), 1e-8);
  // Euler and Bernoulli: (beta L)^2 = 22.3733; rotary inertia, shear and 12 elements change it by less than 2 %.
  const double EI = 2.1e11 * std::pow(0.02, 4) / 12, rho_A = 7800 * 4e-4;
  EXPECT_NEAR(basis.accuracy.frequencies[0], 22.3733 * std::sqrt(EI / rho_A) / (2 * pi), 0.02 * 105);
  EXPECT_NEAR(basis.mass, rho_A, 1e-12);
  EXPECT_LT((basis.first_moment - Vec3(rho_A * 0.5, 0, 0)).norm(), 1e-12);
}

/// With unit displacements of interfaces the response to forces there is exact.
TEST(Reduction, StaticResponseOfInterfacesIsExact) {
  Model part("rod");
  const BeamMesh rod = add_rod(part, 1.0, 0.02, 10);
  part.fix(rod.first());
  for (const int modes : {0, 4}) {
    const ReducedBasis basis =
        reduce(part, {.interfaces = {{.name = "tip", .nodes = {rod.last()}}}, .modes = modes});
    EXPECT_EQ(basis.mode_count(), 6 + modes);
    EXPECT_LT(basis.accuracy.static_error, 1e-10);
    // The deflection under a load of 1 N at the tip: bending and shear.
    const ReducedPoint& tip = basis.point("tip");
    const double EI = 2.1e11 * std::pow(0.02, 4) / 12;
    double deflection = 0;
    for (Index k = 0; k < basis.mode_count(); ++k)
      deflection += std::pow(tip.translation(2, k), 2) / basis.stiffness(k, k);
    EXPECT_NEAR(deflection, 1.0 / (3 * EI), 0.01 / (3 * EI));
  }
}

/// Two elements in a plane have three components between their ends: with shapes for all of them the reduced body is
/// equivalent to the full one.
TEST(Reduction, AsManyShapesAsThePartHasFreedom) {
  Model part("rod");
  const BeamMesh rod = add_rod(part, 1.0, 0.02, 2);
  for (const FrameNode& node : rod.nodes) part.restrict_to_plane(node);
  const std::vector<ReductionInterface> ends = {{.name = "first", .nodes = {rod.first()}},
                                                {.name = "last", .nodes = {rod.last()}}};
  const ReducedBasis basis = reduce(part, {.interfaces = ends, .modes = 3});
  EXPECT_EQ(basis.mode_count(), 6);
  const VibrationModes full = modes_of(part, {.count = 9});
  for (Index k = 0; k < 6; ++k)
    EXPECT_NEAR(basis.accuracy.frequencies[k], full.frequencies[3 + k], 1e-8 * full.frequencies[3 + k]);
  ASSERT_EQ(basis.accuracy.full_frequencies.size(), 5) << "all but one";
  EXPECT_LT(basis.accuracy.frequency_errors().cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LT(basis.accuracy.static_error, 1e-10);
}

TEST(Reduction, SolidsBetweenRigidFaces) {
  Block block = make_block({8, 3, 2});
  const std::vector<ReductionInterface> faces = {{.name = "left", .nodes = nodes_of(block.solid, "x-")},
                                                 {.name = "right", .nodes = nodes_of(block.solid, "x+")}};
  const ReducedBasis at_face = reduce(block.model, {.interfaces = faces, .modes = 6, .frame = "left"});
  EXPECT_EQ(at_face.mode_count(), 6 + 6);
  EXPECT_LT(at_face.accuracy.static_error, 1e-10);
  EXPECT_LT(at_face.accuracy.frequency_errors().cwiseAbs().maxCoeff(), 5e-3);
  EXPECT_GE(at_face.accuracy.frequency_errors().minCoeff(), -1e-9)
      << "shapes are constraints: frequencies only rise";
  EXPECT_LT(at_face.point("left").translation.norm() + at_face.point("left").rotation.norm(), 1e-9);
  EXPECT_LT((at_face.point("right").position - Vec3(0.4, 0, 0)).norm(), 1e-14) << "from the frame";

  // The more modes, the nearer the frequencies, from above.
  double last = 1.0;
  for (const int modes : {6, 12, 24}) {
    const ReducedBasis mean = reduce(block.model, {.interfaces = faces, .modes = modes});
    EXPECT_EQ(mean.mode_count(), 6 + modes);
    EXPECT_NEAR(mean.mass, 2700 * 0.4 * 0.1 * 0.08, 1e-12);
    const Vector errors = mean.accuracy.frequency_errors();
    EXPECT_GE(errors.minCoeff(), -1e-9);
    EXPECT_LT(errors.maxCoeff(), 0.5 * last);
    last = errors.maxCoeff();
  }
  EXPECT_LT(last, 5e-3);
}

/// The reduced body is the same for any position, orientation and units of the part.
TEST(Reduction, PlaceOrientationAndUnitsOfThePartDoNotMatter) {
  const auto reduced = [](const Vec3& place, const Mat3& R, double scale) {
    Model part("rod");
    BeamMaterial material = steel;
    material.E /= scale;  // N/mm2 and so on: lengths by the scale, masses and times as they are
    material.density /= std::pow(scale, 3);
    const BeamMesh rod = make_beam(part, {.name = "rod",
                                          .section = Section::rectangle(0.02 * scale, 0.03 * scale, material),
                                          .from = place,
                                          .to = Vec3(place + R * Vec3(scale, 0, 0)),
                                          .elements = 8,
                                          .orientation = R.col(1)});
    return reduce(
        part, {.interfaces = {{.name = "a", .nodes = {rod.first()}}, {.name = "b", .nodes = {rod.last()}}},
               .modes = 6,
               .frame = "a"});
  };
  const ReducedBasis plain = reduced(Vec3::Zero(), Mat3::Identity(), 1.0);
  const Mat3 R = so3::exp({0.3, -1.1, 2.0});
  for (const ReducedBasis& other :
       {reduced({40, -30, 7}, R, 1.0), reduced(Vec3::Zero(), Mat3::Identity(), 1000.0)}) {
    EXPECT_EQ(other.mode_count(), plain.mode_count());
    EXPECT_LT(other.accuracy.static_error, 1e-8);
    for (Index k = 0; k < plain.mode_count(); ++k)
      EXPECT_NEAR(other.accuracy.frequencies[k], plain.accuracy.frequencies[k],
                  1e-7 * plain.accuracy.frequencies[k]);
  }
}

/// Faces whose mean motion is that of the interface are softer than rigid ones.
TEST(Reduction, AveragingInterfacesDoNotStiffen) {
  Block block = make_block({6, 2, 2});
  block.solid.fix(block.model, "x-");
  const std::vector<Node> face = nodes_of(block.solid, "x+");
  const ReducedBasis rigid =
      reduce(block.model, {.interfaces = {{.name = "end", .nodes = face}}, .modes = 4});
  const ReducedBasis soft =
      reduce(block.model,
             {.interfaces = {{.name = "end", .nodes = face, .kind = InterfaceKind::average}}, .modes = 4});
  for (const ReducedBasis* basis : {&rigid, &soft}) EXPECT_LT(basis->accuracy.static_error, 1e-10);
  const VibrationModes full = modes_of(block.model, {.count = 3});
  for (Index k = 0; k < 3; ++k) {
    EXPECT_GT(rigid.accuracy.frequencies[k], full.frequencies[k]);
    EXPECT_NEAR(soft.accuracy.full_frequencies[k], full.frequencies[k], 1e-8 * full.frequencies[k])
        << "nothing is tied";
    EXPECT_LT(soft.accuracy.frequency_errors()[k], 5e-3);
  }
}

/// Flapping of a cantilever that turns about its root: W^2 = w^2 L^4 rho A/(EI) against W_0 = Omega L^2 sqrt(rho A/(EI))
/// from the series solution of Wright, Smith, Thresher and Wang (1982), table 1.
TEST(Reduction, CentrifugalForcesStiffenABlade) {
  Model part("blade");
  const double length = 1.0, side = 0.005;  // slender: shear and rotary inertia below 1e-4
  // Stiffer in the plane, so that modes along z do not mix with those along y.
  const BeamMesh blade = make_beam(part, {.name = "rod",
                                          .section = Section::rectangle(side, 1.5 * side, steel),
                                          .to = Vec3(length, 0, 0),
                                          .elements = 40});
  part.fix(blade.first());
  const ReducedBasis basis = reduce(part, {.modes = 12});
  const double unit = std::sqrt(2.1e11 * std::pow(side, 4) / 12 / (7800 * side * side)) / (length * length);
  const auto first_flapping = [&](double spin) {
    // Out of the plane of rotation: about z, modes along z. K - Omega^2 A_zz
    const Eigen::MatrixXd K = basis.stiffness - std::pow(spin * unit, 2) * basis.inertia_2[2];
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(K);
    double lowest = 0;
    for (Index k = 0; k < K.rows() && lowest == 0; ++k) {
      // along z and not along y
      const Vec3 tip = basis.nodes.back().translation * modes.eigenvectors().col(k);
      if (std::abs(tip.z()) > 10 * std::abs(tip.y())) lowest = std::sqrt(modes.eigenvalues()[k]) / unit;
    }
    return lowest;
  };
  EXPECT_NEAR(first_flapping(0), 3.5160, 2e-3);
  EXPECT_NEAR(first_flapping(1), 3.6816, 2e-3);
  EXPECT_NEAR(first_flapping(2), 4.1373, 2e-3);
  EXPECT_NEAR(first_flapping(4), 5.5850, 4e-3);
}

/// Centrifugal forces refer to the frame, wherever the origin of the part is: a rod is stretched by a spin across it.
TEST(Reduction, CentrifugalForcesActAwayFromTheFrame) {
  const auto stiffened = [](const Vec3& place) {
    Model part("rod");
    const BeamMesh rod = make_beam(part, {.name = "rod",
                                          .section = Section::rectangle(0.02, 0.03, steel),
                                          .from = place,
                                          .to = Vec3(place + Vec3(1, 0, 0)),
                                          .elements = 6});
    return reduce(part,
                  {.interfaces = {{.name = "root", .nodes = {rod.first()}}}, .modes = 4, .frame = "root"});
  };
  const ReducedBasis here = stiffened(Vec3::Zero()), there = stiffened({30, -20, 10});
  for (std::size_t c = 0; c < 3; ++c) {
    // Shapes may differ in sign; traces do not.
    const double size = here.inertia_2[2].cwiseAbs().maxCoeff();
    EXPECT_NEAR(there.inertia_2[c].trace(), here.inertia_2[c].trace(), 1e-5 * size);
  }
}

/// Without stiffening the limit is a tenth of the lowest natural angular frequency.
TEST(Reduction, WithoutStiffeningTheSpinIsLimited) {
  Model part("rod");
  const BeamMesh rod = add_rod(part, 1.0, 0.02, 6);
  part.fix(rod.first());
  const ReducedBasis basis = reduce(part, {.modes = 3, .spin_stiffening = false});
  EXPECT_NEAR(basis.largest_spin, 0.1 * 2 * pi * basis.accuracy.frequencies[0], 1e-9 * basis.largest_spin);
  EXPECT_EQ(reduce(part, {.modes = 3}).largest_spin, std::numeric_limits<double>::infinity());
  EXPECT_EQ(reduce(part, {.modes = 3, .largest_spin = 7.0}).largest_spin, 7.0);
}

TEST(Reduction, DampingOfElementsIsProjected) {
  Model part("rod");
  BeamMaterial damped = steel;
  damped.relaxation_time = 1e-4;
  const BeamMesh rod = make_beam(
      part,
      {.name = "rod", .section = Section::rectangle(0.02, 0.02, damped), .to = Vec3(1, 0, 0), .elements = 6});
  part.fix(rod.first());
  const ReducedBasis basis = reduce(part, {.modes = 5});
  // Kelvin and Voigt: D = tau K.
  EXPECT_LT((basis.damping - 1e-4 * basis.stiffness).norm(), 1e-8 * 1e-4 * basis.stiffness.norm());
  const ReducedBasis by_ratio = reduce(part, {.modes = 5, .damping_ratio = 0.02});
  for (Index k = 0; k < 5; ++k)
    EXPECT_NEAR(by_ratio.damping(k, k), 0.04 * std::sqrt(by_ratio.stiffness(k, k)), 1e-12);
}

/// A part restricted to the plane has the shapes of the free one that lie in it.
TEST(Reduction, APartInAPlaneIsFreeInIt) {
  const auto rod = [](Model& model, bool plane) {
    const BeamMesh mesh = make_beam(
        model, {.name = "rod",
                .section = Section::rectangle(0.02, 0.03, {.E = 2.1e11, .nu = 0.3, .density = 7800}),
                .to = Vec3(1, 0, 0),
                .elements = 8});
    for (const FrameNode& node : mesh.nodes)
      if (plane) model.restrict_to_plane(node);
    return mesh;
  };
  Model part("rod");
  const BeamMesh mesh = rod(part, true);
  const ReducedBasis free = reduce(part, {.modes = 3});
  EXPECT_EQ(free.mode_count(), 3);
  EXPECT_LT(free.accuracy.frequency_errors().cwiseAbs().maxCoeff(), 1e-8);
  const double EI = 2.1e11 * 0.02 * std::pow(0.03, 3) / 12, m = 7800 * 6e-4;
  EXPECT_NEAR(free.accuracy.frequencies[0], 22.3733 * std::sqrt(EI / m) / (2 * pi), 0.03 * 159);
  for (const std::string frame : {"", "a"}) {
    const ReducedBasis held = reduce(
        part, {.interfaces = {{.name = "a", .nodes = {mesh.first()}}, {.name = "b", .nodes = {mesh.last()}}},
               .modes = 4,
               .frame = frame});
    EXPECT_EQ(held.mode_count(), 4 + 3);
    EXPECT_LT(held.accuracy.frequency_errors().cwiseAbs().head(2).maxCoeff(), 1e-3);
    if (!frame.empty()) {
      EXPECT_LT(held.accuracy.static_error, 1e-10);
    }
  }
}

TEST(Reduction, SaysWhatCannotBeReduced) {
  Model part("rod");
  const BeamMesh rod = add_rod(part, 1.0, 0.02, 4);
  const auto refusal = [&](const ReductionOptions& o) -> std::string {
    try {
      reduce(part, o);
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing";
  };
  EXPECT_EQ(refusal({.modes = -1}), "modes is -1, must be not negative");
  EXPECT_EQ(refusal({.interfaces = {{.name = "tip", .nodes = {}}}}),
            "interface \"tip\" of \"rod\": it has no nodes");
  EXPECT_EQ(refusal({.interfaces = {{.name = "tip", .nodes = {rod.last()}}}, .frame = "tap"}),
            "frame is \"tap\", which is no interface (did you mean \"tip\"?)");
  EXPECT_EQ(
      refusal({.interfaces = {{.name = "a", .nodes = {rod.last()}}, {.name = "b", .nodes = {rod.last()}}}}),
      "interface \"b\" of \"rod\": node \"rod[4]\" already belongs to \"a\"");
  EXPECT_EQ(
      refusal({.interfaces =
                   {{.name = "a", .nodes = {rod.nodes[1], rod.nodes[2]}, .kind = InterfaceKind::average}}}),
      "interface \"a\" of \"rod\": its nodes lie on a line, about which they do not determine a rotation");
  part.fix(rod.first());
  EXPECT_EQ(refusal({.interfaces = {{.name = "root", .nodes = {rod.first()}}}}),
            "interface \"root\" of \"rod\": x of node \"rod[0]\" is fixed; interfaces must be free to move");
  EXPECT_EQ(refusal({.interfaces = {{.name = "tip", .nodes = {rod.last()}}}, .frame = "tip"}),
            "frame is \"tip\", but \"rod\" is fixed to its ground, which is its frame");
}

}  // namespace
}  // namespace picus::reduction_test
