#include <picus/solvers/subproblems/mean_joint_directions.hpp>

#include <utility>

namespace picus {

MeanJointDirections::MeanJointDirections(const System& system)
    : system_(&system), G_n_(system.make_constraint_gradients()), mean_(G_n_) {}

const Gradients* MeanJointDirections::average(const Gradients& G, const Configuration& q_n, double t_n,
                                              const BodyGroups& groups, const ContactGroups& contacts) {
  if (system_->row_count() == 0) return nullptr;
  if (!std::exchange(has_G_n_, true)) system_->evaluate_gradients(q_n, t_n, G_n_);
  mean_.values = G.values;
  for (const auto& block : system_->constraints()) {
    if (!contacts.stays_closed(groups.of_row(block.first_row))) continue;
    const std::size_t end = block.first_source + block.rows * block.dofs;
    for (std::size_t i = block.first_source; i < end; ++i)
      mean_.values[i] = 0.5 * (mean_.values[i] + G_n_.values[i]);
  }
  return &mean_;
}

}  // namespace picus
