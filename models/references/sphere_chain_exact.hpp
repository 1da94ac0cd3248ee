#pragma once

/// A ball rolling with v_0 on a rough floor into a row of touching balls at rest, all N of them equal and without
/// friction between each other; Newton's impact law between them with e = 0 or 1, no restitution with the floor.
///
/// The impact is horizontal and instantaneous, so that friction on the floor (mu m g) and the spins do not take part.
/// Contacts within the row are closed: they require U+ >= -e 0, with or without an impulse.
///
///     e = 0: all continue with v_0/N.   e = 1: V - v = v_0 and v + (N - 1) V = v_0, the first with v = -v_0 (N - 2)/N,
///     the row with V = 2 v_0/N: not Newton's cradle, though energy is conserved (Newton's law for multiple contacts).
///
/// Then friction decelerates or accelerates the balls until each rolls,
///
///     m dv/dt = F + contact,  2/5 m d(r omega)/dt = -F,  F = -mu m g sign(v - r omega), or that of rolling,
///
/// where for e = 0 the first ball pushes all the others: piecewise parabolas.

#include <picus/types.hpp>

#include <vector>

namespace picus::models {

struct SphereChainParameters {
  Index balls;      ///< N, >= 2
  double speed;     ///< v_0, m/s
  double distance;  ///< initial distance of the first ball from the row, m
  double mu;        ///< coefficient of friction on the floor
  double gravity;   ///< m/s2
  bool elastic;     ///< e = 1
};

class SphereChainExact {
 public:
  explicit SphereChainExact(const SphereChainParameters& chain);

  /// For one ball: position, velocity, and the surface velocity due to spin, r omega, positive as in rolling.
  struct Ball {
    double x, v, rim;
  };
  /// The first ball, and those of the row.
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
