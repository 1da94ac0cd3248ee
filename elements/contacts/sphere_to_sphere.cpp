#include <picus/checks.hpp>
#include <picus/elements/contacts/face.hpp>
#include <picus/elements/contacts/sphere_to_sphere.hpp>
#include <picus/so3.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace picus {
namespace {

/// Whether the sphere has a rotation: that of its frame, or the zero rotation of the ground.
bool turns(const MaterialPoint& centre) {
  return centre.is_ground() || centre.on_frame();
}

}  // namespace

/// Both centres at one configuration.
struct SphereToSphereContact::Kinematics {
  Vec3 D;
  double l;
  Vec3 n;
};

SphereToSphereContact::SphereToSphereContact(const Parameters& parameters, const Model& model)
    : Element(parameters.name, PointPair(parameters.a.centre, parameters.b.centre).nodes()),
      centres_(parameters.a.centre, parameters.b.centre),
      radii_{parameters.a.radius, parameters.b.radius} {
  const Culprit who{"contact", name()};
  centres_.require(who, model, "sphere a", "sphere b");
  require_positive(who, "radius of sphere a", radii_[0], "m");
  require_positive(who, "radius of sphere b", radii_[1], "m");
  law_ = checked_law(who,
                     checked_law(who, parameters.mu, parameters.e_n, parameters.e_t,
                                 parameters.friction_directions, parameters.impact_law),
                     parameters.drilling_radius, parameters.rolling_arm);
  rotations_ = RotationRows(law_, parameters.drilling_radius, parameters.rolling_arm);
  if (rotations_.count() > 0) {
    require_resistance(who, {"sphere a", turns(centres_.a()), true}, {"sphere b", turns(centres_.b()), true});
  }
  directions_ = ContactDirections(law_.friction_directions);
  const Kinematics start = kinematics(model.initial_configuration());
  if (!(start.l > 1e-12 * (radii_[0] + radii_[1]))) {
    throw ModelError(fmt::format("{}: the centres of the spheres coincide at the start", who.text()));
  }
  if (law_.friction_directions > 0) {
    const double part_of_a = turns(centres_.a()) ? radii_[0] : 0.0;
    const double part_of_b = turns(centres_.b()) ? radii_[1] : 0.0;
    if (part_of_a + part_of_b == 0) {
      throw ModelError(fmt::format(
          "{}: mu is {}, but both spheres are on point nodes, which cannot carry the moment of friction",
          who.text(), law_.mu));
    }
    levers_ = {part_of_a / (part_of_a + part_of_b), part_of_b / (part_of_a + part_of_b)};
  }
  if (law_.friction_directions == 1 && !ContactDirections::is_in_plane(start.n)) {
    throw ModelError(
        fmt::format("{}: friction_directions is 1, for motion in the plane x-y, but the centres lie along z",
                    who.text()));
  }
  if (!parameters.drawn) return;
  shape_.add(parameters.a);
  shape_.add(parameters.b);
}

SphereToSphereContact::Kinematics SphereToSphereContact::kinematics(const Configuration& q) const {
  const Vec3 D = centres_.separation(q);
  const double l = D.norm();
  return {D, l, D / l};
}

Mat3 SphereToSphereContact::directions(const Configuration& q) const {
  return directions_.axes(kinematics(q).n);
}

Vec3 SphereToSphereContact::mean_rotation(const Configuration& q_n, const Configuration& q) const {
  Vec3 psi = Vec3::Zero();
  const auto add = [&](const MaterialPoint& centre, double lever) {
    if (!centre.on_frame()) return;
    psi += lever * so3::log(q.rotation(centre.node) * q_n.rotation(centre.node).transpose());
  };
  add(centres_.a(), levers_[0]);
  add(centres_.b(), levers_[1]);
  return psi;
}

// Of b relative to a, since n points from a to b.
Vec3 SphereToSphereContact::relative_rotation(const Configuration& q_n, const Configuration& q) const {
  const auto rotation = [&](const MaterialPoint& centre) -> Vec3 {
    if (!centre.on_frame()) return Vec3::Zero();
    return so3::log(q.rotation(centre.node) * q_n.rotation(centre.node).transpose());
  };
  return rotation(centres_.b()) - rotation(centres_.a());
}

void SphereToSphereContact::displacement(const Configuration& q_n, const Configuration& q,
                                         std::span<double> g) const {
  const Kinematics at = kinematics(q);
  g[0] = at.l - (radii_[0] + radii_[1]);
  if (law_.friction_directions == 0) return;
  const Vec3 motion = at.D - so3::exp(mean_rotation(q_n, q)) * centres_.separation(q_n);
  for (Index k = 1; k <= law_.friction_directions; ++k) g[k] = directions_.tangent(at.n, k).dot(motion);
  if (rotations_.count() == 0) return;
  const Vec3 psi = relative_rotation(q_n, q);
  for (Index i = 0; i < rotations_.count(); ++i)
    g[1 + law_.friction_directions + i] = rotations_.lever(directions_, at.n, i).dot(psi);
}

std::optional<Vec3> SphereToSphereContact::contact_point(const Configuration& q) const {
  const Vec3 n = kinematics(q).n;
  if (centres_.a().is_ground()) return centres_.b().position(q) - radii_[1] * n;
  return centres_.a().position(q) + radii_[0] * n;
}

void SphereToSphereContact::gradient(const Configuration& q, std::span<double> G) const {
  const Index rows = Contact::row_count();
  const Kinematics at = kinematics(q);
  const PointPair::Rows D_q = centres_.gradient(q);
  centres_.write_row(D_q.transpose() * at.n, 0, rows, G);
  for (Index k = 1; k <= law_.friction_directions; ++k) {
    const Vec3 e = directions_.tangent(at.n, k);
    const Vec3 arm = at.D.cross(e);
    PointPair::Column row = D_q.transpose() * e;
    if (centres_.a().on_frame())
      row.segment<3>(3) -= levers_[0] * (q.rotation(centres_.a().node).transpose() * arm);
    if (centres_.b().on_frame())
      row.segment<3>(9) -= levers_[1] * (q.rotation(centres_.b().node).transpose() * arm);
    centres_.write_row(row, k, rows, G);
  }
  for (Index i = 0; i < rotations_.count(); ++i) {
    const Vec3 lever = rotations_.lever(directions_, at.n, i);
    PointPair::Column row = PointPair::Column::Zero();
    if (centres_.a().on_frame()) row.segment<3>(3) = -(q.rotation(centres_.a().node).transpose() * lever);
    if (centres_.b().on_frame()) row.segment<3>(9) = q.rotation(centres_.b().node).transpose() * lever;
    centres_.write_row(row, 1 + law_.friction_directions + i, rows, G);
  }
}

// With w_T = sum p_k e_k, w = p_N n + w_T, M = D x w_T and the moment m of drilling and rolling on b:
// G^T p = (dD/dq)^T w - [R_i^T (lever M +- m) in the rows of Omega_i], + for a.
void SphereToSphereContact::geometric_stiffness(const Configuration& q, std::span<const double> p,
                                                std::span<double> K) const {
  const Kinematics at = kinematics(q);
  const PointPair::Rows D_q = centres_.gradient(q);
  const auto [w_T, dw_T] = directions_.friction(at.n, p);
  const Mat3 n_D = (Mat3::Identity() - at.n * at.n.transpose()) / at.l;
  const Mat3 w_D = p[0] * n_D + dw_T * n_D;
  PointPair::Square curvature = D_q.transpose() * (w_D * D_q);
  centres_.add_geometric_stiffness(q, p[0] * at.n + w_T, curvature);

  const Vec3 M = at.D.cross(w_T);
  const PointPair::Rows dM = (so3::skew(at.D) * (dw_T * n_D) - so3::skew(w_T)) * D_q;
  const RotationRows::Moment friction = rotations_.moment(directions_, at.n, p);
  const Vec3& m = friction.moment;
  const PointPair::Rows dm = friction.gradient * n_D * D_q;
  const auto add_turning = [&](const MaterialPoint& centre, double lever, double sign, Index row) {
    if (!centre.on_frame()) return;
    const Mat3 R_T = q.rotation(centre.node).transpose();
    curvature.block<3, 12>(row, 0).noalias() -= R_T * (lever * dM + sign * dm);
    curvature.block<3, 3>(row, row) -= so3::skew(R_T * (lever * M + sign * m));
  };
  add_turning(centres_.a(), levers_[0], 1.0, 3);
  add_turning(centres_.b(), levers_[1], -1.0, 9);
  centres_.write(curvature, K);
}

}  // namespace picus
