#include <picus/checks.hpp>
#include <picus/elements/contacts/face.hpp>
#include <picus/elements/contacts/nodes_to_round.hpp>
#include <picus/elements/skew_products.hpp>
#include <picus/so3.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>

namespace picus {
namespace {

std::vector<Node> nodes_of(const NodesToRoundContact::Parameters& parameters) {
  std::vector<Node> nodes;
  for (const MaterialPoint& point : parameters.points) {
    if (!point.is_ground()) nodes.push_back(point.node);
  }
  if (parameters.body.node.valid()) nodes.push_back(parameters.body.node);
  return nodes;
}

/// m = A/|A|, the normal of a triangle, with A = (x_2 - x_1) x (x_3 - x_1).
Vec3 area_of(const std::array<Vec3, 3>& x) {
  return (x[1] - x[0]).cross(x[2] - x[0]);
}

/// The weights of x_2 and x_3 by which they and x_1 move a point of their plane by r.
Eigen::Matrix<double, 2, 3> weights_of_motion(const std::array<Vec3, 3>& x) {
  Eigen::Matrix<double, 3, 2> E;
  E << x[1] - x[0], x[2] - x[0];
  const Eigen::Matrix2d inverse = (E.transpose() * E).inverse();
  return inverse * E.transpose();
}

}  // namespace

NodesToRoundContact::NodesToRoundContact(const Parameters& parameters, const Model& /*model*/)
    : Element(parameters.name, nodes_of(parameters)),
      count_(parameters.points.size()),
      radius_(parameters.radius),
      body_(parameters.body),
      side_(parameters.side) {
  const Culprit who{"contact", name()};
  if (count_ != 2 && count_ != max_points)
    throw ModelError(fmt::format("{}: it has {} points, must have two or three", who.text(), count_));
  if (body_.node.valid() && body_.node.kind != NodeKind::frame)
    throw ModelError(fmt::format("{}: the body is on a point node, which has no axes", who.text()));
  Index column = 0;
  bool do_turn = true;
  for (std::size_t i = 0; i < count_; ++i) {
    points_[i] = parameters.points[i];
    do_turn = do_turn && points_[i].on_frame();
    columns_[i] = points_[i].is_ground() ? -1 : column;
    column += points_[i].dof_count();
  }
  if (column == 0) throw ModelError(fmt::format("{}: all points are on the ground", who.text()));
  if (body_.node.valid()) body_column_ = column;
  const ContactLaw& law = parameters.law;
  law_ = checked_law(
      who, checked_law(who, law.coefficient(), law.e_n, law.e_t, law.friction_directions, law.impact),
      parameters.drilling_radius, parameters.rolling_arm);
  rotations_ = RotationRows(law_, parameters.drilling_radius, parameters.rolling_arm);
  if (rotations_.count() > 0)
    require_resistance(who, {"a", do_turn, radius_ > 0}, {"b", true, body_.feature.is_curved()});
  directions_ = ContactDirections(law_.friction_directions);
  grain_ = GrainRows(who, parameters.grain, nodes(), law_.friction_directions);
}

NodesToRoundContact::Kinematics NodesToRoundContact::kinematics(const Configuration& q) const {
  Kinematics now;
  if (body_.node.valid()) {
    now.R = q.rotation(body_.node);
    now.x = q.position(body_.node);
  }
  for (std::size_t i = 0; i < count_; ++i) now.points[i] = points_[i].position(q) - now.x;
  const RoundFeature solid = body_.feature.placed(now.R, Vec3::Zero());
  const auto& x = now.points;
  if (is_plane()) {
    now.spanned = {RoundFeature::Curve::plane, x[0], area_of(x).normalized()};
    now.pair = find_closest_pair(solid, now.spanned, side_);
    now.n = -now.pair.n;
    now.c = now.P = now.pair.y_b;
    const Eigen::Vector2d w = weights_of_motion(x) * (now.c - x[0]);
    now.w = {1 - w[0] - w[1], w[0], w[1]};
  } else {
    const Vec3 way = x[1] - x[0];
    now.spanned = {RoundFeature::Curve::line, x[0], way.normalized(), radius_};
    now.pair = find_closest_pair(now.spanned, solid, side_);
    now.n = now.pair.n;
    now.c = now.pair.y_a;
    now.P = now.c - radius_ * now.n;
    const double s = way.dot(now.c - x[0]) / way.squaredNorm();
    now.w = {1 - s, s, 0.0};
  }
  return now;
}

NodesToRoundContact::Rows NodesToRoundContact::motion(const Configuration& q, std::size_t i) const {
  Rows J = Rows::Zero(3, dof_count());
  if (columns_[i] < 0) return J;
  J.middleCols<3>(columns_[i]).setIdentity();
  if (points_[i].on_frame())
    J.middleCols<3>(columns_[i] + 3) = -times_skew(q.rotation(points_[i].node), points_[i].offset);
  return J;
}

NodesToRoundContact::Rows NodesToRoundContact::mean_rotation(const Configuration& q,
                                                             const Kinematics& now) const {
  Rows T = Rows::Zero(3, dof_count());
  for (std::size_t i = 0; i < count_; ++i) {
    if (columns_[i] >= 0 && points_[i].on_frame())
      T.middleCols<3>(columns_[i] + 3) = now.w[i] * q.rotation(points_[i].node);
  }
  return T;
}

NodesToRoundContact::Rows NodesToRoundContact::body_motion() const {
  Rows J = Rows::Zero(3, dof_count());
  if (body_column_ >= 0) J.middleCols<3>(body_column_).setIdentity();
  return J;
}

NodesToRoundContact::Rows NodesToRoundContact::body_rotation(const Kinematics& now) const {
  Rows T = Rows::Zero(3, dof_count());
  if (body_column_ >= 0) T.middleCols<3>(body_column_ + 3) = now.R;
  return T;
}

void NodesToRoundContact::displacement(const Configuration& q_n, const Configuration& q,
                                       std::span<double> g) const {
  const Kinematics now = kinematics(q);
  g[0] = now.pair.gap();
  if (law_.friction_directions == 0) return;
  const Kinematics then = kinematics(q_n);
  Vec3 c_now = Vec3::Zero();
  Vec3 psi = Vec3::Zero();
  for (std::size_t i = 0; i < count_; ++i) {
    c_now += then.w[i] * (now.R.transpose() * now.points[i]);
    if (!points_[i].on_frame()) continue;
    const Mat3 relative = now.R.transpose() * q.rotation(points_[i].node);
    const Mat3 relative_then = then.R.transpose() * q_n.rotation(points_[i].node);
    psi += then.w[i] * so3::log(relative * relative_then.transpose());
  }
  const Vec3 c_then = then.R.transpose() * then.c;
  const Vec3 arm = now.R.transpose() * now.P + then.R.transpose() * then.P - c_now - c_then;
  const Vec3 slip = now.R * (c_now - c_then + 0.5 * psi.cross(arm));
  for (Index k = 1; k <= law_.friction_directions; ++k)
    g[k] = grain_.row(q, now.n, directions_.tangent(now.n, k)).dot(slip);
  for (Index i = 0; i < rotations_.count(); ++i)
    g[1 + law_.friction_directions + i] = rotations_.lever(directions_, now.n, i).dot(now.R * psi);
}

void NodesToRoundContact::gradient(const Configuration& q, std::span<double> G) const {
  const Kinematics now = kinematics(q);
  Rows J = -body_motion() + so3::skew(now.P) * body_rotation(now);
  for (std::size_t i = 0; i < count_; ++i) J += now.w[i] * motion(q, i);
  const Rows theta = mean_rotation(q, now);
  J -= so3::skew(now.P - now.c) * theta;
  Eigen::Map<Eigen::MatrixXd> rows(G.data(), Contact::row_count(), dof_count());
  rows.row(0).noalias() = now.n.transpose() * J;
  for (Index k = 1; k <= law_.friction_directions; ++k)
    rows.row(k).noalias() = grain_.row(q, now.n, directions_.tangent(now.n, k)).transpose() * J;
  if (rotations_.count() == 0) return;
  const Rows relative = theta - body_rotation(now);
  for (Index i = 0; i < rotations_.count(); ++i)
    rows.row(1 + law_.friction_directions + i).noalias() =
        rotations_.lever(directions_, now.n, i).transpose() * relative;
}

NodesToRoundContact::Rates NodesToRoundContact::rates(const Configuration& q, const Kinematics& now) const {
  const auto& x = now.points;
  std::array<Rows, max_points> dx;
  for (std::size_t i = 0; i < count_; ++i) dx[i] = motion(q, i);
  const Rows body = body_motion();
  const Rows theta = body_rotation(now);
  Rows dc = Rows::Zero(3, dof_count());
  for (std::size_t i = 0; i < count_; ++i) dc += now.w[i] * dx[i];

  // The rigid motion of the spanned feature, at the origin of the body.
  Rows omega;
  if (is_plane()) {
    const Vec3 area = area_of(x);
    const Vec3 m = now.spanned.axis;
    const Rows d_area = so3::skew(x[1] - x[0]) * (dx[2] - dx[0]) - so3::skew(x[2] - x[0]) * (dx[1] - dx[0]);
    omega = so3::skew(m) * d_area / area.norm();
  } else {
    omega = so3::skew(now.spanned.axis) * (dx[1] - dx[0]) / (x[1] - x[0]).norm();
  }
  const Rows tau = dx[0] + so3::skew(x[0]) * omega;
  const RoundFeature solid = body_.feature.placed(now.R, Vec3::Zero());
  const RoundFeature& a = is_plane() ? solid : now.spanned;
  const RoundFeature& b = is_plane() ? now.spanned : solid;
  const ClosestPairRates of_pair = find_closest_pair_rates(a, b, now.pair, true);
  const double sign = is_plane() ? -1.0 : 1.0;
  const Rows translation = sign * (tau - body);
  const Rows rotation = sign * (omega - theta);
  const Rows& tau_b = is_plane() ? tau : body;
  const Rows& omega_b = is_plane() ? omega : theta;
  Rates result;
  result.n = sign * (of_pair.n.leftCols<3>() * translation + of_pair.n.rightCols<3>() * rotation) -
             so3::skew(now.n) * omega_b;
  result.c = of_pair.P.leftCols<3>() * translation + of_pair.P.rightCols<3>() * rotation + tau_b -
             so3::skew(now.pair.y_a) * omega_b;
  result.w = WeightRows::Zero(count_, dof_count());
  if (is_plane()) {
    // From the point of the body to its projection; the rate of l is the first row of the gradient.
    const Vec3 m = now.spanned.axis;
    const double l = now.pair.distance;
    const Rows dm = -so3::skew(m) * omega;
    const Rows apart = body - so3::skew(now.c) * theta - dc;
    result.c -= m * (m.transpose() * apart) + l * dm;
    result.w.bottomRows<2>() = weights_of_motion(x) * (result.c - dc);
    result.w.row(0) = -result.w.row(1) - result.w.row(2);
    result.P = result.c;
  } else {
    const Vec3 way = x[1] - x[0];
    result.w.row(1) = way.transpose() * (result.c - dc) / way.squaredNorm();
    result.w.row(0) = -result.w.row(1);
    result.P = result.c - radius_ * result.n;
  }
  return result;
}

// With W = sum p_k e_k, the lever arms l_i = R_i X_i + P - c and l = P - x, and the moment m of drilling and rolling
//     G^T p = (w_i W, w_i R_i^T (l_i x W + m), ..., -W, -R^T (l x W + m)).
void NodesToRoundContact::geometric_stiffness(const Configuration& q, std::span<const double> p,
                                              std::span<double> K) const {
  const Kinematics now = kinematics(q);
  const Rates d = rates(q, now);
  const auto [friction, gradient, turn] = grain_.friction(q, now.n, directions_.friction(now.n, p));
  const Vec3 W = p[0] * now.n + friction;
  Rows dW = p[0] * d.n + gradient * d.n;
  if (grain_.column() >= 0) dW.middleCols<3>(grain_.column()) += turn;
  const auto [resisting, resisting_gradient] = rotations_.moment(directions_, now.n, p);
  const Rows dm = resisting_gradient * d.n;

  Eigen::Map<Eigen::MatrixXd> result(K.data(), dof_count(), dof_count());
  for (std::size_t i = 0; i < count_; ++i) {
    if (columns_[i] < 0) continue;
    const auto dw = d.w.row(i);
    result.middleRows<3>(columns_[i]) += now.w[i] * dW + W * dw;
    if (!points_[i].on_frame()) continue;
    const Mat3 R = q.rotation(points_[i].node);
    const Vec3 offset = R * points_[i].offset;
    const Vec3 lever = offset + now.P - now.c;
    const Vec3 moment = lever.cross(W) + resisting;
    Rows theta = Rows::Zero(3, dof_count());
    theta.middleCols<3>(columns_[i] + 3) = R;
    const Rows d_lever = -so3::skew(offset) * theta + d.P - d.c;
    result.middleRows<3>(columns_[i] + 3) +=
        R.transpose() *
        (now.w[i] * (so3::skew(moment) * theta - so3::skew(W) * d_lever + so3::skew(lever) * dW + dm) +
         moment * dw);
  }
  if (body_column_ < 0) return;
  const Rows theta = body_rotation(now);
  const Vec3 moment = now.P.cross(W) + resisting;
  const Rows d_lever = d.P - body_motion();
  result.middleRows<3>(body_column_) -= dW;
  result.middleRows<3>(body_column_ + 3) -=
      now.R.transpose() * (so3::skew(moment) * theta - so3::skew(W) * d_lever + so3::skew(now.P) * dW + dm);
}

std::optional<Vec3> NodesToRoundContact::contact_point(const Configuration& q) const {
  const Kinematics now = kinematics(q);
  return now.x + now.P;
}

}  // namespace picus
