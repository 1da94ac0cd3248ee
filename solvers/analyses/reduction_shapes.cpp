#include <picus/error.hpp>
#include <picus/so3.hpp>
#include <picus/solvers/analyses/reduction_shapes.hpp>

#include <fmt/format.h>

namespace picus::solvers {
namespace {

/// Motion or deformation, relative to the largest displacement of a shape, up to which a component counts as
/// fixed and an interface as rigid.
constexpr double negligible_motion = 1e-6;

double along(const std::vector<std::pair<Index, double>>& terms, const Eigen::Ref<const Vector>& x) {
  double sum = 0.0;
  for (const auto& [component, value] : terms) sum += value * x[component];
  return sum;
}

/// A shape with its place, for messages.
class GivenShape {
 public:
  GivenShape(const System& system, std::size_t place, const ReductionShape& shape)
      : system_(system), place_(place), u_(Vector::Zero(system.velocity_count())) {
    if (!shape.translation) refuse("has no translation");
    const Configuration& q = system.model().initial_configuration();
    for (const Node& node : system.nodes()) {
      if (node.kind == NodeKind::scalar) continue;
      u_.segment<3>(node.v) = shape.translation(q.position(node));
      if (node.kind != NodeKind::frame) continue;
      if (!shape.rotation) refuse(fmt::format("has no rotation for \"{}\"", name_of(node)));
      u_.segment<3>(node.v + 3) = q.rotation(node).transpose() * shape.rotation(q.position(node));
    }
    if (!u_.allFinite()) refuse("is not finite");
    largest_ = u_.lpNorm<Eigen::Infinity>();
    if (!(largest_ > 0)) refuse("moves nothing");
  }

  /// Components that must not move are set to zero.
  const Vector& held() {
    for (const Node& node : system_.nodes()) {
      for (Index k = node.v; k < node.v + velocity_size(node.kind); ++k) {
        if (system_.free_index()[k] >= 0) continue;
        if (std::abs(u_[k]) > negligible_motion * largest_)
          refuse(fmt::format("moves \"{}\" along a component that is fixed", name_of(node)));
        u_[k] = 0.0;
      }
    }
    return u_;
  }

  void require_rigid(const PartInterface& interface) const {
    const Eigen::MatrixXd moved = interface.displacements(u_);
    for (const PartInterface::Tie& tie : interface.ties) {
      if (std::abs(along(tie.components, u_) + along(tie.displacements, moved.col(0))) >
          negligible_motion * largest_)
        refuse(fmt::format("deforms interface \"{}\", which is rigid", interface.name));
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw ModelError(fmt::format("\"{}\": shape {} {}", system_.model().name(), place_ + 1, what));
  }
  std::string name_of(const Node& node) const { return std::string(system_.model().node_name(node)); }

  const System& system_;
  std::size_t place_;
  Vector u_;
  double largest_ = 0.0;
};

}  // namespace

Eigen::MatrixXd given_shapes(const System& system, const std::vector<PartInterface>& interfaces,
                             const std::vector<ReductionShape>& shapes) {
  Eigen::MatrixXd columns(system.velocity_count(), count_of(shapes));
  for (Index i = 0; i < count_of(shapes); ++i) {
    GivenShape shape(system, i, shapes[i]);
    columns.col(i) = shape.held();
    for (const PartInterface& interface : interfaces) shape.require_rigid(interface);
  }
  return columns;
}

void hold_interface(const System& system, const PartInterface& frame, Eigen::MatrixXd& shapes) {
  const Eigen::MatrixXd rigid = rigid_motions(system);
  Eigen::MatrixXd moved = frame.displacements(shapes);
  for (Index k = 0; k < shapes.cols(); ++k) {
    const Vec3 turn = moved.col(k).tail<3>();
    moved.col(k).head<3>() -= turn.cross(frame.position);
    shapes.col(k) -= rigid * moved.col(k);
  }
}

}  // namespace picus::solvers
