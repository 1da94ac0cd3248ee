#include <picus/solvers/contact/contact_order.hpp>

#include <algorithm>
#include <numeric>

namespace picus::solvers {
namespace {

/// Number of contacts from which on they are ordered by colour.
constexpr Index many_contacts = 400;
/// Number of contacts of a task, which takes some microseconds.
constexpr Index task_contacts = 16;

}  // namespace

void ContactOrder::build(const DelassusOperator& W) {
  order_.resize(W.contact_count());
  std::iota(order_.begin(), order_.end(), 0);
  tasks_.clear();
  first_task_.clear();
  if (W.contact_count() < many_contacts) {
    tasks_.push_back({0, 0, W.contact_count()});
    return;
  }
  find_colours(W);
  std::ranges::stable_sort(order_, {}, [&](Index contact) { return colour_[contact]; });
  for (Index first = 0; first < count_of(order_);) {
    const Index colour = colour_[order_[first]];
    if (count_of(first_task_) == colour) first_task_.push_back(tasks_.size());
    Index last = first;
    while (last < count_of(order_) && last - first < task_contacts && colour_[order_[last]] == colour) ++last;
    tasks_.push_back({colour, first, last});
    first = last;
  }
}

/// Greedy colouring: each contact gets the first colour that no preceding contact coupled to it has.
void ContactOrder::find_colours(const DelassusOperator& W) {
  colour_.assign(W.contact_count(), -1);
  std::vector<Index> taken_by;  // the last contact for which each colour is not available
  for (Index contact = 0; contact < W.contact_count(); ++contact) {
    for (const DelassusOperator::Block& block : W.blocks(contact)) {
      const Index colour = colour_[block.contact];
      if (colour >= 0) taken_by[colour] = contact;
    }
    const auto free = std::ranges::find_if(taken_by, [&](Index last) { return last != contact; });
    colour_[contact] = index_of(taken_by, free);
    if (free == taken_by.end()) taken_by.push_back(-1);
  }
}

}  // namespace picus::solvers
