#include <picus/checks.hpp>
#include <picus/elements/contacts/face.hpp>
#include <picus/elements/contacts/round_contact.hpp>
#include <picus/so3.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace picus {
namespace {

using RoundRows = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, 12>;

std::vector<Node> nodes_of(const RoundSide& a, const RoundSide& b) {
  std::vector<Node> nodes;
  if (a.node.valid()) nodes.push_back(a.node);
  if (b.node.valid()) nodes.push_back(b.node);
  return nodes;
}

}  // namespace

RoundContact::RoundContact(const Parameters& parameters, const Model& /*model*/)
    : Element(parameters.name, nodes_of(parameters.a, parameters.b)),
      a_(parameters.a),
      b_(parameters.b),
      side_(parameters.side) {
  const Culprit who{"contact", name()};
  if (nodes().empty()) throw ModelError(fmt::format("{}: a and b are both on the ground", who.text()));
  if (b_.node.valid() && b_.node.kind != NodeKind::frame)
    throw ModelError(fmt::format("{}: b is on a point node, which has no axes", who.text()));
  const ContactLaw& law = parameters.law;
  law_ = checked_law(
      who, checked_law(who, law.coefficient(), law.e_n, law.e_t, law.friction_directions, law.impact),
      parameters.drilling_radius, parameters.rolling_arm);
  rotations_ = RotationRows(law_, parameters.drilling_radius, parameters.rolling_arm);
  if (rotations_.count() > 0) {
    require_resistance(who, {"a", turns(a_.node), a_.feature.is_curved()},
                       {"b", turns(b_.node), b_.feature.is_curved()});
  }
  directions_ = ContactDirections(law_.friction_directions);
  grain_ = GrainRows(who, parameters.grain, nodes(), law_.friction_directions);
  if (a_.node.valid()) column_a_ = 0;
  if (b_.node.valid()) column_b_ = a_.node.valid() ? velocity_size(a_.node.kind) : 0;
}

RoundContact::Frame RoundContact::frame(const Configuration& q, const Node& node) {
  if (!node.valid()) return {};
  if (node.kind == NodeKind::point) return {Mat3::Identity(), q.position(node)};
  return {q.rotation(node), q.position(node)};
}

RoundContact::Kinematics RoundContact::kinematics(const Configuration& q) const {
  const Frame a = frame(q, a_.node);
  const Frame b = frame(q, b_.node);
  Kinematics result{b.R.transpose() * a.R, b.R.transpose() * (a.x - b.x), {}, {}};
  result.pair = find_closest_pair(a_.feature.placed(result.R, result.x), b_.feature, side_);
  result.P = turns(a_.node) ? result.pair.on_a() : result.pair.y_a;
  return result;
}

void RoundContact::displacement(const Configuration& q_n, const Configuration& q, std::span<double> g) const {
  const Kinematics now = kinematics(q);
  g[0] = now.pair.gap();
  if (law_.friction_directions == 0) return;
  const Kinematics then = kinematics(q_n);
  Vec3 slip = now.x - then.x;
  Vec3 psi = Vec3::Zero();
  if (turns(a_.node)) {
    psi = so3::log(now.R * then.R.transpose());
    slip += psi.cross(0.5 * (now.P + then.P - now.x - then.x));
  }
  const Mat3 R_b = frame(q, b_.node).R;
  const Vec3 n = R_b * now.pair.n;
  const Vec3 in_inertial = R_b * slip;
  for (Index k = 1; k <= law_.friction_directions; ++k)
    g[k] = grain_.row(q, n, directions_.tangent(n, k)).dot(in_inertial);
  for (Index i = 0; i < rotations_.count(); ++i)
    g[1 + law_.friction_directions + i] = rotations_.lever(directions_, n, i).dot(R_b * psi);
}

void RoundContact::gradient(const Configuration& q, std::span<double> G) const {
  const Kinematics now = kinematics(q);
  const Frame a = frame(q, a_.node);
  const Frame b = frame(q, b_.node);
  const Vec3 n = b.R * now.pair.n;
  const Vec3 lever_b = b.R * now.P;
  const Vec3 lever_a = b.x + lever_b - a.x;
  Eigen::Map<Eigen::MatrixXd> rows(G.data(), Contact::row_count(), dof_count());
  for (Index k = 0; k <= law_.friction_directions; ++k) {
    const Vec3 e = k == 0 ? n : grain_.row(q, n, directions_.tangent(n, k));
    if (column_a_ >= 0) {
      rows.block<1, 3>(k, column_a_) = e.transpose();
      if (a_.node.kind == NodeKind::frame)
        rows.block<1, 3>(k, column_a_ + 3) = lever_a.cross(e).transpose() * a.R;
    }
    if (column_b_ >= 0) {
      rows.block<1, 3>(k, column_b_) = -e.transpose();
      rows.block<1, 3>(k, column_b_ + 3) = -lever_b.cross(e).transpose() * b.R;
    }
  }
  for (Index i = 0; i < rotations_.count(); ++i) {
    const Index row = 1 + law_.friction_directions + i;
    const Vec3 lever = rotations_.lever(directions_, n, i);
    if (column_a_ >= 0) rows.block<1, 3>(row, column_a_ + 3) = lever.transpose() * a.R;
    if (column_b_ >= 0) rows.block<1, 3>(row, column_b_ + 3) = -lever.transpose() * b.R;
  }
}

// With W = sum p_k e_k and the moment m of drilling and rolling:
// G^T p = (W, R_a^T (l_a x W + m), -W, -R_b^T (l_b x W + m)).
void RoundContact::geometric_stiffness(const Configuration& q, std::span<const double> p,
                                       std::span<double> K) const {
  const Kinematics now = kinematics(q);
  const Frame a = frame(q, a_.node);
  const Frame b = frame(q, b_.node);
  const ClosestPairRates rates =
      find_closest_pair_rates(a_.feature.placed(now.R, now.x), b_.feature, now.pair, !turns(a_.node));
  const Vec3 n = b.R * now.pair.n;
  const Vec3 lever_b = b.R * now.P;
  const Vec3 lever_a = b.x + lever_b - a.x;
  const auto [friction, gradient, turn] = grain_.friction(q, n, directions_.friction(n, p));
  const Vec3 W = p[0] * n + friction;

  // Derivatives of the positions of a and b, and of the rotations, in inertial axes.
  const Index size = dof_count();
  RoundRows dx_a = RoundRows::Zero(3, size), dx_b = dx_a, theta_a = dx_a, theta_b = dx_a;
  if (column_a_ >= 0) {
    dx_a.middleCols<3>(column_a_).setIdentity();
    if (a_.node.kind == NodeKind::frame) theta_a.middleCols<3>(column_a_ + 3) = a.R;
  }
  if (column_b_ >= 0) {
    dx_b.middleCols<3>(column_b_).setIdentity();
    theta_b.middleCols<3>(column_b_ + 3) = b.R;
  }
  // The motion of a relative to b: of the point of a at the origin of b, and its rotation.
  const Vec3 apart = a.x - b.x;
  const RoundRows rotation = b.R.transpose() * (theta_a - theta_b);
  const RoundRows translation = b.R.transpose() * (dx_a - dx_b + so3::skew(apart) * theta_a);
  const RoundRows dn = b.R * (rates.n.leftCols<3>() * translation + rates.n.rightCols<3>() * rotation) -
                       so3::skew(n) * theta_b;
  const RoundRows dl_b = b.R * (rates.P.leftCols<3>() * translation + rates.P.rightCols<3>() * rotation) -
                         so3::skew(lever_b) * theta_b;
  const RoundRows dl_a = dl_b + dx_b - dx_a;
  RoundRows dW = p[0] * dn + gradient * dn;
  if (grain_.column() >= 0) dW.middleCols<3>(grain_.column()) += turn;
  const auto [resisting, resisting_gradient] = rotations_.moment(directions_, n, p);
  const RoundRows dm = resisting_gradient * dn;

  Eigen::Map<Eigen::MatrixXd> result(K.data(), size, size);
  if (column_a_ >= 0) {
    result.middleRows<3>(column_a_) += dW;
    if (a_.node.kind == NodeKind::frame) {
      const Vec3 moment = lever_a.cross(W) + resisting;
      result.middleRows<3>(column_a_ + 3) +=
          a.R.transpose() *
          (so3::skew(moment) * theta_a - so3::skew(W) * dl_a + so3::skew(lever_a) * dW + dm);
    }
  }
  if (column_b_ >= 0) {
    const Vec3 moment = lever_b.cross(W) + resisting;
    result.middleRows<3>(column_b_) -= dW;
    result.middleRows<3>(column_b_ + 3) -=
        b.R.transpose() * (so3::skew(moment) * theta_b - so3::skew(W) * dl_b + so3::skew(lever_b) * dW + dm);
  }
}

std::optional<Vec3> RoundContact::contact_point(const Configuration& q) const {
  const Frame b = frame(q, b_.node);
  return b.x + b.R * kinematics(q).P;
}

}  // namespace picus
