#include <picus/checks.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/require_point.hpp>
#include <picus/elements/skew_products.hpp>

#include <fmt/format.h>

#include <cmath>

namespace picus {
namespace {

std::vector<Node> nodes_of(const NodeToFaceContact::Parameters& parameters) {
  std::vector<Node> nodes = {parameters.slave.node};
  if (parameters.face.node) nodes.push_back(*parameters.face.node);
  return nodes;
}

Vec3 first_tangent(const Culprit& who, const Vec3& normal, const std::optional<Vec3>& given) {
  // Past 0.9995 (1.8 degrees from z) normal x z is too short to be a direction that users can foresee.
  const bool is_along_z = std::abs(normal.z()) > 0.9995;
  const Vec3 wanted = given        ? require_direction(who, "tangent of the face", *given)
                      : is_along_z ? Vec3(Vec3::UnitX())
                                   : Vec3(normal.cross(Vec3::UnitZ()));
  const Vec3 in_plane = wanted - wanted.dot(normal) * normal;
  if (in_plane.norm() < 1e-6) {
    throw ModelError(fmt::format("{}: tangent of the face is along its normal", who.text()));
  }
  return in_plane.normalized();
}

ContactLaw checked_law(const Culprit& who, const NodeToFaceContact::Parameters& parameters) {
  require_not_negative(who, "mu", parameters.mu, "");
  require_between(who, "e_n", parameters.e_n, 0.0, 1.0);
  require_between(who, "e_t", parameters.e_t, 0.0, 1.0);
  const Index directions = parameters.friction_directions;
  if (directions < 0 || directions > 2) {
    throw ModelError(fmt::format("{}: friction_directions is {}, must be 1 or 2", who.text(), directions));
  }
  if (directions == 0 && parameters.mu > 0) {
    throw ModelError(fmt::format("{}: mu is {}, but friction_directions is 0", who.text(), parameters.mu));
  }
  return {parameters.mu, parameters.e_n, parameters.e_t, parameters.mu > 0 ? directions : 0};
}

}  // namespace

NodeToFaceContact::NodeToFaceContact(const Parameters& parameters, const Model& model)
    : Element(parameters.name, nodes_of(parameters)),
      slave_(parameters.slave),
      master_(parameters.face.node.value_or(FrameNode{})),
      P_(parameters.face.point) {
  const Culprit who{"contact", name()};
  require_point(who, "slave", slave_, model);
  if (parameters.face.node) model.require_node(master_, who.text(), "node of the face");
  if (slave_.node == master_) {
    throw ModelError(fmt::format("{}: the slave and the face are on the same node", who.text()));
  }
  require_finite(who, "point of the face", P_, "m");
  const Vec3 normal = require_direction(who, "normal of the face", parameters.face.normal);
  const Vec3 tangent = first_tangent(who, normal, parameters.face.tangent);
  directions_ << normal, tangent, normal.cross(tangent);
  law_ = checked_law(who, parameters);
}

std::vector<MaterialPoint> NodeToFaceContact::points() const {
  MaterialPoint origin = slave_;
  origin.offset.setZero();
  return {origin, slave_};
}

Vec3 NodeToFaceContact::slave_in_master(const Configuration& q) const {
  if (!master_.valid()) return slave_.position(q);
  return q.rotation(master_).transpose() * (slave_.position(q) - q.position(master_));
}

void NodeToFaceContact::gap(const Configuration& q_n, const Configuration& q, std::span<double> g) const {
  const Vec3 D = slave_in_master(q);
  g[0] = directions_.col(0).dot(D - P_);
  if (law_.friction_directions == 0) return;
  const Vec3 motion = D - slave_in_master(q_n);
  for (Index k = 1; k <= law_.friction_directions; ++k) {
    g[static_cast<std::size_t>(k)] = directions_.col(k).dot(motion);
  }
}

void NodeToFaceContact::gradient(const Configuration& q, std::span<double> G) const {
  const Index rows = Contact::row_count();
  const Index slave_dofs = slave_.dof_count();
  Eigen::Map<Eigen::MatrixXd> matrix(G.data(), rows, dof_count());
  const bool on_ground = !master_.valid();
  Mat3 e = directions_;
  if (!on_ground) {
    e = q.rotation(master_) * directions_;
    const Vec3 D = slave_in_master(q);
    for (Index k = 0; k < rows; ++k) {
      matrix.block<1, 3>(k, slave_dofs) = -e.col(k).transpose();
      matrix.block<1, 3>(k, slave_dofs + 3) = directions_.col(k).cross(D).transpose();
    }
  }
  for (Index k = 0; k < rows; ++k) matrix.block<1, 3>(k, 0) = e.col(k).transpose();
  if (!slave_.on_frame()) return;
  const Mat3 in_slave = q.rotation(slave_.node).transpose() * e;
  for (Index k = 0; k < rows; ++k)
    matrix.block<1, 3>(k, 3) = slave_.offset.cross(in_slave.col(k)).transpose();
}

void NodeToFaceContact::curvature(const Configuration& q, std::span<const double> p,
                                  std::span<double> K) const {
  Eigen::Map<Eigen::MatrixXd> matrix(K.data(), dof_count(), dof_count());
  Vec3 w = p[0] * directions_.col(0);
  for (Index k = 1; k <= law_.friction_directions; ++k)
    w += p[static_cast<std::size_t>(k)] * directions_.col(k);

  if (!master_.valid()) {
    if (slave_.on_frame()) {
      matrix.block<3, 3>(3, 3) = skew_times_skew(slave_.offset, q.rotation(slave_.node).transpose() * w);
    }
    return;
  }

  const Index u = slave_.dof_count();
  const Index Omega = u + 3;
  const Mat3 R_A = q.rotation(master_);
  const Mat3 R_A_w = times_skew(R_A, w);
  matrix.block<3, 3>(0, Omega) = -R_A_w;
  matrix.block<3, 3>(u, Omega) = R_A_w;
  matrix.block<3, 3>(Omega, 0) = -R_A_w.transpose();
  matrix.block<3, 3>(Omega, u) = R_A_w.transpose();
  matrix.block<3, 3>(Omega, Omega) = skew_times_skew(w, slave_in_master(q));
  if (!slave_.on_frame()) return;
  const Mat3 R_S = q.rotation(slave_.node);
  const Mat3 mixed = times_skew(R_S, slave_.offset).transpose() * R_A_w;
  matrix.block<3, 3>(3, 3) = skew_times_skew(slave_.offset, R_S.transpose() * (R_A * w));
  matrix.block<3, 3>(3, Omega) = mixed;
  matrix.block<3, 3>(Omega, 3) = mixed.transpose();
}

}  // namespace picus
