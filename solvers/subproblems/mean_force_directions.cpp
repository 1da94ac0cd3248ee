#include <picus/local_dofs.hpp>
#include <picus/solvers/subproblems/mean_force_directions.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace picus {
namespace {

/// Cotangent of the largest rotation of the slip direction in half a step that is taken into account, 0.03 rad. A
/// larger rotation is not resolved by the step, or slip ends within it: at a corner of a vibrating block, rotations of
/// up to 0.2 rad made solves fail.
constexpr double least_ratio = 30.0;

std::size_t entry_count(const RowBlock<Contact>& block) {
  return block.rows * block.dofs;
}

/// Elements write nonzero entries only.
void evaluate_gradient(const RowBlock<Contact>& block, const Configuration& q, double* entries) {
  const std::span<double> G(entries, entry_count(block));
  std::fill(G.begin(), G.end(), 0.0);
  block.role->gradient(q, G);
}

}  // namespace

MeanForceDirections::MeanForceDirections(const System& system)
    : system_(&system), share_(system.contacts().size(), 1.0), G_n_(system.make_contact_gradients()) {
  std::size_t largest = 0;
  for (const auto& block : system.contacts()) largest = std::max(largest, entry_count(block));
  local_.resize(largest);
  closed_.reserve(share_.size());
}

void MeanForceDirections::begin(const Configuration& q_n, const Vector& v_n,
                                std::span<const ContactState> states_n) {
  closed_.clear();
  v_n_ = &v_n;
  for (std::size_t c = 0; c < states_n.size(); ++c) {
    const bool is_closed = states_n[c] != ContactState::gap;
    share_[c] = is_closed ? 0.5 : 1.0;
    if (!is_closed) continue;
    const auto& block = system_->contacts()[c];
    closed_.push_back({.contact = c, .slips = states_n[c] == ContactState::slip, .rotation = {}});
    evaluate_gradient(block, q_n, G_n_.values.data() + block.first_source);
  }
}

void MeanForceDirections::align(const Configuration& q) {
  for (const Closed& closed : closed_) {
    const auto& block = system_->contacts()[closed.contact];
    if (block.role->law().friction_directions == 0) continue;
    evaluate_gradient(block, q, local_.data());
    align(closed, local_.data());
  }
}

void MeanForceDirections::align(const Gradients& G) {
  for (const Closed& closed : closed_) {
    const auto& block = system_->contacts()[closed.contact];
    if (block.role->law().friction_directions > 0) align(closed, G.values.data() + block.first_source);
  }
}

// Uses the rotation that maximises the sum of the scalar products of corresponding tangents.
void MeanForceDirections::align(const Closed& closed, const double* now) {
  const auto& block = system_->contacts()[closed.contact];
  const ContactLaw& law = block.role->law();
  double* before = G_n_.values.data() + block.first_source;
  double along = 0;
  double across = 0;
  for (Index j = 0; j < block.dofs; ++j) {
    const double* n = now + block.rows * j;
    const double* b = before + block.rows * j;
    along += n[1] * b[1];
    if (law.friction_directions < 2) continue;
    along += n[2] * b[2];
    across += n[2] * b[1] - n[1] * b[2];
  }
  const double size = std::hypot(along, across);
  if (size == 0) return;
  if (law.friction_directions == 2) {
    const TangentRotation rotation{.cosine = along / size, .sine = across / size};
    rotate_tangents(rotation, block, 1, before);
    if (law.rolling_directions == 2) rotate_tangents(rotation, block, 1 + law.sliding_rows(), before);
  } else if (along < 0) {
    for (Index j = 0; j < block.dofs; ++j) before[block.rows * j + 1] = -before[block.rows * j + 1];
  }
}

void MeanForceDirections::rotate_tangents(const TangentRotation& rotation, const RowBlock<Contact>& block,
                                          Index first_row, double* gradient) {
  for (Index j = 0; j < block.dofs; ++j) {
    double* tangents = gradient + block.rows * j + first_row;
    const double first = tangents[0];
    tangents[0] = rotation.cosine * first - rotation.sine * tangents[1];
    tangents[1] = rotation.sine * first + rotation.cosine * tangents[1];
  }
}

void MeanForceDirections::find_slip_rotations(const Gradients& G, const Vector& dq) {
  for (Closed& closed : closed_) {
    closed.rotation = {};
    const auto& block = system_->contacts()[closed.contact];
    if (!closed.slips || block.role->law().friction_directions < 2) continue;
    const double* before = G_n_.values.data() + block.first_source;
    const double* now = G.values.data() + block.first_source;
    std::array<double, 2> slip_n{};
    std::array<double, 2> slip{};
    for_each_dof(*block.element, [&](Index j, Index dof) {
      for (Index i = 0; i < 2; ++i) {
        const Index entry = block.rows * j + 1 + i;
        slip_n[i] += before[entry] * (*v_n_)[dof];
        slip[i] += (before[entry] + now[entry]) * dq[dof];
      }
    });
    const double along = slip_n[0] * slip[0] + slip_n[1] * slip[1];
    const double across = slip_n[0] * slip[1] - slip_n[1] * slip[0];
    // Slip whose direction rotates by more is about to end, and a mean direction is meaningless.
    if (!(along > least_ratio * std::abs(across))) continue;
    const double size = std::hypot(along, across);
    closed.rotation = {.cosine = along / size, .sine = across / size};
  }
}

void MeanForceDirections::average(Gradients& G) const {
  for (const Closed& closed : closed_) {
    const auto& block = system_->contacts()[closed.contact];
    const std::size_t first = block.first_source;
    for (std::size_t i = first; i < first + entry_count(block); ++i)
      G.values[i] = 0.5 * (G.values[i] + G_n_.values[i]);
  }
}

void MeanForceDirections::average_and_rotate(Gradients& G) const {
  average(G);
  for (const Closed& closed : closed_) {
    if (closed.rotation.sine == 0) continue;
    const auto& block = system_->contacts()[closed.contact];
    rotate_tangents(closed.rotation, block, 1, G.values.data() + block.first_source);
  }
}

}  // namespace picus
