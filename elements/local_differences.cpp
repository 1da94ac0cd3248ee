#include <picus/elements/local_differences.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus {
namespace {

constexpr double unset = std::numeric_limits<double>::quiet_NaN();

struct Storage {
  Configuration q;
  Vector increment;
};

Storage& storage() {
  static thread_local Storage s;
  return s;
}

/// Calls visit(node, i) for the local component: component i of its node.
template <class Visit>
auto with_component(const Element& element, Index dof, const Visit& visit) {
  std::size_t at = 0;
  const auto nodes = element.nodes();
  while (dof >= velocity_size(nodes[at].kind)) dof -= velocity_size(nodes[at++].kind);
  return visit(nodes[at], dof);
}

}  // namespace

LocalConfiguration::LocalConfiguration(const Element& element, const Configuration& q)
    : element_(element), given_(q) {
  Storage& s = storage();
  if (s.q.data().size() != q.data().size()) s.q = Configuration(std::vector<double>(q.data().size(), unset));
  Index components = 0;
  for (const Node& node : element.nodes())
    components = std::max(components, node.v + velocity_size(node.kind));
  if (count_of(s.increment) < components) s.increment = Vector::Zero(components);
  restore();
}

LocalConfiguration::~LocalConfiguration() {
  for (const Node& node : element_.nodes())
    std::fill_n(storage().q.data().begin() + node.q, configuration_size(node.kind), unset);
}

const Configuration& LocalConfiguration::q() const {
  return storage().q;
}

void LocalConfiguration::move(Index dof, double by) {
  with_component(element_, dof, [&](const Node& node, Index i) {
    Storage& s = storage();
    s.increment.segment(node.v, velocity_size(node.kind)).setZero();
    s.increment[node.v + i] = by;
    retract({&node, 1}, s.q, s.increment, s.q);
  });
}

void LocalConfiguration::move(Index i, double by_i, Index j, double by_j) {
  const bool is_of_one_node = with_component(element_, i, [&](const Node& one, Index in_one) {
    return with_component(element_, j, [&](const Node& other, Index in_other) {
      if (!(one == other)) return false;
      Storage& s = storage();
      s.increment.segment(one.v, velocity_size(one.kind)).setZero();
      s.increment[one.v + in_one] = by_i;
      s.increment[one.v + in_other] = by_j;
      retract({&one, 1}, s.q, s.increment, s.q);
      return true;
    });
  });
  if (is_of_one_node) return;
  move(i, by_i);
  move(j, by_j);
}

void LocalConfiguration::move(std::span<const double> v, double by) {
  Storage& s = storage();
  std::size_t k = 0;
  for (const Node& node : element_.nodes()) {
    for (Index i = 0; i < velocity_size(node.kind); ++i) s.increment[node.v + i] = by * v[k++];
  }
  retract(element_.nodes(), s.q, s.increment, s.q);
}

void LocalConfiguration::restore() {
  for (const Node& node : element_.nodes()) {
    std::copy_n(given_.data().begin() + node.q, configuration_size(node.kind),
                storage().q.data().begin() + node.q);
  }
}

double DifferenceSteps::of(Index dof) const {
  return with_component(element_, dof, [&](const Node& node, Index i) {
    return 1e-3 * (node.kind != NodeKind::scalar && i < 3 ? length_ : 1.0);
  });
}

double DifferenceSteps::along(std::span<const double> v) const {
  double largest = 0.0;
  for (Index dof = 0; dof < count_of(v); ++dof) largest = std::max(largest, std::abs(v[dof]) / of(dof));
  return largest > 0 ? 1.0 / largest : 0.0;
}

SecondDifferences::SecondDifferences(const Element& element, const DifferenceSteps& steps, double centre)
    : element_(element), steps_(steps), centre_(centre) {}

void SecondDifferences::write(std::span<double> K) const {
  const Index n = element_.dof_count();
  std::fill(K.begin(), K.end(), 0.0);
  for (Index i = 0; i < n; ++i) {
    K[i * n + i] += squares_[i] / (step(i) * step(i));
    for (Index j = 0; j < i; ++j) {
      const double symmetric = 0.5 * mixed_[i * max_size + j] / (step(i) * step(j));
      K[j * n + i] += symmetric;
      K[i * n + j] += symmetric;
    }
  }
  Index first = 0;
  for (const Node& node : element_.nodes()) {
    if (node.kind == NodeKind::frame) {
      for (Index k = 0; k < 3; ++k) {
        const Index i = first + 3 + (k + 1) % 3;
        const Index j = first + 3 + (k + 2) % 3;
        // [X_j, X_i] = -X_k; column j of K holds X_j X_i in row i.
        const double half = 0.5 * first_[first + 3 + k] / step(first + 3 + k);
        K[j * n + i] -= half;
        K[i * n + j] += half;
      }
    }
    first += velocity_size(node.kind);
  }
}

void require_nodes_of_user(const Culprit& who, const Element& element, const Model& model) {
  const auto nodes = element.nodes();
  const auto refuse = [&](std::string_view why) { throw ModelError(who.text() + ": " + std::string(why)); };
  if (nodes.empty()) refuse("nodes is empty, nothing is acted on");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    model.require_node(nodes[i], who.text(), fmt::format("nodes[{}]", i));
    for (std::size_t j = 0; j < i; ++j) {
      if (nodes[i] == nodes[j]) refuse(fmt::format("nodes[{}] and nodes[{}] are the same", j, i));
    }
  }
  if (element.dof_count() > max_local_dofs) {
    refuse(fmt::format("its nodes have {} velocity components, more than the {} of one element",
                       element.dof_count(), max_local_dofs));
  }
}

}  // namespace picus
