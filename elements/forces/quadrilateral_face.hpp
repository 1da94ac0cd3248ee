#pragma once

/// A bilinear face of four point nodes, counterclockwise as seen from outside, on the square [-1, 1]^2:
///
///     x(xi, eta) = sum_a N_a x_a,   N_a = (1 + xi_a xi)(1 + eta_a eta)/4,   n dA = x_,xi x x_,eta dxi deta.

#include <picus/checks.hpp>
#include <picus/elements/forces/quadrilateral_nodes.hpp>
#include <picus/error.hpp>
#include <picus/model.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <array>

namespace picus {

/// N_a and its derivatives at a point of the 2 x 2 Gauss rule, whose weights are 1.
struct FacePoint {
  Eigen::Vector4d N;      ///< at the four nodes
  Eigen::Vector4d N_xi;   ///< dN/dxi
  Eigen::Vector4d N_eta;  ///< dN/deta
};

/// The 2 x 2 rule is exact for the integrals of N_a n dA, which are of degree two in each direction.
inline const std::array<FacePoint, 4>& face_points() {
  static const std::array<FacePoint, 4> points = [] {
    constexpr double c = 0.57735026918962576451;
    const Eigen::Array4d xi(-1, 1, 1, -1);
    const Eigen::Array4d eta(-1, -1, 1, 1);
    std::array<FacePoint, 4> result;
    for (Index g = 0; g < 4; ++g) {
      const Eigen::Array4d along_xi = 1 + c * xi[g] * xi;
      const Eigen::Array4d along_eta = 1 + c * eta[g] * eta;
      result[g] = {along_xi * along_eta / 4, xi * along_eta / 4, eta * along_xi / 4};
    }
    return result;
  }();
  return points;
}

/// Positions of the nodes as columns.
using FaceCorners = Eigen::Matrix<double, 3, 4>;

/// The positions of the nodes of a face at q.
inline FaceCorners face_corners(std::span<const Node> nodes, const Configuration& q) {
  FaceCorners x;
  for (std::size_t a = 0; a < 4; ++a) x.col(a) = q.position(nodes[a]);
  return x;
}

/// Throws ModelError unless these are four different nodes that span a nonzero area without folds.
inline void require_face(const Culprit& who, const QuadrilateralNodes& face, const Model& model) {
  for (std::size_t a = 0; a < 4; ++a) {
    model.require_node(face[a], who.text(), fmt::format("face[{}]", a));
    for (std::size_t b = 0; b < a; ++b) {
      if (face[a] == face[b]) {
        throw ModelError(fmt::format("{}: node \"{}\" is both face[{}] and face[{}]", who.text(),
                                     model.node_name(face[a]), b, a));
      }
    }
  }
  const std::array<Node, 4> nodes = {face[0], face[1], face[2], face[3]};
  const FaceCorners x = face_corners(nodes, model.initial_configuration());
  const Vec3 normal = (x.col(2) - x.col(0)).cross(x.col(3) - x.col(1));
  const double scale = (x.colwise() - x.col(0)).colwise().squaredNorm().maxCoeff();
  for (Index a = 0; a < 4; ++a) {
    const Vec3 at_corner = (x.col((a + 1) % 4) - x.col(a)).cross(Vec3(x.col((a + 3) % 4) - x.col(a)));
    if (!(at_corner.dot(normal) > 1e-12 * scale * normal.norm())) {
      throw ModelError(fmt::format("{}: the face is degenerate or folded at face[{}], \"{}\"", who.text(), a,
                                   model.node_name(face[a])));
    }
  }
}

}  // namespace picus
