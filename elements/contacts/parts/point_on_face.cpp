#include <picus/checks.hpp>
#include <picus/elements/contacts/parts/point_on_face.hpp>
#include <picus/elements/skew_products.hpp>

#include <fmt/format.h>

namespace picus {

void PointOnFace::make_anisotropic(const Culprit& who, double a, Index friction_directions) {
  require_positive(who, "anisotropy", a, "");
  if (a != 1.0 && friction_directions < 2) {
    throw ModelError(fmt::format("{}: anisotropy is {}, but friction has not two directions", who.text(), a));
  }
  directions.col(2) *= a;
}

Vec3 PointOnFace::slave_in_master(const Configuration& q) const {
  if (!master.valid()) return slave.position(q);
  return q.rotation(master).transpose() * (slave.position(q) - q.position(master));
}

Vec3 PointOnFace::combination(std::span<const double> p, Index rows) const {
  Vec3 w = p[0] * directions.col(0);
  for (Index k = 1; k < rows; ++k) w += p[k] * directions.col(k);
  return w;
}

void PointOnFace::displacement(const Configuration& q_n, const Configuration& q, Index rows,
                               std::span<double> g) const {
  const Vec3 D = slave_in_master(q);
  g[0] = directions.col(0).dot(D - P);
  if (rows == 1) return;
  const Vec3 motion = D - slave_in_master(q_n);
  for (Index k = 1; k < rows; ++k) g[k] = directions.col(k).dot(motion);
}

void PointOnFace::gradient(const Configuration& q, Index rows, Index all_rows, std::span<double> G) const {
  const Index slave_dofs = slave.dof_count();
  Matrix matrix(G.data(), all_rows, dof_count());
  Mat3 e = directions;
  if (master.valid()) {
    e = q.rotation(master) * directions;
    const Vec3 D = slave_in_master(q);
    for (Index k = 0; k < rows; ++k) {
      matrix.block<1, 3>(k, slave_dofs) = -e.col(k).transpose();
      matrix.block<1, 3>(k, slave_dofs + 3) = directions.col(k).cross(D).transpose();
    }
  }
  if (slave.is_ground()) return;
  for (Index k = 0; k < rows; ++k) matrix.block<1, 3>(k, 0) = e.col(k).transpose();
  if (!slave.on_frame()) return;
  const Mat3 in_slave = q.rotation(slave.node).transpose() * e;
  for (Index k = 0; k < rows; ++k) matrix.block<1, 3>(k, 3) = slave.offset.cross(in_slave.col(k)).transpose();
}

void PointOnFace::geometric_stiffness(const Configuration& q, const Vec3& w, std::span<double> K) const {
  Matrix matrix(K.data(), dof_count(), dof_count());
  if (!master.valid()) {
    if (slave.on_frame()) {
      matrix.block<3, 3>(3, 3) = skew_times_skew(slave.offset, q.rotation(slave.node).transpose() * w);
    }
    return;
  }

  const Index u = slave.dof_count();
  const Index Omega = u + 3;
  const Mat3 R_A = q.rotation(master);
  const Mat3 R_A_w = times_skew(R_A, w);
  if (!slave.is_ground()) {
    matrix.block<3, 3>(0, Omega) = -R_A_w;
    matrix.block<3, 3>(Omega, 0) = -R_A_w.transpose();
  }
  matrix.block<3, 3>(u, Omega) = R_A_w;
  matrix.block<3, 3>(Omega, u) = R_A_w.transpose();
  matrix.block<3, 3>(Omega, Omega) = skew_times_skew(w, slave_in_master(q));
  if (!slave.on_frame()) return;
  const Mat3 R_S = q.rotation(slave.node);
  const Mat3 mixed = times_skew(R_S, slave.offset).transpose() * R_A_w;
  matrix.block<3, 3>(3, 3) = skew_times_skew(slave.offset, R_S.transpose() * (R_A * w));
  matrix.block<3, 3>(3, Omega) = mixed;
  matrix.block<3, 3>(Omega, 3) = mixed.transpose();
}

}  // namespace picus
