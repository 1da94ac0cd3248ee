#include <picus/elements/forces/scalar_load.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/tangents.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace picus {
namespace {

using support::message_of;

TEST(ScalarLoad, IsAFunctionOfTime) {
  Model model;
  const auto angle = model.add_scalar("angle");
  const auto load =
      model.add<ScalarLoad>({.name = "motor", .node = angle, .load = [](double t) { return 3 * t; }});
  const Vector f = support::force(*load, model.initial_configuration(), Vector::Zero(1), 2.0);
  EXPECT_EQ(f[0], 6.0);
  EXPECT_FALSE(load->traits().is_conservative);
  support::expect_exact_tangents(model, *load);
}

TEST(ScalarLoad, RefusesWhatIsMissingOrWrong) {
  Model model("m");
  const auto angle = model.add_scalar("angle");
  EXPECT_EQ(message_of<ModelError>([&] { model.add<ScalarLoad>({.name = "Q", .node = angle, .load = {}}); }),
            "scalar load \"Q\": load is not given");
  EXPECT_EQ(message_of<ModelError>([&] { model.add<ScalarLoad>({.name = "Q", .node = {}, .load = 1.0}); }),
            "scalar load \"Q\": node is not a node of model \"m\"");
  EXPECT_EQ(
      message_of<ModelError>([&] {
        model.add<ScalarLoad>({.name = "Q", .node = angle, .load = std::numeric_limits<double>::infinity()});
      }),
      "scalar load \"Q\": load(0) is inf, must be a finite number");
}

}  // namespace
}  // namespace picus
