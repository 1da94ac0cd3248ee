#include <picus/elements/forces/face_pressure.hpp>
#include <picus/elements/solids/solid.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/rigid_motion.hpp>
#include <support/tangents.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

namespace picus::face_pressure_test {
namespace {

using support::expect_near;
using support::message_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Rounding of a few dozen operations on numbers of order ten.
constexpr double rounding = 1e-13;

class FacePressureTest : public ::testing::Test {
 protected:
  /// A warped square of about one metre, its normal along z.
  FacePressureTest() {
    for (std::size_t a = 0; a < 4; ++a) {
      face[a] = model.add_point(fmt::format("p{}", a), {.position = corners[a] + random.vec3(0.1)});
    }
  }
  std::string refusal(const FacePressure::Parameters& parameters) {
    return message_of<ModelError>([&] { model.add<FacePressure>(parameters); });
  }

  support::Random random{4};
  Model model{"m"};
  std::array<Vec3, 4> corners = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0)};
  QuadrilateralNodes face = {};
  Vector at_rest = Vector::Zero(12);
};

TEST_F(FacePressureTest, DerivativesAreExact) {
  support::expect_exact_tangents(model,
                                 *model.add<FacePressure>({.name = "p", .face = face, .pressure = 2.5}));
  support::expect_exact_tangents(
      model,
      *model.add<FacePressure>({.name = "pulse", .face = face, .pressure = [](double t) { return t * t; }}));
}

TEST_F(FacePressureTest, PushesAlongTheNormalOfTheDeformedFace) {
  const auto pressure = model.add<FacePressure>({.name = "p", .face = face, .pressure = 3.0});
  EXPECT_TRUE(pressure->traits().is_load);
  Configuration q = model.initial_configuration();
  // A parallelogram anywhere in space: the force is p times its area, a quarter at each corner.
  const Vec3 a = random.vec3();
  const Vec3 b = random.vec3();
  for (std::size_t i = 0; i < 4; ++i)
    q.position(face[i]) = Vec3(1, 2, 3) + corners[i].x() * a + corners[i].y() * b;
  const Vector f = support::force(*pressure, q, at_rest);
  for (Index i = 0; i < 4; ++i) {
    expect_near(f.segment<3>(3 * i), -3.0 / 4 * a.cross(b), rounding, "corner force");
  }
}

TEST_F(FacePressureTest, TurnsWithTheFace) {
  const auto pressure = model.add<FacePressure>({.name = "p", .face = face, .pressure = 3.0});
  const support::RigidMotion motion(random);
  const Configuration& q = model.initial_configuration();
  expect_near(support::force(*pressure, motion(model, q), at_rest),
              motion.turn(*pressure) * support::force(*pressure, q, at_rest), rounding, "force");
}

TEST_F(FacePressureTest, OnAClosedSurfaceDoesTheWorkOfTheVolume) {
  Model block_model("block");
  const auto mesh = make_box_mesh({.size = {1, 1, 1}, .divisions = {2, 2, 2}});
  const Solid block = add_solid(
      block_model, mesh, {.name = "b", .material = {.youngs_modulus = 1, .poissons_ratio = 0, .density = 1}});
  std::vector<QuadrilateralNodes> faces;
  for (const char* set : {"x-", "x+", "y-", "y+", "z-", "z+"}) {
    const auto more = block.faces(set);
    faces.insert(faces.end(), more.begin(), more.end());
  }
  const auto skin = add_pressure(block_model, {.name = "skin", .faces = faces, .pressure = 2.0});
  ASSERT_EQ(skin.size(), 24U);
  EXPECT_EQ(skin[23]->name(), "skin[23]");

  const Index n = block_model.velocity_count();
  const Configuration q =
      support::moved(block_model, block_model.initial_configuration(), random.vector(n, 0.1));
  Vector f = Vector::Zero(n);
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  const Vector v = Vector::Zero(n);
  for (const auto& element : skin) {
    const Vector local = support::force(*element, q, v);
    const Eigen::MatrixXd tangent = support::filled(12, 12, [&](auto storage) {
      element->tangents({q, v, 0.0}, storage, {});
    });
    for (Index a = 0; a < 4; ++a) {
      const Index row = element->nodes()[a].v;
      f.segment<3>(row) += local.segment<3>(3 * a);
      for (Index b = 0; b < 4; ++b) {
        K.block<3, 3>(row, element->nodes()[b].v) += tangent.block<3, 3>(3 * a, 3 * b);
      }
    }
  }
  // f = -p dvol/dq: symmetric tangent, and an expansion x -> s x works against p times three volumes.
  expect_near(K, K.transpose(), rounding, "symmetry");
  double work = 0;
  double volume = 0;
  for (const PointNode& node : block.nodes()) work += f.segment<3>(node.v).dot(q.position(node));
  for (const auto& element : block.elements()) {
    solids::Corners x;
    for (std::size_t a = 0; a < 8; ++a) {
      x.row(a) = q.position(element->nodes()[a]).transpose();
    }
    volume += solids::ReferenceVolume(x).volume();
  }
  EXPECT_NEAR(work, -2.0 * 3 * volume, 10 * rounding);
}

TEST_F(FacePressureTest, RefusesWhatIsNoFace) {
  EXPECT_EQ(refusal({.name = "p", .face = face}), "face pressure \"p\": pressure is not given");
  EXPECT_EQ(refusal({.name = "p", .face = face, .pressure = nan}),
            "face pressure \"p\": pressure(0) is nan Pa, must be a finite number");
  EXPECT_EQ(refusal({.name = "p", .pressure = 1.0}),
            "face pressure \"p\": face[0] is not a node of model \"m\"");
  EXPECT_EQ(refusal({.name = "p", .face = {face[0], face[1], face[1], face[3]}, .pressure = 1.0}),
            "face pressure \"p\": node \"p1\" is both face[1] and face[2]");
  EXPECT_EQ(refusal({.name = "p", .face = {face[0], face[2], face[1], face[3]}, .pressure = 1.0}),
            "face pressure \"p\": the face is degenerate or folded at face[0], \"p0\"");
  EXPECT_EQ(
      message_of<ModelError>([&] { add_pressure(model, {.name = "wind", .faces = {}, .pressure = 1.0}); }),
      "pressure \"wind\": faces is empty");
}

}  // namespace
}  // namespace picus::face_pressure_test
