#pragma once

/// A ball that rolls with v_0 on a rough floor into a row of balls at rest that touch, all N of them alike and smooth against each
/// other; Newton's law of impact between them with e = 0 or 1, none with the floor.
///
/// The impact is horizontal and short, so that the floor's friction (mu m g) and the spins have no part in it. Contacts of the row
/// are closed: they keep apart, at U+ >= -e 0, without an impulse or with one.
///
///     e = 0: all go on with v_0/N.   e = 1: V - v = v_0 and v + (N - 1) V = v_0, the first with v = -v_0 (N - 2)/N, the row with
///     V = 2 v_0/N: no cradle, though energy is conserved (Newton's law for several contacts at once).
///
/// Then friction slows or drives the balls until each rolls,
///
///     m dv/dt = F + contact,  2/5 m d(r omega)/dt = -F,  F = -mu m g sign(v - r omega), or what rolling asks,
///
/// where with e = 0 the first pushes all the others: piecewise parabolas.

#include <picus/types.hpp>

#include <vector>

namespace picus::models {

struct SphereChainParameters {
  Index balls;      ///< N, >= 2
  double speed;     ///< v_0, m/s
  double distance;  ///< of the first ball from the row at the start, m
  double mu;        ///< of the floor
  double gravity;   ///< m/s2
  bool elastic;     ///< e = 1
};

class SphereChainExact {
 public:
  explicit SphereChainExact(const SphereChainParameters& chain);

  /// Of one ball: path, velocity, and the velocity of its surface by spin, r omega, positive as in rolling.
  struct Ball {
    double x, v, rim;
  };
  /// The first one, and each of the row.
  Ball first(double t) const;
  Ball row(double t) const;

  /// When the first ball touches the row, s.
  double impact() const { return impact_; }

 private:
  struct Piece {
    double start;  ///< s
    Ball at;
    double acceleration, rim_acceleration;
  };
  static Ball follow(const std::vector<Piece>& pieces, double t);
  static void go_on(std::vector<Piece>& pieces, double duration, double acceleration,
                    double rim_acceleration);
  void add_inelastic_pieces(const SphereChainParameters& chain);
  void add_elastic_pieces(const SphereChainParameters& chain);

  double impact_;
  std::vector<Piece> first_, row_;
};

}  // namespace picus::models
