#include <picus/models/references/squeezer_reference.hpp>

#include <Eigen/LU>

#include <cmath>

namespace picus::models {
namespace {

using SqueezerVector = Eigen::Vector2d;

SqueezerVector unit_at(double a) {
  return {std::cos(a), std::sin(a)};
}

SqueezerVector normal_at(double a) {
  return {std::sin(a), -std::cos(a)};
}

double angle_of_unit(const SqueezerVector& v) {
  return std::atan2(v.y(), v.x());
}

/// The angle a for which normal_at(a) is along v.
double angle_of_normal(const SqueezerVector& v) {
  return std::atan2(v.x(), -v.y());
}

/// The point at distances r and s from P and Q, to the right of the direction from P to Q.
SqueezerVector triangle_corner(const SqueezerVector& P, double r, const SqueezerVector& Q, double s) {
  const SqueezerVector D = Q - P;
  const double l = D.norm();
  const double along = (l * l + r * r - s * s) / (2 * l);
  const double across = std::sqrt(r * r - along * along);
  return P + (along * D + across * SqueezerVector(D.y(), -D.x())) / l;
}

}  // namespace

SqueezerReference::SqueezerReference(const Squeezer& squeezer, StopRequest stop_request, double step)
    : p_(squeezer), motion_({squeezer.beta, 0.0}, step, stop_request) {}

SqueezerReference::Angles SqueezerReference::angles(double beta) const {
  const SqueezerVector A = p_.A.head<2>();
  const SqueezerVector B = p_.B.head<2>();
  const SqueezerVector F = p_.rr * unit_at(beta);
  const SqueezerVector E = triangle_corner(B, p_.ss, F, p_.d);
  const SqueezerVector G = triangle_corner(E, p_.e, A, p_.zt);
  const SqueezerVector H = triangle_corner(A, p_.u, E, p_.zf);
  Angles a;
  a << beta, angle_of_unit(F - E), angle_of_normal(E - B), angle_of_normal(E - G), angle_of_unit(G - A),
      angle_of_unit(E - H), angle_of_normal(H - A);
  return a;
}

/// The three expressions for E, differentiated once and twice with respect to beta.
SqueezerReference::Derivatives SqueezerReference::derivatives(const Angles& a) const {
  // e' = -f, f' = e.
  Eigen::Matrix<double, 6, 7> G = Eigen::Matrix<double, 6, 7>::Zero();
  Eigen::Matrix<double, 6, 7> curvature = Eigen::Matrix<double, 6, 7>::Zero();  // for squared rates
  for (Eigen::Index loop = 0; loop < 3; ++loop) {
    const auto put_e = [&](Eigen::Index body, double length) {
      G.block<2, 1>(2 * loop, body) -= length * normal_at(a[body]);
      curvature.block<2, 1>(2 * loop, body) -= length * unit_at(a[body]);
    };
    const auto put_f = [&](Eigen::Index body, double length) {
      G.block<2, 1>(2 * loop, body) += length * unit_at(a[body]);
      curvature.block<2, 1>(2 * loop, body) -= length * normal_at(a[body]);
    };
    put_e(0, p_.rr);
    put_e(1, -p_.d);
    if (loop == 0) {
      put_f(2, -p_.ss);
    } else if (loop == 1) {
      put_e(4, -p_.zt);
      put_f(3, -p_.e);
    } else {
      put_e(5, -p_.zf);
      put_f(6, -p_.u);
    }
  }
  const Eigen::PartialPivLU<Eigen::Matrix<double, 6, 6>> lu(G.rightCols<6>());
  Derivatives result;
  result.d << 1.0, lu.solve(Eigen::Matrix<double, 6, 1>(-G.col(0)));
  result.dd << 0.0, lu.solve(Eigen::Matrix<double, 6, 1>(-curvature * result.d.cwiseAbs2()));
  return result;
}

double SqueezerReference::acceleration(const Motion& at) const {
  const Angles a = angles(at.beta);
  const Derivatives by_beta = derivatives(a);
  const auto& d = by_beta.d;
  const auto& dd = by_beta.dd;
  double inertia = 0.0;
  double bias = 0.0;
  const auto add_turn = [&](Eigen::Index body, double moment) {
    inertia += moment * d[body] * d[body];
    bias += moment * d[body] * dd[body];
  };
  // Adds a centre of mass whose position is a sum of terms r unit_at(a) or r normal_at(a), each of one body.
  const auto add_mass = [&](double mass, const SqueezerVector& x_d, const SqueezerVector& x_dd) {
    inertia += mass * x_d.squaredNorm();
    bias += mass * x_d.dot(x_dd);
  };
  const auto arm_e = [&](Eigen::Index i, double r, SqueezerVector& x_d, SqueezerVector& x_dd) {
    x_d -= r * d[i] * normal_at(a[i]);
    x_dd -= r * (dd[i] * normal_at(a[i]) + d[i] * d[i] * unit_at(a[i]));
  };
  const auto arm_f = [&](Eigen::Index i, double r, SqueezerVector& x_d, SqueezerVector& x_dd) {
    x_d += r * d[i] * unit_at(a[i]);
    x_dd += r * (dd[i] * unit_at(a[i]) - d[i] * d[i] * normal_at(a[i]));
  };
  for (Eigen::Index i = 0; i < 7; ++i) add_turn(i, p_.inertia[i]);
  add_turn(0, p_.mass[0] * p_.ra * p_.ra);
  add_turn(2, p_.mass[2] * (p_.sa * p_.sa + p_.sb * p_.sb));
  add_turn(4, p_.mass[4] * (p_.ta * p_.ta + p_.tb * p_.tb));
  add_turn(6, p_.mass[6] * (p_.ua * p_.ua + p_.ub * p_.ub));
  SqueezerVector x_d = SqueezerVector::Zero();
  SqueezerVector x_dd = SqueezerVector::Zero();
  arm_e(0, p_.rr, x_d, x_dd);
  arm_e(1, -p_.da, x_d, x_dd);
  add_mass(p_.mass[1], x_d, x_dd);
  x_d = x_dd = SqueezerVector::Zero();
  arm_e(4, p_.zt, x_d, x_dd);
  arm_f(3, p_.e - p_.ea, x_d, x_dd);
  add_mass(p_.mass[3], x_d, x_dd);
  x_d = x_dd = SqueezerVector::Zero();
  arm_f(6, p_.u, x_d, x_dd);
  arm_e(5, p_.zf - p_.fa, x_d, x_dd);
  add_mass(p_.mass[5], x_d, x_dd);

  const SqueezerVector D = p_.B.head<2>() + p_.sd * unit_at(a[2]) + p_.sc * normal_at(a[2]);
  const SqueezerVector D_d = d[2] * (p_.sc * unit_at(a[2]) - p_.sd * normal_at(a[2]));
  const SqueezerVector from_C = D - p_.C.head<2>();
  const double length = from_C.norm();
  const double force = p_.torque - p_.stiffness * (length - p_.free_length) * from_C.dot(D_d) / length;
  return (force - bias * at.rate * at.rate) / inertia;
}

SqueezerReference::Motion SqueezerReference::advance(const Motion& from, double h) const {
  const auto rate = [&](const Motion& at) { return Motion{at.rate, acceleration(at)}; };
  const auto moved = [&](const Motion& by, double step) {
    return Motion{from.beta + step * by.beta, from.rate + step * by.rate};
  };
  const Motion k1 = rate(from);
  const Motion k2 = rate(moved(k1, h / 2));
  const Motion k3 = rate(moved(k2, h / 2));
  const Motion k4 = rate(moved(k3, h));
  return moved({k1.beta + 2 * k2.beta + 2 * k3.beta + k4.beta, k1.rate + 2 * k2.rate + 2 * k3.rate + k4.rate},
               h / 6);
}

const SqueezerReference::Motion& SqueezerReference::at(double t) {
  return motion_.at(t, [this](const Motion& from, double h) { return advance(from, h); });
}

}  // namespace picus::models
