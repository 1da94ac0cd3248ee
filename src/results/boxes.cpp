#include "boxes.hpp"

#include <picus/so3.hpp>

#include <Eigen/Eigenvalues>

#include <map>
#include <optional>

namespace picus::results {
namespace {

using Mat6 = Eigen::Matrix<double, 6, 6>;

/// What rounding leaves of zero, beside the mass or the moments of inertia.
constexpr double rounding = 1e-9;

/// M(q) of all elements on one frame node, by node.
std::map<Index, std::pair<Node, Mat6>> masses_of_frames(const Model& model) {
  std::map<Index, std::pair<Node, Mat6>> masses;
  for (const auto& [element, role] : model.inertias()) {
    if (element->nodes().size() != 1 || element->nodes()[0].kind != NodeKind::frame) continue;
    Mat6 M = Mat6::Zero();
    role->mass(model.initial_configuration(), {M.data(), 36});
    const Node& node = element->nodes()[0];
    masses.try_emplace(node.index, node, Mat6::Zero()).first->second.second += M;
  }
  return masses;
}

/// The box of a node with the mass matrix M = [m I, -m R c^; m c^ R^T, J - m c^ c^].
std::optional<Box> box_of(const Node& node, const Mat3& R, const Mat6& M) {
  const double m = M(0, 0);
  if (!(m > 0)) return std::nullopt;
  if (!(M.topLeftCorner<3, 3>() - m * Mat3::Identity()).isZero(rounding * m)) return std::nullopt;
  const Mat3 C = R.transpose() * M.topRightCorner<3, 3>() / -m;
  const Vec3 c(C(2, 1), C(0, 2), C(1, 0));
  if (!(C - so3::skew(c)).isZero(rounding * (1e-3 + c.norm()))) return std::nullopt;

  const Mat3 J = M.bottomRightCorner<3, 3>() + m * so3::skew(c) * so3::skew(c);
  const Eigen::SelfAdjointEigenSolver<Mat3> principal(0.5 * (J + J.transpose()));
  if (principal.info() != Eigen::Success) return std::nullopt;
  const Vec3 I = principal.eigenvalues();
  Box box;
  static_cast<Node&>(box.node) = node;
  box.centre = c;
  box.half = (1.5 / m * (Vec3::Constant(I.sum()) - 2 * I)).cwiseMax(0.0).cwiseSqrt();
  box.axes = principal.eigenvectors();
  if (box.axes.determinant() < 0) box.axes.col(2) *= -1;
  const double no_extent = 1e-6 * c.norm();  // the root of what rounding leaves of J
  if (!box.half.allFinite() || !(box.half.maxCoeff() > no_extent)) return std::nullopt;
  return box;
}

}  // namespace

std::vector<Box> find_boxes(const Model& model) {
  std::vector<Box> boxes;
  for (const auto& [index, mass] : masses_of_frames(model)) {
    const auto& [node, M] = mass;
    if (const auto box = box_of(node, model.initial_configuration().rotation(node), M)) boxes.push_back(*box);
  }
  return boxes;
}

}  // namespace picus::results
