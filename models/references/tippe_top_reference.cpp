#include <picus/models/references/tippe_top_reference.hpp>
#include <picus/so3.hpp>

#include <cmath>

namespace picus::models {
namespace {

TippeTopReference::Motion start_of(const TippeTopParameters& top) {
  return {.x = (top.radius - top.centre * top.rotation(2, 2)) * Vec3::UnitZ(),
          .v = Vec3::Zero(),
          .R = top.rotation,
          .Omega = top.angular_velocity};
}

}  // namespace

TippeTopReference::TippeTopReference(const TippeTopParameters& top, StopRequest stop_request)
    : top_(top), motion_(start_of(top), top.step, stop_request) {}

TippeTopReference::Motion TippeTopReference::rate(const Motion& at) const {
  const Vec3 up = Vec3::UnitZ();
  const Vec3 A(0, 0, top_.centre);
  const Mat3& R = at.R;
  const Vec3& Omega = at.Omega;
  const Vec3 r = R * A - top_.radius * up;
  const Vec3 omega = R * Omega;
  Vec3 slip = at.v + omega.cross(r);
  slip.z() = 0.0;
  const double spin = top_.epsilon * omega.z();
  const double rho = std::hypot(slip.norm(), spin);
  const double part = rho > 0 ? top_.mu / rho : 0.0;
  const Vec3 force = up - part * slip;
  const Vec3 moment = r.cross(force) - part * top_.epsilon * spin * up;
  // Accelerations have the form c_0 + c_1 N.
  const Vec3 J = top_.inertia;
  const Vec3 alpha_0 = -Omega.cross(J.cwiseProduct(Omega)).cwiseQuotient(J);
  const Vec3 alpha_1 = Vec3(R.transpose() * moment).cwiseQuotient(J);
  const Vec3 a_0 = -top_.gravity * up;
  const Vec3 a_1 = force / top_.mass;
  const double rise_0 = up.dot(a_0 + R * (alpha_0.cross(A) + Omega.cross(Omega.cross(A))));
  const double rise_1 = up.dot(a_1 + R * alpha_1.cross(A));
  const double N = -rise_0 / rise_1;
  return {.x = at.v, .v = a_0 + N * a_1, .R = R * so3::skew(Omega), .Omega = alpha_0 + N * alpha_1};
}

TippeTopReference::Motion TippeTopReference::advance(const Motion& from, double h) const {
  const auto moved = [&](const Motion& by, double step) {
    return Motion{from.x + step * by.x, from.v + step * by.v, from.R + step * by.R,
                  from.Omega + step * by.Omega};
  };
  const Motion k1 = rate(from);
  const Motion k2 = rate(moved(k1, h / 2));
  const Motion k3 = rate(moved(k2, h / 2));
  const Motion k4 = rate(moved(k3, h));
  const Motion mean{k1.x + 2 * k2.x + 2 * k3.x + k4.x, k1.v + 2 * k2.v + 2 * k3.v + k4.v,
                    k1.R + 2 * k2.R + 2 * k3.R + k4.R, k1.Omega + 2 * k2.Omega + 2 * k3.Omega + k4.Omega};
  return moved(mean, h / 6);
}

const TippeTopReference::Motion& TippeTopReference::at(double t) {
  return motion_.at(t, [this](const Motion& from, double h) { return advance(from, h); });
}

double TippeTopReference::inclination(double t) {
  const Mat3& R = at(t).R;
  return std::atan2(std::hypot(R(0, 2), R(1, 2)), R(2, 2));
}

double TippeTopReference::height(double t) {
  return at(t).x.z();
}

}  // namespace picus::models
