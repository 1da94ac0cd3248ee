#include "overrun_check.hpp"

#include <picus/error.hpp>
#include <picus/local_dofs.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <typeindex>

namespace picus::detail {
namespace {

/// Storage followed by a guard area, which must not be changed.
class GuardedStorage {
 public:
  explicit GuardedStorage(std::size_t count) : count_(count), values_(count + margin, 0.0) {
    std::fill(values_.begin() + static_cast<std::ptrdiff_t>(count), values_.end(), guard);
  }
  std::span<double> span() { return {values_.data(), count_}; }
  bool is_overrun() const {
    return std::any_of(values_.begin() + static_cast<std::ptrdiff_t>(count_), values_.end(),
                       [](double value) { return value != guard; });
  }

 private:
  /// Large enough for a matrix with twice the rows.
  static constexpr std::size_t margin = max_local_dofs * max_local_dofs;
  static constexpr double guard =
      0.7390851332151607;  // which no element writes, and which any added value changes

  std::size_t count_;
  std::vector<double> values_;
};

class OverrunCheck {
 public:
  explicit OverrunCheck(const Model& model)
      : model_(model), q_(model.initial_configuration()), v_(model.velocity_count()) {
    // No velocity is zero by chance.
    for (Index i = 0; i < v_.size(); ++i) v_[i] = 0.1 + 0.01 * (i % 7);
  }

  void run() {
    for (const auto& one : model_.inertias()) check(one);
    for (const auto& one : model_.forces()) check(one);
    for (const auto& one : model_.constraints()) check(one);
    for (const auto& one : model_.contacts()) check(one);
    for (const auto& one : model_.observables()) check(one);
  }

 private:
  enum class Role : std::uint8_t { inertia, force, constraint, contact, observable };

  /// Whether no element of this class and size has been tested in this role.
  bool is_new(const Element& element, Role role, Index rows) {
    return tried_.emplace(std::type_index(typeid(element)), role, element.dof_count(), rows).second;
  }

  template <class Write>
  void try_out(std::string_view role, const Element& element, std::string_view what, Index rows,
               Index columns, const Write& write) {
    GuardedStorage storage(rows * columns);
    write(storage.span());
    if (storage.is_overrun()) refuse(role, element, what, rows, columns);
  }

  [[noreturn]] static void refuse(std::string_view role, const Element& element, std::string_view what,
                                  Index rows, Index columns) {
    throw ModelError(fmt::format("{} \"{}\" writes past the {} x {} entries of {}()", role, element.name(),
                                 rows, columns, what));
  }

  void check(const InRole<Inertia>& one) {
    const Index n = one.element->dof_count();
    if (!is_new(*one.element, Role::inertia, 0)) return;
    try_out("element", *one.element, "mass", n, n, [&](auto out) { one.role->mass(q_, out); });
    if (one.role->has_constant_mass()) return;
    const std::vector<double> w = gathered(*one.element);
    try_out("element", *one.element, "mass_gradient", n, n,
            [&](auto out) { one.role->mass_gradient(q_, w, out); });
  }

  void check(const InRole<Force>& one) {
    const Index n = one.element->dof_count();
    if (!is_new(*one.element, Role::force, 0)) return;
    const Motion motion{q_, v_, 0.0};
    try_out("force", *one.element, "force", n, 1, [&](auto out) { one.role->force(motion, out); });
    const Force::Traits traits = one.role->traits();
    if (traits.depends_on_configuration || traits.depends_on_velocity) {
      GuardedStorage damping(n * n);
      try_out("force", *one.element, "tangents", n, n,
              [&](auto stiffness) { one.role->tangents(motion, stiffness, damping.span()); });
      if (damping.is_overrun()) refuse("force", *one.element, "tangents", n, n);
    }
    if (!traits.has_potential || traits.is_conservative) return;
    try_out("force", *one.element, "conservative_force", n, 1,
            [&](auto out) { one.role->conservative_force(q_, 0.0, out); });
  }

  void check(const InRole<BilateralConstraint>& one) {
    const Index n = one.element->dof_count();
    const Index m = one.role->row_count();
    if (!is_new(*one.element, Role::constraint, m)) return;
    const auto attempt = [&](std::string_view what, Index rows, Index columns, const auto& write) {
      try_out("constraint", *one.element, what, rows, columns, write);
    };
    const std::vector<double> lambda(m, 1.0);
    const std::vector<double> v = gathered(*one.element);
    attempt("residual", m, 1, [&](auto out) { one.role->residual(q_, 0.0, out); });
    attempt("gradient", m, n, [&](auto out) { one.role->gradient(q_, 0.0, out); });
    attempt("geometric_stiffness", n, n,
            [&](auto out) { one.role->geometric_stiffness(q_, 0.0, lambda, out); });
    attempt("rate_jacobian", m, n, [&](auto out) { one.role->rate_jacobian(q_, 0.0, v, out); });
    if (!one.role->is_rheonomic()) return;
    attempt("partial_rate", m, 1, [&](auto out) { one.role->partial_rate(q_, 0.0, out); });
  }

  void check(const InRole<Contact>& one) {
    const Index n = one.element->dof_count();
    const Index m = one.role->row_count();
    if (!is_new(*one.element, Role::contact, m)) return;
    const auto attempt = [&](std::string_view what, Index rows, Index columns, const auto& write) {
      try_out("contact", *one.element, what, rows, columns, write);
    };
    const std::vector<double> p(m, 1.0);
    attempt("displacement", m, 1, [&](auto out) { one.role->displacement(q_, q_, out); });
    attempt("gradient", m, n, [&](auto out) { one.role->gradient(q_, out); });
    attempt("geometric_stiffness", n, n, [&](auto out) { one.role->geometric_stiffness(q_, p, out); });
  }

  void check(const InRole<Observable>& one) {
    Index count = 0;
    for (const Quantity& quantity : one.role->quantities()) count += quantity.size();
    if (!is_new(*one.element, Role::observable, count)) return;
    const Motion motion{q_, v_, 0.0};
    try_out("element", *one.element, "observe", count, 1, [&](auto out) { one.role->observe(motion, out); });
  }

  std::vector<double> gathered(const Element& element) const {
    std::vector<double> local(element.dof_count());
    gather(element, v_, local);
    return local;
  }

  const Model& model_;
  const Configuration q_;
  Vector v_;
  std::set<std::tuple<std::type_index, Role, Index, Index>> tried_;
};

}  // namespace

void refuse_overruns(const Model& model) {
  OverrunCheck(model).run();
}

}  // namespace picus::detail
