// Bodies that pass through each other within one step: their contact cannot be found at the end of the step alone.

#include <picus/elements/contacts/surface_search.hpp>

#include <algorithm>
#include <array>
#include <span>

namespace picus {

// While one feature slides over a face, another one may swing through it, so deep that at the end of the step it cannot
// be distinguished from one on the other side.
void SurfaceSearch::add_passed(Index part_a, Index part_b, double thickness, double reach) {
  constexpr int halvings = 12;
  before_.clear();
  list_near(*begin_, part_a, part_b, reach, before_);
  const auto is_in = [](const std::vector<Candidate>& all, const ContactKey& key) {
    return std::ranges::find(all, key, &Candidate::key) != all.end();
  };
  const std::array parts = {part_a, part_b};
  bool has_path = false;
  for (const Candidate& one : before_) {
    if (is_in(candidates_, one.key) || !(gap_of(one.key, *end_) < -thickness)) continue;
    if (!has_path) set_path(parts);
    has_path = true;
    // It has passed if the two are near each other where their gap vanishes, and not beside each other.
    double open = 0.0, closed = 1.0;
    for (int i = 0; i < halvings; ++i) {
      const double s = (open + closed) / 2;
      follow_path(parts, s);
      (gap_of(one.key, between_) > 0 ? open : closed) = s;
    }
    follow_path(parts, open);
    at_touch_.clear();
    list_near(between_, part_a, part_b, thickness, at_touch_);
    if (is_in(at_touch_, one.key)) candidates_.push_back(one);
  }
}

void SurfaceSearch::set_path(const std::array<Index, 2>& parts) {
  increment_.setZero(model_->velocity_count());
  for (const Index part : parts) difference(nodes_[part], *begin_, *end_, increment_);
  between_ = *begin_;
}

void SurfaceSearch::follow_path(const std::array<Index, 2>& parts, double s) {
  fraction_ = s * increment_;
  for (const Index part : parts) retract(nodes_[part], *begin_, fraction_, between_);
}

double SurfaceSearch::gap_of(const ContactKey& key, const Configuration& q) {
  const InRole<Contact> one = contact(key);
  std::array<double, max_contact_rows> rows{};
  one.role->displacement(*begin_, q, std::span(rows.data(), one.role->row_count()));
  return rows[0];
}

bool SurfaceSearch::pass_through(Index part_a, Index part_b, double thickness) {
  const double motion = motion_of(part_a) + motion_of(part_b);
  const auto has_faces = [&](Index part) {
    return surfaces_[parts_[part].surface]->polytope() != nullptr || is_round(parts_[part].surface);
  };
  if (!(motion > thickness) || !(has_faces(part_a) || has_faces(part_b))) return false;
  const auto was_behind = [&](const Candidate& near) { return gap_of(near.key, *begin_) < -thickness; };
  if (std::ranges::none_of(candidates_, was_behind)) return false;
  constexpr int max_advances = 100;
  const std::array parts = {part_a, part_b};
  set_path(parts);
  double s = 0.0;
  for (int i = 0; i < max_advances; ++i) {
    follow_path(parts, s);
    before_.clear();
    list_near(between_, part_a, part_b, thickness + motion, before_);
    if (before_.empty()) return false;
    const double gap = std::ranges::min_element(before_, {}, &Candidate::gap)->gap;
    if (gap <= thickness)
      return std::ranges::any_of(before_,
                                 [&](const Candidate& n) { return gap_of(n.key, *end_) < -thickness; });
    s += gap / motion;
    if (s >= 1) return false;
  }
  return false;
}

}  // namespace picus
