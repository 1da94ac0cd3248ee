#include <picus/elements/contacts/parts/closest_pair.hpp>
#include <picus/elements/contacts/parts/zeros_on_circle.hpp>
#include <picus/so3.hpp>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace picus {
namespace {

using Curve = RoundFeature::Curve;

/// Two tangents whose sine is below this have no common normal.
constexpr double no_crossing = 1e-9;

/// Whether `out` is within 45 degrees of a normal of the rim. These normals range from that of the flat end to that of
/// the side: a ball resting on the end touches the rim at one limit of the range, a body resting on the side at the
/// other.
bool is_normal_of_rim(const Vec3& out, const Vec3& d, const Vec3& axis) {
  return out.dot(d) + out.dot(axis) > 0;
}

/// Unit normal of the envelope about a line towards a point; zero on the axis.
Vec3 normal_of_line(const RoundFeature& line, const Vec3& point) {
  const Vec3 D = point - line.x;
  const Vec3 across = D - D.dot(line.axis) * line.axis;
  const double w = across.norm();
  if (!(w > 0)) return Vec3::Zero();
  const double k = line.taper;
  return std::sqrt(1 - k * k) / w * across - k * line.axis;
}

/// The same solution with a and b interchanged.
ClosestPair turned(const ClosestPair& pair) {
  ClosestPair result = pair;
  result.n = -pair.n;
  std::swap(result.y_a, result.y_b);
  std::swap(result.rho_a, result.rho_b);
  std::swap(result.tangent_a, result.tangent_b);
  return result;
}

/// Finds the solutions for a pair; `strict` excludes those in which n is not within 45 degrees of a normal of a rim.
class TouchSolver {
 public:
  TouchSolver(const RoundFeature& a, const RoundFeature& b, bool strict) : a_(a), b_(b), strict_(strict) {}

  ClosestPairs run() {
    switch (a_.curve) {
      case Curve::point:
        if (b_.curve == Curve::plane) point_plane();
        if (b_.curve == Curve::point) point_point();
        if (b_.curve == Curve::line) point_line();
        if (b_.curve == Curve::circle) point_circle();
        break;
      case Curve::line:
        if (b_.curve == Curve::line) line_line();
        break;
      case Curve::circle:
        if (b_.curve == Curve::plane) circle_plane();
        if (b_.curve == Curve::line) circle_line();
        if (b_.curve == Curve::circle) circle_circle();
        break;
      case Curve::plane:
        break;
    }
    return found_;
  }

 private:
  void offer(ClosestPair pair) {
    pair.distance = pair.n.dot(pair.y_a - pair.y_b);
    found_.add(pair);
  }

  void point_plane() {
    const double height = b_.axis.dot(a_.x - b_.x);
    offer({.n = b_.axis, .y_a = a_.x, .y_b = a_.x - height * b_.axis, .rho_a = a_.radius});
  }

  void circle_plane() {
    const Vec3 across = b_.axis - b_.axis.dot(a_.axis) * a_.axis;
    const double sine = across.norm();
    const Vec3 d = sine > 1e-14 ? Vec3(-across / sine) : a_.axis.unitOrthogonal();
    const Vec3 y = a_.x + a_.radius * d;
    const double height = b_.axis.dot(y - b_.x);
    offer({.n = b_.axis, .y_a = y, .y_b = y - height * b_.axis, .tangent_a = a_.axis.cross(d)});
  }

  void point_point() {
    const Vec3 D = a_.x - b_.x;
    const double distance = D.norm();
    if (!(distance > 0) || !(a_.radius + b_.radius > 0)) return;
    offer({.n = D / distance, .y_a = a_.x, .y_b = b_.x, .rho_a = a_.radius, .rho_b = b_.radius});
  }

  void point_line() {
    const Vec3 n = normal_of_line(b_, a_.x);
    if (n.isZero(0.0)) return;
    const Vec3 D = a_.x - b_.x;
    const double k = b_.taper;
    const double z = D.dot(b_.axis);
    const double t = z + k / std::sqrt(1 - k * k) * (D - z * b_.axis).norm();
    offer({.n = n,
           .y_a = a_.x,
           .y_b = b_.x + t * b_.axis,
           .rho_a = a_.radius,
           .rho_b = b_.radius + k * t,
           .tangent_b = b_.axis});
  }

  void point_circle() {
    const Vec3 D = a_.x - b_.x;
    const Vec3 across = D - D.dot(b_.axis) * b_.axis;
    const double w = across.norm();
    if (!(w > 0) || !(a_.radius > 0)) return;
    const Vec3 d = across / w;
    const Vec3 y = b_.x + b_.radius * d;
    const double distance = (a_.x - y).norm();
    if (!(distance > 0)) return;
    const Vec3 n = (a_.x - y) / distance;
    if (strict_ && !is_normal_of_rim(n, d, b_.axis)) return;
    offer({.n = n, .y_a = a_.x, .y_b = y, .rho_a = a_.radius, .tangent_b = b_.axis.cross(d)});
  }

  // n = alpha u_a + beta u_b + gamma u_a x u_b from n . u_a = k_a, n . u_b = -k_b.
  void line_line() {
    const Vec3 N = a_.axis.cross(b_.axis);
    const double NN = N.squaredNorm();
    if (!(NN > no_crossing * no_crossing)) return;
    const double c = a_.axis.dot(b_.axis);
    const double k_a = a_.taper, k_b = -b_.taper;
    const Vec3 in_plane = ((k_a - c * k_b) * a_.axis + (k_b - c * k_a) * b_.axis) / NN;
    const double rest = 1 - in_plane.squaredNorm();
    if (!(rest > 0)) return;
    const Vec3 D = a_.x - b_.x;
    const Vec3 n = in_plane + (D.dot(N) < 0 ? -1.0 : 1.0) * std::sqrt(rest / NN) * N;
    Mat3 system;
    system << a_.axis, -b_.axis, -n;
    const Vec3 stl = system.inverse() * -D;
    offer({.n = n,
           .y_a = a_.x + stl[0] * a_.axis,
           .y_b = b_.x + stl[1] * b_.axis,
           .rho_a = a_.radius + a_.taper * stl[0],
           .rho_b = b_.radius + b_.taper * stl[1],
           .tangent_a = a_.axis,
           .tangent_b = b_.axis});
  }

  void circle_line() {
    const CirclePoints circle(a_);
    const bool is_sharp = b_.radius == 0 && b_.taper == 0;
    const auto slope = [&](const OnCircle& p) {
      if (b_.taper != 0) return normal_of_line(b_, p.y).dot(p.t);
      const Vec3 D = p.y - b_.x;
      return D.dot(p.t) - D.dot(b_.axis) * b_.axis.dot(p.t);
    };
    const auto visit = [&](double phi) {
      const OnCircle p = circle.at(phi);
      // Seen from the far side of the rim a sharp line would be as deep as the whole end.
      const Vec3 nearest = b_.x + b_.axis.dot(p.y - b_.x) * b_.axis;
      if (is_sharp && p.d.dot(nearest - a_.x) < 0) return;
      const Vec3 N = p.t.cross(b_.axis);
      // Both candidates have the same direction; the one along the line between the closest points is more accurate,
      // except close to contact.
      const Vec3 way = p.y - b_.x;
      const double apart = (way - way.dot(b_.axis) * b_.axis).norm();
      Vec3 n = is_sharp && apart <= a_.radius * N.norm() ? N : normal_of_line(b_, p.y);
      if (!(n.norm() > no_crossing)) return;
      n.normalize();
      if (is_sharp && !is_normal_of_rim(-n, p.d, a_.axis)) n = -n;
      if (strict_ && !is_normal_of_rim(-n, p.d, a_.axis)) return;
      const Vec3 D = p.y - b_.x;
      const double z = D.dot(b_.axis);
      const double k = b_.taper;
      const double t = z + k / std::sqrt(1 - k * k) * (D - z * b_.axis).norm();
      offer({.n = n,
             .y_a = p.y,
             .y_b = b_.x + t * b_.axis,
             .rho_b = b_.radius + k * t,
             .tangent_a = p.t,
             .tangent_b = b_.axis,
             .side = n.dot(N) < 0 ? -1 : 1});
    };
    if (b_.taper != 0) return visit_zeros(circle, slope, visit);
    visit_zeros_between(angles_around_line(), circle, slope, visit);
  }

  // Angles between which there is at most one stationary distance from a line without taper, also where two of them are
  // about to meet because the line leaves the disc. With the first axis along the line, the slope is
  //     k sin cos + p sin + q cos = sin cos (k + p / cos + q / sin),
  // whose last factor changes monotonically within a quadrant, except that it turns where tan^3 = q / p. If q or p is
  // zero, so is the slope at a limit of the quadrants; therefore they are separated by small gaps.
  std::array<double, 10> angles_around_line() const {
    constexpr double small = 1e-6;
    const Vec3 in_plane = b_.axis - b_.axis.dot(a_.axis) * a_.axis;
    const Vec3 first =
        in_plane.norm() > no_crossing ? Vec3(in_plane.normalized()) : circle_axes(a_.axis).first;
    const Vec3 D = a_.x - b_.x;
    const Vec3 across = D - D.dot(b_.axis) * b_.axis;
    const double p = -across.dot(first), q = across.dot(a_.axis.cross(first));
    const double turn = std::atan2(std::cbrt(q), std::cbrt(p));
    std::array<double, 10> angles{turn, turn < 0 ? turn + full_turn / 2 : turn - full_turn / 2};
    for (int i = 0; i < 4; ++i) {
      angles[2 * i + 2] = (i - 2) * full_turn / 4 + small;
      angles[2 * i + 3] = (i - 1) * full_turn / 4 - small;
    }
    std::ranges::sort(angles);
    const double start = angle_on_circle(a_, first);
    for (double& angle : angles) angle += start;
    return angles;
  }

  // The point of b nearest to a point of a lies in the plane through that point and the axis of b.
  void circle_circle() {
    const CirclePoints circle(a_);
    const auto nearest = [&](const Vec3& y) {
      const Vec3 D = y - b_.x;
      const Vec3 across = D - D.dot(b_.axis) * b_.axis;
      const double w = across.norm();
      return w > 0 ? Vec3(across / w) : b_.axis.unitOrthogonal();
    };
    const auto slope = [&](const OnCircle& p) { return (p.y - b_.x - b_.radius * nearest(p.y)).dot(p.t); };
    visit_zeros(circle, slope, [&](double phi) {
      const OnCircle p = circle.at(phi);
      const Vec3 d = nearest(p.y);
      const Vec3 t = b_.axis.cross(d);
      const Vec3 N = p.t.cross(t);
      if (!(N.norm() > no_crossing)) return;
      Vec3 n = N.normalized();
      if (n.dot(d + b_.axis - p.d - a_.axis) < 0) n = -n;
      if (strict_ && !(is_normal_of_rim(-n, p.d, a_.axis) && is_normal_of_rim(n, d, b_.axis))) return;
      offer({.n = n,
             .y_a = p.y,
             .y_b = b_.x + b_.radius * d,
             .tangent_a = p.t,
             .tangent_b = t,
             .side = n.dot(N) < 0 ? -1 : 1});
    });
  }

  const RoundFeature& a_;
  const RoundFeature& b_;
  bool strict_;
  ClosestPairs found_;
};

int rank(Curve curve) {
  return curve == Curve::circle ? 2 : curve == Curve::point ? 0 : curve == Curve::line ? 1 : 3;
}

/// Whether a and b have to be interchanged: points precede lines and circles, circles precede lines, planes are last.
bool is_other_way(const RoundFeature& a, const RoundFeature& b) {
  if (a.curve == Curve::plane) return true;
  if (b.curve == Curve::plane || a.curve == b.curve) return false;
  if (a.curve == Curve::circle || b.curve == Curve::circle)
    return a.curve == Curve::circle ? b.curve == Curve::point : a.curve == Curve::line;
  return rank(a.curve) > rank(b.curve);
}

ClosestPairs solve(const RoundFeature& a, const RoundFeature& b, bool strict) {
  if (!is_other_way(a, b)) return TouchSolver(a, b, strict).run();
  ClosestPairs result = TouchSolver(b, a, strict).run();
  for (std::size_t i = 0; i < result.count; ++i) result.all[i] = turned(result.all[i]);
  return result;
}

/// y'' of a point of a circle with respect to the angle, -r d; likewise |y'| = r.
Vec3 curvature(const RoundFeature& feature, const Vec3& y) {
  return feature.curve == Curve::circle ? Vec3(feature.x - y) : Vec3(Vec3::Zero());
}
double speed(const RoundFeature& feature) {
  return feature.curve == Curve::circle ? feature.radius : 1.0;
}

}  // namespace

ClosestPairs find_closest_pairs(const RoundFeature& a, const RoundFeature& b) {
  return solve(a, b, true);
}

ClosestPair find_closest_pair(const RoundFeature& a, const RoundFeature& b, int side) {
  for (const bool strict : {true, false}) {
    const ClosestPairs pairs = solve(a, b, strict);
    const ClosestPair* best = nullptr;
    const auto cost = [&](const ClosestPair& pair) {
      const bool is_other = side != 0 && pair.side != side;
      return std::pair(is_other, std::abs(pair.gap()));
    };
    for (const ClosestPair& pair : pairs) {
      if (best == nullptr || cost(pair) < cost(*best)) best = &pair;
    }
    if (best != nullptr) return *best;
  }
  // For pairs without any solution: the direction from b to a.
  const Vec3 D = a.x - b.x;
  ClosestPair pair{.n = D.norm() > 0 ? Vec3(D.normalized()) : Vec3(Vec3::UnitZ()), .y_a = a.x, .y_b = b.x};
  pair.distance = D.norm();
  return pair;
}

ClosestPairRates find_closest_pair_rates(const RoundFeature& a, const RoundFeature& b,
                                         const ClosestPair& pair, bool at_centre) {
  const Vec3 t_a = speed(a) * pair.tangent_a;
  const Vec3 t_b = speed(b) * pair.tangent_b;
  const bool a_moves = a.curve != Curve::point;
  const bool b_moves = b.curve == Curve::line || b.curve == Curve::circle;
  ClosestPairRates::Matrix of_point;  // displacement of the material point of a
  of_point << Mat3::Identity(), -so3::skew(pair.y_a);
  ClosestPairRates::Matrix dy_a = of_point;
  ClosestPairRates rates;
  double rho_rate = 0;
  Eigen::Matrix<double, 1, 6> ds = Eigen::Matrix<double, 1, 6>::Zero();
  if (b.curve == Curve::plane) {
    // n . y_a' = 0; a circle parallel to the plane has no lowest point, and any point may serve.
    const double bend = a_moves ? pair.n.dot(curvature(a, pair.y_a)) : 0.0;
    if (bend > 1e-12 * speed(a)) ds.tail<3>() = -t_a.cross(pair.n).transpose() / bend;
  } else {
    // Unknowns: ds, dt, dn, dl.
    using Equations = Eigen::Matrix<double, 6, 6>;
    Equations system = Equations::Zero();
    Equations right = Equations::Zero();
    system.block<3, 1>(0, 0) = t_a;
    system.block<3, 1>(0, 1) = -t_b;
    system.block<3, 3>(0, 2) = -pair.distance * Mat3::Identity();
    system.block<3, 1>(0, 5) = -pair.n;
    right.topRows<3>() = -of_point;
    if (a_moves) {
      system(3, 0) = pair.n.dot(curvature(a, pair.y_a));
      system.block<1, 3>(3, 2) = t_a.transpose();
      right.block<1, 3>(3, 3) = -t_a.cross(pair.n).transpose();
    } else {
      system(3, 0) = 1.0;
    }
    if (b_moves) {
      system(4, 1) = pair.n.dot(curvature(b, pair.y_b));
      system.block<1, 3>(4, 2) = t_b.transpose();
    } else {
      system(4, 1) = 1.0;
    }
    system.block<1, 3>(5, 2) = pair.n.transpose();
    const Equations solution = system.partialPivLu().solve(right);
    if (!solution.allFinite()) return rates;
    ds = solution.row(0);
    rates.n = solution.middleRows<3>(2);
    if (a.curve == Curve::line) rho_rate = a.taper;
  }
  dy_a += t_a * ds;
  rates.P = dy_a;
  if (!at_centre) rates.P -= pair.rho_a * rates.n + rho_rate * pair.n * ds;
  return rates;
}

Vec3 point_on_circle(const RoundFeature& circle, double phi) {
  return CirclePoints(circle).at(phi).y;
}

double angle_on_circle(const RoundFeature& circle, const Vec3& d) {
  const auto [first, second] = circle_axes(circle.axis);
  const double phi = std::atan2(d.dot(second), d.dot(first));
  return phi < 0 ? phi + full_turn : phi;
}

}  // namespace picus
