#include <picus/solvers/subproblems/two_stage_problem.hpp>

#include <algorithm>
#include <cmath>

namespace picus::solvers {

TwoStageProblem::TwoStageProblem(ImplicitStage& first, ImplicitStage& second)
    : stages_{&first, &second},
      stage_size_(first.size()),
      contact_rows_(count_of(first.contact_multipliers())) {
  first.set_other(&second.increment());
  second.set_other(&first.increment());
  const SparseMatrix& block = first.matrix();
  const Index free_count = first.free_count();
  // Multipliers of one stage do not act on the other one.
  const auto is_entry = [&](Index row, Index column, Index c) { return row == column || c < free_count; };
  const auto for_each_entry = [&](auto&& visit) {
    for (Index i = 0; i < 2; ++i) {
      for (Index j = 0; j < 2; ++j) {
        for (Index c = 0; c < block.size; ++c) {
          for (Index e = block.column_start[c]; e < block.column_start[c + 1]; ++e)
            visit(i, j, e, i * stage_size_ + block.row[e], j * stage_size_ + c, is_entry(i, j, c));
        }
      }
    }
  };
  PatternBuilder builder(2 * stage_size_);
  for_each_entry([&](Index, Index, Index, Index r, Index c, bool is_there) {
    if (is_there) builder.add(r, c);
  });
  matrix_ = builder.compress();
  for (auto& row : places_) {
    for (auto& places : row) places.assign(block.row.size(), -1);
  }
  for_each_entry([&](Index i, Index j, Index e, Index r, Index c, bool is_there) {
    if (is_there) places_[i][j][e] = matrix_.find(r, c);
  });
  for (Vector& part : part_) part = Vector::Zero(stage_size_);
  of_stage_ = Vector::Zero(contact_rows_);
}

ResidualNorm TwoStageProblem::evaluate(Vector& r) {
  ResidualNorm norm;
  for (Index i = 0; i < 2; ++i) {
    const ResidualNorm stage = stages_[i]->evaluate(part_[i]);
    const Index first = i * stage_size_;
    r.segment(first, stage_size_) = part_[i];
    norm.square += stage.square;
    // Written such that NaN is propagated.
    if (!(stage.worst <= norm.worst) && !std::isnan(norm.worst)) {
      norm.worst = stage.worst;
      norm.where = first + stage.where;
    }
  }
  return norm;
}

void TwoStageProblem::add(const SparseMatrix& block, std::size_t row, std::size_t column) {
  const std::vector<Index>& places = places_[row][column];
  for (std::size_t e = 0; e < places.size(); ++e) {
    if (places[e] >= 0) matrix_.values[places[e]] += block.values[e];
  }
}

const SparseMatrix& TwoStageProblem::tangent() {
  std::fill(matrix_.values.begin(), matrix_.values.end(), 0.0);
  for (Index i = 0; i < 2; ++i) {
    add(stages_[i]->tangent(), i, i);
    add(stages_[i]->coupling(), i, 1 - i);
  }
  return matrix_;
}

void TwoStageProblem::advance(const Vector& dx, double factor) {
  for (Index i = 0; i < 2; ++i) {
    part_[i] = dx.segment(i * stage_size_, stage_size_);
    stages_[i]->advance(part_[i], factor);
  }
}

void TwoStageProblem::set_scaling(double scaling, double regularization) {
  for (ImplicitStage* stage : stages_) stage->set_scaling(scaling, regularization);
}

std::span<const ContactCone> TwoStageProblem::cones() const {
  cones_.clear();
  for (Index i = 0; i < 2; ++i) {
    for (ContactCone cone : stages_[i]->cones()) {
      cone.first_row += i * contact_rows_;
      cones_.push_back(cone);
    }
  }
  return cones_;
}

const Vector& TwoStageProblem::contact_multipliers() const {
  multipliers_.resize(2 * contact_rows_);
  multipliers_.head(contact_rows_) = stages_[0]->contact_multipliers();
  multipliers_.tail(contact_rows_) = stages_[1]->contact_multipliers();
  return multipliers_;
}

void TwoStageProblem::set_contact_multipliers(const Vector& P) {
  of_stage_ = P.head(contact_rows_);
  stages_[0]->set_contact_multipliers(of_stage_);
  of_stage_ = P.tail(contact_rows_);
  stages_[1]->set_contact_multipliers(of_stage_);
}

const Vector& TwoStageProblem::contact_motion() const {
  motion_.resize(2 * contact_rows_);
  motion_.head(contact_rows_) = stages_[0]->contact_motion();
  motion_.tail(contact_rows_) = stages_[1]->contact_motion();
  return motion_;
}

double TwoStageProblem::weight(Index unknown) const {
  const bool is_first = unknown < stage_size_;
  return stages_[is_first ? 0 : 1]->weight(is_first ? unknown : unknown - stage_size_);
}

const SparseMatrix& TwoStageProblem::tangent_with(ContactRows rows) {
  std::fill(matrix_.values.begin(), matrix_.values.end(), 0.0);
  for (Index i = 0; i < 2; ++i) {
    add(stages_[i]->tangent_with(rows), i, i);
    add(stages_[i]->coupling_with(rows), i, 1 - i);
  }
  return matrix_;
}

Index TwoStageProblem::contact_unknown(Index contact_row) const {
  const bool is_first = contact_row < contact_rows_;
  return is_first ? stages_[0]->contact_unknown(contact_row)
                  : stage_size_ + stages_[1]->contact_unknown(contact_row - contact_rows_);
}

double TwoStageProblem::fixed_multiplier_row(Index contact_row, double dP) const {
  const bool is_first = contact_row < contact_rows_;
  return stages_[is_first ? 0 : 1]->fixed_multiplier_row(is_first ? contact_row : contact_row - contact_rows_,
                                                         dP);
}

void TwoStageProblem::contact_response(const Vector& dx, Vector& response) {
  response.resize(2 * contact_rows_);
  for (Index i = 0; i < 2; ++i) {
    auto own = response.segment(i * contact_rows_, contact_rows_);
    part_[i] = dx.segment(i * stage_size_, stage_size_);
    part_[1 - i] = dx.segment((1 - i) * stage_size_, stage_size_);
    stages_[i]->contact_response(part_[i], of_stage_);
    own = of_stage_;
    stages_[i]->contact_response_to_other(part_[1 - i], of_stage_);
    own += of_stage_;
  }
}

bool TwoStageProblem::exclude_unreachable_residual(LinearSolver& solver) {
  const bool first = stages_[0]->exclude_redundant_rows(solver, size(), 0);
  const bool second = stages_[1]->exclude_redundant_rows(solver, size(), stage_size_);
  return first || second;
}

void TwoStageProblem::leave_out_excluded_rows(LinearSolver& solver, Vector& dx) {
  if (stages_[0]->find_border(0, border_parts_[0]) && stages_[1]->find_border(stage_size_, border_parts_[1]))
    border_.apply(solver, border_parts_, dx);
}

std::string TwoStageProblem::describe(Index unknown) const {
  const bool is_first = unknown < stage_size_;
  return stages_[is_first ? 0 : 1]->describe(is_first ? unknown : unknown - stage_size_);
}

}  // namespace picus::solvers
