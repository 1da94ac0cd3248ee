#include "passage_watch.hpp"

#include <picus/local_dofs.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::watch {
namespace {

/// Depths below this fraction of the model's size are ignored: for bodies that graze each other a step misses depths of
/// this order in the ready-made models.
constexpr double negligible = 1e-6;

/// Cosine of the angle, 60 degrees, up to which two normals have about the same direction.
constexpr double same_direction = 0.5;

/// Golden-section steps, each of which reduces the interval to 0.62 of it.
constexpr int section_count = 24;

}  // namespace

PassageWatch::PassageWatch(const System& system, const State& start, const RowValues& rows)
    : system_(&system),
      tolerance_(negligible * system.length_scale()),
      passages_(system.declared_contacts().size()) {
  if (!has_contacts()) return;
  increment_ = part_ = Vector::Zero(system.velocity_count());
  gap_.resize(max_contact_rows);
  gradient_.resize(max_contact_rows * max_local_dofs);
  normal_n_.resize(max_local_dofs);
  normal_.resize(max_local_dofs);
  between_ = start.q;
  restart(start, rows);
}

void PassageWatch::restart(const State& state, const RowValues& rows) {
  if (!has_contacts()) return;
  q_ = state.q;
  gaps_ = rows.gaps;
  rates_ = state.contact_rate;
}

bool PassageWatch::has_contacts() const {
  return !passages_.empty() || !system_->model().contact_sets().empty();
}

double PassageWatch::record_step(const State& state, const RowValues& rows, double h) {
  double found_depth = 0;
  const auto contacts = system_->contacts();
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const Index row = contacts[c].first_row;
    const double gap_n = gaps_[row], gap = rows.gaps[row];
    const double to_come = h * rates_[row], gone = h * state.contact_rate[row];
    const bool closes = gap_n + to_come < -tolerance_;
    const bool has_opened = gap - gone < -tolerance_;
    if (gap_n <= 0 || !(closes || has_opened)) continue;
    const double depth = depth_within(contacts[c], state, gap_n, gap);
    if (!(depth > tolerance_)) continue;
    if (c >= passages_.size()) {
      found_depth = std::max(found_depth, depth);
      continue;
    }
    Passages& passages = passages_[c];
    if (passages.count++ == 0) {
      passages.time = state.time;
      passages.depth = depth;
    }
  }
  restart(state, rows);
  return found_depth;
}

double PassageWatch::slope_at(const RowBlock<Contact>& contact, const Configuration& q,
                              std::vector<double>& normal) {
  const std::size_t rows = contact.rows, dofs = contact.dofs;
  std::fill_n(gradient_.begin(), rows * dofs, 0.0);
  contact.role->gradient(q, {gradient_.data(), rows * dofs});
  double slope = 0;
  for_each_dof(*contact.element, [&](Index i, Index dof) {
    const std::size_t column = i;
    normal[column] = gradient_[column * rows];
    slope += normal[column] * increment_[dof];
  });
  return slope;
}

double PassageWatch::gap_at(const RowBlock<Contact>& contact, double s) {
  for_each_dof(*contact.element, [&](Index, Index dof) { part_[dof] = s * increment_[dof]; });
  retract(contact.element->nodes(), q_, part_, between_);
  std::fill(gap_.begin(), gap_.end(), 0.0);
  contact.role->displacement(q_, between_, std::span(gap_.data(), contact.rows));
  return gap_[0];
}

double PassageWatch::depth_within(const RowBlock<Contact>& contact, const State& state, double gap_n,
                                  double gap) {
  difference(contact.element->nodes(), q_, state.q, increment_);
  const double falls = slope_at(contact, q_, normal_n_);
  const double rises = slope_at(contact, state.q, normal_);
  if (!(falls < 0 && rises > 0)) return 0.0;
  const double meeting = (gap_n - gap + rises) / (rises - falls);
  if (!(gap_n + falls * meeting < -tolerance_)) return 0.0;
  double turned = 0, square_n = 0, square = 0;
  for (Index i = 0; i < contact.dofs; ++i) {
    turned += normal_n_[i] * normal_[i];
    square_n += normal_n_[i] * normal_n_[i];
    square += normal_[i] * normal_[i];
  }
  // If it is closed at the end with the normal in about the same direction, the contact has been detected: the sagitta
  // of the path is not a passage. At right angles the body was driven out at its side instead of being stopped.
  if (gap <= tolerance_ && turned > same_direction * std::sqrt(square_n * square)) return 0.0;

  constexpr double golden = 0.6180339887498949;
  double low = 0.0, high = 1.0;
  double a = high - golden * (high - low), b = low + golden * (high - low);
  double gap_a = gap_at(contact, a), gap_b = gap_at(contact, b);
  for (int k = 0; k < section_count; ++k) {
    if (gap_a < gap_b) {
      high = b;
      b = a;
      gap_b = gap_a;
      a = high - golden * (high - low);
      gap_a = gap_at(contact, a);
    } else {
      low = a;
      a = b;
      gap_a = gap_b;
      b = low + golden * (high - low);
      gap_b = gap_at(contact, b);
    }
  }
  return -std::min(gap_a, gap_b);
}

std::vector<std::string> PassageWatch::warnings() const {
  std::size_t contacts = 0;
  std::int64_t steps = 0;
  std::size_t first = 0;
  for (std::size_t c = 0; c < passages_.size(); ++c) {
    if (passages_[c].count == 0) continue;
    if (contacts == 0 || passages_[c].time < passages_[first].time) first = c;
    ++contacts;
    steps += passages_[c].count;
  }
  if (contacts == 0) return {};
  const std::string more = steps == 1 ? ""
                                      : fmt::format("; {} such passages in all, of {} {}", steps, contacts,
                                                    contacts == 1 ? "contact" : "contacts");
  const std::string& name = system_->declared_contacts()[first].element->name();
  return {fmt::format(
      "contact \"{}\" was missed: in the step to t = {:.6g} s its bodies passed through each other, {:.3g} m "
      "deep; "
      "a smaller step sees them{}",
      name, passages_[first].time, passages_[first].depth, more)};
}

}  // namespace picus::watch
