#include <picus/elements/forces/face_traction.hpp>
#include <picus/elements/solids/solid.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/tangents.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

namespace picus::face_traction_test {
namespace {

using support::expect_near;
using support::message_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class FaceTractionTest : public ::testing::Test {
 protected:
  /// A trapezium with parallel sides of 2 m and 1 m, 1 m apart.
  FaceTractionTest() {
    const std::array<Vec3, 4> corners = {Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0)};
    for (std::size_t a = 0; a < 4; ++a) {
      face[a] = model.add_point(fmt::format("p{}", a), {.position = corners[a]});
    }
  }
  std::string refusal(const FaceTraction::Parameters& parameters) {
    return message_of<ModelError>([&] { model.add<FaceTraction>(parameters); });
  }

  support::Random random{4};
  Model model{"m"};
  QuadrilateralNodes face = {};
  Vector at_rest = Vector::Zero(12);
};

TEST_F(FaceTractionTest, DerivativesAreExact) {
  support::expect_exact_tangents(
      model, *model.add<FaceTraction>({.name = "t", .face = face, .traction = {1, 2, 3}}));
}

TEST_F(FaceTractionTest, ActsOnTheReferenceInItsCentroid) {
  const Vec3 T(1, -2, 3);
  const auto traction = model.add<FaceTraction>({.name = "t", .face = face, .traction = T});
  EXPECT_TRUE(traction->traits().is_load);
  const Configuration& q = model.initial_configuration();
  const Vector f = support::force(*traction, q, at_rest);
  Vec3 force = Vec3::Zero();
  Vec3 moment = Vec3::Zero();
  for (std::size_t a = 0; a < 4; ++a) {
    const Vec3 F = f.segment<3>(3 * a);
    force += F;
    moment += q.position(face[a]).cross(F);
  }
  // Area 3/2; the centroid is at (7/9, 4/9).
  expect_near(force, 1.5 * T, 1e-14, "force");
  expect_near(moment, Vec3(7.0 / 9, 4.0 / 9, 0).cross(1.5 * T), 1e-14, "moment");
  // It neither follows the face nor its area.
  expect_near(support::force(*traction, support::moved(model, q, random.vector(12)), at_rest), f, 0,
              "force later");
}

TEST_F(FaceTractionTest, FollowsTime) {
  const auto traction = model.add<FaceTraction>(
      {.name = "t", .face = face, .traction = [](double t) { return Vec3(0, 4 * t, 0); }});
  const Vector f = support::force(*traction, model.initial_configuration(), at_rest, 0.5);
  EXPECT_NEAR(f[1] + f[4] + f[7] + f[10], 1.5 * 2, 1e-14);
}

TEST_F(FaceTractionTest, LoadsWholeSurfaces) {
  Model block_model("block");
  const Solid block =
      add_solid(block_model, make_box_mesh({.size = {1, 1, 1}, .divisions = {2, 2, 2}}),
                {.name = "b", .material = {.youngs_modulus = 1, .poissons_ratio = 0, .density = 1}});
  const auto loads =
      add_traction(block_model, {.name = "top", .faces = block.faces("z+"), .traction = {1, 0, 0}});
  ASSERT_EQ(loads.size(), 4U);
  EXPECT_EQ(loads[2]->name(), "top[2]");
  EXPECT_EQ(message_of<ModelError>([&] {
              add_traction(model, {.name = "top", .traction = {1, 0, 0}});
            }),
            "traction \"top\": faces is empty");
}

TEST_F(FaceTractionTest, RefusesWhatIsNoLoad) {
  EXPECT_EQ(refusal({.name = "t", .face = face}), "face traction \"t\": traction is not given");
  EXPECT_EQ(refusal({.name = "t", .face = face, .traction = {0, nan, 0}}),
            "face traction \"t\": traction(0)[1] is nan Pa, must be a finite number");
  EXPECT_EQ(refusal({.name = "t", .face = {face[0], face[1], face[2], face[2]}, .traction = {1, 0, 0}}),
            "face traction \"t\": node \"p2\" is both face[2] and face[3]");
}

}  // namespace
}  // namespace picus::face_traction_test
