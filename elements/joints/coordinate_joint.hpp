#pragma once

/// A joint with coordinates: angles and displacements of B relative to A. Each may have a scalar node, whose equation
/// is then part of the joint: springs, dampers, loads, stops and prescribed motions of that node act on the joint. At
/// the start the coordinate has the value of its node, or zero without one.
///
/// Every coordinate and its rate are reported, with or without a node. Without one an angle lies in (-pi, pi]; with
/// one it counts any number of turns.

#include <picus/elements/joints/joint.hpp>
#include <picus/observable.hpp>

namespace picus {

class CoordinateJoint : public Joint, public Observable {
 public:
  ~CoordinateJoint() override;

  /// "angle", "angle_rate" and so on: the coordinates in the order of the joint's parameters.
  std::vector<Quantity> quantities() const override;
  void observe(const Motion& motion, std::span<double> values) const override;

 protected:
  /// As for Joint.
  CoordinateJoint(std::string_view kind, const std::string& name, const MaterialPoint& a,
                  const MaterialPoint& b, Ends allowed, const Model& model,
                  const std::vector<Scalar>& scalars = {});

  /// The angle of B relative to A about axes.col(2) of A, and its equation if scalar(i) is given.
  void add_angle(std::string name, const JointKinematics& start, const Mat3& axes, std::size_t i);
  /// The same for the angle measured by `pair`, which sets its value at the start.
  void add_angle(std::string name, const RotationPair& pair, const JointScalar& s);
  /// The displacement of the point of B along a direction of A, and its equation if scalar(i) is given.
  void add_displacement(std::string name, const JointKinematics& start, const Vec3& direction, std::size_t i);

 private:
  struct Coordinate;

  std::vector<Coordinate> coordinates_;
};

}  // namespace picus
