#include <picus/solvers/analyses/centrifugal_forces.hpp>
#include <picus/solvers/analyses/geometric_stiffness.hpp>
#include <picus/solvers/analyses/interface_kinematics.hpp>
#include <picus/solvers/analyses/reduction_stiffening.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace picus::solvers {
namespace {

/// The fraction of w^2 by which loads without stiffening may change it.
constexpr double tolerated = 0.01;
/// Buckling loads of a uniform rod over w_1^2 m L: pi^2 EI/L^2 hinged against 22.37^2 EI/(m L^3) free, and
/// (pi/2)^2 EI/L^2 against 3.516^2 EI/(m L^3) clamped at one end.
constexpr double free_buckling = 0.0197;
constexpr double clamped_buckling = 0.1996;
/// Buckling moment over buckling force times length of a round rod hinged at both ends (lateral buckling).
constexpr double buckling_moment = 0.28;

/// Ratio of the resistance of a shape to that of a load above which stresses are attributed to the shape. The
/// resistances of a rod of length L and thickness t to stretch and bending differ by a factor 4 (L/t)^2, those of a
/// strip to bending across and along it by less.
constexpr double much_more = 10.0;

/// A unit force or moment at an interface or node.
struct UnitLoad {
  ReducedPoint* point;
  std::size_t component;
};

/// The third derivative of the potential along three fields is the work of the stresses of each on the rotations by the
/// other two. That of a load's stresses is its geometric stiffness; that of a shape's is not, where the resistance of
/// the shape per rotation is much larger: the stretch of a rod stiffens it against bending, but bending under a
/// transverse force does not stiffen its stretch. If both were counted, the stretch would act twice.
class StiffnessShares {
 public:
  /// Resistances: elastic work over squared displacement gradient.
  explicit StiffnessShares(Vector shapes) : shapes_(std::move(shapes)) {}
  void apply(double resistance, Eigen::MatrixXd& K) const {
    const double own = std::pow(much_more * resistance, 2);
    if (!(own > 0)) return;
    for (Index k = 0; k < K.cols(); ++k) {
      for (Index l = 0; l < K.rows(); ++l)
        K(l, k) *= own / (own + shapes_[k] * shapes_[k] + shapes_[l] * shapes_[l]);
    }
  }

 private:
  Vector shapes_;
};

/// The largest difference of displacements of two nodes of an element over their distance, or rotation.
double displacement_gradient(const System& system, const Vector& u) {
  const Configuration& q = system.model().initial_configuration();
  double most = 0;
  for (const auto& [element, role] : system.model().forces()) {
    const auto nodes = element->nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].kind == NodeKind::scalar) continue;
      if (nodes[i].kind == NodeKind::frame) most = std::max(most, u.segment<3>(nodes[i].v + 3).norm());
      for (std::size_t j = 0; j < i; ++j) {
        if (nodes[j].kind == NodeKind::scalar) continue;
        const double distance = (q.position(nodes[i]) - q.position(nodes[j])).norm();
        const double difference = (u.segment<3>(nodes[i].v) - u.segment<3>(nodes[j].v)).norm();
        if (distance > 0) most = std::max(most, difference / distance);
      }
    }
  }
  return most;
}

Vector distributed(const PartInterface& one, Index component, Index size) {
  Vector force = Vector::Zero(size);
  for (const auto& [dof, value] : one.fit[component]) force[dof] += value;
  return force;
}

/// The point of a basis that is a node of its part.
ReducedPoint& point_of(ReducedBasis& basis, const System& system, const Node& node) {
  const std::span<const Node> nodes = system.nodes();
  const auto before = std::count_if(nodes.begin(), nodes.begin() + node.index,
                                    [](const Node& one) { return one.kind != NodeKind::scalar; });
  return basis.nodes[before];
}

/// Subtracts the second derivatives of displacements that follow from the definition of a point.
void subtract(const std::vector<Eigen::MatrixXd>& second, ReducedPoint& from) {
  for (std::size_t c = 0; c < from.stiffening.size() && c < second.size(); ++c)
    from.stiffening[c] -= second[c];
}

}  // namespace

void add_stiffening(ReducedBasis& basis, const StiffeningData& data, bool by_spin, bool by_interfaces) {
  const auto size = rows_of(data.shapes);
  std::vector<StaticResponse> responses;
  if (by_spin) {
    const Eigen::MatrixXd forces = find_centrifugal_forces(
        data.system, data.mass, data.frame >= 0 ? data.interfaces[data.frame].position : Vec3::Zero());
    for (Index c = 0; c < 6; ++c) responses.push_back(data.respond(forces.col(c)));
  }
  std::vector<UnitLoad> loads;
  for (Index i = 0; by_interfaces && i < count_of(data.interfaces); ++i) {
    if (i == data.frame) continue;
    for (const Index c : data.interfaces[i].movable) {
      loads.push_back({&basis.interfaces[i], static_cast<std::size_t>(c)});
      responses.push_back(data.respond(distributed(data.interfaces[i], c, size)));
    }
  }
  for (const Node& node : data.loaded_nodes) {
    for (Index c = 0; c < velocity_size(node.kind); ++c) {
      if (data.system.free_index()[node.v + c] < 0) continue;
      loads.push_back({&point_of(basis, data.system, node), static_cast<std::size_t>(c)});
      responses.push_back(data.respond(Vector::Unit(size, node.v + c)));
    }
  }
  Eigen::MatrixXd displacements(size, count_of(responses));
  for (Index i = 0; i < count_of(responses); ++i) displacements.col(i) = responses[i].displacement;
  GeometricStiffness stiffness = find_geometric_stiffness(data.system, displacements, data.shapes);
  if (stiffness.forces_are_linear) return;
  const Configuration& q = data.system.model().initial_configuration();

  const auto resistance = [&](double work, const Vector& u) {
    const double gradient = displacement_gradient(data.system, u);
    return gradient > 0 ? work / (gradient * gradient) : 0.0;
  };
  Vector of_shapes(basis.mode_count());
  for (Index k = 0; k < of_shapes.size(); ++k)
    of_shapes[k] = resistance(basis.stiffness(k, k), data.shapes.col(k));
  const StiffnessShares shares(of_shapes);
  const std::size_t first = by_spin ? 6 : 0;
  for (std::size_t i = 0; i < responses.size(); ++i) {
    Eigen::MatrixXd& K = stiffness.of[i];
    for (const PartInterface& one : data.interfaces) {
      if (i >= first) K += rigid_rotation_work(one, q, responses[i].nodal_force, data.shapes);
    }
    shares.apply(resistance(responses[i].work, responses[i].displacement), K);
  }

  basis.has_spin_stiffening = by_spin;
  for (std::size_t c = 0; by_spin && c < 6; ++c) basis.inertia_2[c] -= (c < 3 ? 1.0 : 0.5) * stiffness.of[c];
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const Eigen::MatrixXd& K = stiffness.of[first + i];
    std::vector<Eigen::MatrixXd>& all = loads[i].point->stiffening;
    const std::size_t count = velocity_size(loads[i].point->kind);
    if (all.empty()) all.assign(count, Eigen::MatrixXd::Zero(K.rows(), K.cols()));
    all[loads[i].component] = K;
  }
  for (std::size_t i = 0; i < data.interfaces.size(); ++i) {
    const PartInterface& one = data.interfaces[i];
    ReducedPoint& interface = basis.interfaces[i];
    if (!interface.stiffening.empty()) subtract(second_displacements(one, q, data.shapes), interface);
    for (const Node& node : one.nodes) {
      ReducedPoint& point = point_of(basis, data.system, node);
      if (!point.stiffening.empty()) subtract(second_displacements_of_node(one, node, q, data.shapes), point);
    }
  }
}

void limit_loads(ReducedBasis& basis, bool is_free) {
  if (basis.mode_count() == 0) return;
  const double lowest = basis.stiffness(0, 0);  // w^2
  if (!basis.has_spin_stiffening) basis.largest_spin = std::sqrt(tolerated * lowest);
  const bool has_all = std::ranges::all_of(basis.interfaces, [](const ReducedPoint& one) {
    return !one.stiffening.empty() || one.translation.isZero(0.0);
  });
  if (has_all) return;
  double length = 0;
  for (const ReducedPoint& a : basis.interfaces) {
    for (const ReducedPoint& b : basis.nodes) length = std::max(length, (a.position - b.position).norm());
  }
  basis.largest_force =
      tolerated * (is_free ? free_buckling : clamped_buckling) * lowest * basis.mass * length;
  basis.largest_moment = buckling_moment * length * basis.largest_force;
}

}  // namespace picus::solvers
