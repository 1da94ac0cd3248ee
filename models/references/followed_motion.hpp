#pragma once

/// A motion that is known piece by piece and followed from its start only as far as it is asked for, in bounded memory.
/// It is what references that go from event to event rest on.
///
/// `Front` is where following has come to: a copyable struct with
///
///     double time;      // where the next piece begins
///     bool has_ended;   // there are no more pieces; the last one goes on
///
/// and `Piece` has `double start`. What makes the piece that begins at the front, and moves the front to its end, is
/// handed over with each question, so that a reference may be copied.

#include <picus/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

namespace picus::models {

/// Set when a run is to stop; null if nothing can stop it.
using StopRequest = const std::atomic<bool>*;

/// Throws Interrupted once a stop is requested.
inline void heed(StopRequest stop_request, double t) {
  if (stop_request != nullptr && stop_request->load(std::memory_order_relaxed))
    throw Interrupted(fmt::format("interrupted at t = {:.6g} s", t));
}

template <class Front, class Piece>
class FollowedMotion {
 public:
  /// Keeps the latest pieces, at most `most_pieces` (at least 2) of them. Times here are in units of `time_unit` s.
  FollowedMotion(Front start, std::size_t most_pieces, StopRequest stop_request, double time_unit = 1.0)
      : start_(start),
        front_(std::move(start)),
        most_pieces_(most_pieces),
        stop_request_(stop_request),
        time_unit_(time_unit) {}

  /// The piece at t, at the start of a piece that one; before the first piece and after the last one the nearest.
  /// An instant before the pieces that are kept is found by following anew. Throws Interrupted when a stop is requested.
  template <class Advance>
  const Piece& at(double t, const Advance& advance) {
    if (has_forgotten_ && t < pieces_.front().start) restart();
    follow(t, advance);
    const auto later = std::ranges::upper_bound(pieces_, t, {}, &Piece::start);
    return later == pieces_.begin() ? pieces_.front() : *std::prev(later);
  }

  /// Goes on until is_done(front) or the end.
  template <class Advance, class IsDone>
  const Front& follow_until(const IsDone& is_done, const Advance& advance) {
    while (!front_.has_ended && !is_done(front_)) add_piece(front_.time, advance);
    return front_;
  }

  /// Visits every piece of the whole motion, visit(front before it, front after it), without keeping any.
  template <class Advance, class Visit>
  void visit_all(const Advance& advance, const Visit& visit) const {
    for (Front front = start_; !front.has_ended;) {
      heed(stop_request_, front.time * time_unit_);
      const Front before = front;
      advance(front);
      visit(before, front);
    }
  }

  std::size_t piece_count() const { return pieces_.size(); }

 private:
  template <class Advance>
  void follow(double t, const Advance& advance) {
    while (!front_.has_ended && (pieces_.empty() || front_.time <= t)) add_piece(t, advance);
  }

  /// On the way to t.
  template <class Advance>
  void add_piece(double t, const Advance& advance) {
    heed(stop_request_, t * time_unit_);
    if (pieces_.size() >= most_pieces_) {
      pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(most_pieces_ / 2));
      has_forgotten_ = true;
    }
    pieces_.push_back(advance(front_));
  }

  void restart() {
    front_ = start_;
    pieces_.clear();
    has_forgotten_ = false;
  }

  Front start_;
  Front front_;
  std::size_t most_pieces_;
  StopRequest stop_request_;
  double time_unit_;
  std::vector<Piece> pieces_;
  bool has_forgotten_ = false;
};

}  // namespace picus::models
