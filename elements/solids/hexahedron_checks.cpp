#include <picus/elements/solids/hexahedron_checks.hpp>

#include <fmt/format.h>

namespace picus::solids {

void require_nodes(const Culprit& who, const std::array<PointNode, 8>& nodes, const Model& model) {
  for (std::size_t a = 0; a < 8; ++a) {
    model.require_node(nodes[a], who.text(), fmt::format("nodes[{}]", a));
    for (std::size_t b = 0; b < a; ++b) {
      if (nodes[a] == nodes[b]) {
        throw ModelError(fmt::format("{}: node \"{}\" is both nodes[{}] and nodes[{}]", who.text(),
                                     model.node_name(nodes[a]), b, a));
      }
    }
  }
}

void require_volume(const Culprit& who, const std::array<PointNode, 8>& nodes, const Corners& X,
                    const Model& model) {
  // Relative to the box around the corners: smaller values are rounding errors of their positions.
  constexpr double rounding = 1e-12;
  const Vec3 box = (X.colwise().maxCoeff() - X.colwise().minCoeff()).transpose();
  const double smallest_allowed = rounding * std::pow(box.maxCoeff(), 3);
  std::size_t worst = 0;
  double smallest = std::numeric_limits<double>::infinity();
  double smallest_inside = smallest;
  for (std::size_t a = 0; a < 8; ++a) {
    // dX/dxi times the 8 m3 of the reference cube: the volume of a brick with the Jacobian of this corner.
    const double at_corner = 8 * jacobian(X, corner(a)).determinant();
    smallest_inside = std::min(smallest_inside, jacobian(X, gauss_point(a)).determinant());
    if (at_corner >= smallest) continue;
    smallest = at_corner;
    worst = a;
  }
  if (smallest > smallest_allowed && smallest_inside > 0) return;
  throw ModelError(
      fmt::format("{}: {}: at nodes[{}], \"{}\", its volume element is {:.6g} m3, must be positive",
                  who.text(), smallest < -smallest_allowed ? "turned inside out" : "degenerate", worst,
                  model.node_name(nodes[worst]), smallest));
}

std::string volume_fault(const Corners& x) {
  for (std::size_t a = 0; a < 8; ++a) {
    const double at_corner = 8 * jacobian(x, corner(a)).determinant();
    if (!(at_corner > 0))
      return fmt::format("is turned inside out at nodes[{}], where its volume element is {:.3g} m3", a,
                         at_corner);
  }
  for (std::size_t g = 0; g < point_count; ++g) {
    const double inside = 8 * jacobian(x, gauss_point(g)).determinant();
    if (!(inside > 0))
      return fmt::format("is turned inside out near nodes[{}], where its volume element is {:.3g} m3", g,
                         inside);
  }
  return {};
}

}  // namespace picus::solids
