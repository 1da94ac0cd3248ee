#include <picus/checks.hpp>
#include <picus/elements/reduced/reduced_attachment.hpp>
#include <picus/elements/skew_products.hpp>
#include <picus/error.hpp>
#include <picus/so3.hpp>

#include <fmt/format.h>

namespace picus {
namespace {

using Modal = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, max_local_dofs, 1>;
using Modal3 = Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, max_local_dofs>;
using Block = Eigen::Map<Eigen::MatrixXd>;

std::vector<Node> all_nodes(const ReducedAttachment::Parameters& p) {
  if (p.body == nullptr) throw ModelError(Culprit{"reduced attachment", p.name}.text() + ": it has no body");
  std::vector<Node> nodes{p.body->frame()};
  nodes.insert(nodes.end(), p.body->coordinates().begin(), p.body->coordinates().end());
  nodes.push_back(p.node);
  return nodes;
}

/// (Q_32 - Q_23, Q_13 - Q_31, Q_21 - Q_12)/2
Vec3 axial(const Mat3& Q) {
  return 0.5 * Vec3(Q(2, 1) - Q(1, 2), Q(0, 2) - Q(2, 0), Q(1, 0) - Q(0, 1));
}

}  // namespace

struct ReducedAttachment::Kinematics {
  Kinematics(const ReducedAttachment& tie, const Configuration& q) : R(q.rotation(tie.frame_)) {
    Modal eta(tie.coordinates_.size());
    for (Index k = 0; k < eta.size(); ++k) eta[k] = q.value(tie.coordinates_[k]);
    Phi = tie.point_.translation;
    y = tie.point_.position + Phi * eta;
    tie.add_second_order(0, eta, Phi, &y);
    if (!tie.turns_) return;
    Psi = tie.point_.rotation;
    angle = Psi * eta;
    tie.add_second_order(3, eta, Psi, &angle);
    AE = tie.point_.axes * so3::exp(angle);
    T = so3::tangent(angle);
    Q = (R * AE).transpose() * q.rotation(tie.node_);
    r = axial(Q);
    trace = Q.trace();
  }
  Mat3 R;
  Vec3 y = Vec3::Zero();
  Modal3 Phi;                  ///< dy/deta
  Modal3 Psi;                  ///< d(angle)/deta
  Vec3 angle = Vec3::Zero();   ///< rotation vector of the point
  Mat3 AE = Mat3::Identity();  ///< A exp(angle^)
  Mat3 T = Mat3::Identity();   ///< d exp(angle^) = exp(angle^) (T d angle)^
  Mat3 Q = Mat3::Identity();
  Vec3 r = Vec3::Zero();  ///< axial(Q)
  double trace = 3.0;
};

ReducedAttachment::ReducedAttachment(const Parameters& p, const Model& model)
    : Element(p.name, all_nodes(p)),
      basis_(p.body->basis()),
      point_(basis_->point(p.point)),
      frame_(p.body->frame()),
      coordinates_(p.body->coordinates()),
      node_(p.node),
      turns_(p.node.kind == NodeKind::frame) {
  const Culprit who{"reduced attachment", name()};
  model.require_element(p.body, who.text(), "body");
  model.require_node(node_, who.text(), "node");
  if (node_.kind == NodeKind::scalar)
    throw ModelError(who.text() + ": node is a scalar node, must be a frame or a point");
  if (turns_ && point_.kind != NodeKind::frame) {
    throw ModelError(fmt::format("{}: node is a frame, but \"{}\" of its body is a point without a rotation",
                                 who.text(), p.point));
  }
}

void ReducedAttachment::add_second_order(std::size_t first, const Eigen::Ref<const Vector>& eta,
                                         Eigen::Ref<Eigen::Matrix3Xd> rows, Vec3* value) const {
  if (point_.stiffening.empty()) return;
  Modal row(eta.size());
  for (std::size_t c = 0; c < 3; ++c) {
    row.noalias() = point_.stiffening[first + c] * eta;
    rows.row(c) -= row.transpose();
    if (value != nullptr) (*value)[c] -= 0.5 * row.dot(eta);
  }
}

void ReducedAttachment::add_stiffening(std::size_t first, const Vec3& load,
                                       Eigen::Ref<Eigen::MatrixXd> K) const {
  for (std::size_t c = 0; c < 3 && !point_.stiffening.empty(); ++c)
    K += load[c] * point_.stiffening[first + c];
}

std::string ReducedAttachment::overload(std::span<const double> lambda) const {
  const ReducedBasis& basis = *basis_;
  const bool deforms = !point_.translation.isZero(0.0) || (turns_ && !point_.rotation.isZero(0.0));
  if (!point_.stiffening.empty() || !deforms) return {};
  const double force = Eigen::Map<const Vec3>(lambda.data()).norm();
  const double moment = turns_ ? Eigen::Map<const Vec3>(lambda.data() + 3).norm() : 0.0;
  // Solves leave 1e-8 of a reaction, so that one at the limit may be above it.
  constexpr double solved = 1e-6;
  if (force / basis.largest_force + moment / basis.largest_moment <= 1 + solved) return {};
  return fmt::format(
      "carries {:.4g} N and {:.4g} N m, its basis is for at most {:.4g} N or {:.4g} N m: beyond, forces "
      "stiffen or "
      "soften the body in a way that its basis leaves out",
      force, moment, basis.largest_force, basis.largest_moment);
}

void ReducedAttachment::residual(const Configuration& q, double /*t*/, std::span<double> storage) const {
  const Kinematics k(*this, q);
  Eigen::Map<Vector> g(storage.data(), row_count());
  g.head<3>() = q.position(node_) - q.position(frame_) - k.R * k.y;
  if (turns_) g.tail<3>() = k.r;
}

void ReducedAttachment::gradient(const Configuration& q, double /*t*/, std::span<double> storage) const {
  const Kinematics k(*this, q);
  const auto m = count_of(coordinates_);
  const Index n = dof_count(), end = 6 + m;
  Block G(storage.data(), row_count(), n);
  G.block<3, 3>(0, 0) = -Mat3::Identity();
  G.block<3, 3>(0, 3) = times_skew(k.R, k.y);
  G.block(0, 6, 3, m).noalias() = -k.R * k.Phi;
  G.block<3, 3>(0, end).setIdentity();
  if (!turns_) return;
  const Mat3 by_body = -0.5 * (k.trace * Mat3::Identity() - k.Q);
  G.block<3, 3>(3, 3) = by_body * k.AE.transpose();
  const Mat3 by_angle = by_body * k.T;
  G.block(3, 6, 3, m).noalias() = by_angle * k.Psi;
  G.block<3, 3>(3, end + 3) = 0.5 * (k.trace * Mat3::Identity() - k.Q.transpose());
}

void ReducedAttachment::geometric_stiffness(const Configuration& q, double /*t*/,
                                            std::span<const double> multipliers,
                                            std::span<double> storage) const {
  const Kinematics k(*this, q);
  const auto m = count_of(coordinates_);
  const Index n = dof_count(), end = 6 + m;
  Block K(storage.data(), n, n);
  const Vec3 l = k.R.transpose() * Eigen::Map<const Vec3>(multipliers.data());
  const Mat3 l_skew = so3::skew(l);
  K.block<3, 3>(3, 3) = -skew_times_skew(k.y, l);
  const Modal3 l_Phi = l_skew * k.Phi;
  K.block(3, 6, 3, m) = l_Phi;
  K.block(6, 3, m, 3) = l_Phi.transpose();  // -Phi^T l^ = (l^ Phi)^T
  add_stiffening(0, l, K.block(6, 6, m, m));
  if (!turns_) return;
  // G^T lambda is g_N on the node, A E g_B on the body and Psi^T T^T g_B on eta, with
  // g_N = (tr Q lambda - Q lambda)/2 and g_B = -(tr Q lambda - Q^T lambda)/2.
  const Vec3 lambda = Eigen::Map<const Vec3>(multipliers.data() + 3);
  const Vec3 g_B = -0.5 * (k.trace * lambda - k.Q.transpose() * lambda);
  const Mat3 lambda_r = 2.0 * lambda * k.r.transpose();
  const Mat3 lambda_skew = so3::skew(lambda);
  const Mat3 N_by_N = 0.5 * (k.Q * lambda_skew - lambda_r);
  const Mat3 N_by_B = 0.5 * (lambda_r - so3::skew(k.Q * lambda));
  const Mat3 B_by_N = 0.5 * (lambda_r + so3::skew(k.Q.transpose() * lambda));
  const Mat3 B_by_B = -0.5 * (lambda_r + k.Q.transpose() * lambda_skew);
  const Mat3 to_body = k.AE.transpose();
  const Modal3 by_eta = k.T * k.Psi;  // rotation of the section due to eta, in its own axes
  K.block<3, 3>(end + 3, end + 3) = N_by_N;
  K.block<3, 3>(end + 3, 3) = N_by_B * to_body;
  K.block(end + 3, 6, 3, m).noalias() = N_by_B * by_eta;
  K.block<3, 3>(3, end + 3) = k.AE * B_by_N;
  K.block<3, 3>(3, 3) += k.AE * B_by_B * to_body;
  const Mat3 body_by_angle = k.AE * (B_by_B - so3::skew(g_B));
  K.block(3, 6, 3, m).noalias() += body_by_angle * by_eta;
  K.block(6, end + 3, m, 3).noalias() = by_eta.transpose() * B_by_N;
  const Mat3 eta_by_body = B_by_B * to_body;
  K.block(6, 3, m, 3).noalias() += by_eta.transpose() * eta_by_body;
  // T(angle)^T = T(-angle)
  const Mat3 by_angle = k.T.transpose() * B_by_B * k.T - so3::tangent_derivative(-k.angle, g_B);
  const Modal3 angle_by_eta = by_angle * k.Psi;
  K.block(6, 6, m, m).noalias() += k.Psi.transpose() * angle_by_eta;
  add_stiffening(3, -k.T.transpose() * g_B, K.block(6, 6, m, m));
}

void ReducedAttachment::rate_jacobian(const Configuration& q, double /*t*/,
                                      std::span<const double> velocities, std::span<double> storage) const {
  const Kinematics k(*this, q);
  const auto m = count_of(coordinates_);
  const Index n = dof_count(), end = 6 + m;
  Block H(storage.data(), row_count(), n);
  const Eigen::Map<const Vector> v(velocities.data(), n);
  const Vec3 Omega = v.segment<3>(3);
  const auto rate = v.segment(6, m);
  const Modal rates = rate;
  Modal3 Phi_rate = Modal3::Zero(3, m), Psi_rate = Modal3::Zero(3, m);
  add_second_order(0, rates, Phi_rate, nullptr);
  const Vec3 relative = k.y.cross(Omega) - k.Phi * rates;
  H.block<3, 3>(0, 3) = -times_skew(k.R, relative);
  const Mat3 R_Omega = times_skew(k.R, Omega);
  H.block(0, 6, 3, m).noalias() = -R_Omega * k.Phi - k.R * Phi_rate;
  if (!turns_) return;
  const Vec3 v_N = v.segment<3>(end + 3);
  add_second_order(3, rates, Psi_rate, nullptr);
  const Vec3 rate_angle = k.Psi * rates;
  const Vec3 from_body = k.AE.transpose() * Omega;
  const Vec3 v_B = from_body + k.T * rate_angle;
  // d(tr Q) = 2 r . (delta_B - delta_N), dQ = Q delta_N^ - delta_B^ Q
  const Mat3 by_N =
      0.5 * (-2.0 * (v_N - v_B) * k.r.transpose() - so3::skew(k.Q.transpose() * v_N) - k.Q * so3::skew(v_B));
  const Mat3 by_B =
      0.5 * (2.0 * (v_N - v_B) * k.r.transpose() + k.Q.transpose() * so3::skew(v_N) + so3::skew(k.Q * v_B));
  const Mat3 by_v_B = -0.5 * (k.trace * Mat3::Identity() - k.Q);
  H.block<3, 3>(3, end + 3) = by_N;
  H.block<3, 3>(3, 3) = by_B * k.AE.transpose();
  const Mat3 by_angle =
      (by_B + by_v_B * so3::skew(from_body)) * k.T + by_v_B * so3::tangent_derivative(k.angle, rate_angle);
  const Mat3 by_rate = by_v_B * k.T;
  H.block(3, 6, 3, m).noalias() = by_angle * k.Psi + by_rate * Psi_rate;
}

std::vector<MaterialPoint> ReducedAttachment::points() const {
  MaterialPoint origin, end;
  origin.node = frame_;
  end.node = node_;
  return {origin, end};
}

}  // namespace picus
