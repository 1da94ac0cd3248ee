#pragma once

/// Ready-made sensors. Vectors are in the inertial frame unless stated otherwise; rotations are unit quaternions w, x,
/// y, z whose sign does not jump. Options are those of sensor.hpp and:

#include <picus/continuum.hpp>
#include <picus/material_point.hpp>
#include <picus/sensor.hpp>

#include <optional>
#include <string>

/// Ready-made sensors, for Model::add_sensor().
namespace picus::sensors {

/// Motion of a point of a body, a node or the ground: `position`, `velocity`, `acceleration` (3 each; the smooth part,
/// without impacts). On a frame node also its `rotation` (4) and `angular_velocity` (3, in its own axes).
///
/// Relative to another point B on a frame they are the motion seen by an observer who rotates with that frame, in its
/// axes:
///
///     r = x - x_B,   position R_B^T r,   velocity R_B^T (dr/dt - w_B x r),
///     acceleration R_B^T (d2r/dt2 - dw_B/dt x r - w_B x (w_B x r) - 2 w_B x (dr/dt - w_B x r)),
///     rotation R_B^T R,   angular_velocity Omega - R^T w_B,   w_B = R_B Omega_B
///
/// and relative to a point node or the ground the same with R_B = I, w_B = 0.
struct PointOptions {
  std::string name;                                         ///< Sensor::name
  double interval = 0.0;                                    ///< Sensor::interval, s
  MaterialPoint point;                                      ///< point of a body, a node or the ground
  std::optional<MaterialPoint> relative_to = std::nullopt;  ///< B
};
/// Creates the sensor. Throws nothing; errors are reported by Model::add_sensor().
Sensor point(const PointOptions& options);

/// Value of a scalar node, its rate and its acceleration: `value`, `velocity`, `acceleration`, in the unit of the node.
struct ScalarOptions {
  std::string name;       ///< Sensor::name
  double interval = 0.0;  ///< Sensor::interval, s
  ScalarNode node;        ///< such as the angle of a hinge
};
/// Creates the sensor; errors as for point().
Sensor scalar(const ScalarOptions& options);

/// Quantities at a point of an element, such as a section of a beam or a point of a solid: motion, strain, stress.
/// BeamMesh::point() and Solid::point() give elements and local coordinates of points of a mesh.
struct ElementPointOptions {
  std::string name;       ///< Sensor::name
  double interval = 0.0;  ///< Sensor::interval, s
  ContinuumPoint at;      ///< element and local coordinates
};
/// Creates the sensor. Throws ModelError when there is no element.
Sensor element_point(const ElementPointOptions& options);

/// `force` (3) and `moment` (3) of a joint, or of any other constraint, on the body of one of its nodes: means over the
/// steps since the last sample of
///
///     p = G^T (lambda + Lambda/h),   force p_u,   moment R p_Omega + (x_node - x_about) x p_u
///
/// with the rows of p that belong to the node, and G at the end of the step. Impulses are included: the sum of samples,
/// each times the time since the previous sample, is the impulse of the joint. The sample at the start is the initial
/// force. Idle constraint rows (out of the plane of a planar model) have no force.
struct JointForceOptions {
  std::string name;                                   ///< Sensor::name
  double interval = 0.0;                              ///< Sensor::interval, s
  InRole<BilateralConstraint> joint;                  ///< its handle
  Node on;                                            ///< a frame or point node of the joint
  std::optional<MaterialPoint> about = std::nullopt;  ///< reference point of the moment; default: the node
};
/// Creates the sensor. Throws ModelError when there is no joint.
Sensor joint_force(const JointForceOptions& options);

/// `force` and `moment` of a contact, as for a joint, p = G^T (impulse of the contact)/h. Zero at the start.
struct ContactForceOptions {
  std::string name;                                   ///< Sensor::name
  double interval = 0.0;                              ///< Sensor::interval, s
  InRole<Contact> contact;                            ///< its handle
  Node on;                                            ///< a frame or point node of the contact
  std::optional<MaterialPoint> about = std::nullopt;  ///< reference point of the moment; default: the node
};
/// Creates the sensor. Throws ModelError when there is no contact.
Sensor contact_force(const ContactForceOptions& options);

/// `force` and `moment` of the reactions of fixed and driven components of a node (Model::fix(), Model::drive()),
/// p = State::reaction. Zero at the start.
struct SupportForceOptions {
  std::string name;                                   ///< Sensor::name
  double interval = 0.0;                              ///< Sensor::interval, s
  Node on;                                            ///< a frame or point node
  std::optional<MaterialPoint> about = std::nullopt;  ///< reference point of the moment; default: the node
};
/// Creates the sensor; errors as for point().
Sensor support_force(const SupportForceOptions& options);

}  // namespace picus::sensors
