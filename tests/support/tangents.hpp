#pragma once

#include <picus/testing/tangent_check.hpp>

#include <gtest/gtest.h>

namespace picus::support {

/// Every derivative of the element agrees with differences; see tangent_check.hpp for what that means.
inline void expect_exact_tangents(const Model& model, const Element& element,
                                  const TangentCheckOptions& options = {}) {
  const TangentReport report = check_tangents(model, element, options);
  EXPECT_LT(report.worst_error, tangent_tolerance) << report.description;
}

}  // namespace picus::support
