#include <picus/local_dofs.hpp>
#include <picus/so3.hpp>
#include <picus/solvers/analyses/rotating_frame.hpp>

#include <algorithm>

namespace picus::solvers {
RotatingFrame::RotatingFrame(const System& system, const SparseMatrix& pattern) : system_(&system) {
  const auto free_index = system.free_index();
  const Model& model = system.model();
  PatternBuilder builder(pattern.size);
  for (Index c = 0; c < pattern.size; ++c) {
    for (Index k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k)
      builder.add(pattern.row[k], c);
  }
  const auto add_square = [&](const Element& element) {
    for_each_dof(element, [&](Index, Index column) {
      for_each_dof(element, [&](Index, Index row) {
        if (free_index[row] >= 0 && free_index[column] >= 0) builder.add(free_index[row], free_index[column]);
      });
    });
  };
  for (const auto& [element, role] : model.inertias()) add_square(*element);
  for (const auto& [element, role] : model.forces()) {
    if (role->traits().depends_on_velocity) add_square(*element);
  }
  matrix_ = builder.compress();
  for (Index c = 0; c < pattern.size; ++c) {
    for (Index k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k)
      base_target_.push_back(matrix_.find(pattern.row[k], c));
  }
  for (const auto& [element, role] : model.inertias()) inertias_.push_back(list_square(*element));
  for (const auto& [element, role] : model.forces()) {
    forces_.push_back(role->traits().depends_on_velocity ? list_square(*element) : Square{0, 0});
  }
}

RotatingFrame::Square RotatingFrame::list_square(const Element& element) {
  const auto free_index = system_->free_index();
  const auto first = count_of(scatter_);
  const Index n = element.dof_count();
  for_each_dof(element, [&](Index c, Index column) {
    for_each_dof(element, [&](Index r, Index row) {
      const Index i = free_index[row];
      const Index j = free_index[column];
      if (i >= 0 && j >= 0) scatter_.push_back({c * n + r, i, j, matrix_.find(i, j)});
    });
  });
  local_.resize(std::max<std::size_t>(local_.size(), n * n));
  other_.resize(local_.size());
  return {first, count_of(scatter_)};
}

void RotatingFrame::rest(const Configuration& q, Vector& v, Vector& a) const {
  v.setZero(system_->velocity_count());
  a.setZero(system_->velocity_count());
  for (const Node& node : system_->nodes()) {
    if (node.kind == NodeKind::scalar) continue;
    const Vec3 u = w_.cross(q.position(node));
    v.segment<3>(node.v) = u;
    a.segment<3>(node.v) = w_.cross(u);
    if (node.kind == NodeKind::frame) v.segment<3>(node.v + 3) = q.rotation(node).transpose() * w_;
  }
}

void RotatingFrame::multiply(const Element& element, const Configuration& q, Term term,
                             std::span<double> block) const {
  const Index n = element.dof_count();
  Eigen::Map<Eigen::MatrixXd> matrix(block.data(), n, n);
  const Mat3 w = so3::skew(w_);
  const auto times = [&](Index column, const Mat3& factor) {
    for (Index r = 0; r < n; ++r) {
      const Eigen::RowVector3d row = matrix.block<1, 3>(r, column);
      matrix.block<1, 3>(r, column) = row * factor;
    }
  };
  Index column = 0;
  for (const Node& node : element.nodes()) {
    if (node.kind == NodeKind::scalar) {
      matrix.col(column).setZero();
    } else {
      times(column, term == Term::A ? Mat3(w * w) : term == Term::B ? Mat3(2 * w) : w);
      if (node.kind == NodeKind::frame) {
        times(column + 3, term == Term::A ? Mat3::Zero() : so3::skew(q.rotation(node).transpose() * w_));
      }
    }
    column += velocity_size(node.kind);
  }
}

template <class Add>
void RotatingFrame::for_each_term(const Motion& motion, double load_factor, bool gyroscopic, Add&& add) {
  const Model& model = system_->model();
  for (std::size_t e = 0; e < inertias_.size(); ++e) {
    const auto& [element, role] = model.inertias()[e];
    const std::span<double> M(local_.data(), element->dof_count() * element->dof_count());
    std::fill(M.begin(), M.end(), 0.0);
    role->mass(motion.q, M);
    multiply(*element, motion.q, gyroscopic ? Term::B : Term::A, M);
    add(*element, inertias_[e], M, 1.0);
  }
  for (std::size_t e = 0; e < forces_.size(); ++e) {
    const auto& [element, role] = model.forces()[e];
    const Force::Traits traits = role->traits();
    if (!traits.depends_on_velocity) continue;
    const std::size_t size = element->dof_count() * element->dof_count();
    const std::span<double> K(other_.data(), size);
    const std::span<double> C(local_.data(), size);
    std::fill(K.begin(), K.end(), 0.0);
    std::fill(C.begin(), C.end(), 0.0);
    role->tangents(motion, K, C);
    if (!gyroscopic) multiply(*element, motion.q, Term::V, C);
    add(*element, forces_[e], C, traits.is_load ? load_factor : 1.0);
  }
}

const SparseMatrix& RotatingFrame::combine(const SparseMatrix& base, const Motion& motion, double load_factor,
                                           const Chart& chart) {
  std::fill(matrix_.values.begin(), matrix_.values.end(), 0.0);
  for (std::size_t k = 0; k < base_target_.size(); ++k) matrix_.values[base_target_[k]] = base.values[k];
  for_each_term(motion, load_factor, false,
                [&](const Element& element, const Square& square, std::span<double> block, double factor) {
                  if (!chart.is_trivial(element)) chart.apply(element, element.dof_count(), block);
                  for (Index k = square.first; k < square.last; ++k) {
                    const Scatter& s = scatter_[k];
                    matrix_.values[s.target] += factor * block[s.source];
                  }
                });
  return matrix_;
}

Eigen::MatrixXd RotatingFrame::gyroscopic(const Motion& motion, double load_factor) {
  const auto n = count_of(system_->free_dofs());
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(n, n);
  for_each_term(motion, load_factor, true,
                [&](const Element&, const Square& square, std::span<double> block, double factor) {
                  for (Index k = square.first; k < square.last; ++k) {
                    const Scatter& s = scatter_[k];
                    result(s.row, s.column) += factor * block[s.source];
                  }
                });
  return result;
}

}  // namespace picus::solvers
