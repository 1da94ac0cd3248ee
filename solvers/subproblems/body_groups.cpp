#include <picus/solvers/subproblems/body_groups.hpp>
#include <picus/solvers/subproblems/disjoint_sets.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace picus {

using solvers::DisjointSets;

namespace {

/// Lower bound of the speed of one kind relative to the others.
constexpr double least_part = 1e-3;

/// Factor by which speeds may increase within a step without a contact between two groups being missed.
constexpr double speed_margin = 2.0;

bool is_held(const System& system, const Node& node) {
  for (Index i = 0; i < velocity_size(node.kind); ++i) {
    if (!system.model().is_fixed(node.v + i) || system.model().driven().contains(node.v + i)) return false;
  }
  return true;
}

/// Contacts connect only for a step; loads, such as gravity on many bodies, do not connect bodies.
bool joins(const Element& element) {
  if (dynamic_cast<const Contact*>(&element) != nullptr) return false;
  const auto* force = dynamic_cast<const Force*>(&element);
  return force == nullptr || !force->traits().is_load || dynamic_cast<const Inertia*>(&element) != nullptr ||
         dynamic_cast<const BilateralConstraint*>(&element) != nullptr;
}

}  // namespace

BodyGroups::BodyGroups(const System& system, const Scales& scales, const MassMatrix& mass)
    : system_(&system), scales_(&scales) {
  join_by_elements();
  gyration_.assign(root_.size(), 0.0);
  for (const Node& node : system.nodes()) {
    if (node.kind != NodeKind::frame) continue;
    double translation = 0;
    double rotation = 0;
    for (Index i = 0; i < 3; ++i) {
      translation = std::max(translation, mass.diagonal(node.v + i));
      rotation = std::max(rotation, mass.diagonal(node.v + 3 + i));
    }
    double& largest = gyration_[dof_group_[node.v]];
    if (translation > 0) largest = std::max(largest, 2.0 * std::sqrt(rotation / translation));
  }
  measure(system.model().initial_configuration());
}

void BodyGroups::join_by_elements() {
  const auto nodes = system_->nodes();
  std::vector<bool> is_still(nodes.size());
  std::vector<Index> place(system_->velocity_count(), 0);  // node of each component
  for (Index n = 0; n < count_of(nodes); ++n) {
    is_still[n] = is_held(*system_, nodes[n]);
    for (Index i = 0; i < velocity_size(nodes[n].kind); ++i) place[nodes[n].v + i] = n;
  }
  DisjointSets sets(count_of(nodes));
  const auto first_moving = [&](const Element& element) {
    for (const Node& node : element.nodes()) {
      if (const Index n = place[node.v]; !is_still[n]) return n;
    }
    return count_of(nodes);
  };
  for (const auto& element : system_->model().elements()) {
    if (!joins(*element)) continue;
    const Index first = first_moving(*element);
    for (const Node& node : element->nodes()) {
      if (const Index n = place[node.v]; !is_still[n]) sets.join(first, n);
    }
  }
  std::vector<Index> number(nodes.size(), -1);
  Index count = 0;
  dof_group_.assign(system_->velocity_count(), 0);
  for (Index n = 0; n < count_of(nodes); ++n) {
    Index& group = number[sets.find(n)];
    if (group < 0) group = count++;
    for (Index i = 0; i < velocity_size(nodes[n].kind); ++i) dof_group_[nodes[n].v + i] = group;
  }
  root_.resize(std::max(count, Index{1}));
  std::iota(root_.begin(), root_.end(), Index{0});
  size_.resize(root_.size());
  speed_n_.resize(root_.size());

  const auto group_of_node = [&](std::size_t n) { return dof_group_[nodes[n].v]; };
  const auto group_of = [&](const Element& element) {
    const Index first = first_moving(element);
    return first == count_of(nodes) ? Index{0} : group_of_node(first);
  };
  row_group_.assign(system_->row_count(), 0);
  for (const auto& block : system_->constraints()) {
    for (Index i = 0; i < block.rows; ++i) row_group_[block.first_row + i] = group_of(*block.element);
  }
  for (const auto& block : system_->contacts()) {
    const Index a = group_of(*block.element);
    Index b = a;
    for (const Node& node : block.element->nodes()) {
      const std::size_t n = place[node.v];
      if (!is_still[n] && group_of_node(n) != a) b = group_of_node(n);
    }
    if (a != b) joining_.push_back(contact_groups_.size());
    contact_groups_.emplace_back(a, b);
  }
  gap_n_.resize(joining_.size());

  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].kind != NodeKind::scalar && !is_still[n]) places_.emplace_back(n, group_of_node(n));
  }
  for (const auto& element : system_->model().elements()) {
    for (const Node& node : element->nodes()) {
      const std::size_t n = place[node.v];
      if (is_still[n] && node.kind != NodeKind::scalar && joins(*element))
        places_.emplace_back(n, group_of(*element));
    }
  }
  std::ranges::sort(places_);
  places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
}

// The root of a set of merged groups, which has the smallest number.
Index BodyGroups::top(Index group) const {
  while (find(group) != group) group = find(group);
  return group;
}

bool BodyGroups::join_by_contacts(const Configuration& q_n, const Vector& v_n, double h,
                                  std::span<const ContactState> states_n) {
  if (joining_.empty()) return false;
  for (PerKind& speed : speed_n_) speed = {};
  raise_speeds(v_n, speed_n_);
  std::array<double, max_contact_rows> g{};
  for (std::size_t i = 0; i < joining_.size(); ++i) {
    if (states_n[joining_[i]] != ContactState::gap) continue;
    const auto& block = system_->contacts()[joining_[i]];
    block.role->displacement(q_n, q_n, std::span(g.data(), block.rows));
    gap_n_[i] = g[0];
  }
  const auto speed_of = [&](Index group) {
    const PerKind& speed = speed_n_[top(group)];
    return speed[0] + speed[1] * length(group);
  };
  bool any = false;
  bool grows = true;
  while (grows) {
    grows = false;
    for (std::size_t i = 0; i < joining_.size(); ++i) {
      const auto [a, b] = contact_groups_[joining_[i]];
      const Index of_a = top(a);
      const Index of_b = top(b);
      const Index first = std::min(of_a, of_b);
      const Index second = std::max(of_a, of_b);
      if (first == second) continue;
      const bool is_closed = states_n[joining_[i]] != ContactState::gap;
      const double reached = speed_margin * h * (speed_of(a) + speed_of(b)) + rounding_of(a) + rounding_of(b);
      if (!is_closed && gap_n_[i] > reached) continue;
      PerKind& fastest = speed_n_[first];
      for (std::size_t kind = 0; kind < fastest.size(); ++kind)
        fastest[kind] = std::max(fastest[kind], speed_n_[second][kind]);
      root_[second] = first;
      grows = any = true;
    }
  }
  for (Index& root : root_) root = find(root);  // the entry of the smaller number already is its root
  return any;
}

void BodyGroups::begin_step(const Configuration& q_n, const Vector& v_n, double h,
                            std::span<const ContactState> states_n) {
  std::iota(root_.begin(), root_.end(), Index{0});
  measure(q_n);
  if (join_by_contacts(q_n, v_n, h, states_n)) measure(q_n);
}

void BodyGroups::measure(const Configuration& q) {
  for (Size& size : size_) size = {};
  const auto nodes = system_->nodes();
  for (const auto& [n, group] : places_) {
    const Vec3 x = q.position(nodes[n]);
    Size& size = size_[find(group)];
    size.box.extend(x);
    size.distance_from_origin = std::max(size.distance_from_origin, x.norm());
  }
  for (Index g = 0; g < count_of(size_); ++g) {
    Size& size = size_[root_[g]];
    size.length = std::max(size.length, gyration_[g]);
    if (root_[g] == g && !size.box.isEmpty()) size.length = std::max(size.length, size.box.diagonal().norm());
  }
  for (Index g = 0; g < count_of(size_); ++g) {
    Size& size = size_[g];
    if (root_[g] != g) {
      size = size_[root_[g]];
    } else if (!(size.length > 0)) {
      size.length = system_->length_scale();
    }
  }
}

double BodyGroups::closing_distance(std::size_t contact) const {
  const auto [a, b] = contact_groups_[contact];
  return std::max(rounding_of(find(a)), rounding_of(find(b)));
}

void BodyGroups::raise_speeds(const Vector& v, std::vector<PerKind>& speed) const {
  for (Index dof = 0; dof < v.size(); ++dof) {
    double& largest = speed[of_dof(dof)][place_of(scales_->kind(dof))];
    largest = std::max(largest, std::abs(v[dof]));
  }
}

void BodyGroups::balance_speeds(std::vector<PerKind>& speed) const {
  for (std::size_t g = 0; g < speed.size(); ++g) {
    PerKind& s = speed[g];
    s[0] = std::max({s[0], least_part * size_[g].length * s[1], least_part * s[2]});
    s[1] = std::max(s[1], least_part * s[0] / size_[g].length);
    s[2] = std::max(s[2], least_part * s[1]);
  }
}

}  // namespace picus
