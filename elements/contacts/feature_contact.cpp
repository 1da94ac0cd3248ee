#include <picus/checks.hpp>
#include <picus/elements/contacts/face.hpp>
#include <picus/elements/contacts/feature_contact.hpp>
#include <picus/elements/skew_products.hpp>
#include <picus/so3.hpp>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus {
namespace {

std::vector<Node> nodes_of(const Feature& feature) {
  std::vector<Node> nodes;
  for (const MaterialPoint& point : feature.points) {
    if (!point.is_ground() && std::ranges::find(nodes, point.node) == nodes.end())
      nodes.push_back(point.node);
  }
  return nodes;
}

std::vector<Node> nodes_of(const Feature& a, const Feature& b) {
  std::vector<Node> nodes = nodes_of(a);
  const std::vector<Node> others = nodes_of(b);
  nodes.insert(nodes.end(), others.begin(), others.end());
  return nodes;
}

/// Whether the feature has a rotation: that of its frames, or the zero rotation of the ground.
bool turns(const Feature& feature) {
  return feature.points[0].is_ground() || feature.points[0].on_frame();
}

}  // namespace

FeatureContact::FeatureContact(const Parameters& parameters, const Model& model)
    : Element(parameters.name, nodes_of(parameters.a, parameters.b)),
      radius_(parameters.a.radius + parameters.b.radius),
      crossing_(parameters.crossing),
      is_plane_(parameters.is_plane) {
  check(parameters, model);
  const Culprit who{"contact", name()};
  law_ = checked_law(who,
                     checked_law(who, parameters.mu, parameters.e_n, parameters.e_t,
                                 parameters.friction_directions, parameters.impact_law),
                     parameters.drilling_radius, parameters.rolling_arm);
  rotations_ = RotationRows(law_, parameters.drilling_radius, parameters.rolling_arm);
  if (rotations_.count() > 0) {
    require_resistance(who, {"a", turns(parameters.a), radius_ > 0}, {"b", turns(parameters.b), radius_ > 0});
  }
  choose_levers(parameters);
  directions_ = ContactDirections(law_.friction_directions);
  grain_ = GrainRows(who, parameters.grain, nodes(), law_.friction_directions);
  count_a_ = count_of(parameters.a.points);
  for (const Feature* feature : {&parameters.a, &parameters.b}) {
    for (const MaterialPoint& point : feature->points) {
      Vertex& vertex = vertices_[vertex_count_++];
      vertex.point = point;
      if (point.is_ground()) continue;
      vertex.column = 0;
      for (const Node& node : nodes()) {
        if (node == point.node) break;
        vertex.column += velocity_size(node.kind);
      }
    }
  }
  const ClosestPoints start = closest_points(model.initial_configuration());
  if (crossing_ == Crossing::none && parameters.b.points.size() < 3 && !(start.distance > least_distance()))
    throw ModelError(fmt::format("{}: a and b have a point in common at the start", who.text()));
  const bool are_edges = parameters.a.points.size() == 2 && parameters.b.points.size() == 2;
  if (are_edges && law_.friction_directions == 1 && !ContactDirections::is_in_plane(start.n)) {
    throw ModelError(fmt::format(
        "{}: friction_directions is 1, but two edges that cross touch across the plane of a planar model",
        who.text()));
  }
  if (law_.friction_directions == 1 && !ContactDirections::is_in_plane(start.n)) {
    throw ModelError(fmt::format(
        "{}: friction_directions is 1, for motion in the plane x-y, but the closest points lie along z",
        who.text()));
  }
  if (!parameters.drawn) return;
  add_to(shape_, parameters.a);
  add_to(shape_, parameters.b);
}

void FeatureContact::check(const Parameters& parameters, const Model& model) const {
  const Culprit who{"contact", name()};
  require_feature(who, "a", parameters.a, model);
  require_feature(who, "b", parameters.b, model);
  const std::size_t a = parameters.a.points.size();
  const std::size_t b = parameters.b.points.size();
  if (a == 3) throw ModelError(fmt::format("{}: a is a triangle, must be a point or an edge", who.text()));
  if (a + b > ClosestPoints::max_points)
    throw ModelError(
        fmt::format("{}: a is an edge and b a triangle, which has no single closest point", who.text()));
  if (parameters.crossing != Crossing::none && !(a == 2 && b == 2)) {
    throw ModelError(
        fmt::format("{}: crossing is for two edges, but {} is a point", who.text(), a == 2 ? "b" : "a"));
  }
  if (parameters.is_plane && b != 3)
    throw ModelError(fmt::format("{}: is_plane is for a triangle, but b has {} point{}", who.text(), b,
                                 b == 1 ? "" : "s"));
  if (nodes().empty()) throw ModelError(fmt::format("{}: a and b are both on the ground", who.text()));
  const std::vector<Node> others = nodes_of(parameters.b);
  for (const Node& node : nodes_of(parameters.a)) {
    if (std::ranges::find(others, node) != others.end()) {
      throw ModelError(fmt::format("{}: a and b share node \"{}\"", who.text(), model.node_name(node)));
    }
  }
  if (b < 3 && radius_ == 0 && parameters.crossing == Crossing::none) {
    throw ModelError(fmt::format(
        "{}: neither a nor b has a radius, and without one only a triangle, or an edge with a crossing, "
        "has an inside",
        who.text()));
  }
}

void FeatureContact::choose_levers(const Parameters& parameters) {
  const bool a_turns = turns(parameters.a);
  const bool b_turns = turns(parameters.b);
  if (radius_ == 0) {
    const double sides = (a_turns ? 1.0 : 0.0) + (b_turns ? 1.0 : 0.0);
    if (sides > 0) levers_ = {a_turns ? 1 / sides : 0.0, b_turns ? 1 / sides : 0.0};
    return;
  }
  const double part_of_a = a_turns ? parameters.a.radius : 0.0;
  const double part_of_b = b_turns ? parameters.b.radius : 0.0;
  if (part_of_a + part_of_b > 0) {
    levers_ = {part_of_a / (part_of_a + part_of_b), part_of_b / (part_of_a + part_of_b)};
  } else if (a_turns || b_turns) {
    levers_ = {a_turns ? 1.0 : 0.0, a_turns ? 0.0 : 1.0};
  } else if (law_.has_friction()) {
    throw ModelError(fmt::format(
        "{}: mu is {}, but a and b are on point nodes, which cannot carry the moment of friction on a radius",
        Culprit{"contact", name()}.text(), law_.mu));
  }
}

ClosestPoints FeatureContact::closest_points(const Configuration& q) const {
  std::array<Vec3, ClosestPoints::max_points> x;
  for (Index i = 0; i < vertex_count_; ++i) x[i] = vertices_[i].point.position(q);
  const std::span<const Vec3> all(x.data(), vertex_count_);
  const std::span<const Vec3> a = all.first(count_a_);
  const std::span<const Vec3> b = all.subspan(count_a_);
  if (is_plane_) return find_plane_point(a, b);
  if (crossing_ == Crossing::none) return find_closest_points(a, b);
  return find_crossing_points(a, b, crossing_ == Crossing::along ? 1.0 : -1.0);
}

FeatureContact::Rows FeatureContact::motion(const Configuration& q, const Weights& w) const {
  Rows J = Rows::Zero(3, dof_count());
  for (Index i = 0; i < vertex_count_; ++i) {
    const Vertex& vertex = vertices_[i];
    if (vertex.column < 0) continue;
    J.middleCols<3>(vertex.column).diagonal().array() += w[i];
    if (vertex.point.on_frame())
      J.middleCols<3>(vertex.column + 3) -=
          w[i] * times_skew(q.rotation(vertex.point.node), vertex.point.offset);
  }
  return J;
}

FeatureContact::Rows FeatureContact::rotation_rows(const Configuration& q, const Weights& w) const {
  Rows T = Rows::Zero(3, dof_count());
  for (Index i = 0; i < vertex_count_; ++i) {
    const Vertex& vertex = vertices_[i];
    if (vertex.column < 0 || !vertex.point.on_frame()) continue;
    const double lever = is_of_a(i) ? levers_[0] : -levers_[1];
    T.middleCols<3>(vertex.column + 3) += lever * w[i] * q.rotation(vertex.point.node);
  }
  return T;
}

Vec3 FeatureContact::mean_rotation(const Configuration& q_n, const Configuration& q, const Weights& w) const {
  Vec3 psi = Vec3::Zero();
  for (Index i = 0; i < vertex_count_; ++i) {
    const auto& [point, column] = vertices_[i];
    if (column < 0 || !point.on_frame()) continue;
    psi += lever(i) * share(w, i) * so3::log(q.rotation(point.node) * q_n.rotation(point.node).transpose());
  }
  return psi;
}

FeatureContact::Rows FeatureContact::relative_rotation_rows(const Configuration& q, const Weights& w) const {
  Rows T = Rows::Zero(3, dof_count());
  for (Index i = 0; i < vertex_count_; ++i) {
    const Vertex& vertex = vertices_[i];
    if (vertex.column >= 0) T.middleCols<3>(vertex.column + 3) += w[i] * q.rotation(vertex.point.node);
  }
  return T;
}

Vec3 FeatureContact::relative_rotation(const Configuration& q_n, const Configuration& q,
                                       const Weights& w) const {
  Vec3 psi = Vec3::Zero();
  for (Index i = 0; i < vertex_count_; ++i) {
    const auto& [point, column] = vertices_[i];
    if (column >= 0) psi += w[i] * so3::log(q.rotation(point.node) * q_n.rotation(point.node).transpose());
  }
  return psi;
}

void FeatureContact::displacement(const Configuration& q_n, const Configuration& q,
                                  std::span<double> g) const {
  const ClosestPoints at = closest_points(q);
  g[0] = at.distance - radius_;
  if (law_.friction_directions == 0) return;
  const ClosestPoints at_n = closest_points(q_n);
  // If neither side can rotate, D(q_n) is along the normal and has no tangential part.
  Vec3 slip = Vec3::Zero();
  if (levers_[0] + levers_[1] > 0) slip -= so3::exp(mean_rotation(q_n, q, at_n.w)) * at_n.D;
  for (Index i = 0; i < vertex_count_; ++i) slip += at_n.w[i] * vertices_[i].point.position(q);
  for (Index k = 1; k <= law_.friction_directions; ++k)
    g[k] = grain_.row(q, at.n, directions_.tangent(at.n, k)).dot(slip);
  if (rotations_.count() == 0) return;
  const Vec3 psi = relative_rotation(q_n, q, at_n.w);
  for (Index i = 0; i < rotations_.count(); ++i)
    g[1 + law_.friction_directions + i] = rotations_.lever(directions_, at.n, i).dot(psi);
}

void FeatureContact::gradient(const Configuration& q, std::span<double> G) const {
  const ClosestPoints at = closest_points(q);
  const Rows J = motion(q, at.w);
  Eigen::Map<Eigen::MatrixXd> rows(G.data(), Contact::row_count(), dof_count());
  rows.row(0).noalias() = at.n.transpose() * J;
  if (law_.friction_directions == 0) return;
  const Rows T = rotation_rows(q, at.w);
  for (Index k = 1; k <= law_.friction_directions; ++k) {
    const Vec3 e = grain_.row(q, at.n, directions_.tangent(at.n, k));
    rows.row(k).noalias() = e.transpose() * J - at.D.cross(e).transpose() * T;
  }
  if (rotations_.count() == 0) return;
  const Rows T_ab = relative_rotation_rows(q, at.w);
  for (Index i = 0; i < rotations_.count(); ++i)
    rows.row(1 + law_.friction_directions + i).noalias() =
        rotations_.lever(directions_, at.n, i).transpose() * T_ab;
}

// With w_T = sum p_k e_k, W = p_N n + w_T and M = -D x w_T: G^T p = J^T W + T^T M.
void FeatureContact::geometric_stiffness(const Configuration& q, std::span<const double> p,
                                         std::span<double> K) const {
  const ClosestPoints at = closest_points(q);
  const Index free = at.free_coordinates();
  const Rows J = motion(q, at.w);
  const auto [w_T, dw_T, w_T_turn] = grain_.friction(q, at.n, directions_.friction(at.n, p));
  const Vec3 W = p[0] * at.n + w_T;
  const Vec3 M = -at.D.cross(w_T);

  // Rates of the closest points within their features, and of the normal.
  using Coordinates = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 2, max_dofs>;
  Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, 2> X(3, free);
  Coordinates ds = Coordinates::Zero(free, dof_count());
  Rows dD = J;
  Rows dn = Rows::Zero(3, dof_count());
  std::array<Rows, 2> J_s;
  if (free > 0) {
    Coordinates D_J(free, dof_count());
    Coordinates n_J(free, dof_count());
    for (Index k = 0; k < free; ++k) {
      X.col(k).setZero();
      for (Index i = 0; i < vertex_count_; ++i) X.col(k) += at.dw(i, k) * vertices_[i].point.position(q);
      J_s[k] = motion(q, at.dw.col(k));
      D_J.row(k).noalias() = at.D.transpose() * J_s[k];
      n_J.row(k).noalias() = at.n.transpose() * J_s[k];
    }
    using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 2, 2>;
    const Small XX = X.transpose() * X;
    const Small inverse = XX.inverse();
    ds.noalias() = -inverse * (X.transpose() * J + D_J);
    dD.noalias() += X * ds;
    dn.noalias() = -X * (inverse * n_J);
    if (free < 2 && at.distance > least_distance()) {
      const Mat3 across = Mat3::Identity() - at.n * at.n.transpose() - X * inverse * X.transpose();
      dn.noalias() += across * J / at.distance;
    }
  } else if (at.distance > least_distance()) {
    dn.noalias() = (J - at.n * (at.n.transpose() * J)) / at.distance;
  }

  Eigen::Map<Eigen::MatrixXd> result(K.data(), dof_count(), dof_count());
  const Mat3 dW = p[0] * Mat3::Identity() + dw_T;
  result.noalias() += J.transpose() * (dW * dn);
  for (Index k = 0; k < free; ++k) result.noalias() += (J_s[k].transpose() * W) * ds.row(k);
  for (Index i = 0; i < vertex_count_; ++i) {
    const Vertex& vertex = vertices_[i];
    if (vertex.column < 0 || !vertex.point.on_frame()) continue;
    const Mat3 R_T = q.rotation(vertex.point.node).transpose();
    auto block = result.block<3, 3>(vertex.column + 3, vertex.column + 3);
    block += at.w[i] * skew_times_skew(vertex.point.offset, R_T * W);
    block += share(at.w, i) * lever(i) * so3::skew(R_T * M);
  }
  if (law_.friction_directions == 0) return;
  const Rows T = rotation_rows(q, at.w);
  result.noalias() += T.transpose() * (so3::skew(w_T) * dD - so3::skew(at.D) * (dw_T * dn));
  for (Index k = 0; k < free; ++k) {
    const Rows T_s = rotation_rows(q, at.dw.col(k));
    result.noalias() += (T_s.transpose() * M) * ds.row(k);
  }
  if (grain_.column() >= 0) {
    const Rows lever = J + so3::skew(at.D) * T;
    result.middleCols<3>(grain_.column()).noalias() += lever.transpose() * w_T_turn;
  }
  if (rotations_.count() == 0) return;
  const auto [m, dm] = rotations_.moment(directions_, at.n, p);
  result.noalias() += relative_rotation_rows(q, at.w).transpose() * (dm * dn);
  for (Index k = 0; k < free; ++k)
    result.noalias() += (relative_rotation_rows(q, at.dw.col(k)).transpose() * m) * ds.row(k);
  for (Index i = 0; i < vertex_count_; ++i) {
    const Vertex& vertex = vertices_[i];
    if (vertex.column < 0) continue;
    result.block<3, 3>(vertex.column + 3, vertex.column + 3) +=
        at.w[i] * so3::skew(q.rotation(vertex.point.node).transpose() * m);
  }
}

std::optional<Vec3> FeatureContact::contact_point(const Configuration& q) const {
  const ClosestPoints at = closest_points(q);
  const bool is_on_b = vertices_[0].point.is_ground();
  Vec3 point = is_on_b ? Vec3(levers_[1] * at.D) : Vec3(-levers_[0] * at.D);
  for (Index i = 0; i < vertex_count_; ++i) {
    if (is_of_a(i) != is_on_b) point += share(at.w, i) * vertices_[i].point.position(q);
  }
  return point;
}

}  // namespace picus
