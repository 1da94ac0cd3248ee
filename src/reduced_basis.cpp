#include <picus/error.hpp>
#include <picus/reduced_basis.hpp>
#include <picus/so3.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus {
namespace {

[[noreturn]] void refuse(const ReducedBasis& basis, const std::string& what) {
  throw ModelError(fmt::format("reduced basis \"{}\": {}", basis.name, what));
}

void require_size(const ReducedBasis& basis, std::string_view what,
                  const Eigen::Ref<const Eigen::MatrixXd>& matrix, Index rows, Index columns) {
  if (matrix.rows() != rows || matrix.cols() != columns) {
    refuse(basis,
           fmt::format("{} is {} x {}, must be {} x {}", what, matrix.rows(), matrix.cols(), rows, columns));
  }
  if (!matrix.allFinite()) refuse(basis, fmt::format("{} has entries that are not finite", what));
}

void require_symmetric(const ReducedBasis& basis, std::string_view what, const Eigen::MatrixXd& matrix,
                       double sign) {
  const double largest = matrix.cwiseAbs().maxCoeff();
  if ((matrix - sign * matrix.transpose()).cwiseAbs().maxCoeff() > 1e-9 * largest)
    refuse(basis, fmt::format("{} is not {}symmetric", what, sign < 0 ? "anti" : ""));
}

void check_point(const ReducedBasis& basis, const ReducedPoint& point) {
  const Index m = basis.mode_count();
  const std::string of = fmt::format(" of \"{}\"", point.name);
  require_size(basis, "position" + of, point.position, 3, 1);
  require_size(basis, "translation" + of, point.translation, 3, m);
  if (point.kind == NodeKind::scalar)
    refuse(basis, fmt::format("\"{}\" is a scalar, which has no position", point.name));
  const std::size_t forces = point.kind == NodeKind::frame ? 6 : 3;
  if (!point.stiffening.empty() && point.stiffening.size() != forces) {
    refuse(basis, fmt::format("stiffening{} has {} matrices, must have {} or none", of,
                              point.stiffening.size(), forces));
  }
  for (const Eigen::MatrixXd& one : point.stiffening) {
    require_size(basis, "stiffening" + of, one, m, m);
    if (m > 0) require_symmetric(basis, "stiffening" + of, one, 1.0);
  }
  if (point.kind != NodeKind::frame) return;
  require_size(basis, "rotation" + of, point.rotation, 3, m);
  require_size(basis, "axes" + of, point.axes, 3, 3);
  if ((point.axes.transpose() * point.axes - Mat3::Identity()).norm() > 1e-9 || point.axes.determinant() < 0)
    refuse(basis, "axes" + of + " are not a rotation");
}

/// a . b and the other products of two displacement fields, summed with the masses between nodes.
class FieldProducts {
 public:
  explicit FieldProducts(const ReducedShapes& shapes) {
    std::vector<Index> node_of(shapes.size, -1);
    for (Index i = 0; i < count_of(shapes.nodes); ++i) {
      for (Index a = 0; a < 3; ++a) node_of[shapes.first_row[i] + a] = i;
    }
    for (const auto& [row, column, value] : shapes.mass) {
      const Index i = node_of[row], j = node_of[column];
      if (i < 0 || j < 0 || row - shapes.first_row[i] != column - shapes.first_row[j]) continue;
      entries_.push_back({i, j, value / 3});
    }
  }
  /// The mean over the three directions of the mass between two nodes, for all fields at once.
  Eigen::MatrixXd weighted(const Eigen::MatrixXd& field) const {
    Eigen::MatrixXd product = Eigen::MatrixXd::Zero(field.rows(), field.cols());
    for (const auto& [i, j, m] : entries_) product.row(i) += m * field.row(j);
    return product;
  }

 private:
  std::vector<ReducedShapes::Entry> entries_;  ///< between nodes
};

Symmetric3 components(const Mat3& S) {
  Symmetric3 c;
  c << S(0, 0), S(1, 1), S(2, 2), 0.5 * (S(0, 1) + S(1, 0)), 0.5 * (S(1, 2) + S(2, 1)),
      0.5 * (S(2, 0) + S(0, 2));
  return c;
}

/// sum m_ij a_i x b_j and -sum m_ij a_i^ b_j^ from sum m_ij a_i b_j^T.
Vec3 cross_sum(const Mat3& ab) {
  return {ab(1, 2) - ab(2, 1), ab(2, 0) - ab(0, 2), ab(0, 1) - ab(1, 0)};
}
Mat3 inertia_sum(const Mat3& ab) {
  return ab.trace() * Mat3::Identity() - ab.transpose();
}

/// Velocities of all nodes (in the layout of the mass matrix) due to V, Omega and each etad at eta = 0.
Eigen::MatrixXd velocity_map(const ReducedShapes& shapes, Index m) {
  Eigen::MatrixXd P = Eigen::MatrixXd::Zero(shapes.size, 6 + m);
  for (std::size_t i = 0; i < shapes.nodes.size(); ++i) {
    const ReducedPoint& node = shapes.nodes[i];
    const Index row = shapes.first_row[i];
    P.block<3, 3>(row, 0).setIdentity();
    P.block<3, 3>(row, 3) = -so3::skew(node.position);
    P.block(row, 6, 3, m) = node.translation;
    if (node.kind != NodeKind::frame) continue;
    P.block<3, 3>(row + 3, 3) = node.axes.transpose();
    P.block(row + 3, 6, 3, m) = node.rotation;
  }
  return P;
}

void check_shapes(const ReducedShapes& shapes) {
  const auto fail = [&](const std::string& what) {
    throw ModelError(fmt::format("reduced basis \"{}\": {}", shapes.name, what));
  };
  if (shapes.nodes.empty()) fail("it has no nodes");
  if (shapes.first_row.size() != shapes.nodes.size()) fail("first_row needs one entry for each node");
  const Index m = columns_of(shapes.nodes.front().translation);
  for (std::size_t i = 0; i < shapes.nodes.size(); ++i) {
    const ReducedPoint& node = shapes.nodes[i];
    const bool turns = node.kind == NodeKind::frame;
    const Index end = shapes.first_row[i] + (turns ? 6 : 3);
    if (shapes.first_row[i] < 0 || end > shapes.size)
      fail(fmt::format("rows of node \"{}\" are out of range", node.name));
    if (node.translation.cols() != m || (turns && node.rotation.cols() != m))
      fail(fmt::format("node \"{}\" does not have {} shapes", node.name, m));
  }
  for (const auto& [row, column, value] : shapes.mass) {
    if (row < 0 || column < 0 || row >= shapes.size || column >= shapes.size)
      fail(fmt::format("the mass matrix has an entry ({}, {}), but {} rows", row, column, shapes.size));
  }
}

}  // namespace

Mat3 symmetric3(const Symmetric3& c) {
  Mat3 S;
  S << c[0], c[3], c[5], c[3], c[1], c[4], c[5], c[4], c[2];
  return S;
}

Symmetric3 symmetric3_factors(const Vec3& a, const Vec3& b) {
  Symmetric3 c;
  c << a[0] * b[0], a[1] * b[1], a[2] * b[2], a[0] * b[1] + a[1] * b[0], a[1] * b[2] + a[2] * b[1],
      a[2] * b[0] + a[0] * b[2];
  return c;
}

Vec3 ReducedPoint::displaced(const Eigen::Ref<const Vector>& eta) const {
  Vec3 y = position + translation * eta;
  for (std::size_t c = 0; c < 3 && !stiffening.empty(); ++c) y[c] -= 0.5 * eta.dot(stiffening[c] * eta);
  return y;
}

Vec3 ReducedPoint::rotated(const Eigen::Ref<const Vector>& eta) const {
  Vec3 theta = rotation * eta;
  for (std::size_t c = 0; c < 3 && !stiffening.empty(); ++c)
    theta[c] -= 0.5 * eta.dot(stiffening[3 + c] * eta);
  return theta;
}

Vector ReductionAccuracy::frequency_errors() const {
  const Index count = std::min(count_of(frequencies), count_of(full_frequencies));
  return (frequencies.head(count) - full_frequencies.head(count)).cwiseQuotient(full_frequencies.head(count));
}

const ReducedPoint& ReducedBasis::point(std::string_view wanted) const {
  std::vector<std::string> known;
  for (const auto* list : {&interfaces, &nodes}) {
    for (const ReducedPoint& one : *list) {
      if (one.name == wanted) return one;
      known.push_back(one.name);
    }
  }
  refuse(*this, fmt::format("there is no interface or node \"{}\"{}", wanted, suggestion(wanted, known)));
}

void ReducedBasis::check() const {
  const Index m = mode_count();
  if (!(mass > 0) || !std::isfinite(mass))
    refuse(*this, fmt::format("mass is {} kg, must be positive", mass));
  require_size(*this, "first_moment", first_moment, 3, 1);
  require_size(*this, "N", N, 3, m);
  require_size(*this, "inertia", inertia, 3, 3);
  require_size(*this, "inertia_1", inertia_1, 6, m);
  require_size(*this, "L", L, 3, m);
  for (const Eigen::MatrixXd& component : inertia_2) {
    require_size(*this, "inertia_2", component, m, m);
    if (m > 0) require_symmetric(*this, "inertia_2", component, 1.0);
  }
  for (const Eigen::MatrixXd& component : L_1) {
    require_size(*this, "L_1", component, m, m);
    if (m > 0) require_symmetric(*this, "L_1", component, -1.0);
  }
  require_size(*this, "modal_mass", modal_mass, m, m);
  require_size(*this, "stiffness", stiffness, m, m);
  require_size(*this, "damping", damping, m, m);
  if (m > 0) {
    require_symmetric(*this, "modal_mass", modal_mass, 1.0);
    require_symmetric(*this, "stiffness", stiffness, 1.0);
  }
  if (!(largest_spin > 0))
    refuse(*this, fmt::format("largest_spin is {} rad/s, must be positive", largest_spin));
  if (!(largest_force > 0))
    refuse(*this, fmt::format("largest_force is {} N, must be positive", largest_force));
  if (!(largest_moment > 0))
    refuse(*this, fmt::format("largest_moment is {} N m, must be positive", largest_moment));
  for (const ReducedPoint& one : interfaces) check_point(*this, one);
  for (const ReducedPoint& one : nodes) check_point(*this, one);
  Eigen::MatrixXd M(6 + m, 6 + m);
  M.topLeftCorner<3, 3>() = mass * Mat3::Identity();
  M.block<3, 3>(0, 3) = -so3::skew(first_moment);
  M.block<3, 3>(3, 3) = inertia;
  M.block(0, 6, 3, m) = N;
  M.block(3, 6, 3, m) = L;
  M.bottomRightCorner(m, m) = modal_mass;
  const Eigen::MatrixXd upper = M.triangularView<Eigen::Upper>();
  const Vector scale = upper.diagonal().cwiseMax(0.0).cwiseSqrt();
  if (scale.minCoeff() == 0) refuse(*this, "a component has no mass");
  const Eigen::MatrixXd scaled = scale.asDiagonal().inverse() * upper * scale.asDiagonal().inverse();
  if (Eigen::LLT<Eigen::MatrixXd, Eigen::Upper>(scaled).info() != Eigen::Success)
    refuse(*this,
           "its mass matrix is not positive definite: shapes depend on each other or contain rigid motions");
}

ReducedBasis make_reduced_basis(const ReducedShapes& shapes) {
  check_shapes(shapes);
  const auto count = count_of(shapes.nodes);
  const auto m = columns_of(shapes.nodes.front().translation);
  // One column for the positions along each axis, and for each shape along each axis.
  Eigen::MatrixXd fields(count, 3 * (m + 1));
  for (Index i = 0; i < count; ++i) {
    const ReducedPoint& node = shapes.nodes[i];
    fields.row(i).head<3>() = node.position.transpose();
    for (Index k = 0; k < m; ++k) fields.row(i).segment<3>(3 * (k + 1)) = node.translation.col(k).transpose();
  }
  const FieldProducts products(shapes);
  const Eigen::MatrixXd G = fields.transpose() * products.weighted(fields);
  const auto product = [&](Index a, Index b) -> Mat3 { return G.block<3, 3>(3 * a, 3 * b); };

  const Eigen::MatrixXd P = velocity_map(shapes, m);
  const auto projected = [&](const std::vector<ReducedShapes::Entry>& entries) -> Eigen::MatrixXd {
    Eigen::MatrixXd MP = Eigen::MatrixXd::Zero(shapes.size, 6 + m);
    for (const auto& [row, column, value] : entries) MP.row(row) += value * P.row(column);
    const Eigen::MatrixXd full = P.transpose() * MP;
    return 0.5 * (full + full.transpose());
  };
  const Eigen::MatrixXd M = projected(shapes.mass);

  ReducedBasis basis;
  basis.name = shapes.name;
  basis.nodes = shapes.nodes;
  basis.mass = M.topLeftCorner<3, 3>().trace() / 3;
  const Mat3 moment = M.block<3, 3>(3, 0);
  basis.first_moment =
      0.5 * Vec3(moment(2, 1) - moment(1, 2), moment(0, 2) - moment(2, 0), moment(1, 0) - moment(0, 1));
  basis.inertia = M.block<3, 3>(3, 3);
  basis.N = M.block(0, 6, 3, m);
  basis.L = M.block(3, 6, 3, m);
  basis.modal_mass = M.bottomRightCorner(m, m);
  basis.inertia_1.resize(6, m);
  for (auto& component : basis.inertia_2) component.resize(m, m);
  for (auto& component : basis.L_1) component.resize(m, m);
  for (Index k = 0; k < m; ++k) {
    basis.inertia_1.col(k) = components(inertia_sum(product(0, k + 1)) + inertia_sum(product(k + 1, 0)));
    for (Index l = 0; l < m; ++l) {
      const Mat3 kl = product(k + 1, l + 1);
      const Symmetric3 second = components(inertia_sum(0.5 * (kl + product(l + 1, k + 1))));
      for (std::size_t c = 0; c < 6; ++c) basis.inertia_2[c](k, l) = second[c];
      const Vec3 cross = 0.5 * (cross_sum(kl) - cross_sum(product(l + 1, k + 1)));
      for (std::size_t a = 0; a < 3; ++a) basis.L_1[a](k, l) = cross[a];
    }
  }
  basis.stiffness = basis.damping = Eigen::MatrixXd::Zero(m, m);
  basis.largest_spin = std::numeric_limits<double>::infinity();
  return basis;
}

}  // namespace picus
