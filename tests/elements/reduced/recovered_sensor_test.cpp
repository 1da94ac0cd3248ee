#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/forces/spring_damper.hpp>
#include <picus/elements/reduced/add_reduced_body.hpp>
#include <picus/elements/reduced/recovered_sensor.hpp>
#include <picus/elements/solids/solid.hpp>
#include <picus/error.hpp>
#include <picus/system.hpp>
#include <support/message.hpp>
#include <support/random.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace picus::recovered_sensor_test {
namespace {

using support::message_of;

/// A basis with these shapes of the nodes of the part, velocities in natural layout as columns.
std::shared_ptr<const ReducedBasis> basis_of(const Model& part, const Eigen::MatrixXd& shapes) {
  const Configuration& q = part.initial_configuration();
  ReducedShapes data{.name = "part", .nodes = {}, .first_row = {}, .mass = {}, .size = rows_of(shapes)};
  for (const Node& node : part.nodes()) {
    ReducedPoint point{.name = part.node_name(node),
                       .kind = node.kind,
                       .position = q.position(node),
                       .translation = shapes.middleRows(node.v, 3)};
    if (node.kind == NodeKind::frame) {
      point.axes = q.rotation(node);
      point.rotation = shapes.middleRows(node.v + 3, 3);
    }
    data.nodes.push_back(point);
    data.first_row.push_back(node.v);
  }
  for (Index i = 0; i < data.size; ++i) data.mass.push_back({i, i, 1.0});
  ReducedBasis basis = make_reduced_basis(data);
  basis.stiffness = Eigen::MatrixXd::Identity(basis.mode_count(), basis.mode_count());
  basis.largest_spin = std::numeric_limits<double>::infinity();
  return std::make_shared<const ReducedBasis>(basis);
}

/// What the sensor reads at eta, with the body turned and displaced at random.
Vector read(const Model& part, std::shared_ptr<const ReducedBasis> basis, const std::string& element,
            const Vector& eta) {
  support::Random random(7);
  Model model("m");
  const ReducedBodyMesh mesh = add_reduced_body(model, {.name = "body",
                                                        .basis = std::move(basis),
                                                        .position = random.vec3(),
                                                        .rotation = random.rotation(),
                                                        .coordinates = eta});
  Sensor sensor =
      sensors::recovered_element({.name = "s", .body = &*mesh.body, .part = &part, .element = element});
  sensor.check(model);
  const System system(model);
  State state;
  state.q = model.initial_configuration();
  state.v = state.acceleration = Vector::Zero(system.velocity_count());
  Index size = 0;
  for (const Quantity& quantity : sensor.quantities) size += quantity.size();
  Vector values = Vector::Zero(size);
  sensor.read({system, state, 1.0}, {values.data(), static_cast<std::size_t>(size)});
  return values;
}

/// A solid under homogeneous small strains and a large linear rotation: Hooke's law, without any effect of the rotation.
TEST(RecoveredElement, StressIsThatOfLinearTheory) {
  Model part("part");
  add_solid(part, make_box_mesh({.size = {0.2, 0.1, 0.1}, .divisions = {2, 1, 1}}),
            {.name = "block", .material = {.youngs_modulus = 1e9, .poissons_ratio = 0.25, .density = 1000}});
  Mat3 strain;
  strain << 3, 1, -2, 1, 2, 0.5, -2, 0.5, -1;
  strain *= 1e-7;
  const Mat3 spin = so3::skew(Vec3(0.02, -0.03, 0.01));
  Eigen::MatrixXd shapes(part.initial_configuration().data().size(), 2);
  for (const Node& node : part.nodes()) {
    const Vec3 X = part.initial_configuration().position(node);
    shapes.col(0).segment<3>(node.v) = strain * X;
    // The second element only rotates; the first one, whose other side is held, is not checked.
    shapes.col(1).segment<3>(node.v) = X.x() > 0.05 ? Vec3(spin * X + Vec3(0.01, 0, 0)) : Vec3::Zero();
  }
  const auto basis = basis_of(part, shapes);
  const double G = 1e9 / 2.5, lambda = 1e9 * 0.25 / (1.25 * 0.5);
  const Mat3 stress = lambda * strain.trace() * Mat3::Identity() + 2 * G * strain;
  const Vector values = read(part, basis, "block[1]", Vector::Ones(2));
  const Vec3 diagonal = values.head<3>(), shear = values.segment<3>(3);
  // Strains of 3e-7: the next order is 1e-6 of the stress.
  EXPECT_LT((diagonal - stress.diagonal()).norm(), 1e-6 * stress.norm());
  EXPECT_LT((shear - Vec3(stress(0, 1), stress(1, 2), stress(2, 0))).norm(), 1e-6 * stress.norm());
  EXPECT_LT(read(part, basis, "block[1]", Vector::Unit(2, 1)).head<6>().norm(), 1e-9 * stress.norm());
}

/// A beam bent to a small curvature, with the rotation that this makes at its end: E I kappa.
TEST(RecoveredElement, SectionForcesOfABentBeam) {
  Model part("part");
  const BeamMesh rod =
      make_beam(part, {.name = "rod",
                       .section = Section::rectangle(0.02, 0.01, {.E = 2e11, .nu = 0.3, .density = 7800}),
                       .to = Vec3(1, 0, 0),
                       .elements = 4});
  const double kappa = 1e-2;
  Eigen::MatrixXd shapes = Eigen::MatrixXd::Zero(6 * 5, 1);
  for (const Node& node : part.nodes()) {
    const double x = part.initial_configuration().position(node).x();
    shapes.col(0).segment<3>(node.v) = Vec3(0, 0.5 * kappa * x * x, 0);
    shapes.col(0).segment<3>(node.v + 3) =
        part.initial_configuration().rotation(node).transpose() * Vec3(0, 0, kappa * x);
  }
  const auto basis = basis_of(part, shapes);
  const Vector values = read(part, basis, "rod[3]", Vector::Ones(1));
  const Eigen::Vector<double, 6> force = values.segment<6>(6);
  // The error of linear shapes is of second order in the rotation within an element, 2.5e-3 rad: a strain of its square
  // over 24.
  EXPECT_LT(force.head<3>().norm(), 1.1 * 2e11 * 0.02 * 0.01 * std::pow(0.25 * kappa, 2) / 24);
  const double EI = 2e11 * 0.02 * std::pow(0.01, 3) / 12;
  EXPECT_LT((force.tail<3>() - Vec3(0, 0, EI * kappa)).norm(), 1e-5 * EI * kappa);
}

TEST(RecoveredElement, RefusesWhatIsNotThere) {
  Model part("part");
  const PointNode a = part.add_point("a"), b = part.add_point("b", {.position = {1, 0, 0}}),
                  c = part.add_point("c", {.position = {0, 1, 0}});
  part.add<SpringDamper>({.name = "spring", .a = a, .b = b, .stiffness = 1.0});
  part.add<SpringDamper>({.name = "other", .a = a, .b = c, .stiffness = 1.0});
  Model smaller("smaller");
  smaller.add_point("a");
  smaller.add_point("b", {.position = {1, 0, 0}});
  smaller.add_point("d", {.position = {1, 2, 0}});
  const auto basis = basis_of(smaller, support::Random(3).matrix(9, 1));
  Model model("m");
  const ReducedBodyMesh mesh = add_reduced_body(model, {.name = "body", .basis = basis});
  const auto message = [&](const sensors::RecoveredElementOptions& options) {
    return message_of<ModelError>([&] { sensors::recovered_element(options); });
  };
  EXPECT_EQ(message({.name = "s"}), "sensor \"s\": it has no body");
  EXPECT_EQ(message({.name = "s", .body = &*mesh.body}), "sensor \"s\": it has no part");
  EXPECT_EQ(message({.name = "s", .body = &*mesh.body, .part = &part, .element = "other"}),
            "sensor \"s\": the basis of \"body\" has no node \"c\" of element \"other\"");
  EXPECT_NE(message({.name = "s", .body = &*mesh.body, .part = &part, .element = "none"}).find("none"),
            std::string::npos);
  EXPECT_EQ(message({.name = "s", .body = &*mesh.body, .part = &part, .element = "spring"}),
            "nothing was thrown");
}

}  // namespace
}  // namespace picus::recovered_sensor_test
