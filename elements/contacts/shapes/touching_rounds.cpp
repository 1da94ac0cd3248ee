#include <picus/elements/contacts/shapes/touching_rounds.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

namespace picus {
namespace {

using Curve = RoundFeature::Curve;
using FeatureKind = ShapeFeature::Kind;

constexpr double no_limit = std::numeric_limits<double>::infinity();

/// As in FeatureCandidateOptions: 30 degrees; the fractions of the size for the extension of boundaries, for equivalent
/// axes, and for the distance within which contacts are one if the angle between their normals is less than 0.05.
constexpr double aligned = 0.8660254037844387;
constexpr double border_margin = 1e-9;
constexpr double axis_tie = 1e-9;
constexpr double same_place = 1e-3;
constexpr double same_direction = 0.99875;

/// Lines whose directions have a smaller sine make contact at the ends of their overlap only.
constexpr double parallel_lines = 1e-4;

struct Axis {
  Vec3 n;
  double s;
};
struct Found {
  RoundCandidate candidate;
  double s;
  double level_a, level_b;  // n . x on both surfaces
  Curve curve_a, curve_b;
};

}  // namespace

struct TouchingRounds::Storage {
  std::vector<Axis> axes;
  std::vector<Found> found, all;
  std::vector<std::pair<int, const RoundCandidate*>> ordered;
  std::vector<RoundCandidate> result;
};

namespace {

/// Lists the contact candidates of two bodies.
template <class Storage>
class RoundPair {
 public:
  RoundPair(const ConvexBody& a, const ConvexBody& b, const RoundCandidateOptions& options, Storage& storage)
      : a_(a),
        b_(b),
        options_(options),
        axes_(storage.axes),
        found_(storage.found),
        all_(storage.all),
        ordered_(storage.ordered),
        result_(storage.result) {
    axes_.clear();
    found_.clear();
    result_.clear();
  }

  void run() {
    gather();
    if (!(best_ <= options_.reach)) return;
    const double tie = axis_tie * options_.size;
    if (best_ > -tie && is_ambiguous(tie)) return;
    std::erase_if(found_, [&](const Found& one) { return !supports(one); });
    keep_farthest_faces(tie);
    drop_duplicates();
  }

 private:
  double separation(const Vec3& n) const { return -a_.support_function(-n) - b_.support_function(n); }

  double try_axis(const Vec3& n) {
    const double s = separation(n);
    axes_.push_back({n, s});
    if (s > best_) {
      best_ = s;
      best_normal_ = n;
    }
    return s;
  }

  void gather() {
    for (const BodyFeature& of_b : b_.features()) {
      if (of_b.feature.curve == Curve::plane) try_axis(of_b.feature.axis);
    }
    for (const BodyFeature& of_a : a_.features()) {
      if (of_a.feature.curve == Curve::plane) try_axis(-of_a.feature.axis);
    }
    if (best_ > options_.reach) return;
    for (const BodyFeature& of_a : a_.features()) {
      for (const BodyFeature& of_b : b_.features()) try_pair(of_a, of_b);
    }
  }

  void try_pair(const BodyFeature& a, const BodyFeature& b) {
    const RoundFeature& x = a.feature;
    const RoundFeature& y = b.feature;
    const bool is_round = x.rho() > 0 || y.rho() > 0 || x.taper != 0 || y.taper != 0;
    if (x.curve != Curve::plane && y.curve != Curve::plane && x.curve != Curve::circle &&
        y.curve != Curve::circle && !is_round)
      return;
    if (x.curve == Curve::circle && y.curve == Curve::plane && try_rim(a, b, true)) return;
    if (y.curve == Curve::circle && x.curve == Curve::plane && try_rim(b, a, false)) return;
    if (x.curve == Curve::circle && y.curve == Curve::line && is_far(x, b)) return;
    if (y.curve == Curve::circle && x.curve == Curve::line && is_far(y, a)) return;
    for (const ClosestPair& pair : find_closest_pairs(x, y)) offer(a, b, pair, std::nullopt);
  }

  /// Whether a line segment is too far from a rim for contact.
  bool is_far(const RoundFeature& circle, const BodyFeature& line) const {
    const RoundFeature& l = line.feature;
    const double s = std::clamp(l.axis.dot(circle.x - l.x), 0.0, line.length);
    const double rho = l.radius + std::max(0.0, l.taper * line.length);
    return (l.x + s * l.axis - circle.x).norm() > circle.radius + rho + options_.reach;
  }

  bool try_rim(const BodyFeature& rim, const BodyFeature& plane, bool is_of_a) {
    if (!options_.points_of_rim) return false;
    const auto numbers = options_.points_of_rim(is_of_a, rim.id.index, plane.id.index);
    if (!numbers) return false;
    for (const std::uint32_t number : *numbers) {
      BodyFeature point = rim;
      point.feature = {Curve::point, place_of(rim, number)};
      const auto pairs = is_of_a ? find_closest_pairs(point.feature, plane.feature)
                                 : find_closest_pairs(plane.feature, point.feature);
      for (const ClosestPair& pair : pairs)
        is_of_a ? offer(point, plane, pair, number) : offer(plane, point, pair, number);
    }
    return true;
  }
  static Vec3 place_of(const BodyFeature& rim, std::uint32_t number) {
    const double phi = 2 * std::numbers::pi * number / rim_points;
    return rim.feature.x + rim.feature.radius * (std::cos(phi) * rim.first +
                                                 std::sin(phi) * rim.feature.axis.cross(rim.first));
  }

  void offer(const BodyFeature& a, const BodyFeature& b, const ClosestPair& pair,
             const std::optional<std::uint32_t>& rim_point) {
    if (a.feature.curve == Curve::line && b.feature.curve == Curve::line &&
        pair.tangent_a.cross(pair.tangent_b).norm() < parallel_lines)
      return;
    const double s = try_axis(pair.n);
    const double gap = pair.gap();
    const double margin = border_margin * options_.size;
    if (!(gap < options_.reach) || !a_.is_within(a, pair.on_a(), margin) ||
        !b_.is_within(b, pair.on_b(), margin))
      return;
    found_.push_back({{{a.id, b.id}, pair.side, rim_point, gap, (pair.on_a() + pair.on_b()) / 2, pair.n},
                      s,
                      pair.n.dot(pair.on_a()),
                      pair.n.dot(pair.on_b()),
                      a.feature.curve,
                      b.feature.curve});
  }

  bool is_ambiguous(double tie) const {
    return std::ranges::any_of(
        axes_, [&](const Axis& axis) { return axis.s > best_ - tie && axis.n.dot(best_normal_) < aligned; });
  }

  bool supports(const Found& one) const {
    const Vec3& n = one.candidate.normal;
    return n.dot(best_normal_) >= aligned && one.s >= best_ - options_.reach &&
           -a_.support_function(-n) >= one.level_a - options_.reach &&
           b_.support_function(n) <= one.level_b + options_.reach;
  }

  // A point below both the end and the side of a solid touches the one with the larger gap, since the body is convex.
  void keep_farthest_faces(double tie) {
    const auto is_beaten = [&](const Found& one, const Found& other) {
      const auto& [a, b] = one.candidate.features;
      const bool same_a =
          one.curve_a == Curve::point && other.curve_a == Curve::point && a == other.candidate.features.a;
      const bool same_b =
          one.curve_b == Curve::point && other.curve_b == Curve::point && b == other.candidate.features.b;
      if ((!same_a && !same_b) || one.candidate.rim_point != other.candidate.rim_point) return false;
      const double lead = other.candidate.gap - one.candidate.gap;
      if (std::abs(lead) > tie) return lead > 0;
      return std::pair(!was_present(one.candidate), one.candidate.features) >
             std::pair(!was_present(other.candidate), other.candidate.features);
    };
    all_ = found_;
    std::erase_if(found_, [&](const Found& one) {
      return std::ranges::any_of(all_, [&](const Found& other) { return is_beaten(one, other); });
    });
  }

  bool was_present(const RoundCandidate& candidate) const {
    return options_.was_chosen && options_.was_chosen(candidate);
  }

  void drop_duplicates() {
    const auto rank = [&](const Found& one) {
      if (was_present(one.candidate)) return 0;
      return one.curve_a == Curve::plane || one.curve_b == Curve::plane ? 1 : 2;
    };
    ordered_.clear();
    for (const Found& one : found_) ordered_.emplace_back(rank(one), &one.candidate);
    std::ranges::sort(ordered_, {}, [](const auto& entry) {
      const RoundCandidate& one = *entry.second;
      return std::tuple(entry.first, one.features, one.side, one.rim_point.value_or(0));
    });
    const double near = same_place * options_.size;
    for (const auto& entry : ordered_) {
      const RoundCandidate& one = *entry.second;
      const auto is_same = [&](const RoundCandidate& other) {
        return (one.point - other.point).squaredNorm() <= near * near &&
               one.normal.dot(other.normal) >= same_direction;
      };
      if (std::ranges::none_of(result_, is_same)) result_.push_back(one);
    }
  }

  const ConvexBody& a_;
  const ConvexBody& b_;
  const RoundCandidateOptions& options_;
  std::vector<Axis>& axes_;
  std::vector<Found>&found_, &all_;
  std::vector<std::pair<int, const RoundCandidate*>>& ordered_;
  std::vector<RoundCandidate>& result_;
  double best_ = -no_limit;
  Vec3 best_normal_ = Vec3::UnitZ();
};

}  // namespace

void ConvexBody::place(const Polytope& polytope, const Placement& place) {
  polytope_ = &polytope;
  solid_ = nullptr;
  place_ = place;
  features_.clear();
  const auto placed = [&](const RoundFeature& feature) { return feature.placed(place.R, place.x); };
  for (Index v = 0; v < count_of(polytope.vertices); ++v)
    features_.push_back({{FeatureKind::vertex, v}, placed({Curve::point, polytope.vertices[v]})});
  for (Index e = 0; e < count_of(polytope.edges); ++e) {
    const auto& [from, to] = polytope.edges[e].vertices;
    const Vec3 way = polytope.vertices[to] - polytope.vertices[from];
    features_.push_back({{FeatureKind::edge, e},
                         placed({Curve::line, polytope.vertices[from], way.normalized()}),
                         way.norm()});
  }
  for (Index f = 0; f < count_of(polytope.faces); ++f) {
    const Polytope::Face& face = polytope.faces[f];
    features_.push_back(
        {{FeatureKind::face, f}, placed({Curve::plane, face.offset * face.normal, face.normal})});
  }
}

void ConvexBody::place(const RoundSolid& solid, const Placement& place) {
  polytope_ = nullptr;
  solid_ = &solid;
  place_ = place;
  features_.clear();
  for (const Index end : {0, 1}) {
    const RoundFeature rim = solid.rim(end);
    const Vec3 first = place.R * (point_on_circle({Curve::circle, Vec3::Zero(), rim.axis, 1.0}, 0.0));
    features_.push_back({{FeatureKind::vertex, end}, rim.placed(place.R, place.x), 0.0, first});
    if (solid.has_rim(end))
      features_.push_back({{FeatureKind::face, end}, solid.face(end).placed(place.R, place.x)});
  }
  features_.push_back({{FeatureKind::edge, 0}, solid.side().placed(place.R, place.x), solid.length});
}

void ConvexBody::place(std::span<const Vec3> centres, double radius, std::span<const ShapeFeature> features) {
  polytope_ = nullptr;
  solid_ = nullptr;
  place_ = {};
  centres_.assign(centres.begin(), centres.end());
  radius_ = radius;
  features_.clear();
  for (std::size_t i = 0; i < centres.size(); ++i)
    features_.push_back({features[i], {Curve::point, centres[i], Vec3::UnitZ(), radius}});
  if (centres.size() < 2) return;
  const Vec3 way = centres[1] - centres[0];
  features_.push_back({features[2], {Curve::line, centres[0], way.normalized(), radius}, way.norm()});
}

double ConvexBody::support_function(const Vec3& n) const {
  if (solid_ != nullptr) return n.dot(place_.x) + solid_->support_function(place_.R.transpose() * n);
  double result = -no_limit;
  if (polytope_ != nullptr) {
    const Vec3 own = place_.R.transpose() * n;
    if (polytope_->vertices.empty()) {
      const Polytope::Face& face = polytope_->faces[0];
      const bool is_normal = own.dot(face.normal) > 0 && own.cross(face.normal).norm() < 1e-12;
      return is_normal ? n.dot(place_.x) + face.offset : no_limit;
    }
    for (const Vec3& x : polytope_->vertices) result = std::max(result, own.dot(x));
    return result + n.dot(place_.x);
  }
  for (const Vec3& x : centres_) result = std::max(result, n.dot(x));
  return result + radius_;
}

bool ConvexBody::is_within(const BodyFeature& one, const Vec3& point, double margin) const {
  const Vec3 own = place_.R.transpose() * (point - place_.x);
  if (one.feature.curve == Curve::plane) {
    if (polytope_ != nullptr) {
      const Polytope::Face& face = polytope_->faces[one.id.index];
      return face.vertices.empty() || is_within_face(*polytope_, face, own, margin);
    }
    return solid_->is_on_end(one.id.index, own, margin);
  }
  if (one.feature.curve != Curve::line) return true;
  if (solid_ != nullptr) return solid_->is_beside(own, margin);
  const double s = one.feature.axis.dot(point - one.feature.x);
  return s >= -margin && s <= one.length + margin;
}

TouchingRounds::TouchingRounds() : storage_(std::make_unique<Storage>()) {}
TouchingRounds::~TouchingRounds() = default;
TouchingRounds::TouchingRounds(TouchingRounds&& other) noexcept = default;

std::span<const RoundCandidate> TouchingRounds::find(const ConvexBody& a, const ConvexBody& b,
                                                     const RoundCandidateOptions& options) {
  RoundPair(a, b, options, *storage_).run();
  return storage_->result;
}

std::vector<RoundCandidate> find_touching_rounds(const ConvexBody& a, const ConvexBody& b,
                                                 const RoundCandidateOptions& options) {
  TouchingRounds search;
  const auto found = search.find(a, b, options);
  return {found.begin(), found.end()};
}

}  // namespace picus
