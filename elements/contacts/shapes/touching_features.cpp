#include <picus/elements/contacts/shapes/touching_features.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus {
namespace {

using Kind = ShapeFeature::Kind;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Square of the smallest sine of the angle between edges that count as crossing.
constexpr double nearly_parallel = 1e-6;

/// An edge, in the axes in which the pair is searched.
struct Line {
  Index index;
  Vec3 from, along;
};

/// The closest points of two lines: from_a + s along_a and from_b + t along_b.
struct CrossingLines {
  Vec3 normal;  ///< unit, along_a x along_b
  double s, t;
  bool is_within(const Line& a, const Line& b, double margin) const {
    const double beyond_a = margin / a.along.norm();
    const double beyond_b = margin / b.along.norm();
    return s >= -beyond_a && s <= 1 + beyond_a && t >= -beyond_b && t <= 1 + beyond_b;
  }
};

std::optional<CrossingLines> find_crossing(const Line& a, const Line& b) {
  const Vec3 N = a.along.cross(b.along);
  const double NN = N.squaredNorm();
  if (!(NN > nearly_parallel * a.along.squaredNorm() * b.along.squaredNorm())) return std::nullopt;
  const Vec3 x = a.from - b.from;
  return CrossingLines{N / std::sqrt(NN), b.along.cross(x).dot(N) / NN, a.along.cross(x).dot(N) / NN};
}

/// The smaller of two sizes, where b = 0 stands for no size.
double smaller(double a, double b) {
  return b > 0 ? std::min(a, b) : a;
}

/// Keeps one contact for each position and normal.
std::vector<FeatureCandidate> without_duplicates(std::vector<FeatureCandidate> candidates, double size,
                                                 const FeatureCandidateOptions& options) {
  const auto rank = [&](const FeatureCandidate& candidate) {
    const auto& [a, b] = candidate.features;
    if (std::ranges::find(options.previous, candidate.features) != options.previous.end()) return 0;
    if (a.kind == Kind::vertex) return 1;
    return b.kind == Kind::vertex ? 2 : 3;
  };
  std::ranges::sort(candidates, {}, [&](const FeatureCandidate& candidate) {
    return std::pair(rank(candidate), candidate.features);
  });
  const double near = options.same_place * size;
  const double aligned = std::cos(options.same_direction);
  std::vector<FeatureCandidate> result;
  result.reserve(candidates.size());
  for (const FeatureCandidate& candidate : candidates) {
    const auto is_same = [&](const FeatureCandidate& other) {
      return (candidate.point - other.point).squaredNorm() <= near * near &&
             candidate.normal.dot(other.normal) >= aligned;
    };
    if (std::ranges::none_of(result, is_same)) result.push_back(candidate);
  }
  std::ranges::sort(result, {}, &FeatureCandidate::features);
  return result;
}

/// Works in the axes of a, in which b has rotation R and position x.
class PolytopePair {
 public:
  PolytopePair(const Polytope& a, const Placement& place_a, const Polytope& b, const Placement& place_b)
      : a_(a),
        b_(b),
        place_a_(place_a),
        R_(place_a.R.transpose() * place_b.R),
        x_(place_a.R.transpose() * (place_b.x - place_a.x)) {}

  /// The best axis, in the axes of a; as soon as an axis with s > `enough` is found, that one.
  Separation find_best(double enough) const {
    Separation best{-infinity, Vec3::UnitZ()};
    visit_axes(best.distance, [&](double s, const Vec3& n) {
      best = {s, n};
      return !(s > enough);
    });
    return best;
  }

  /// Whether another axis, at an angle larger than `direction`, separates the bodies equally well.
  bool is_ambiguous(const Separation& best, double tie, double direction) const {
    const double limit = best.distance - tie;
    const double aligned = std::cos(direction);
    bool result = false;
    visit_axes(limit, [&](double, const Vec3& n) {
      result = n.dot(best.normal) < aligned;
      return !result;
    });
    return result;
  }

  std::vector<FeatureCandidate> list(const Separation& best, double size,
                                     const FeatureCandidateOptions& options) const {
    std::vector<FeatureCandidate> candidates;
    candidates.reserve(32);
    list_vertices_of_b(best, size, options, candidates);
    list_vertices_of_a(best, size, options, candidates);
    list_crossings(best, size, options, candidates);
    for (FeatureCandidate& candidate : candidates) {
      candidate.point = place_a_.R * candidate.point + place_a_.x;
      candidate.normal = place_a_.R * candidate.normal;
    }
    return candidates;
  }

  Separation in_inertial_axes(const Separation& separation) const {
    return {separation.distance, place_a_.R * separation.normal};
  }

 private:
  Vec3 of_b(const Vec3& point) const { return R_ * point + x_; }
  Line line_of_a(Index e) const {
    const auto& [from, to] = a_.edges[e].vertices;
    return {e, a_.vertices[from], a_.vertices[to] - a_.vertices[from]};
  }
  Line line_of_b(Index e) const {
    const auto& [from, to] = b_.edges[e].vertices;
    return {e, of_b(b_.vertices[from]), R_ * (b_.vertices[to] - b_.vertices[from])};
  }

  /// The minimum of n . x over `vertices`, or some value below `limit` if it is less than that.
  static double least(const std::vector<Vec3>& vertices, const Vec3& n, double limit = -infinity) {
    double result = infinity;
    for (const Vec3& x : vertices) {
      result = std::min(result, n.dot(x));
      if (result < limit) break;
    }
    return result;
  }
  /// The minimum of n . x over A, and its maximum over B.
  double least_of_a(const Vec3& n) const { return least(a_.vertices, n); }
  double greatest_of_b(const Vec3& n) const { return n.dot(x_) - least(b_.vertices, R_.transpose() * -n); }

  /// Calls visit(s, n) for all faces of A - B with s > limit, which may increase meanwhile, until visit returns
  /// false.
  template <class Visit>
  void visit_axes(const double& limit, const Visit& visit) const {
    for (const Polytope::Face& face : b_.faces) {
      const Vec3 n = R_ * face.normal;
      const double level = n.dot(x_) + face.offset;
      const double s = least(a_.vertices, n, limit + level) - level;
      if (s > limit && !visit(s, n)) return;
    }
    if (b_.vertices.empty()) return;
    for (const Polytope::Face& face : a_.faces) {
      const double level = face.offset - face.normal.dot(x_);
      const double s = least(b_.vertices, R_.transpose() * face.normal, limit + level) - level;
      if (s > limit && !visit(s, -face.normal)) return;
    }
    for (Index e = 0; e < count_of(a_.edges); ++e) {
      if (!visit_crossings(e, limit, visit)) return;
    }
  }

  // n = sigma (e_a x e_b) is a normal of both edges (on the Gauss map the arcs of B and -A cross) if
  //     sigma e_a . n_left(b) < 0 < sigma e_a . n_right(b),   sigma e_b . n_left(a) < 0 < sigma e_b . n_right(a).
  template <class Visit>
  bool visit_crossings(Index e, const double& limit, const Visit& visit) const {
    const Polytope::Edge& edge_a = a_.edges[e];
    const Line line_a = line_of_a(e);
    const Vec3 along_in_b = R_.transpose() * line_a.along;
    for (const Polytope::Edge& edge_b : b_.edges) {
      const bool side = along_in_b.dot(b_.faces[edge_b.faces[1]].normal) > 0;
      if ((along_in_b.dot(b_.faces[edge_b.faces[0]].normal) < 0) != side) continue;
      const Vec3& start = b_.vertices[edge_b.vertices[0]];
      const Vec3 along = R_ * (b_.vertices[edge_b.vertices[1]] - start);
      if (!a_.faces.empty() && ((along.dot(a_.faces[edge_a.faces[1]].normal) > 0) != side ||
                                (along.dot(a_.faces[edge_a.faces[0]].normal) < 0) != side))
        continue;
      const Vec3 N = side ? line_a.along.cross(along) : along.cross(line_a.along);
      const double NN = N.squaredNorm();
      if (!(NN > nearly_parallel * along.squaredNorm() * line_a.along.squaredNorm())) continue;
      const Vec3 n = N / std::sqrt(NN);
      const double s = n.dot(line_a.from - of_b(start));
      if (s > limit && !visit(s, n)) return false;
    }
    return true;
  }

  /// Adds a vertex on a face; if several faces are below the vertex, the one with the largest gap.
  static void offer(const FeatureCandidate& candidate, bool is_of_a, double tie,
                    const FeatureCandidateOptions& options, std::vector<FeatureCandidate>& candidates) {
    const auto same = std::ranges::find_if(candidates, [&](const FeatureCandidate& other) {
      return is_of_a ? other.features.a == candidate.features.a : other.features.b == candidate.features.b;
    });
    if (same == candidates.end()) {
      candidates.push_back(candidate);
      return;
    }
    const bool was_present =
        std::ranges::find(options.previous, candidate.features) != options.previous.end();
    if (candidate.gap > same->gap + (was_present ? -tie : tie)) *same = candidate;
  }

  // Must run first, while no other feature of the list contains its vertices.
  void list_vertices_of_b(const Separation& best, double size, const FeatureCandidateOptions& options,
                          std::vector<FeatureCandidate>& candidates) const {
    if (b_.vertices.empty()) return;
    const double aligned = std::cos(options.direction);
    for (Index f = 0; f < count_of(a_.faces); ++f) {
      const Polytope::Face& face = a_.faces[f];
      if (!(face.normal.dot(best.normal) <= -aligned)) continue;
      const Vec3 in_b = R_.transpose() * face.normal;
      const double level = face.offset - face.normal.dot(x_);
      if (!(least(b_.vertices, in_b) - level >= best.distance - options.reach)) continue;
      for (Index v = 0; v < count_of(b_.vertices); ++v) {
        const double gap = in_b.dot(b_.vertices[v]) - level;
        if (!(gap < options.reach)) continue;
        const Vec3 point = of_b(b_.vertices[v]);
        if (!is_within_face(a_, face, point - gap * face.normal, options.margin * size)) continue;
        offer({{{Kind::face, f}, {Kind::vertex, v}}, gap, point - gap / 2 * face.normal, -face.normal}, false,
              options.tie * size, options, candidates);
      }
    }
  }

  void list_vertices_of_a(const Separation& best, double size, const FeatureCandidateOptions& options,
                          std::vector<FeatureCandidate>& candidates) const {
    const double aligned = std::cos(options.direction);
    for (Index f = 0; f < count_of(b_.faces); ++f) {
      const Polytope::Face& face = b_.faces[f];
      const Vec3 n = R_ * face.normal;
      if (!(n.dot(best.normal) >= aligned)) continue;
      const double level = n.dot(x_) + face.offset;
      if (!(least_of_a(n) - level >= best.distance - options.reach)) continue;
      for (Index v = 0; v < count_of(a_.vertices); ++v) {
        const Vec3& point = a_.vertices[v];
        const double gap = n.dot(point) - level;
        if (!(gap < options.reach)) continue;
        const Vec3 in_b = R_.transpose() * (point - gap * n - x_);
        if (!is_within_face(b_, face, in_b, options.margin * size)) continue;
        offer({{{Kind::vertex, v}, {Kind::face, f}}, gap, point - gap / 2 * n, n}, true, options.tie * size,
              options, candidates);
      }
    }
  }

  // A contact with a gap below `reach` lies at most `reach` above the highest point of B along the best axis, and at
  // most `reach` below the lowest point of A.
  void list_crossings(const Separation& best, double size, const FeatureCandidateOptions& options,
                      std::vector<FeatureCandidate>& candidates) const {
    if (b_.edges.empty()) return;
    const double reach = options.reach;
    const double steep = std::sin(options.direction);
    const double aligned = std::cos(options.direction);
    const auto is_steep = [&](const Vec3& along) {
      const double rise = along.dot(best.normal);
      return rise * rise > steep * steep * along.squaredNorm();
    };
    const double low = least_of_a(best.normal) - reach;
    const double high = greatest_of_b(best.normal) + reach;
    std::vector<Line> lines;
    lines.reserve(b_.edges.size());
    for (Index e = 0; e < count_of(b_.edges); ++e) {
      const Line line = line_of_b(e);
      const double height = line.from.dot(best.normal);
      if (height < low && height + line.along.dot(best.normal) < low) continue;
      if (!is_steep(line.along)) lines.push_back(line);
    }
    for (Index e = 0; e < count_of(a_.edges); ++e) {
      const Line line_a = line_of_a(e);
      const double height = line_a.from.dot(best.normal);
      if (height > high && height + line_a.along.dot(best.normal) > high) continue;
      if (is_steep(line_a.along)) continue;
      for (const Line& line_b : lines) {
        const std::optional<CrossingLines> crossing = find_crossing(line_a, line_b);
        if (!crossing || !crossing->is_within(line_a, line_b, options.margin * size)) continue;
        const double cosine = crossing->normal.dot(best.normal);
        if (!(std::abs(cosine) >= aligned)) continue;
        const Vec3 n = cosine > 0 ? crossing->normal : Vec3(-crossing->normal);
        const Vec3 on_a = line_a.from + crossing->s * line_a.along;
        const Vec3 on_b = line_b.from + crossing->t * line_b.along;
        const double gap = n.dot(on_a - on_b);
        if (!(gap < reach)) continue;
        const double lowest = least_of_a(n);
        const double highest = greatest_of_b(n);
        if (lowest - highest < best.distance - reach || lowest < n.dot(on_a) - reach ||
            highest > n.dot(on_b) + reach)
          continue;
        candidates.push_back(
            {{{Kind::edge, line_a.index}, {Kind::edge, line_b.index}}, gap, (on_a + on_b) / 2, n});
      }
    }
  }

  const Polytope& a_;
  const Polytope& b_;
  const Placement& place_a_;
  Mat3 R_;
  Vec3 x_;
};

/// The axis of a capsule and a polytope, in the axes of the polytope.
class CapsuleSearch {
 public:
  CapsuleSearch(const Line& axis, double radius, const Polytope& b, const Separation& best, double size,
                const FeatureCandidateOptions& options)
      : axis_(axis), radius_(radius), b_(b), best_(best), size_(size), options_(options) {}

  std::vector<FeatureCandidate> run() {
    for (const Index end : {0, 1}) {
      const NearestFeature nearest = find_nearest_feature(b_, axis_.from + end * axis_.along);
      offer({{Kind::vertex, end}, nearest.feature}, nearest.point, nearest.normal, nearest.distance);
    }
    for (Index v = 0; v < count_of(b_.vertices); ++v) try_vertex(v);
    for (Index e = 0; e < count_of(b_.edges); ++e) try_edge(e);
    return candidates_;
  }

 private:
  void offer(const FeaturePair& features, const Vec3& on_b, const Vec3& n, double distance) {
    const double gap = distance - radius_;
    if (gap < options_.reach) candidates_.push_back({features, gap, on_b + gap / 2 * n, n});
  }
  /// Whether n is a normal of b at this point, to within the reach.
  bool is_normal(const Vec3& n, const Vec3& point) const {
    const double level = n.dot(point) + options_.reach;
    return std::ranges::all_of(b_.vertices, [&](const Vec3& x) { return n.dot(x) <= level; });
  }

  void try_vertex(Index v) {
    const Vec3& point = b_.vertices[v];
    const double s = axis_.along.dot(point - axis_.from) / axis_.along.squaredNorm();
    if (!(s > 0 && s < 1)) return;
    const Vec3 way = axis_.from + s * axis_.along - point;
    const double distance = way.norm();
    if (!(distance < radius_ + options_.reach && distance > options_.margin * size_)) return;
    const Vec3 n = way / distance;
    if (is_normal(n, point)) offer({{Kind::edge, 0}, {Kind::vertex, v}}, point, n, distance);
  }

  void try_edge(Index e) {
    const auto& [vertices, faces] = b_.edges[e];
    const Vec3& from = b_.vertices[vertices[0]];
    const Line line{e, from, b_.vertices[vertices[1]] - from};
    const std::optional<CrossingLines> crossing = find_crossing(axis_, line);
    if (!crossing || !crossing->is_within(axis_, line, options_.margin * size_)) return;
    const Vec3 outward = b_.faces[faces[0]].normal + b_.faces[faces[1]].normal;
    const Vec3 n = crossing->normal.dot(outward) > 0 ? crossing->normal : Vec3(-crossing->normal);
    const Vec3 on_b = line.from + crossing->t * line.along;
    const double distance = n.dot(axis_.from + crossing->s * axis_.along - on_b);
    if (distance < 0 && n.dot(best_.normal) < std::cos(options_.direction)) return;
    if (is_normal(n, on_b)) offer({{Kind::edge, 0}, {Kind::edge, e}}, on_b, n, distance);
  }

  const Line& axis_;
  double radius_;
  const Polytope& b_;
  const Separation& best_;
  double size_;
  const FeatureCandidateOptions& options_;
  std::vector<FeatureCandidate> candidates_;
};

}  // namespace

Separation find_separation(const Polytope& a, const Placement& place_a, const Polytope& b,
                           const Placement& place_b) {
  const PolytopePair pair(a, place_a, b, place_b);
  return pair.in_inertial_axes(pair.find_best(infinity));
}

std::vector<FeatureCandidate> find_touching_features(const Polytope& a, const Placement& place_a,
                                                     const Polytope& b, const Placement& place_b,
                                                     const FeatureCandidateOptions& options) {
  const PolytopePair pair(a, place_a, b, place_b);
  const Separation best = pair.find_best(options.reach);
  if (!(best.distance <= options.reach)) return {};
  const double size = smaller(a.size, b.size);
  const double tie = options.tie * size;
  if (best.distance > -tie && pair.is_ambiguous(best, tie, options.direction)) return {};
  return without_duplicates(pair.list(best, size, options), size, options);
}

std::optional<FeatureCandidate> find_touching_feature(const Vec3& centre, double radius, const Polytope& b,
                                                      const Placement& place_b,
                                                      const FeatureCandidateOptions& options) {
  const NearestFeature nearest = find_nearest_feature(b, place_b.R.transpose() * (centre - place_b.x));
  const double gap = nearest.distance - radius;
  if (!(gap < options.reach)) return std::nullopt;
  const Vec3 normal = place_b.R * nearest.normal;
  return FeatureCandidate{{{Kind::vertex, 0}, nearest.feature},
                          gap,
                          place_b.R * nearest.point + place_b.x + gap / 2 * normal,
                          normal};
}

std::vector<FeatureCandidate> find_touching_features(const std::array<Vec3, 2>& ends, double radius,
                                                     const Polytope& b, const Placement& place_b,
                                                     const FeatureCandidateOptions& options) {
  const Mat3 R_T = place_b.R.transpose();
  const Line axis{0, R_T * (ends[0] - place_b.x), R_T * (ends[1] - ends[0])};
  Polytope segment;
  segment.vertices = {axis.from, axis.from + axis.along};
  segment.edges = {{{0, 1}, {}}};
  const Separation best = PolytopePair(segment, {}, b, {}).find_best(radius + options.reach);
  if (!(best.distance <= radius + options.reach)) return {};
  const double size = smaller(axis.along.norm() + 2 * radius, b.size);
  std::vector<FeatureCandidate> candidates = CapsuleSearch(axis, radius, b, best, size, options).run();
  for (FeatureCandidate& candidate : candidates) {
    candidate.point = place_b.R * candidate.point + place_b.x;
    candidate.normal = place_b.R * candidate.normal;
  }
  return without_duplicates(std::move(candidates), size, options);
}

}  // namespace picus
