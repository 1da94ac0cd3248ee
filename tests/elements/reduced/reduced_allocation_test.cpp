// Elements of reduced bodies and of given matrices allocate nothing when they are evaluated.

#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/reduced/add_reduced_body.hpp>
#include <picus/elements/reduced/matrix_coupling.hpp>
#include <picus/solvers/analyses/reduction.hpp>
#include <support/allocations.hpp>
#include <support/random.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace picus::reduced_allocation_test {
namespace {

#ifdef PICUS_COUNTS_ALLOCATIONS

using support::allocations_of;
using testing::IsEmpty;

/// Storage for the largest element.
struct Storage {
  std::vector<double> f = std::vector<double>(max_local_dofs);
  std::vector<double> G = std::vector<double>(6 * max_local_dofs);
  std::vector<double> K = std::vector<double>(max_local_dofs * max_local_dofs);
  std::vector<double> C = std::vector<double>(max_local_dofs * max_local_dofs);
};

/// Which of the methods that a time step calls allocate, of all elements of a model.
std::vector<std::string> allocating(const Model& model, const Configuration& q, const Vector& v) {
  Storage at;
  std::vector<std::string> names;
  const auto expect_none = [&](const Element& element, const char* what, const auto& call) {
    if (allocations_of(call) != 0) names.push_back(element.name() + ", " + what);
  };
  for (const auto& [element, inertia] : model.inertias()) {
    const std::size_t n = element->dof_count();
    expect_none(*element, "mass",
                [&, &inertia = inertia] { inertia->mass(q, std::span(at.K).first(n * n)); });
    if (inertia->has_constant_mass()) continue;
    expect_none(*element, "mass_gradient", [&, &inertia = inertia] {
      inertia->mass_gradient(q, std::span(at.f).first(n), std::span(at.K).first(n * n));
    });
  }
  for (const auto& [element, force] : model.forces()) {
    const std::size_t n = element->dof_count();
    const Motion motion{q, v, 0.0};
    expect_none(*element, "force", [&, &force = force] { force->force(motion, std::span(at.f).first(n)); });
    expect_none(*element, "tangents", [&, &force = force] {
      force->tangents(motion, std::span(at.K).first(n * n), std::span(at.C).first(n * n));
    });
    if (!force->traits().has_potential) continue;
    expect_none(*element, "potential_energy", [&, &force = force] { force->potential_energy(q, 0.0); });
  }
  for (const auto& [element, constraint] : model.constraints()) {
    const std::size_t n = element->dof_count();
    const auto rows = static_cast<std::size_t>(constraint->row_count());
    const std::array<double, 6> lambda = {1, 2, 3, 4, 5, 6};
    expect_none(*element, "residual",
                [&, &constraint = constraint] { constraint->residual(q, 0.0, std::span(at.f).first(rows)); });
    expect_none(*element, "gradient", [&, &constraint = constraint] {
      constraint->gradient(q, 0.0, std::span(at.G).first(rows * n));
    });
    expect_none(*element, "geometric_stiffness", [&, &constraint = constraint] {
      constraint->geometric_stiffness(q, 0.0, std::span(lambda).first(rows), std::span(at.K).first(n * n));
    });
    expect_none(*element, "rate_jacobian", [&, &constraint = constraint] {
      constraint->rate_jacobian(q, 0.0, std::span(at.C).first(n), std::span(at.G).first(rows * n));
    });
  }
  return names;
}

TEST(ReducedAllocation, ReducedBodiesMakeNone) {
  Model part("rod");
  const BeamMesh rod =
      make_beam(part, {.name = "rod",
                       .section = Section::rectangle(0.02, 0.03, {.E = 2e9, .nu = 0.3, .density = 1500}),
                       .to = Vec3(1, 0, 0),
                       .elements = 12});
  for (const int modes : {1, 20}) {
    const auto basis = std::make_shared<const ReducedBasis>(reduce(
        part,
        {.interfaces = {{.name = "root", .nodes = {rod.first()}}, {.name = "tip", .nodes = {rod.last()}}},
         .modes = modes,
         .damping_ratio = 0.01}));
    Model model("rod");
    Vector eta = Vector::Constant(basis->mode_count(), 1e-4);
    add_reduced_body(model, {.name = "rod",
                             .basis = basis,
                             .angular_velocity = {1, 2, 3},
                             .coordinates = eta,
                             .gravity = Vec3(0, 0, -9.81),
                             .nodes = {"rod[6]"}});
    const Vector v = Vector::Constant(model.velocity_count(), 0.1);
    EXPECT_THAT(allocating(model, model.initial_configuration(), v), IsEmpty()) << modes;
  }
}

TEST(ReducedAllocation, MatrixCouplingsMakeNone) {
  support::Random random(3);
  Model model("matrices");
  const FrameNode a = model.add_frame("a", {.position = {0, 0, 0}});
  const FrameNode b = model.add_frame("b", {.position = {1, 0, 0}});
  const PointNode p = model.add_point("p", {.position = {2, 0, 0}});
  const auto symmetric = [&](Index n) {
    const Eigen::MatrixXd block = random.matrix(n, n);
    return Eigen::MatrixXd(block + block.transpose());
  };
  for (const auto& [name, one] :
       {std::pair<std::string, Node>("aa", a), std::pair<std::string, Node>("pp", p)}) {
    const Index n = velocity_size(one.kind);
    model.add<MatrixCoupling>({.name = name,
                               .a = one,
                               .b = one,
                               .mass = symmetric(n),
                               .stiffness = symmetric(n),
                               .damping = symmetric(n)});
  }
  model.add<MatrixCoupling>({.name = "ab",
                             .a = a,
                             .b = b,
                             .mass = random.matrix(6, 6),
                             .stiffness = random.matrix(6, 6),
                             .damping = random.matrix(6, 6)});
  model.add<MatrixCoupling>({.name = "bp", .a = b, .b = p, .stiffness = random.matrix(6, 3)});
  Configuration q = model.initial_configuration();
  const Vector v = random.vector(model.velocity_count());
  retract(model.nodes(), q, 0.1 * v, q);
  EXPECT_THAT(allocating(model, q, v), IsEmpty());
}

#endif

}  // namespace
}  // namespace picus::reduced_allocation_test
