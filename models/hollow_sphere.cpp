#include <picus/checks.hpp>
#include <picus/elements/contacts/face.hpp>
#include <picus/error.hpp>
#include <picus/models/hollow_sphere.hpp>
#include <picus/so3.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace picus::models {
namespace {

/// Along none of the axes, about which models are symmetric.
Vec3 pole() {
  return {0.3, 0.5, 0.8};
}

}  // namespace

HollowSphereContact::HollowSphereContact(const Parameters& parameters, const Model& model)
    : Element(parameters.name, {parameters.point}),
      point_(parameters.point),
      centre_(parameters.centre),
      radius_(parameters.radius) {
  const Culprit who{"contact", name()};
  require_positive(who, "radius", radius_, "m");
  law_ = checked_law(who, parameters.mu, parameters.e_n, 0.0, 2);
  if (model.initial_configuration().position(point_) == centre_)
    throw ModelError(fmt::format("{}: the point is at the centre of the sphere", who.text()));
}

/// Normal and tangents as columns.
Mat3 HollowSphereContact::axes(const Configuration& q) const {
  Mat3 axes;
  axes.col(0) = (centre_ - q.position(point_)).normalized();
  axes.col(1) = pole().cross(axes.col(0)).normalized();
  axes.col(2) = axes.col(0).cross(axes.col(1));
  return axes;
}

void HollowSphereContact::displacement(const Configuration& q_n, const Configuration& q,
                                       std::span<double> g) const {
  g[0] = radius_ - (q.position(point_) - centre_).norm();
  if (row_count() == 1) return;
  const Vec3 motion = q.position(point_) - q_n.position(point_);
  const Mat3 at = axes(q);
  for (Index k = 1; k < row_count(); ++k) g[k] = at.col(k).dot(motion);
}

void HollowSphereContact::gradient(const Configuration& q, std::span<double> G) const {
  Eigen::Map<Eigen::MatrixXd>(G.data(), row_count(), 3) = axes(q).leftCols(row_count()).transpose();
}

void HollowSphereContact::geometric_stiffness(const Configuration& q, std::span<const double> p,
                                              std::span<double> K) const {
  const Mat3 at = axes(q);
  const Vec3 n = at.col(0);
  const double distance = (q.position(point_) - centre_).norm();
  const Mat3 n_x = (n * n.transpose() - Mat3::Identity()) / distance;
  Mat3 stiffness = p[0] * n_x;
  if (row_count() > 1) {
    const Vec3 t = at.col(1);
    const double length = pole().cross(n).norm();
    const Mat3 t_x = (Mat3::Identity() - t * t.transpose()) * so3::skew(pole()) * n_x / length;
    stiffness += p[1] * t_x + p[2] * (so3::skew(n) * t_x - so3::skew(t) * n_x);
  }
  Eigen::Map<Mat3>(K.data()) = stiffness;
}

}  // namespace picus::models
