#include <picus/checks.hpp>
#include <picus/elements/contacts/sphere_to_face.hpp>
#include <picus/require_point.hpp>
#include <picus/so3.hpp>

#include <fmt/format.h>

namespace picus {
namespace {

std::vector<Node> nodes_of(const SphereToFaceContact::Parameters& parameters) {
  std::vector<Node> nodes = {parameters.centre.node};
  if (parameters.face.node) nodes.push_back(*parameters.face.node);
  return nodes;
}

}  // namespace

SphereToFaceContact::SphereToFaceContact(const Parameters& parameters, const Model& model)
    : Element(parameters.name, nodes_of(parameters)), r_(parameters.radius) {
  const Culprit who{"contact", name()};
  const Face& face = parameters.face;
  require_point(who, "centre", parameters.centre, model);
  require_positive(who, "radius", r_, "m");
  if (face.node && parameters.centre.node == *face.node) {
    throw ModelError(fmt::format("{}: the sphere and the face are on the same node", who.text()));
  }
  place_ = {parameters.centre, face.node.value_or(FrameNode{}), face.point,
            checked_directions(who, face, model)};
  law_ = checked_law(who,
                     checked_law(who, parameters.mu, parameters.e_n, parameters.e_t,
                                 parameters.friction_directions, parameters.impact_law),
                     parameters.drilling_radius, parameters.rolling_arm);
  rolls_ = place_.slave.on_frame() && law_.friction_directions > 0;
  add_rotation_rows(parameters);
  place_.make_anisotropic(who, parameters.anisotropy, law_.friction_directions);
  if (!rotation_rows_.empty() && !rolls_) {
    throw ModelError(
        fmt::format("{}: drilling_radius or rolling_arm is not 0, but the sphere is on a point node, which "
                    "does not turn",
                    who.text()));
  }
  shape_.add(Sphere{place_.slave, r_});
}

void SphereToFaceContact::add_rotation_rows(const Parameters& parameters) {
  const Mat3& E = place_.directions;
  if (law_.has_drilling) rotation_rows_.push_back(parameters.drilling_radius * E.col(0));
  // About the axis normal to the direction in which the sphere would roll; the cone multiplies by mu.
  for (Index k = 1; k <= law_.rolling_directions; ++k)
    rotation_rows_.push_back(parameters.rolling_arm / law_.mu * E.col(0).cross(E.col(k)));
}

Mat3 SphereToFaceContact::relative_rotation(const Configuration& q) const {
  const Mat3 R_S = q.rotation(place_.slave.node);
  if (!place_.master.valid()) return R_S;
  return q.rotation(place_.master).transpose() * R_S;
}

void SphereToFaceContact::displacement(const Configuration& q_n, const Configuration& q,
                                       std::span<double> g) const {
  const Index rows = 1 + law_.friction_directions;
  place_.displacement(q_n, q, rows, g);
  g[0] -= r_;
  if (!rolls_) return;
  const Vec3 psi = so3::log(relative_rotation(q) * relative_rotation(q_n).transpose());
  const Vec3 rolled = psi.cross(r_ * place_.directions.col(0));
  for (Index k = 1; k < rows; ++k) g[k] -= place_.directions.col(k).dot(rolled);
  std::size_t next = rows;
  for (const Vec3& row : rotation_rows_) g[next++] = row.dot(psi);
}

std::optional<Vec3> SphereToFaceContact::contact_point(const Configuration& q) const {
  Vec3 N = place_.directions.col(0);
  if (place_.master.valid()) N = q.rotation(place_.master) * N;
  return place_.slave.position(q) - r_ * N;
}

void SphereToFaceContact::gradient(const Configuration& q, std::span<double> G) const {
  const Index rows = 1 + law_.friction_directions;
  place_.gradient(q, rows, Contact::row_count(), G);
  if (!rolls_) return;
  PointOnFace::Matrix matrix(G.data(), Contact::row_count(), dof_count());
  const Mat3 R_rel = relative_rotation(q);
  const auto add_rotation = [&](Index row, const Vec3& lever) {  // lever . dpsi
    matrix.block<1, 3>(row, 3) += lever.transpose() * R_rel;
    if (place_.master.valid()) matrix.block<1, 3>(row, place_.master_rotation()) -= lever.transpose();
  };
  for (Index k = 1; k < rows; ++k)
    add_rotation(k, -r_ * place_.directions.col(0).cross(place_.directions.col(k)));
  Index next = rows;
  for (const Vec3& row : rotation_rows_) add_rotation(next++, row);
}

void SphereToFaceContact::geometric_stiffness(const Configuration& q, std::span<const double> p,
                                              std::span<double> K) const {
  const Vec3 w = place_.combination(p, 1 + law_.friction_directions);
  place_.geometric_stiffness(q, w, K);
  if (!rolls_) return;
  // d(-R_S^T R_A m) = -(R_S^T R_A m)^ dTheta_S + R_S^T R_A m^ dTheta_A
  PointOnFace::Matrix matrix(K.data(), dof_count(), dof_count());
  Vec3 m = r_ * place_.directions.col(0).cross(w);
  std::size_t next = 1 + law_.friction_directions;
  for (const Vec3& row : rotation_rows_) m -= p[next++] * row;
  const Mat3 R_rel = relative_rotation(q);
  matrix.block<3, 3>(3, 3) -= so3::skew(R_rel.transpose() * m);
  if (place_.master.valid()) {
    matrix.block<3, 3>(3, place_.master_rotation()) += R_rel.transpose() * so3::skew(m);
  }
}

}  // namespace picus
