// The elements from which other tests are made: what they claim as derivatives are derivatives.

#include <picus/local_dofs.hpp>

#include <gtest/gtest.h>

#include <support/differences.hpp>
#include <support/mixed_model.hpp>

namespace picus::support {
namespace {

class SupportElements : public testing::Test {
 protected:
  /// d f(q)/dq with respect to the components of one element; f fills `size` numbers.
  template <class F>
  Eigen::MatrixXd by_configuration(const Element& element, std::size_t size, F&& f) {
    const auto function = [&](const Configuration& at) {
      std::vector<double> values(size, 0.0);
      f(at, std::span<double>(values));
      return Vector(as_vector(std::span<double>(values)));
    };
    const auto all = derivative_on_group(model.nodes(), q, model.velocity_count(), function);
    return columns_of(element, all);
  }

  static Eigen::MatrixXd columns_of(const Element& element, const Eigen::MatrixXd& all) {
    Eigen::MatrixXd result(all.rows(), element.dof_count());
    for_each_dof(element, [&](Index local, Index natural) { result.col(local) = all.col(natural); });
    return result;
  }

  static Eigen::MatrixXd matrix(std::size_t rows, std::size_t columns, std::span<double> storage) {
    return as_matrix(storage, static_cast<Index>(rows), static_cast<Index>(columns));
  }

  Random random{11};
  Model model = make_mixed_model(random);
  Configuration q = model.initial_configuration();
  Vector v = random.vector(model.velocity_count());
  double t = 0.7;
};

TEST_F(SupportElements, MassGradientsAreDerivativesOfTheMomentum) {
  for (const auto& [element, role] : model.inertias()) {
    const auto n = static_cast<std::size_t>(element->dof_count());
    std::vector<double> w(n), K(n * n, 0.0);
    gather(*element, v, w);
    role->mass_gradient(q, w, K);
    const auto momentum = [&, r = role](const Configuration& at, std::span<double> p) {
      std::vector<double> M(n * n, 0.0);
      r->mass(at, M);
      as_vector(p) = matrix(n, n, M) * as_vector(std::span<const double>(w));
    };
    expect_near(matrix(n, n, K), by_configuration(*element, n, momentum), difference_tolerance,
                element->name());
  }
}

TEST_F(SupportElements, ForceTangentsAreDerivativesOfTheForce) {
  for (const auto& [element, role] : model.forces()) {
    const auto n = static_cast<std::size_t>(element->dof_count());
    std::vector<double> K(n * n, 0.0), C(n * n, 0.0);
    role->tangents({q, v, t}, K, C);
    const auto force = [&, r = role](const Configuration& at, std::span<double> f) {
      r->force({at, v, t}, f);
    };
    expect_near(matrix(n, n, K), -by_configuration(*element, n, force), difference_tolerance,
                element->name());
    Eigen::MatrixXd by_velocity(static_cast<Index>(n), model.velocity_count());
    for (Index i = 0; i < model.velocity_count(); ++i) {
      by_velocity.col(i) = derivative([&, r = role](double s) {
        const Vector moved = v + s * Vector::Unit(v.size(), i);
        std::vector<double> f(n, 0.0);
        r->force({q, moved, t}, f);
        return Vector(as_vector(std::span<double>(f)));
      });
    }
    expect_near(matrix(n, n, C), -columns_of(*element, by_velocity), difference_tolerance, element->name());
  }
}

TEST_F(SupportElements, ConservativeForcesAreGradientsOfTheEnergy) {
  for (const auto& [element, role] : model.forces()) {
    const auto n = static_cast<std::size_t>(element->dof_count());
    const auto energy = [&, r = role](const Configuration& at, std::span<double> V) {
      V[0] = r->potential_energy(at, t);
    };
    std::vector<double> f(n, 0.0);
    if (role->traits().is_conservative) {
      const Vector at_rest = Vector::Zero(v.size());
      role->force({q, at_rest, t}, f);
    } else {
      role->conservative_force(q, t, f);
    }
    expect_near(matrix(1, n, f), -by_configuration(*element, 1, energy), difference_tolerance,
                element->name());
  }
}

TEST_F(SupportElements, ConstraintsHaveExactDerivatives) {
  for (const auto& [element, role] : model.constraints()) {
    const auto n = static_cast<std::size_t>(element->dof_count());
    const auto m = static_cast<std::size_t>(role->row_count());
    std::vector<double> G(m * n, 0.0), K(n * n, 0.0), H(m * n, 0.0), g_t(m, 0.0), local_v(n);
    gather(*element, v, local_v);
    const std::vector<double> lambda(m, 1.7);
    role->gradient(q, t, G);
    role->force_gradient(q, t, lambda, K);
    role->rate_gradient(q, t, local_v, H);
    role->partial_rate(q, t, g_t);
    const auto violation = [&, r = role](const Configuration& at, std::span<double> g) {
      r->violation(at, t, g);
    };
    const auto reaction = [&, r = role](const Configuration& at, std::span<double> f) {
      std::vector<double> local(m * n, 0.0);
      r->gradient(at, t, local);
      as_vector(f) = matrix(m, n, local).transpose() * as_vector(std::span<const double>(lambda));
    };
    const auto rate = [&, r = role](const Configuration& at, std::span<double> g) {
      std::vector<double> local(m * n, 0.0);
      r->gradient(at, t, local);
      r->partial_rate(at, t, g);
      as_vector(g) += matrix(m, n, local) * as_vector(std::span<const double>(local_v));
    };
    const Vector in_time = derivative([&, r = role](double s) {
      std::vector<double> g(m, 0.0);
      r->violation(q, t + s, g);
      return Vector(as_vector(std::span<double>(g)));
    });
    const auto& name = element->name();
    expect_near(matrix(m, n, G), by_configuration(*element, m, violation), difference_tolerance, name);
    expect_near(matrix(n, n, K), by_configuration(*element, n, reaction), difference_tolerance, name);
    expect_near(matrix(m, n, H), by_configuration(*element, m, rate), difference_tolerance, name);
    expect_near(matrix(m, 1, g_t), in_time, difference_tolerance, name);
  }
}

TEST_F(SupportElements, ContactsHaveExactDerivatives) {
  const Configuration q_n = q;
  q = moved_freely(System(model), q, random, 0.5);
  for (const auto& [element, role] : model.contacts()) {
    const auto n = static_cast<std::size_t>(element->dof_count());
    const auto m = static_cast<std::size_t>(role->row_count());
    std::vector<double> G(m * n, 0.0), K(n * n, 0.0);
    const Vector p = random.vector(static_cast<Index>(m));
    const std::span<const double> local_p(p.data(), m);
    role->gradient(q, G);
    role->curvature(q, local_p, K);
    const auto gap = [&, r = role](const Configuration& at, std::span<double> g) { r->gap(q_n, at, g); };
    const auto force = [&, r = role](const Configuration& at, std::span<double> f) {
      std::vector<double> local(m * n, 0.0);
      r->gradient(at, local);
      as_vector(f) = matrix(m, n, local).transpose() * p;
    };
    const auto& name = element->name();
    expect_near(matrix(m, n, G), by_configuration(*element, m, gap), difference_tolerance, name);
    expect_near(matrix(n, n, K), by_configuration(*element, n, force), difference_tolerance, name);
  }
}

}  // namespace
}  // namespace picus::support
