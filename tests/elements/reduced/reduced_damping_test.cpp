#include <picus/elements/reduced/add_reduced_body.hpp>
#include <picus/elements/reduced/reduced_damping.hpp>
#include <picus/error.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/reduced.hpp>
#include <support/tangents.hpp>

#include <gtest/gtest.h>

namespace picus::reduced_damping_test {
namespace {

using support::message_of;

TEST(ReducedDamping, DerivativesAreExactAndItDissipates) {
  Model model("m");
  const auto basis = support::random_basis(3, 4);
  const ReducedBodyMesh mesh = add_reduced_body(model, {.name = "part", .basis = basis});
  const auto& damping = dynamic_cast<const ReducedDamping&>(model.find_element("part.damping"));
  support::expect_exact_tangents(model, damping);
  support::Random random(2);
  const Vector v = random.vector(10);
  std::array<double, 4> f{};
  damping.force({model.initial_configuration(), v, 0}, f);
  double power = 0;
  for (Index k = 0; k < 4; ++k) power += f[k] * v[mesh.coordinates[k].v];
  const Vector rate = v.segment(mesh.coordinates[0].v, 4);
  EXPECT_NEAR(power, -rate.dot(basis->damping * rate), 1e-14);
}

TEST(ReducedDamping, RefusesBodiesWithoutModes) {
  Model model("m");
  const ReducedBodyMesh mesh =
      add_reduced_body(model, {.name = "part", .basis = support::random_basis(3, 0)});
  const auto refusal = [&](const ReducedDamping::Parameters& p) {
    return message_of<ModelError>([&] { model.add<ReducedDamping>(p); });
  };
  EXPECT_EQ(refusal({.name = "d"}), "reduced damping \"d\": it has no body");
  EXPECT_EQ(refusal({.name = "d", .body = &*mesh.body}), "reduced damping \"d\": its body has no modes");
}

}  // namespace
}  // namespace picus::reduced_damping_test
