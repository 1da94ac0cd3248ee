// The elements from which other tests are built: their claimed derivatives are correct.

#include <picus/testing/tangent_check.hpp>
#include <support/mixed_model.hpp>

#include <gtest/gtest.h>

namespace picus::support {
namespace {

TEST(SupportElements, HaveExactDerivatives) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    const Model model = make_mixed_model(random);
    for (const auto& element : model.elements()) {
      const TangentReport report = check_tangents(model, *element);
      EXPECT_LT(report.worst_error, tangent_tolerance) << report.description;
    }
  }
}

}  // namespace
}  // namespace picus::support
