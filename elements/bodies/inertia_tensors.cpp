#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/error.hpp>

#include <fmt/format.h>

namespace picus::inertia {

Mat3 diagonal(double I_x, double I_y, double I_z) {
  return Vec3(I_x, I_y, I_z).asDiagonal();
}

Mat3 box(double mass, const Vec3& lengths) {
  const Vec3 squares = lengths.cwiseAbs2();
  return (mass / 12 * (Vec3::Constant(squares.sum()) - squares)).asDiagonal();
}

Mat3 sphere(double mass, double radius) {
  return 0.4 * mass * radius * radius * Mat3::Identity();
}

Mat3 cylinder(double mass, double radius, double length, int axis) {
  if (axis < 0 || axis > 2)
    throw ModelError(fmt::format("the axis of a cylinder is {}, must be 0, 1 or 2", axis));
  Vec3 moments = Vec3::Constant(mass * (3 * radius * radius + length * length) / 12);
  moments[axis] = mass * radius * radius / 2;
  return moments.asDiagonal();
}

Mat3 planar(double I_z) {
  return diagonal(I_z / 2, I_z / 2, I_z);
}

}  // namespace picus::inertia
