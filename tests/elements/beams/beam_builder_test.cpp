#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/so3.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

namespace picus::beam_builder_test {
namespace {

using support::expect_near;
using support::message_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = std::numbers::pi;
/// Rounding of a few dozen operations on numbers of order one.
constexpr double rounding = 1e-14;

const Section section = Section::constants(
    {.EA = 100, .GA1 = 30, .GA2 = 40, .GJ = 2, .EI1 = 3, .EI2 = 5, .mass = 2, .I1 = 0.1, .I2 = 0.2});

class MakeBeam : public ::testing::Test {
 protected:
  Vec3 position(const FrameNode& node) const { return model.initial_configuration().position(node); }
  Mat3 rotation(const FrameNode& node) const { return model.initial_configuration().rotation(node); }
  std::string refusal(const BeamOptions& options) {
    return message_of<ModelError>([&] { make_beam(model, options); });
  }
  /// Initially strain-free, with node axes (t, d1, d2) and names in order.
  void expect_at_rest(const BeamMesh& mesh, const std::string& name) const {
    ASSERT_EQ(mesh.nodes.size(), mesh.elements.size() + 1);
    for (std::size_t i = 0; i < mesh.elements.size(); ++i) {
      EXPECT_EQ(mesh.elements[i]->name(), name + "[" + std::to_string(i) + "]");
      EXPECT_EQ(model.node_name(mesh.nodes[i]), name + "[" + std::to_string(i) + "]");
      expect_near(mesh.elements[i]->strain(model.initial_configuration()), Vec6::Zero(), rounding, "strain");
    }
  }

  Model model{"m"};
};

TEST_F(MakeBeam, Straight) {
  const auto beam = make_beam(model, {.name = "arm",
                                      .section = section,
                                      .from = Vec3(1, 0, 0),
                                      .to = Vec3(1, 0, -4),
                                      .elements = 4,
                                      .orientation = {1, 0, 1}});
  expect_at_rest(beam, "arm");
  EXPECT_EQ(position(beam.first()), Vec3(1, 0, 0));
  EXPECT_EQ(position(beam.last()), Vec3(1, 0, -4));
  expect_near(position(beam.nodes[1]), Vec3(1, 0, -1), rounding, "second node");
  Mat3 axes;
  axes << 0, 1, 0,  //
      0, 0, -1,     //
      -1, 0, 0;
  for (const FrameNode& node : beam.nodes) expect_near(rotation(node), axes, rounding, "axes");
  EXPECT_NEAR(beam.length(), 4.0, rounding);
}

TEST_F(MakeBeam, StartsAtTheOriginWithD1AlongY) {
  const auto beam = make_beam(model, {.name = "arm", .section = section, .to = Vec3(2, 0, 0), .elements = 1});
  EXPECT_EQ(position(beam.first()), Vec3::Zero());
  EXPECT_EQ(rotation(beam.first()), Mat3::Identity());
}

TEST_F(MakeBeam, ArcAndHelixAreExact) {
  // Around the axis x = 1 parallel to z, left-handed: one and a half turns with a rise of 0.6.
  const ArcOptions options = {.from = {1, -2, 0}, .centre = {1, 0, 7}, .angle = -3 * pi, .rise = 0.6};
  const auto beam =
      make_beam(model, {.name = "helix", .section = section, .centreline = arc(options), .elements = 10});
  expect_at_rest(beam, "helix");
  const double length = std::sqrt(std::pow(2 * 3 * pi, 2) + 0.36);
  EXPECT_NEAR(beam.length(), length, 10 * rounding);
  expect_near(position(beam.last()), Vec3(1, 2, 0.6), rounding, "end");
  const Vec3 t = rotation(beam.first()).col(0);
  expect_near(t, Vec3(-6 * pi, 0, 0.6) / length, rounding, "tangent");
  EXPECT_EQ(rotation(beam.first()).col(1), Vec3::UnitY());
  // Each element is the same segment of the helix.
  for (const auto& element : beam.elements) EXPECT_NEAR(element->length(), length / 10, rounding);
}

TEST_F(MakeBeam, PolylineTurnsItsSectionsAtCorners) {
  const auto beam = make_beam(model, {.name = "frame",
                                      .section = section,
                                      .corners = {{0, 0, 0}, {1, 0, 0}, {1, -2, 0}},
                                      .elements = 2,
                                      .orientation = {1, 1, 0}});
  expect_at_rest(beam, "frame");
  ASSERT_EQ(beam.nodes.size(), 5u);
  EXPECT_EQ(position(beam.nodes[2]), Vec3(1, 0, 0));
  EXPECT_EQ(rotation(beam.nodes[2]).col(0), Vec3::UnitX());
  EXPECT_EQ(rotation(beam.nodes[3]).col(0), -Vec3::UnitY());
  EXPECT_EQ(rotation(beam.nodes[3]).col(1), Vec3::UnitX());
  // The force in the second leg has its own axes: pull along it.
  Configuration q = model.initial_configuration();
  q.position(beam.nodes[3]) += Vec3(0, -0.1, 0);
  expect_near(beam.elements[2]->strain(q), 0.1 * Vec6::Unit(0), rounding, "strain");
}

TEST_F(MakeBeam, PlacesAreTakenAsTheyAre) {
  std::vector<SectionPose> poses;
  for (const double s : {0.0, 0.3, 1.0}) {
    poses.push_back(section_pose({s, s * s, 0}, {1, 2 * s, 0}, Vec3::UnitZ()));
  }
  const auto beam = make_beam(model, {.name = "parabola", .section = section, .poses = poses});
  expect_at_rest(beam, "parabola");
  ASSERT_EQ(beam.elements.size(), 2u);
  EXPECT_EQ(position(beam.nodes[1]), Vec3(0.3, 0.09, 0));
  EXPECT_EQ(rotation(beam.nodes[1]).col(1), Vec3::UnitZ());
}

TEST_F(MakeBeam, JoinsNodesThatAreThere) {
  const auto hub = model.add_frame("hub", {.position = {1, 0, 0}, .rotation = so3::exp({1, 2, 3})});
  const auto ring = make_beam(model, {.name = "ring",
                                      .section = section,
                                      .centreline = arc({.from = {1, 0, 0}, .angle = 2 * pi}),
                                      .elements = 6,
                                      .first_node = hub,
                                      .last_node = hub});
  EXPECT_EQ(ring.first(), hub);
  EXPECT_EQ(ring.last(), hub);
  EXPECT_EQ(model.nodes().size(), 6u);
  // Added nodes are counted from 0, so that results group them.
  EXPECT_EQ(model.node_name(ring.nodes[1]), "ring[0]");
  EXPECT_EQ(model.node_name(ring.nodes[5]), "ring[4]");
  for (const auto& element : ring.elements) {
    expect_near(element->strain(model.initial_configuration()), Vec6::Zero(), rounding, "strain");
  }
  EXPECT_EQ(ring.mass_points().size(), 6u);
}

TEST_F(MakeBeam, MovesRigidlyAtTheStart) {
  const Vec3 velocity(1, 2, 3);
  const Vec3 omega(0.5, -1, 2);
  const auto beam = make_beam(model, {.name = "arm",
                                      .section = section,
                                      .centreline = arc({.from = {1, 0, 0}, .angle = 2, .rise = 1}),
                                      .elements = 3,
                                      .velocity = velocity,
                                      .angular_velocity = omega});
  for (const FrameNode& node : beam.nodes) {
    const auto v = model.initial_velocity().subspan(node.v, 6);
    expect_near(Eigen::Map<const Vec3>(v.data()), velocity + omega.cross(position(node) - Vec3(1, 0, 0)),
                rounding, "velocity");
    expect_near(rotation(node) * Eigen::Map<const Vec3>(v.data() + 3), omega, rounding, "angular velocity");
  }
}

TEST_F(MakeBeam, MassPointsCarryTheWeight) {
  const auto beam = make_beam(model, {.name = "arm", .section = section, .to = Vec3(3, 0, 0), .elements = 3});
  const auto points = beam.mass_points();
  ASSERT_EQ(points.size(), 4u);
  EXPECT_NEAR(points[0].mass, 1.0, rounding);
  EXPECT_NEAR(points[1].mass, 2.0, rounding);
  EXPECT_NEAR(points[3].mass, 1.0, rounding);
  EXPECT_EQ(points[3].point.node, beam.last());
  const auto gravity = model.add<Gravity>({.name = "gravity", .acceleration = {0, -10, 0}, .bodies = points});
  double weight = 0;
  for (const FrameNode& node : beam.nodes) {
    weight += support::force(*gravity, model.initial_configuration(), Vector::Zero(24))[6 * node.index + 1];
  }
  EXPECT_NEAR(weight, -60.0, 10 * rounding);
}

TEST_F(MakeBeam, FindsItsPoints) {
  const auto beam = make_beam(model, {.name = "arm",
                                      .section = section,
                                      .corners = {{0, 0, 0}, {2, 0, 0}, {2, 3, 0}},
                                      .elements = 4,
                                      .orientation = {0, 0, 1}});
  const Vector at_rest = Vector::Zero(model.velocity_count());
  const auto place = [&](double s, double y, double z) -> Vec3 {
    const auto [element, xi] = beam.point(s, y, z);
    EXPECT_TRUE(element.role->contains(xi));
    return support::filled(
               19, 1,
               [&, &element = element, &xi = xi](auto values) {
                 element.role->observe_point(xi, {model.initial_configuration(), at_rest, 0.0}, values);
               })
        .block<3, 1>(0, 0);
  };
  expect_near(place(0, 0, 0), Vec3(0, 0, 0), rounding, "first");
  expect_near(place(0.5, 0, 0), Vec3(0.5, 0, 0), rounding, "a node");
  // d1 is z; d2 is t x d1: -y, then x.
  expect_near(place(1.3, 0.1, 0.2), Vec3(1.3, -0.2, 0.1), rounding, "on the first leg");
  expect_near(place(4.1, 0.1, 0.2), Vec3(2.2, 2.1, 0.1), rounding, "on the second leg");
  expect_near(place(5, 0, 0), Vec3(2, 3, 0), rounding, "last");
  EXPECT_EQ(beam.point(1.3).element.element->name(), "arm[2]");
  EXPECT_EQ(message_of<ModelError>([&] { (void)beam.point(5.1); }),
            "beam of element \"arm[0]\": there is no point at 5.1 m, its length is 5 m");
  EXPECT_EQ(message_of<ModelError>([&] { (void)beam.point(nan); }),
            "beam of element \"arm[0]\": there is no point at nan m, its length is 5 m");
}

TEST_F(MakeBeam, RefusesShapesThatAreNone) {
  const std::string shape = "beam \"B\": give its shape by one of from and to, corners, centreline or poses";
  EXPECT_EQ(refusal({.name = "B", .section = section, .elements = 1}), shape);
  EXPECT_EQ(refusal({.name = "B", .section = section, .from = Vec3::Zero(), .elements = 1}), shape);
  EXPECT_EQ(refusal({.name = "B",
                     .section = section,
                     .to = Vec3::UnitX(),
                     .corners = {Vec3::Zero(), Vec3::UnitX()},
                     .elements = 1}),
            shape);
  EXPECT_EQ(refusal({.name = "B", .section = section, .to = Vec3::UnitX()}),
            "beam \"B\": elements is 0, must be at least 1");
  EXPECT_EQ(refusal({.name = "B", .section = section, .to = Vec3::Zero(), .elements = 1}),
            "beam \"B\": from and to are the same point");
  EXPECT_EQ(refusal({.name = "B", .section = section, .to = Vec3(nan, 0, 0), .elements = 1}),
            "beam \"B\": to[0] is nan m, must be a finite number");
  EXPECT_EQ(refusal({.name = "B", .section = section, .to = Vec3::UnitY(), .elements = 1}),
            "beam \"B\": orientation is parallel to the beam");
  EXPECT_EQ(refusal({.name = "B", .section = section, .corners = {Vec3::Zero()}, .elements = 1}),
            "beam \"B\": corners has one point, must have two at least");
  EXPECT_EQ(refusal({.name = "B",
                     .section = section,
                     .corners = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitX()},
                     .elements = 1}),
            "beam \"B\": corners[1] and corners[2] are the same point");
  EXPECT_EQ(refusal({.name = "B", .section = section, .poses = {{}, {}}, .elements = 1}),
            "beam \"B\": elements is given, but poses counts them");
  EXPECT_EQ(refusal({.name = "B", .section = section, .poses = {{}}}),
            "beam \"B\": poses has one section, must have two at least");
  EXPECT_EQ(refusal({.name = "B", .section = {}, .to = Vec3::UnitX(), .elements = 1}),
            "beam \"B\": section stiffness(0, 0) is 0, must be positive");
  EXPECT_EQ(refusal({.name = "B",
                     .section = section,
                     .centreline = arc({.from = Vec3::UnitX(), .angle = 2.4 * pi}),
                     .elements = 1}),
            "beam \"B\": element 0 turns by 7.54 rad, must be less than 3; take more elements");
  const Centreline crooked = [](double s) { return SectionPose{{s, 0, 0}, (1 + s) * Mat3::Identity()}; };
  EXPECT_EQ(refusal({.name = "B", .section = section, .centreline = crooked, .elements = 1}),
            "beam \"B\": the matrix of axes at s = 1 of centreline is not a proper orthogonal matrix");
}

TEST_F(MakeBeam, RefusesNodesThatAreElsewhere) {
  const auto far = model.add_frame("far", {.position = {0, 0.25, 0}});
  EXPECT_EQ(refusal({.name = "B", .section = section, .to = Vec3::UnitX(), .elements = 1, .first_node = far}),
            "beam \"B\": first_node is 0.25 m away from the end of the beam");
  EXPECT_EQ(
      refusal(
          {.name = "C", .section = section, .to = Vec3::UnitX(), .elements = 1, .last_node = FrameNode{}}),
      "beam \"C\": last_node is not a node of model \"m\"");
}

TEST_F(MakeBeam, RefusesArcsThatAreNone) {
  const auto message = [](const ArcOptions& options) {
    return message_of<ModelError>([&] { arc(options); });
  };
  EXPECT_EQ(message({.from = Vec3::UnitX()}), "centreline \"arc\": angle is 0 rad, must not be zero");
  EXPECT_EQ(message({.from = 2 * Vec3::UnitZ(), .angle = 1}), "centreline \"arc\": from lies on the axis");
  EXPECT_EQ(message({.from = Vec3::UnitX(), .axis = Vec3::Zero(), .angle = 1}),
            "centreline \"arc\": axis has zero length");
  EXPECT_EQ(message_of<ModelError>([] { section_pose(Vec3::Zero(), Vec3::UnitX(), Vec3::UnitX()); }),
            "section pose \"tangent\": orientation is parallel to the beam");
}

}  // namespace
}  // namespace picus::beam_builder_test
