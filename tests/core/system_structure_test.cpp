// Which rows need a multiplier, and which entries of gradients are stored.

#include <picus/system.hpp>
#include <support/differences.hpp>
#include <support/message.hpp>
#include <support/mixed_model.hpp>

#include <gtest/gtest.h>

#include <numbers>
#include <set>

namespace picus {
namespace {

using support::message_of;
using support::Random;

/// The three coordinates of a point are fixed: three rows.
class Pin : public Element, public BilateralConstraint {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint point;
    Vec3 place = Vec3::Zero();
    bool structural_zeros = true;
  };
  Pin(const Parameters& p, const Model&) : Element(p.name, {p.point.node}), p_(p) {}
  Index row_count() const override { return 3; }
  bool has_structural_zeros() const override { return p_.structural_zeros; }
  void residual(const Configuration& q, double, std::span<double> g) const override {
    vector_view<3>(g) = p_.point.position(q) - p_.place;
  }
  void gradient(const Configuration& q, double, std::span<double> G) const override {
    support::as_matrix(G, 3, dof_count()) = support::position_gradient(p_.point, q);
  }
  void geometric_stiffness(const Configuration& q, double, std::span<const double> lambda,
                           std::span<double> K) const override {
    support::as_matrix(K, dof_count(), dof_count()) =
        support::geometric_stiffness(p_.point, q, vector_view<3>(lambda));
  }
  void rate_jacobian(const Configuration& q, double, std::span<const double> v,
                     std::span<double> H) const override {
    support::as_matrix(H, 3, dof_count()) = support::rate_jacobian(p_.point, q, support::as_vector(v));
  }

 private:
  Parameters p_;
};

/// A planar body with a pin: the out-of-plane row constrains no free component.
struct PlanarPin {
  explicit PlanarPin(double out_of_plane = 0.0, bool structural_zeros = true) {
    body = model.add_frame("body", {.position = {0.2, -0.3, 0.1}});
    model.restrict_to_plane(body);
    model.add<Pin>({.name = "pin",
                    .point = {body, {1, 0, 0}},
                    .place = {1.2, -0.3, 0.1 - out_of_plane},
                    .structural_zeros = structural_zeros});
  }
  Model model;
  FrameNode body;
};

TEST(SystemStructure, RowsThatBindNothingFreeAreIdle) {
  const PlanarPin planar;
  const System system(planar.model);
  EXPECT_EQ(system.row_count(), 3);
  EXPECT_EQ(system.active_row_count(), 2);
  EXPECT_EQ(std::vector<Index>(system.active_row().begin(), system.active_row().end()),
            (std::vector<Index>{0, 1, -1}));
  for (const GradientEntry& e : system.constraint_pattern()) EXPECT_NE(e.row, 2);
}

TEST(SystemStructure, IdleRowsAreStillWatched) {
  const PlanarPin planar;
  const System system(planar.model);
  Configuration q = planar.model.initial_configuration();
  retract(system.nodes(), q, 0.5 * Vector::Unit(6, 2), q);
  Vector g = Vector::Zero(3);
  system.evaluate_constraint_residual(q, 0.0, g);
  EXPECT_NEAR(g[2], 0.5, 1e-15);
}

TEST(SystemStructure, AnIdleRowThatTheStartViolatesIsRefused) {
  EXPECT_NO_THROW((void)System(PlanarPin(1e-10).model)) << "rounding of a length";
  EXPECT_EQ(message_of<ModelError>([] { (void)System(PlanarPin(0.25).model); }),
            "row 3 of constraint \"pin\" is violated by 0.25 at the start, and it binds fixed or driven "
            "components only: nothing can satisfy it");
}

TEST(SystemStructure, EntriesThatVanishEverywhereAreDropped) {
  const PlanarPin planar;
  const System system(planar.model);
  std::set<std::pair<Index, Index>> kept;
  for (const GradientEntry& e : system.constraint_entries()) kept.emplace(e.row, e.dof - planar.body.v);
  // x and rz in the first row, y and rz in the second: nothing else moves the pin in the plane.
  EXPECT_EQ(kept, (std::set<std::pair<Index, Index>>{{0, 0}, {0, 5}, {1, 1}, {1, 5}}));
}

TEST(SystemStructure, AConstraintMayForbidDropping) {
  const PlanarPin planar(0.0, false);
  const System system(planar.model);
  EXPECT_EQ(system.active_row_count(), 3);
  EXPECT_EQ(system.constraint_entries().size(), 18u);
}

TEST(SystemStructure, ThePatternCoversRateGradients) {
  // Rotation about its own axis does not move the point, but changes how other rotations move it.
  Model model;
  const auto body = model.add_frame("body");
  model.add<Pin>({.name = "pin", .point = {body, {0, 1, 0}}, .place = {0, 1, 0}});
  const System system(model);
  std::set<std::pair<Index, Index>> gradient, pattern;
  for (const GradientEntry& e : system.constraint_entries()) gradient.emplace(e.row, e.dof);
  for (const GradientEntry& e : system.constraint_pattern()) pattern.emplace(e.row, e.dof);
  EXPECT_FALSE(gradient.contains({0, body.v + 4}));
  EXPECT_TRUE(pattern.contains({0, body.v + 4}));
  EXPECT_TRUE(std::includes(pattern.begin(), pattern.end(), gradient.begin(), gradient.end()));
}

/// A point above a bump on the floor that extends a millimetre from the origin: no random configuration hits it.
class Bump : public Element, public Contact {
 public:
  struct Parameters {
    std::string name;
    PointNode node;
    bool structural_zeros = true;
  };
  Bump(const Parameters& p, const Model&) : Element(p.name, {p.node}), p_(p) {}
  const ContactLaw& law() const override { return law_; }
  bool has_structural_zeros() const override { return p_.structural_zeros; }
  void displacement(const Configuration&, const Configuration& q, std::span<double> g) const override {
    const Vec3 x = q.position(p_.node);
    g[0] = x.z() - (is_near(x) ? 1e-3 - std::abs(x.x()) : 0.0);
  }
  void gradient(const Configuration& q, std::span<double> G) const override {
    const Vec3 x = q.position(p_.node);
    G[0] = is_near(x) ? std::copysign(1.0, x.x()) : 0.0;
    G[2] = 1.0;
  }
  void geometric_stiffness(const Configuration&, std::span<const double>, std::span<double>) const override {}

 private:
  static bool is_near(const Vec3& x) { return std::abs(x.x()) < 1e-3; }
  Parameters p_;
  ContactLaw law_{.friction_directions = 0};
};

TEST(SystemStructure, AContactMayForbidDropping) {
  for (const bool structural_zeros : {true, false}) {
    Model model;
    const PointNode point = model.add_point("point", {.position = {5e-4, 0, 1}});
    model.add<Bump>({.name = "bump", .node = point, .structural_zeros = structural_zeros});
    const System system(model);
    Gradients G = system.make_contact_gradients();
    system.evaluate_contact_gradients(model.initial_configuration(), G);
    Vector rate = Vector::Zero(1);
    System::multiply(system.contact_entries(), G, Vector(Vec3(1, 0, -2)), rate);
    // The slope of 1 counts only where its entry was kept.
    EXPECT_EQ(rate[0], structural_zeros ? -2.0 : -1.0);
  }
}

/// G v of all rows with all entries, the reference for the stored entries.
template <class Role, class Blocks>
Vector whole_rate(const Blocks& blocks, Index rows, const Configuration& q, double t, const Vector& v) {
  Vector rate = Vector::Zero(rows);
  for (const auto& block : blocks) {
    std::vector<double> G(block.rows * block.dofs, 0.0);
    if constexpr (std::is_same_v<Role, Contact>) {
      block.role->gradient(q, G);
    } else {
      block.role->gradient(q, t, G);
    }
    Vector local(block.dofs);
    Index k = 0;
    for (const Node& node : block.element->nodes()) {
      for (Index i = 0; i < velocity_size(node.kind); ++i) local[k++] = v[node.v + i];
    }
    rate.segment(block.first_row, block.rows) = support::as_matrix(G, block.rows, block.dofs) * local;
  }
  return rate;
}

TEST(SystemStructure, EntriesThatDrivenTurnsBringAboutAreKept) {
  // Initially the face is horizontal, and the normal has no x component; after a quarter turn it is along x.
  Model model;
  const auto face = model.add_frame("face");
  const auto slider = model.add_point("slider", {.position = {0.5, 1, 0}});
  model.drive(face, Component::rz, PrescribedMotion::constant_speed(1.0));
  model.fix(face, {Component::x, Component::y, Component::z, Component::rx, Component::ry});
  Mat3 axes;
  axes << 0, 1, 0, 1, 0, 0, 0, 0, 1;
  model.add<support::FaceContact>({.name = "contact", .point = slider, .face = face, .axes = axes});
  const System system(model);
  Configuration q = model.initial_configuration();
  retract(system.nodes(), q, std::numbers::pi / 2 * Vector::Unit(9, face.v + 5), q);
  const Vector v = Vector::LinSpaced(9, 1, 2);
  Gradients G = system.make_contact_gradients();
  system.evaluate_contact_gradients(q, G);
  Vector rate = Vector::Zero(system.contact_row_count());
  System::multiply(system.contact_entries(), G, v, rate);
  support::expect_near(rate, whole_rate<Contact>(system.contacts(), 3, q, 0, v), 1e-14, "gap rates");
}

TEST(SystemStructure, EntriesThatTimeBringsAboutAreKept) {
  // At t = 0 the wire lies along x and constrains the bead in y only; later it constrains x as well.
  Model model;
  const auto bead = model.add_point("bead", {.position = {1, 0, 0}});
  model.add<support::TurningWire>({.name = "wire", .point = bead});
  const System system(model);
  const Configuration& q = model.initial_configuration();
  const Vector v = Vec3(1, 2, 3);
  Gradients G = system.make_constraint_gradients();
  system.evaluate_gradients(q, 0.8, G);
  Vector rate = Vector::Zero(1);
  System::multiply(system.constraint_entries(), G, v, rate);
  support::expect_near(rate, whole_rate<BilateralConstraint>(system.constraints(), 1, q, 0.8, v), 1e-14,
                       "rate");
}

}  // namespace
}  // namespace picus
