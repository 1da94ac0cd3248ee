#pragma once

/// A reduced body of a few nodes with random masses and shapes, for tests of its elements.

#include <picus/reduced_basis.hpp>
#include <support/random.hpp>

#include <memory>
#include <string>

namespace picus::support {

/// Points and frames at random places; consistent masses between the points, rotational inertia at the frames.
struct RandomParts {
  ReducedShapes shapes;
  Eigen::MatrixXd point_mass;  ///< between nodes, in each direction
  std::vector<Mat3> inertia;   ///< of each node in its axes; zero for points
};

inline RandomParts random_parts(Random& random, Index points, Index frames, Index modes) {
  RandomParts parts;
  parts.shapes.name = "random";
  const Index count = points + frames;
  for (Index i = 0; i < count; ++i) {
    ReducedPoint node{.name = "node" + std::to_string(i),
                      .kind = i < points ? NodeKind::point : NodeKind::frame,
                      .position = random.vec3(),
                      .translation = 0.2 * random.matrix(3, modes)};
    parts.shapes.first_row.push_back(parts.shapes.size);
    parts.shapes.size += i < points ? 3 : 6;
    if (i >= points) {
      node.axes = random.rotation();
      node.rotation = 0.2 * random.matrix(3, modes);
    }
    parts.shapes.nodes.push_back(node);
  }
  const Eigen::MatrixXd root = random.matrix(count, count);
  parts.point_mass = root * root.transpose() + Eigen::MatrixXd::Identity(count, count);
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < count; ++j) {
      for (Index a = 0; a < 3; ++a)
        parts.shapes.mass.push_back(
            {parts.shapes.first_row[i] + a, parts.shapes.first_row[j] + a, parts.point_mass(i, j)});
    }
    const Eigen::MatrixXd factor = random.matrix(3, 3);
    parts.inertia.push_back(i < points ? Mat3::Zero() : Mat3(0.1 * factor * factor.transpose()));
    for (Index a = 0; i >= points && a < 3; ++a) {
      for (Index b = 0; b < 3; ++b)
        parts.shapes.mass.push_back(
            {parts.shapes.first_row[i] + 3 + a, parts.shapes.first_row[i] + 3 + b, parts.inertia[i](a, b)});
    }
  }
  return parts;
}

/// With random stiffness and damping, positive definite; the last frame is its interface "end", where forces stiffen it.
inline std::shared_ptr<const ReducedBasis> random_basis(unsigned seed, Index modes) {
  Random random(seed);
  ReducedBasis basis = make_reduced_basis(random_parts(random, 5, 3, modes).shapes);
  const Eigen::MatrixXd K = random.matrix(modes, modes), D = random.matrix(modes, modes);
  basis.stiffness = 10 * K * K.transpose();
  basis.damping = 0.1 * D * D.transpose();
  basis.interfaces = {basis.nodes.back()};
  basis.interfaces.front().name = "end";
  for (int c = 0; c < 6 && modes > 0; ++c) {
    const Eigen::MatrixXd one = random.matrix(modes, modes);
    basis.interfaces.front().stiffening.emplace_back(0.1 * (one + one.transpose()));
  }
  return std::make_shared<const ReducedBasis>(basis);
}

}  // namespace picus::support
