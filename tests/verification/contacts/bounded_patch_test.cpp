/// A user-defined contact with a patch of bounded extent: in the random configurations in which its gradient is probed,
/// the point is beside it.

#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/error.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <picus/system.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace picus::bounded_patch_test {
namespace {

constexpr double g = 9.81;
constexpr double half = 0.02;  ///< of the patch, m
constexpr double middle =
    10.0;                    ///< m, of the patch: far from the origin, about which configurations are probed
constexpr double far = 1.0;  ///< the gap beside the patch, m

/// A table top |x - middle| < half at height 0.
class Patch : public Element, public Contact {
 public:
  struct Parameters {
    std::string name;
    PointNode node;
    bool structural_zeros;
  };
  Patch(const Parameters& p, const Model&)
      : Element(p.name, {p.node}), node_(p.node), structural_zeros_(p.structural_zeros) {}
  const ContactLaw& law() const override { return law_; }
  bool has_structural_zeros() const override { return structural_zeros_; }
  void displacement(const Configuration&, const Configuration& q, std::span<double> gap) const override {
    gap[0] = is_above(q) ? q.position(node_).z() : far;
  }
  void gradient(const Configuration& q, std::span<double> G) const override {
    G[2] = is_above(q) ? 1.0 : 0.0;
  }
  void geometric_stiffness(const Configuration&, std::span<const double>, std::span<double>) const override {}

 private:
  bool is_above(const Configuration& q) const {
    const Vec3 x = q.position(node_);
    return std::abs(x.x() - middle) < half && std::abs(x.z()) < half;
  }
  PointNode node_;
  bool structural_zeros_;
  ContactLaw law_{.friction_directions = 0};
};

State end_of(const std::string& scheme, bool structural_zeros, double until, double h = 1e-4) {
  Model model("table");
  // Falls 0.5 mm until 10.1 ms, slides over the table from then on and falls again from its edge at 25 ms. It starts
  // beside it.
  const PointNode node =
      model.add_point("point", {.position = {middle - 0.03, 0, 5e-4}, .velocity = {2, 0, 0}});
  const auto mass = model.add<PointMass>({.name = "mass", .node = node, .mass = 0.1});
  model.add<Gravity>({.name = "gravity", .acceleration = {0, 0, -g}, .bodies = {mass->mass_point()}});
  model.add<Patch>({.name = "patch", .node = node, .structural_zeros = structural_zeros});
  const System system(model);
  const auto integrator = make_integrator(scheme, {.step = h});
  State state = integrator->start(system);
  while (state.time < until - h / 2) integrator->step(state);
  return state;
}

class BoundedPatch : public testing::TestWithParam<const char*> {};

TEST_P(BoundedPatch, CarriesWhatIsAboveItAndNothingElse) {
  const State on = end_of(GetParam(), false, 0.02);
  EXPECT_NEAR(on.q.data()[2], 0.0, 1e-6) << "on the table";
  EXPECT_EQ(on.contact_state[0], ContactState::slip);
  EXPECT_NEAR(on.contact_impulse[0] / 1e-4, 0.1 * g, 1e-6);
  EXPECT_NEAR(on.q.data()[0], middle + 0.01, 1e-12);
  const State off = end_of(GetParam(), false, 0.035);
  EXPECT_EQ(off.contact_state[0], ContactState::gap);
  // From the edge, to within two steps.
  EXPECT_NEAR(off.q.data()[2], -g / 2 * 0.01 * 0.01, 2e-4 * g * 0.01);
}

// The failure of a contact that does not declare this: schemes that enforce positions find a gap that nothing closes
// and report it, the others never detect it.
TEST_P(BoundedPatch, IsLostWhereItsZerosAreTakenForStructural) {
  try {
    const State end = end_of(GetParam(), true, 0.02);
    EXPECT_NEAR(end.q.data()[2], 5e-4 - g / 2 * 0.02 * 0.02, 1e-4 * g * 0.02) << "free fall";
  } catch (const SolverError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("contact \"patch\""));
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, BoundedPatch,
                         testing::Values("ds", "dsn", "ds-a", "cs", "chen", "moreau-jean", "mixed"),
                         [](const testing::TestParamInfo<const char*>& one) {
                           std::string name = one.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace picus::bounded_patch_test
