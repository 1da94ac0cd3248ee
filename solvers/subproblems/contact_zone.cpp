#include <picus/solvers/contact/local_contact.hpp>
#include <picus/solvers/subproblems/contact_zone.hpp>

#include <algorithm>
#include <array>

namespace picus {

using solvers::solve_local;

namespace {

/// Layers of elements about the contacts. With 2 and 5 sweeps, or with 4 and 16, a cube of 20 x 20 x 20 that slides on a
/// floor at a step of twice the time that a wave needs for an element takes as many iterations within a tenth.
constexpr int layers = 3;
constexpr int sweeps = 6;

}  // namespace

void ContactZone::build(const ContactProblem& problem, const SparseMatrix& tangent) {
  first_multiplier_ = problem.contact_unknown(0);
  diagonal_.assign(first_multiplier_, -1);
  std::vector<Index> front;
  const auto enter = [&](Index unknown) {
    if (diagonal_[unknown] >= 0) return;
    const Index place = tangent.find(unknown, unknown);
    if (place < 0 || !(tangent.values[place] > 0)) return;
    diagonal_[unknown] = place;
    front.push_back(unknown);
  };
  Index delassus = 0;
  for (const ContactCone& cone : problem.cones()) {
    const Index first = count_of(dofs_);
    for (Index i = 0; i < cone.rows; ++i) {
      const Index column = problem.contact_unknown(cone.first_row + i);
      for (Index k = tangent.column_start[column]; k < tangent.column_start[column + 1]; ++k) {
        if (tangent.row[k] < first_multiplier_) dofs_.push_back(tangent.row[k]);
      }
    }
    std::sort(dofs_.begin() + first, dofs_.end());
    dofs_.erase(std::unique(dofs_.begin() + first, dofs_.end()), dofs_.end());
    auto last = dofs_.begin() + first;
    for (auto at = last; at != dofs_.end(); ++at) {
      enter(*at);
      if (diagonal_[*at] >= 0) *last++ = *at;
    }
    dofs_.erase(last, dofs_.end());
    parts_.push_back(
        {.first = first, .last = count_of(dofs_), .places = count_of(places_), .delassus = delassus});
    for (Index d = first; d < count_of(dofs_); ++d) {
      for (Index i = 0; i < cone.rows; ++i)
        places_.push_back(tangent.find(dofs_[d], problem.contact_unknown(cone.first_row + i)));
    }
    delassus += cone.rows * cone.rows;
  }
  gradient_.resize(places_.size());
  delassus_.resize(delassus);
  std::vector<Index> layer = front;
  for (int i = 0; i < layers; ++i) {
    front.clear();
    for (const Index column : layer) {
      for (Index k = tangent.column_start[column]; k < tangent.column_start[column + 1]; ++k) {
        if (tangent.row[k] < first_multiplier_) enter(tangent.row[k]);
      }
    }
    std::ranges::sort(front);
    others_.insert(others_.end(), front.begin(), front.end());
    layer = front;
  }
}

void ContactZone::assign(const ContactProblem& problem, const SparseMatrix& tangent) {
  tangent_ = &tangent;
  const auto cones = problem.cones();
  for (std::size_t c = 0; c < cones.size(); ++c) {
    const Index m = cones[c].rows;
    double* const W = delassus_.data() + parts_[c].delassus;
    std::fill_n(W, m * m, 0.0);
    double* g = gradient_.data() + parts_[c].places;
    const Index* place = places_.data() + parts_[c].places;
    for (Index d = parts_[c].first; d < parts_[c].last; ++d, g += m, place += m) {
      const double inverse = 1.0 / tangent.values[diagonal_[dofs_[d]]];
      for (Index i = 0; i < m; ++i) g[i] = place[i] < 0 ? 0.0 : -tangent.values[place[i]] / cones[c].k;
      for (Index i = 0; i < m; ++i) {
        for (Index j = 0; j < m; ++j) W[i * m + j] += g[i] * g[j] * inverse;
      }
    }
  }
}

void ContactZone::move(Index unknown, double change) {
  change_[unknown] += change;
  const SparseMatrix& A = *tangent_;
  for (Index k = A.column_start[unknown]; k < A.column_start[unknown + 1]; ++k) {
    if (A.row[k] >= first_multiplier_) return;
    rest_[A.row[k]] -= A.values[k] * change;
  }
}

void ContactZone::relax(Index unknown) {
  move(unknown, rest_[unknown] / tangent_->values[diagonal_[unknown]]);
}

void ContactZone::solve_contact(const ContactCone& cone, std::size_t contact) {
  const auto [first, last, places, delassus] = parts_[contact];
  const Index m = cone.rows;
  const double* const gradient = gradient_.data() + places;
  const double* const W = delassus_.data() + delassus;
  std::array<double, max_contact_rows> b{};
  std::array<double, max_contact_rows> P{};
  for (Index d = first; d < last; ++d) relax(dofs_[d]);
  for (Index i = 0; i < m; ++i) {
    b[i] = y_[cone.first_row + i];
    P[i] = P_[cone.first_row + i];
  }
  const double* g = gradient;
  for (Index d = first; d < last; ++d, g += m) {
    for (Index i = 0; i < m; ++i) b[i] += g[i] * change_[dofs_[d]];
  }
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < m; ++j) b[i] -= W[j * m + i] * P[j];
  }
  solve_local(cone, W, b.data(), P.data());
  g = gradient;
  for (Index d = first; d < last; ++d, g += m) {
    double force = 0;
    for (Index i = 0; i < m; ++i) force += g[i] * (P[i] - P_[cone.first_row + i]);
    rest_[dofs_[d]] += force;
    move(dofs_[d], force / tangent_->values[diagonal_[dofs_[d]]]);
  }
  for (Index i = 0; i < m; ++i) P_[cone.first_row + i] = P[i];
}

void ContactZone::solve(const ContactProblem& problem, const SparseMatrix& tangent, const Vector& r,
                        Vector& dx) {
  if (parts_.empty()) build(problem, tangent);
  assign(problem, tangent);
  rest_ = -r.head(first_multiplier_);
  change_.setZero(first_multiplier_);
  P_ = problem.contact_multipliers();
  y_ = problem.contact_motion();
  const auto cones = problem.cones();
  // Forwards and backwards in turn.
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    if (sweep % 2 == 0) {
      for (std::size_t c = 0; c < cones.size(); ++c) solve_contact(cones[c], c);
      for (const Index unknown : others_) relax(unknown);
    } else {
      for (std::size_t i = others_.size(); i-- > 0;) relax(others_[i]);
      for (std::size_t c = cones.size(); c-- > 0;) solve_contact(cones[c], c);
    }
  }
  dx.setZero(r.size());
  dx.head(first_multiplier_) = change_;
  const Vector& P = problem.contact_multipliers();
  for (const ContactCone& cone : cones) {
    for (Index i = cone.first_row; i < cone.first_row + cone.rows; ++i)
      dx[problem.contact_unknown(i)] = (P_[i] - P[i]) / cone.k;
  }
}

}  // namespace picus
