#include <picus/elements/solids/hexahedron.hpp>
#include <picus/elements/solids/hexahedron_shape.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

namespace picus::hexahedron_checks_test {
namespace {

using support::message_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class HexahedronChecksTest : public ::testing::Test {
 protected:
  HexahedronChecksTest() {
    for (std::size_t a = 0; a < 8; ++a) place(a, solids::corner(a));
  }
  void place(std::size_t a, const Vec3& x) {
    p.nodes[a] = model.add_point(fmt::format("p{}", model.nodes().size()), {.position = x});
  }
  std::string refusal() {
    return message_of<ModelError>([&] { model.add<Hexahedron>(p); });
  }

  Model model{"m"};
  Hexahedron::Parameters p{.name = "h",
                           .material = {.youngs_modulus = 1, .poissons_ratio = 0.3, .density = 1}};
};

TEST_F(HexahedronChecksTest, NamesTheWorstCornerOfAnElementTurnedInsideOut) {
  place(6, {-1.5, -1.5, 1});
  EXPECT_EQ(refusal(),
            "hexahedron \"h\": turned inside out: at nodes[6], \"p8\", its volume element is -12 m3, must be "
            "positive");
}

TEST_F(HexahedronChecksTest, RefusesLeftHandedNumbering) {
  std::rotate(p.nodes.begin(), p.nodes.begin() + 4, p.nodes.end());
  EXPECT_EQ(refusal(),
            "hexahedron \"h\": turned inside out: at nodes[0], \"p4\", its volume element is -8 m3, must be "
            "positive");
}

TEST_F(HexahedronChecksTest, RefusesAFlatElement) {
  for (std::size_t a = 4; a < 8; ++a) place(a, solids::corner(a - 4));
  EXPECT_EQ(
      refusal(),
      "hexahedron \"h\": degenerate: at nodes[0], \"p0\", its volume element is 0 m3, must be positive");
}

TEST_F(HexahedronChecksTest, TellsWhatADeformedElementHasLost) {
  const Hexahedron& h = *model.add<Hexahedron>(p);
  Configuration q = model.initial_configuration();
  const auto move = [&](std::size_t a, const Vec3& x) { q.position(p.nodes[a]) = x; };
  EXPECT_EQ(h.fault(q), "");
  // A corner pressed in along the diagonal has 4 (3 t - 1) left of 8 m3: zero in the plane of its neighbours.
  move(6, {0.4, 0.4, 0.4});
  EXPECT_EQ(h.fault(q), "");
  move(6, {0.3, 0.3, 0.3});
  EXPECT_EQ(h.fault(q), "is turned inside out at nodes[6], where its volume element is -0.4 m3");
  for (std::size_t a = 4; a < 8; ++a) move(a, q.position(p.nodes[a - 4]));
  EXPECT_NE(h.fault(q), "") << "flat";
  move(4, {nan, 0, 0});
  EXPECT_NE(h.fault(q), "");
}

TEST_F(HexahedronChecksTest, RefusesNodesThatAreNotEight) {
  p.nodes[5] = p.nodes[2];
  EXPECT_EQ(refusal(), "hexahedron \"h\": node \"p2\" is both nodes[2] and nodes[5]");
  p.nodes[5] = PointNode{};
  EXPECT_EQ(refusal(), "hexahedron \"h\": nodes[5] is not a node of model \"m\"");
}

TEST_F(HexahedronChecksTest, RefusesWrongConstants) {
  const SolidMaterial good = p.material;
  p.material.youngs_modulus = 0;
  EXPECT_EQ(refusal(), "hexahedron \"h\": youngs_modulus is 0 Pa, must be positive");
  p.material = good;
  p.material.poissons_ratio = 0.5;
  EXPECT_EQ(refusal(), "hexahedron \"h\": poissons_ratio is 0.5, must lie between -1 and 0.5");
  p.material.poissons_ratio = -1;
  EXPECT_EQ(refusal(), "hexahedron \"h\": poissons_ratio is -1, must lie between -1 and 0.5");
  p.material.poissons_ratio = nan;
  EXPECT_EQ(refusal(), "hexahedron \"h\": poissons_ratio is nan, must be a finite number");
  p.material = good;
  p.material.density = -1;
  EXPECT_EQ(refusal(), "hexahedron \"h\": density is -1 kg/m3, must be positive");
  p.material = good;
  p.damping_time = -1;
  EXPECT_EQ(refusal(), "hexahedron \"h\": damping_time is -1 s, must not be negative");
  p.damping_time = 1;
  p.material.law = SolidLaw::neo_hooke;
  EXPECT_EQ(refusal(), "hexahedron \"h\": damping_time needs the law saint_venant_kirchhoff");
}

TEST_F(HexahedronChecksTest, NeoHookeTurnedInsideOutIsNotANumber) {
  p.material.law = SolidLaw::neo_hooke;
  const Vector at_rest = Vector::Zero(24);
  for (const auto formulation : {HexahedronFormulation::full, HexahedronFormulation::enhanced}) {
    p.name += "'";
    p.formulation = formulation;
    const auto element = model.add<Hexahedron>(p);
    Configuration q = model.initial_configuration();
    // A mirror image has the same C.
    for (const PointNode& node : p.nodes) q.position(node).z() *= -1;
    EXPECT_TRUE(support::force(*element, q, at_rest).array().isNaN().all());
    EXPECT_TRUE(std::isnan(element->potential_energy(q, 0)));
  }
}

}  // namespace
}  // namespace picus::hexahedron_checks_test
