// Stiffening of reduced bodies by forces at nodes that are not interfaces, against the full body and closed forms.

#include "modes.hpp"
#include <picus/elements/reduced/add_reduced_body.hpp>
#include <picus/picus.hpp>
#include <picus/reduced_basis_file.hpp>
#include <picus/solvers/analyses/reduction.hpp>
#include <support/message.hpp>
#include <support/scratch_folder.hpp>
#include <support/tangents.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace picus::loaded_nodes_test {
namespace {

using support::message_of;

constexpr BeamMaterial steel{.E = 2.1e11, .nu = 0.3, .density = 7800};
constexpr double length = 1.0, depth = 0.012, width = 0.01;
/// Buckling load of a hinged rod in the softer plane, N.
const double P_1 = pi * pi * 2.1e11 * depth * width * width * width / 12 / (length * length);

BeamMesh add_rod(Model& model) {
  return make_beam(model, {.name = "rod",
                           .section = Section::rectangle(width, depth, steel),
                           .to = Vec3(length, 0, 0),
                           .elements = 20,
                           .orientation = Vec3::UnitY()});
}

/// Ends on spherical joints, free to approach each other, with a force along the rod on its last end.
void hold(Model& model, const Node& first, const Node& last, double force) {
  model.fix(first, {Component::x, Component::y, Component::z});
  if (first.kind == NodeKind::frame) model.fix(first, {Component::rx});
  model.fix(last, {Component::y, Component::z});
  const Vec3 load(force, 0, 0);
  if (last.kind == NodeKind::frame) {
    model.add<NodalForce>({.name = "load", .point = FrameNode{last}, .force = load});
  } else {
    model.add<NodalForce>({.name = "load", .point = PointNode{last}, .force = load});
  }
}

double lowest_full(double force) {
  Model model("full");
  const BeamMesh rod = add_rod(model);
  hold(model, rod.first(), rod.last(), force);
  return modes_of(model, {.count = 1}).eigenvalues[0];
}

/// The free modes of the rod, in mean axes, with both ends loaded or not.
std::shared_ptr<const ReducedBasis> free_rod(int modes, bool loaded) {
  Model part("rod");
  const BeamMesh rod = add_rod(part);
  ReductionOptions options{.modes = modes};
  if (loaded) options.loaded_nodes = {rod.first(), rod.last()};
  return std::make_shared<const ReducedBasis>(reduce(part, options));
}

/// Lowest bending mode of the free rod held at both end nodes; nothing resists its rotation about itself.
double lowest_reduced(const std::shared_ptr<const ReducedBasis>& basis, double force) {
  Model model("reduced");
  const ReducedBodyMesh rod =
      add_reduced_body(model, {.name = "rod", .basis = basis, .nodes = {"rod[0]", "rod[20]"}});
  hold(model, rod.point("rod[0]"), rod.point("rod[20]"), force);
  model.fix(rod.frame, {Component::rx});
  return modes_of(model, {.count = 1}).eigenvalues[0];
}

/// w^2 = w_1^2 (1 + P/P_1) for hinged ends exactly (sine shapes).
TEST(LoadedNodes, AxialForcesChangeTheFrequencyOfAHingedRod) {
  const auto basis = free_rod(24, true), unaware = free_rod(24, false);
  ASSERT_EQ(basis->point("rod[20]").stiffening.size(), 6u);
  ASSERT_TRUE(basis->point("rod[10]").stiffening.empty());
  const double unloaded = lowest_reduced(basis, 0), full = lowest_full(0);
  EXPECT_NEAR(unloaded, full, 2e-3 * full);
  for (const double ratio : {-0.9, -0.5, 0.5, 2.0}) {
    EXPECT_NEAR(lowest_reduced(basis, ratio * P_1) / unloaded, lowest_full(ratio * P_1) / full,
                1e-2 * std::abs(ratio))
        << ratio;
  }
  EXPECT_NEAR(lowest_reduced(unaware, 0.5 * P_1), lowest_reduced(unaware, 0), 1e-3 * unloaded)
      << "nodes that are not named stiffen nothing";
}

/// Euler: a column that is clamped, and loaded at its free end: P = (pi/2)^2 EI/L^2.
TEST(LoadedNodes, AColumnBucklesUnderALoadAtItsFreeEnd) {
  Model part("rod");
  const BeamMesh rod = add_rod(part);
  part.fix(rod.first());
  const auto basis =
      std::make_shared<const ReducedBasis>(reduce(part, {.modes = 8, .loaded_nodes = {rod.last()}}));
  const auto lowest = [&](double force) {
    Model model("column");
    const ReducedBodyMesh body =
        add_reduced_body(model, {.name = "rod", .basis = basis, .nodes = {"rod[20]"}});
    model.fix(body.frame);
    model.add<NodalForce>({.name = "load", .point = body.point("rod[20]"), .force = Vec3(force, 0, 0)});
    return modes_of(model, {.count = 1}).eigenvalues[0];
  };
  const double a = lowest(-0.23 * P_1), b = lowest(-0.24 * P_1);  // w^2 is nearly linear in the load
  const double buckling = 0.24 * P_1 + b * 0.01 * P_1 / (a - b);
  // Twenty linear elements: (pi/40)^2/12, 5e-4.
  EXPECT_NEAR(buckling, 0.25 * P_1, 2e-3 * 0.25 * P_1);
}

/// Loads at a node stiffen the body like those at an interface of the same node, here with moments about the same axes.
TEST(LoadedNodes, AreStiffenedLikeInterfaces) {
  for (const std::string frame : {"", "root"}) {
    SCOPED_TRACE(frame);
    Model part("rod");
    const BeamMesh rod = add_rod(part);
    const ReducedBasis basis = reduce(part, {.interfaces = {{.name = "root", .nodes = {rod.first()}},
                                                            {.name = "tip", .nodes = {rod.last()}}},
                                             .modes = 4,
                                             .frame = frame,
                                             .loaded_nodes = {rod.last(), rod.first()}});
    const ReducedPoint& tip = basis.point("tip");
    const ReducedPoint& node = basis.point("rod[20]");
    ASSERT_EQ(node.stiffening.size(), 6u);
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_LT((node.stiffening[c] - tip.stiffening[c]).norm(), 1e-6 * tip.stiffening[c].norm()) << c;
      Eigen::MatrixXd moment = Eigen::MatrixXd::Zero(basis.mode_count(), basis.mode_count());
      for (std::size_t b = 0; b < 3; ++b)
        moment += node.axes(static_cast<Index>(b), static_cast<Index>(c)) * tip.stiffening[3 + b];
      EXPECT_LT((node.stiffening[3 + c] - moment).norm(), 1e-6 * moment.norm()) << c;
    }
    for (const Eigen::MatrixXd& K : basis.point("rod[0]").stiffening)
      EXPECT_EQ(K.norm() == 0, !frame.empty()) << "forces on the frame deform nothing";
  }
}

/// A loaded node of a rigid interface has the stiffening of an interface at its position.
TEST(LoadedNodes, TurnWithTheirRigidInterface) {
  const auto reduced = [](std::optional<Vec3> position) {
    Model part("bar");
    const Solid bar = add_solid(
        part, make_box_mesh({.size = {0.5, 0.03, 0.02}, .divisions = {10, 2, 2}}),
        {.name = "bar", .material = {.youngs_modulus = 7e10, .poissons_ratio = 0.33, .density = 2700}});
    bar.fix(part, "x-");
    const std::vector<PointNode> face = bar.nodes("x+");
    ReductionInterface end{.name = "end", .nodes = {face.begin(), face.end()}, .position = position};
    const PointNode corner = face.front();
    ReductionOptions options{.interfaces = {end}, .modes = 4, .loaded_nodes = {corner}};
    return std::pair(reduce(part, options), part.node_name(corner));
  };
  const auto [centred, corner] = reduced({});
  const ReducedPoint& node = centred.point(corner);
  ASSERT_EQ(node.stiffening.size(), 3u);
  const auto [moved, same] = reduced(node.position);
  const ReducedPoint& there = moved.point("end");
  // An axial force with its moment, on the shapes that bend: torsion resists much more. Shapes may differ in sign.
  const Eigen::MatrixXd a = node.stiffening[0].topLeftCorner(5, 5).cwiseAbs();
  const Eigen::MatrixXd b = there.stiffening[0].topLeftCorner(5, 5).cwiseAbs();
  EXPECT_LT((a - b).norm(), 1e-6 * b.norm());
  const Eigen::MatrixXd centre = centred.point("end").stiffening[0].topLeftCorner(5, 5).cwiseAbs();
  EXPECT_GT((a - centre).norm(), 1e-2 * b.norm()) << "the corner moves otherwise";
}

TEST(LoadedNodes, TheirTiesHaveExactDerivatives) {
  Model model("rod");
  add_reduced_body(model, {.name = "rod", .basis = free_rod(5, true), .nodes = {"rod[0]", "rod[20]"}});
  for (const char* name : {"rod.rod[0]", "rod.rod[20]"})
    support::expect_exact_tangents(model, model.find_element(name), {.samples = 5, .angle = 1.5});
}

TEST(LoadedNodes, AreStoredAndReadAgain) {
  const support::ScratchFolder folder;
  const auto basis = free_rod(6, true);
  write_reduced_basis(folder / "rod.h5", *basis);
  const ReducedBasis read = read_reduced_basis(folder / "rod.h5");
  EXPECT_EQ(read.point("rod[20]").stiffening, basis->point("rod[20]").stiffening);
  EXPECT_TRUE(read.point("rod[10]").stiffening.empty());
}

struct Tumbling {
  double energy = 0.0, energy_error = 0.0;  ///< kinetic and potential at the start, its largest change, J
  Momentum momentum;                        ///< at the start
  double linear_error = 0.0, angular_error = 0.0;
};

/// A free rod, bent, that tumbles and whose ends a spring draws together with a fifth of its buckling load and more.
Tumbling tumble(double h, double duration) {
  Model part("rod");
  const BeamMesh rod = add_rod(part);
  const auto basis = std::make_shared<const ReducedBasis>(
      reduce(part, {.modes = 6, .loaded_nodes = {rod.first(), rod.last()}}));
  Vector bent = Vector::Zero(6);
  // The signs of shapes are arbitrary: here the ends move towards y and z.
  bent[0] = std::copysign(0.02, basis->point("rod[20]").translation.col(0).sum());
  bent[1] = std::copysign(0.01, basis->point("rod[20]").translation.col(1).sum());
  Model model("bow");
  const ReducedBodyMesh body = add_reduced_body(model, {.name = "rod",
                                                        .basis = basis,
                                                        .velocity = {1, 0, 0},
                                                        .angular_velocity = {4, 3, 8},
                                                        .coordinates = bent,
                                                        .nodes = {"rod[0]", "rod[20]"}});
  model.add<SpringDamper>({.name = "string",
                           .a = body.point("rod[0]"),
                           .b = body.point("rod[20]"),
                           .stiffness = P_1,
                           .free_length = 0.8 * length});
  const System system(model);
  DecoupledNsga integrator({.step = h}, {.rho_inf = 1.0});
  State state = integrator.start(system);
  EnergyAudit audit(system, state);
  const Energies first = audit.energies(state);
  Tumbling result{.energy = first.kinetic + first.potential, .momentum = audit.momentum(state)};
  while (state.time < duration - 0.5 * h) {
    integrator.step(state);
    audit.add_step(state, h, integrator.step_forces());
    const Energies now = audit.energies(state);
    const Momentum momentum = audit.momentum(state);
    result.linear_error = std::max(result.linear_error, (momentum.linear - result.momentum.linear).norm());
    result.angular_error =
        std::max(result.angular_error, (momentum.angular - result.momentum.angular).norm());
    result.energy_error =
        std::max(result.energy_error, std::abs(now.kinetic + now.potential - result.energy));
  }
  return result;
}

TEST(LoadedNodes, KeepEnergyAndMomentaToSecondOrder) {
  // Motions that differ by rounding separate by a factor of e in 6 ms and are different ones after 0.15 s:
  // the largest error of the angular momentum in 0.2 s differs by a factor of two between them, that in 0.1 s does not.
  const Tumbling coarse = tumble(1e-4, 0.1), fine = tumble(2.5e-5, 0.1);
  EXPECT_NEAR(std::log2(coarse.energy_error / fine.energy_error) / 2, 2.0, 0.2);
  EXPECT_NEAR(std::log2(coarse.angular_error / fine.angular_error) / 2, 2.0, 0.2);
  const Tumbling longer = tumble(2.5e-5, 0.2);
  EXPECT_LT(longer.energy_error, 1e-3 * longer.energy);
  EXPECT_LT(longer.angular_error, 1e-3 * longer.momentum.angular.norm());
  EXPECT_LT(coarse.linear_error, 1e-12 * coarse.momentum.linear.norm());
  EXPECT_LT(longer.linear_error, 1e-12 * longer.momentum.linear.norm());
}

TEST(LoadedNodes, SayWhatIsWrong) {
  Model part("rod"), other("other");
  add_rod(part);
  const PointNode strange = other.add_point("strange");
  const ScalarNode scalar = part.add_scalar("scalar");
  EXPECT_EQ(message_of<ModelError>([&] { reduce(part, {.loaded_nodes = {strange}}); }),
            "\"rod\": loaded_nodes is not a node of model \"rod\"");
  EXPECT_EQ(message_of<ModelError>([&] { reduce(part, {.loaded_nodes = {scalar}}); }),
            "\"rod\": loaded node \"scalar\" is a scalar node, must be a frame or a point");
}

}  // namespace
}  // namespace picus::loaded_nodes_test
