#include "boxes.hpp"

#include <picus/so3.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace picus::results {
namespace {

using Mat6 = Eigen::Matrix<double, 6, 6>;

/// Rounding error of zero, relative to the mass or the moments of inertia.
constexpr double rounding = 1e-9;

/// M(q) of all elements on a single frame node, by node.
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

/// The parameters of the mass matrix M = [m I, -m R c^; m c^ R^T, J - m c^ c^] of a rigid body.
struct RigidMass {
  double m;
  Vec3 c;
  Mat3 J;
};

std::optional<RigidMass> rigid_mass(const Mat3& R, const Mat6& M) {
  const double m = M(0, 0);
  if (!(m > 0)) return std::nullopt;
  if (!(M.topLeftCorner<3, 3>() - m * Mat3::Identity()).isZero(rounding * m)) return std::nullopt;
  const Mat3 C = R.transpose() * M.topRightCorner<3, 3>() / -m;
  const Vec3 c(C(2, 1), C(0, 2), C(1, 0));
  if (!(C - so3::skew(c)).isZero(rounding * (1e-3 + c.norm()))) return std::nullopt;
  const Mat3 J = M.bottomRightCorner<3, 3>() + m * so3::skew(c) * so3::skew(c);
  return RigidMass{m, c, 0.5 * (J + J.transpose())};
}

bool moves_in_plane(const Model& model, const Node& node) {
  return model.is_fixed(node.v + 2) && model.is_fixed(node.v + 3) && model.is_fixed(node.v + 4);
}

/// a_y/a_x
double flatness(const Node& node, const Vec3& c, const std::vector<MaterialPoint>& points) {
  constexpr double flattest = 0.1;
  Vec3 reach = Vec3::Zero();
  for (const MaterialPoint& point : points) {
    if (point.node == node) reach = reach.cwiseMax((point.offset - c).cwiseAbs());
  }
  if (reach.x() == 0 && reach.y() == 0) return 1.0;
  return std::clamp(reach.y() / reach.x(), flattest, 1 / flattest);
}

std::optional<Box> box_of(const Node& node, const RigidMass& body, const Model& model,
                          const std::vector<MaterialPoint>& points) {
  Box box;
  static_cast<Node&>(box.node) = node;
  box.centre = body.c;
  if (moves_in_plane(model, node)) {
    const double ratio = flatness(node, body.c, points);
    const double a = std::sqrt(3 * std::max(body.J(2, 2), 0.0) / body.m / (1 + ratio * ratio));
    box.half = {a, ratio * a, 0.0};
    box.axes.setIdentity();
  } else {
    const Eigen::SelfAdjointEigenSolver<Mat3> principal(body.J);
    if (principal.info() != Eigen::Success) return std::nullopt;
    const Vec3& I = principal.eigenvalues();
    box.half = (1.5 / body.m * (Vec3::Constant(I.sum()) - 2 * I)).cwiseMax(0.0).cwiseSqrt();
    box.axes = principal.eigenvectors();
    if (box.axes.determinant() < 0) box.axes.col(2) *= -1;
  }
  const double no_extent = 1e-6 * body.c.norm();  // square root of the rounding error of J
  if (!box.half.allFinite() || !(box.half.maxCoeff() > no_extent)) return std::nullopt;
  return box;
}

}  // namespace

std::vector<Box> find_boxes(const Model& model, const std::vector<MaterialPoint>& points) {
  std::vector<Box> boxes;
  for (const auto& [index, mass] : masses_of_frames(model)) {
    const auto& [node, M] = mass;
    const auto body = rigid_mass(model.initial_configuration().rotation(node), M);
    if (!body) continue;
    if (const auto box = box_of(node, *body, model, points)) boxes.push_back(*box);
  }
  return boxes;
}

}  // namespace picus::results
