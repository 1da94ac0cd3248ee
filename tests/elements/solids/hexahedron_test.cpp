#include <picus/elements/solids/hexahedron.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/rigid_motion.hpp>
#include <support/tangents.hpp>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

namespace picus {
namespace {

using enum HexahedronFormulation;
using enum SolidLaw;
using support::expect_near;
using support::message_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Rounding of a few hundred operations on numbers of order one.
constexpr double rounding = 1e-13;

struct Kind {
  HexahedronFormulation formulation;
  SolidLaw law;
  double damping_time;
};

class HexahedronTest : public ::testing::TestWithParam<Kind> {
 protected:
  HexahedronTest() {
    for (std::size_t a = 0; a < 8; ++a) {
      nodes[a] = model.add_point(fmt::format("node[{}]", a),
                                 {.position = solids::corner(a).cwiseProduct(size) / 2 + random.vec3(0.15)});
    }
  }
  Handle<Hexahedron> add(const std::string& name = "cube") {
    const auto [formulation, law, damping_time] = GetParam();
    return model.add<Hexahedron>(
        {.name = name,
         .nodes = nodes,
         .material = {.youngs_modulus = 2.0, .poissons_ratio = 0.3, .density = 1.5, .law = law},
         .formulation = formulation,
         .damping_time = damping_time});
  }
  Vector motion(double scale) { return random.vector(24, scale); }

  support::Random random{3};
  Vec3 size{1.2, 1.0, 0.8};
  Model model{"m"};
  std::array<PointNode, 8> nodes;
  const Vector at_rest = Vector::Zero(24);
};

TEST_P(HexahedronTest, DerivativesAreExact) {
  const auto cube = add();
  // Nodes move by 0.1 of the edge; the step suits the laws' distance to a collapsed volume.
  support::expect_exact_tangents(model, *cube, {.length = 0.1});
}

INSTANTIATE_TEST_SUITE_P(All, HexahedronTest,
                         ::testing::Values(Kind{full, saint_venant_kirchhoff, 0}, Kind{full, neo_hooke, 0},
                                           Kind{enhanced, saint_venant_kirchhoff, 0},
                                           Kind{enhanced, neo_hooke, 0},
                                           Kind{full, saint_venant_kirchhoff, 0.7},
                                           Kind{enhanced, saint_venant_kirchhoff, 0.7}));

}  // namespace
}  // namespace picus
