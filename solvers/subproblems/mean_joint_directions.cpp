#include <picus/solvers/subproblems/mean_joint_directions.hpp>

#include <algorithm>
#include <utility>

namespace picus {

MeanJointDirections::MeanJointDirections(const System& system)
    : system_(&system), G_n_(system.make_constraint_gradients()), mean_(G_n_) {
  group_.reserve(system.model().nodes().size() + 1);  // each group has a node, except that of fixed bodies
}

const Gradients* MeanJointDirections::average(const Gradients& G, const Configuration& q_n, double t_n,
                                              const BodyGroups& groups,
                                              std::span<const ContactState> states_n,
                                              std::span<const ContactState> states) {
  if (system_->row_count() == 0) return nullptr;
  group_.resize(groups.count());
  std::ranges::fill(group_, Group::without);
  bool any = false;
  for (std::size_t c = 0; c < states_n.size(); ++c) {
    if (states[c] == ContactState::gap) continue;
    const Group found = states_n[c] == ContactState::gap ? Group::closing : Group::closed;
    any = any || found == Group::closed;
    for (const Index side : {groups.of_contact(c), groups.of_other_side(c)}) {
      Group& group = group_[side];
      group = std::max(group, found);
    }
  }
  if (!any) return nullptr;
  if (!std::exchange(has_G_n_, true)) system_->evaluate_gradients(q_n, t_n, G_n_);
  mean_.values = G.values;
  for (const auto& block : system_->constraints()) {
    if (group_[groups.of_row(block.first_row)] != Group::closed) continue;
    const std::size_t end = block.first_source + block.rows * block.dofs;
    for (std::size_t i = block.first_source; i < end; ++i)
      mean_.values[i] = 0.5 * (mean_.values[i] + G_n_.values[i]);
  }
  return &mean_;
}

}  // namespace picus
