#include <picus/elements/contacts/face.hpp>
#include <picus/elements/contacts/user_contact.hpp>
#include <picus/elements/local_differences.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace picus {

UserContact::UserContact(Parameters parameters, const Model& model)
    : Element(parameters.name, parameters.nodes), parameters_(std::move(parameters)) {
  const Culprit who{"user contact", name()};
  require_nodes_of_user(who, *this, model);
  if (!parameters_.gap) throw ModelError(who.text() + ": gap is not given");
  law_ = checked_law(who, parameters_.mu, parameters_.e_n, parameters_.e_t, parameters_.friction_directions,
                     parameters_.impact_law);
  if (law_.friction_directions > 0 && !parameters_.coordinates) {
    throw ModelError(fmt::format("{}: mu is {}, but no coordinates are given", who.text(), law_.mu));
  }
  require_positive(who, "length", parameters_.length, "m");
  std::array<double, max_contact_rows> values{};
  evaluate(model.initial_configuration(), std::span(values.data(), row_count()));
  require_finite(who, "gap at the start", values[0], "m");
  for (Index i = 1; i < row_count(); ++i)
    require_finite(who, fmt::format("coordinate {} at the start", i), values[i], "m");
}

void UserContact::evaluate(const Configuration& q, std::span<double> values) const {
  values[0] = parameters_.gap(q);
  if (values.size() == 1) return;
  std::fill(values.begin() + 1, values.end(), 0.0);
  parameters_.coordinates(q, values.subspan(1));
}

void UserContact::displacement(const Configuration& q_n, const Configuration& q, std::span<double> g) const {
  evaluate(q, g);
  if (g.size() == 1) return;
  std::array<double, max_contact_rows> before{};
  parameters_.coordinates(q_n, std::span(before.data(), g.size() - 1));
  for (std::size_t i = 1; i < g.size(); ++i) g[i] -= before[i - 1];
}

void UserContact::gradient(const Configuration& q, std::span<double> G) const {
  const Index m = row_count();
  const DifferenceSteps steps(*this, parameters_.length);
  LocalConfiguration moved(*this, q);
  for (Index j = 0; j < dof_count(); ++j) {
    central_difference(steps.of(j), G.subspan(j * m, m), [&](double by, std::span<double> values) {
      moved.move(j, by);
      evaluate(moved.q(), values);
      moved.restore();
    });
  }
}

void UserContact::geometric_stiffness(const Configuration& q, std::span<const double> p,
                                      std::span<double> K) const {
  const DifferenceSteps steps(*this, parameters_.length);
  LocalConfiguration moved(*this, q);
  std::array<double, max_contact_rows> storage{};
  const std::span<double> values(storage.data(), row_count());
  second_derivatives(*this, moved, steps, K, [&](const LocalConfiguration& at) {
    evaluate(at.q(), values);
    return std::inner_product(values.begin(), values.end(), p.begin(), 0.0);
  });
}

}  // namespace picus
