#pragma once

/// Checks the reported point of action of a contact force.

#include <picus/so3.hpp>
#include <support/evaluate.hpp>

#include <gtest/gtest.h>

namespace picus::support {

/// G^T p on the first node of a contact, a frame, must be equivalent to a single force at the contact point: same
/// moment about the node.
template <class E>
void expect_force_at_contact_point(const E& contact, const Configuration& q, const Vector& p,
                                   double tolerance) {
  const Node& node = contact.nodes()[0];
  const Vector f = gradient(contact, q).transpose() * p;
  const Vec3 force = f.template head<3>();
  const Vec3 moment = q.rotation(node) * f.template segment<3>(3);
  const auto point = contact.contact_point(q);
  ASSERT_TRUE(point.has_value());
  const Vec3 arm = *point - q.position(node);
  EXPECT_LE((moment - arm.cross(force)).norm(), tolerance) << contact.name();
}

}  // namespace picus::support
