#include <picus/solvers/subproblems/mean_mass.hpp>

namespace picus {

const MassMatrix* MeanMass::average(const MassMatrix& mass, const Configuration& q_n,
                                    const BodyGroups& groups, const ContactGroups& contacts) {
  if (!mean_) return nullptr;
  is_averaged_.resize(mass.matrix().size);
  for (Index dof = 0; dof < mass.matrix().size; ++dof)
    is_averaged_[dof] = contacts.stays_closed(groups.of_dof(dof)) ? 1 : 0;
  mean_->assemble(q_n);
  mean_->average(mass, is_averaged_);
  return &*mean_;
}

}  // namespace picus
