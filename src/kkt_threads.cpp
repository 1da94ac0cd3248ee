#include <picus/kkt_assembler.hpp>

namespace picus {

/// Stripes of columns are assigned to the shares in turn, so that the elements of a batch, which are neighbours,
/// contribute to all shares.
void KktAssembler::share_columns(Squares& squares) const {
  constexpr Index stripe = 48;
  constexpr std::size_t shares_of_thread = 4;
  squares.shares.assign(shares_of_thread * system_->threads()->count(), {});
  const auto count = count_of(squares.shares);
  for (Index e = 0; e < count_of(squares.of); ++e) {
    const Square& square = squares.of[e];
    Index next = 0;
    for (Index run = square.first_run; run < square.last_run; ++run) {
      const Run& columns_of = runs_[run];
      for (Index c = columns_of.unknown; c < columns_of.unknown + columns_of.count; ++c, ++next) {
        std::vector<Columns>& share = squares.shares[c / stripe % count];
        if (!share.empty() && share.back().square == e && share.back().last == next) {
          ++share.back().last;
        } else {
          share.push_back({e, next, next + 1});
        }
      }
    }
  }
}

void KktAssembler::share_columns() {
  for (Squares* squares : {&inertias_, &forces_, &constraints_, &contacts_}) share_columns(*squares);
}

}  // namespace picus
