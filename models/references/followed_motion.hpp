#pragma once

/// A piecewise motion that is computed from its start only as far as it is queried, in bounded memory. It is the
/// basis of event-driven references.
///
/// `Front` is the state reached so far: a copyable struct with
///
///     double time;      // where the next piece begins
///     bool has_ended;   // there are no more pieces; the last one is extended
///
/// and `Piece` has `double start`. The function that makes the piece starting at the front, and moves the front to
/// its end, is passed with each query, so that reference solutions can be copied.

#include <picus/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

namespace picus::models {

/// True when a run is to stop; null if nothing can stop it.
using StopRequest = const std::atomic<bool>*;

/// Throws Interrupted once a stop is requested.
inline void heed(StopRequest stop_request, double t) {
  if (stop_request != nullptr && stop_request->load(std::memory_order_relaxed))
    throw Interrupted(fmt::format("interrupted at t = {:.6g} s", t));
}

template <class Front, class Piece>
class FollowedMotion {
 public:
  /// Keeps at most the latest `max_pieces` (at least 2) pieces. Times are in units of `time_unit` s.
  FollowedMotion(Front start, std::size_t max_pieces, StopRequest stop_request, double time_unit = 1.0)
      : start_(start),
        front_(std::move(start)),
        max_pieces_(max_pieces),
        stop_request_(stop_request),
        time_unit_(time_unit) {}

  /// The piece at t, at a boundary the one that starts there; outside of all pieces the nearest one. For an instant
  /// before the stored pieces the motion is computed again. Throws Interrupted if a stop is requested.
  template <class Advance>
  const Piece& at(double t, const Advance& advance) {
    if (has_forgotten_ && t < pieces_.front().start) restart();
    follow(t, advance);
    const auto later = std::ranges::upper_bound(pieces_, t, {}, &Piece::start);
    return later == pieces_.begin() ? pieces_.front() : *std::prev(later);
  }

  /// Computes on until is_done(front) or the end.
  template <class Advance, class IsDone>
  const Front& follow_until(const IsDone& is_done, const Advance& advance) {
    while (!front_.has_ended && !is_done(front_)) add_piece(front_.time, advance);
    return front_;
  }

  /// Visits every piece of the whole motion, visit(front before it, front after it), without storing any.
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

  /// Computes the next piece on the way to t.
  template <class Advance>
  void add_piece(double t, const Advance& advance) {
    heed(stop_request_, t * time_unit_);
    if (pieces_.size() >= max_pieces_) {
      pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(max_pieces_ / 2));
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
  std::size_t max_pieces_;
  StopRequest stop_request_;
  double time_unit_;
  std::vector<Piece> pieces_;
  bool has_forgotten_ = false;
};

}  // namespace picus::models
