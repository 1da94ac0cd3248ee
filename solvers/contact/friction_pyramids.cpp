#include <picus/solvers/contact/friction_pyramids.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace picus::solvers {
namespace {

constexpr int edges_in_a_plane = 8;
/// Number of pairs of edges on both sides of the expected friction, each pair at half the angle of the
/// previous one.
constexpr int edges_nearby = 6;

}  // namespace

void FrictionPyramids::add_pyramid(std::size_t contact, Index first_row, Index rows, const Vector& rates) {
  const auto add = [&](const Vec3& direction) {
    columns_.push_back(
        {.first_row = first_row, .rows = rows, .direction = direction, .contact = contact, .speed = speeds_});
  };
  if (rows == 1) {
    add(Vec3::UnitX());
    add(-Vec3::UnitX());
  } else if (rows == 2) {
    const double start = std::atan2(-rates[first_row + 1], -rates[first_row]);
    const auto add_at = [&](double angle) { add({std::cos(start + angle), std::sin(start + angle), 0}); };
    for (int k = 0; k < edges_in_a_plane; ++k) add_at(2 * std::numbers::pi * k / edges_in_a_plane);
    double angle = std::numbers::pi / edges_in_a_plane;
    for (int k = 0; k < edges_nearby; ++k, angle *= 0.5) {
      add_at(angle);
      add_at(-angle);
    }
  } else {
    // Towards faces, edges and corners of a cube.
    for (int k = 0; k < 27; ++k) {
      const Vec3 direction(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
      if (k != 13) add(direction.normalized());
    }
    const Vec3 sliding = rates.segment<3>(first_row);
    if (sliding.norm() > 0) add(-sliding.normalized());
  }
  ++speeds_;
}

void FrictionPyramids::find_columns(const Impact& impact, const Vector& rates) {
  columns_.clear();
  scale_.clear();
  speeds_ = 0;
  for (std::size_t i = 0; i < impact.contacts.size(); ++i) {
    const ImpactContact& c = impact.contacts[i];
    const double compliance = impact.W.diagonal().segment(c.first_row, c.rows).maxCoeff();
    scale_.push_back(compliance > 0 ? 1 / std::sqrt(compliance) : 1.0);
    columns_.push_back({.first_row = c.first_row, .contact = i});
    if (!(c.mu > 0)) continue;
    const Index sliding = c.rows - 1 - c.rolling_rows;
    if (sliding > 0) add_pyramid(i, c.first_row + 1, sliding, rates);
    if (c.rolling_rows > 0) add_pyramid(i, c.first_row + 1 + sliding, c.rolling_rows, rates);
  }
}

double FrictionPyramids::along(const Column& column, const Vector& y) const {
  return column.direction.head(column.rows).dot(y.segment(column.first_row, column.rows));
}

bool FrictionPyramids::solve(const Impact& impact, const Vector& u, const std::vector<double>& apexes,
                             double least_compliance, Vector& P) {
  u_a_ = u + impact.W * P;
  find_columns(impact, u_a_);
  const Index weights = count_of(columns_);
  const Index size = weights + speeds_;
  if (size > capacity_) {
    lemke_ = Lemke(size);
    capacity_ = size;
  }
  P_a_.setZero(u.size());
  for (std::size_t i = 0; i < impact.contacts.size(); ++i) P_a_[impact.contacts[i].first_row] = apexes[i];
  u_a_ = u + impact.W * P_a_;

  WD_.resize(u.size(), weights);
  for (Index k = 0; k < weights; ++k) {
    const Column& column = columns_[k];
    WD_.col(k) = scale_[column.contact] * impact.W.middleCols(column.first_row, column.rows) *
                 column.direction.head(column.rows);
  }
  A_.setZero(size, size);
  b_.setZero(size);
  Index normal = 0;
  for (Index k = 0; k < weights; ++k) {
    const Column& column = columns_[k];
    const double scale = scale_[column.contact];
    b_[k] = scale * along(column, u_a_);
    for (Index l = 0; l < weights; ++l) A_(k, l) = scale * along(column, WD_.col(l));
    if (column.speed < 0) {
      normal = k;
      continue;
    }
    const double mu = impact.contacts[column.contact].mu;
    const Index speed = weights + column.speed;
    A_(k, speed) = 1;
    A_(speed, k) = -1;
    A_(speed, normal) = mu;
    b_[speed] = mu * apexes[column.contact] / scale;
  }
  const double speed = b_.head(weights).lpNorm<Eigen::Infinity>();
  z_.resize(size);
  if (speed > 0) b_ /= speed;
  A_.diagonal().head(weights).array() += least_compliance;
  if (lemke_.solve(A_, b_, z_).status != LemkeStatus::solved || !z_.allFinite()) return false;
  if (speed > 0) z_ *= speed;

  P = P_a_;
  for (Index k = 0; k < weights; ++k) {
    const Column& column = columns_[k];
    P.segment(column.first_row, column.rows) +=
        scale_[column.contact] * z_[k] * column.direction.head(column.rows);
  }
  return true;
}

}  // namespace picus::solvers
