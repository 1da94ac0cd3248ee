#include <picus/checks.hpp>
#include <picus/elements/reduced/reduced_damping.hpp>
#include <picus/error.hpp>

namespace picus {
namespace {

std::vector<Node> coordinates_of(const ReducedDamping::Parameters& p) {
  const Culprit who{"reduced damping", p.name};
  if (p.body == nullptr) throw ModelError(who.text() + ": it has no body");
  if (p.body->coordinates().empty()) throw ModelError(who.text() + ": its body has no modes");
  return {p.body->coordinates().begin(), p.body->coordinates().end()};
}

}  // namespace

ReducedDamping::ReducedDamping(const Parameters& p, const Model& model)
    : Element(p.name, coordinates_of(p)), basis_(p.body->basis()), coordinates_(p.body->coordinates()) {
  model.require_element(p.body, Culprit{"reduced damping", name()}.text(), "body");
}

void ReducedDamping::force(const Motion& motion, std::span<double> f) const {
  Eigen::Map<Vector> vector(f.data(), dof_count());
  for (Index k = 0; k < dof_count(); ++k) vector -= basis_->damping.col(k) * motion.v[coordinates_[k].v];
}

void ReducedDamping::tangents(const Motion& /*motion*/, std::span<double> /*K*/, std::span<double> C) const {
  Eigen::Map<Eigen::MatrixXd>(C.data(), dof_count(), dof_count()) = basis_->damping;
}

}  // namespace picus
