#include <picus/elements/contacts/parts/closest_points.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace picus {
namespace {

/// Edges count as parallel if the square of the sine of their angle is below this (sine 1e-8): their closest points
/// are accurate to the square root of machine precision there, and the gap jumps by 1e-8 of the length.
constexpr double parallel = 1e-16;

/// Faces extend beyond their boundary by this fraction of their size, so that no point falls between two of them, and
/// none is in contact with a boundary at a distance of rounding error, which has no direction.
constexpr double border = 1e-9;

/// Indices of its two points in the list of all points.
struct Edge {
  Index first, second;
};

/// Finds the closest points of two features, given the points of both; those of b start at `first_b_`.
class Search {
 public:
  Search(std::span<const Vec3> a, std::span<const Vec3> b) : a_(a), b_(b), first_b_(count_of(a)) {}

  ClosestPoints run() {
    if (b_.size() == 3) {
      if (!is_over_triangle()) try_borders();
    } else if (a_.size() == 2 && b_.size() == 2) {
      if (!is_between_edges()) try_ends();
    } else if (b_.size() == 2) {
      try_edge({0}, {first_b_, first_b_ + 1});
    } else if (a_.size() == 2) {
      try_edge({first_b_}, {0, 1});
    } else {
      best_.w[0] = 1;
      best_.w[first_b_] = -1;
    }
    finish();
    return best_;
  }

  ClosestPoints run_plane() {
    project();
    finish();
    return best_;
  }

  ClosestPoints run_crossing(double sign) {
    const Vec3 N = find_normal();
    if (N.isZero(0.0)) return run();
    cross(N);
    best_.n *= sign;
    finish();
    return best_;
  }

 private:
  struct Point {
    Index place;
  };

  Vec3 position(Index place) const { return place < first_b_ ? a_[place] : b_[place - first_b_]; }
  /// Sign of the weight of a point.
  double sign(Index place) const { return place < first_b_ ? 1.0 : -1.0; }
  Vec3 separation(const ClosestPoints::Weights& w) const {
    Vec3 D = Vec3::Zero();
    for (Index i = 0; i < first_b_ + count_of(b_); ++i) D += w[i] * position(i);
    return D;
  }

  /// Keeps the candidate if it is closer than those before.
  void offer(const ClosestPoints::Weights& w, const ClosestPoints::WeightRates& dw) {
    const double square = separation(w).squaredNorm();
    if (!(square < best_square_)) return;
    best_square_ = square;
    best_.w = w;
    best_.dw = dw;
  }

  void try_edge(const Point& point, const Edge& edge) {
    const Vec3 x = position(edge.first);
    const Vec3 along = position(edge.second) - x;
    const double square = along.squaredNorm();
    const double s = square > 0 ? std::clamp(along.dot(position(point.place) - x) / square, 0.0, 1.0) : 0.0;
    const bool is_inside = s > 0 && s < 1;
    ClosestPoints::Weights w = ClosestPoints::Weights::Zero();
    ClosestPoints::WeightRates dw =
        ClosestPoints::WeightRates::Zero(ClosestPoints::max_points, is_inside ? 1 : 0);
    w[point.place] = sign(point.place);
    w[edge.first] = sign(edge.first) * (1 - s);
    w[edge.second] = sign(edge.second) * s;
    if (is_inside) {
      dw(edge.first, 0) = -sign(edge.first);
      dw(edge.second, 0) = sign(edge.second);
    }
    offer(w, dw);
  }

  void try_ends() {
    for (Index i = 0; i < 2; ++i) {
      try_edge({i}, {first_b_, first_b_ + 1});
      try_edge({first_b_ + i}, {0, 1});
    }
  }
  void try_borders() {
    for (Index i = 0; i < 3; ++i) try_edge({0}, {first_b_ + i, first_b_ + (i + 1) % 3});
  }

  /// Whether the point projects into the triangle.
  bool is_over_triangle() {
    const auto& [s, t] = project();
    if (s > -border && t > -border && s + t < 1 + border) return true;
    best_.n.setZero();
    return false;
  }

  /// Projects the point onto the plane of the triangle; returns the coordinates along two sides.
  std::pair<double, double> project() {
    const Vec3 u = b_[1] - b_[0];
    const Vec3 v = b_[2] - b_[0];
    const Vec3 x = a_[0] - b_[0];
    const Vec3 N = u.cross(v);
    const double s = x.cross(v).dot(N) / N.squaredNorm();
    const double t = u.cross(x).dot(N) / N.squaredNorm();
    best_.w << 1, -(1 - s - t), -s, -t;
    best_.dw.resize(ClosestPoints::max_points, 2);
    best_.dw << 0, 0,  //
        1, 1,          //
        -1, 0,         //
        0, -1;
    best_.n = N.normalized();
    return {s, t};
  }

  /// u x v for both edges; zero if they are parallel.
  Vec3 find_normal() const {
    const Vec3 u = a_[1] - a_[0];
    const Vec3 v = b_[1] - b_[0];
    const Vec3 N = u.cross(v);
    return N.squaredNorm() > parallel * u.squaredNorm() * v.squaredNorm() ? N : Vec3(Vec3::Zero());
  }

  /// The closest points of the lines through both edges, given N = u x v.
  void cross(const Vec3& N) {
    const Vec3 u = a_[1] - a_[0];
    const Vec3 v = b_[1] - b_[0];
    const Vec3 x = a_[0] - b_[0];
    const double NN = N.squaredNorm();
    const double s = v.cross(x).dot(N) / NN;
    const double t = u.cross(x).dot(N) / NN;
    best_.w << 1 - s, s, -(1 - t), -t;
    best_.dw.resize(ClosestPoints::max_points, 2);
    best_.dw << -1, 0,  //
        1, 0,           //
        0, 1,           //
        0, -1;
    best_.n = N.normalized();
  }

  /// Whether the closest points lie within both edges.
  bool is_between_edges() {
    const Vec3 N = find_normal();
    if (N.isZero(0.0)) return is_along_edges();
    cross(N);
    const double s = best_.w[1];
    const double t = -best_.w[3];
    if (!(s > 0 && s < 1 && t > 0 && t < 1)) {
      best_.n.setZero();
      return false;
    }
    if (N.dot(separation(best_.w)) < 0) best_.n = -best_.n;
    return true;
  }

  /// Whether parallel edges overlap.
  bool is_along_edges() {
    const Vec3 u = a_[1] - a_[0];
    const Vec3 v = b_[1] - b_[0];
    if (!(u.squaredNorm() > 0 && v.squaredNorm() > 0)) return false;
    const double one = v.dot(a_[0] - b_[0]) / v.squaredNorm();
    const double other = v.dot(a_[1] - b_[0]) / v.squaredNorm();
    const double low = std::max(0.0, std::min(one, other));
    const double high = std::min(1.0, std::max(one, other));
    if (!(low < high)) return false;
    const double t = (low + high) / 2;
    const double s = u.dot(b_[0] + t * v - a_[0]) / u.squaredNorm();
    best_.w << 1 - s, s, -(1 - t), -t;
    best_.dw.resize(ClosestPoints::max_points, 1);
    best_.dw << 0, 0, 1, -1;
    return true;
  }

  void finish() {
    best_.D = separation(best_.w);
    if (best_.n.isZero(0.0)) best_.n = best_.D.isZero(0.0) ? Vec3(Vec3::UnitY()) : Vec3(best_.D.normalized());
    best_.distance = best_.n.dot(best_.D);
  }

  std::span<const Vec3> a_, b_;
  Index first_b_;
  double best_square_ = std::numeric_limits<double>::infinity();
  ClosestPoints best_;
};

}  // namespace

ClosestPoints find_closest_points(std::span<const Vec3> a, std::span<const Vec3> b) {
  return Search(a, b).run();
}

ClosestPoints find_plane_point(std::span<const Vec3> a, std::span<const Vec3> b) {
  return Search(a, b).run_plane();
}

ClosestPoints find_crossing_points(std::span<const Vec3> a, std::span<const Vec3> b, double sign) {
  return Search(a, b).run_crossing(sign);
}

}  // namespace picus
