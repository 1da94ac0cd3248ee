#pragma once

/// A spring and damper between two material points A and B, one of which may be on the ground:
///
///     D = x_B - x_A,  l = |D|,  n = D/l
///     N = F(l - l_0) + P + c dl/dt          tension; the force on B is -N n, that on A is N n
///     V = integral of F + P (l - l_0)
///
/// F(e) = k e, or any ScalarLaw; c dl/dt, or any ScalarLaw of dl/dt. For a law of the length itself set l_0 = 0.
///
/// The direction n is undefined where A and B meet, so points that coincide at the start are refused. The one
/// exception is F = k e with l_0 = 0, no preload and no damper: its force k D is smooth everywhere.

#include <picus/drawable.hpp>
#include <picus/element.hpp>
#include <picus/elements/forces/scalar_law.hpp>
#include <picus/elements/point_pair.hpp>
#include <picus/model.hpp>
#include <picus/observable.hpp>

#include <optional>
#include <string>

namespace picus {

class SpringDamper : public Element, public Force, public Observable, public Drawable {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint a;                                   ///< on a frame node, a point node or the ground
    MaterialPoint b;                                   ///< on another body than a
    double stiffness = 0.0;                            ///< k, N/m, >= 0; not with a law
    double damping = 0.0;                              ///< c, N s/m, >= 0; not with a damping_law
    std::optional<double> free_length = std::nullopt;  ///< l_0, m, >= 0; by default the length at the start
    double preload = 0.0;                              ///< P, tension at the free length, N
    std::optional<ScalarLaw> law = std::nullopt;       ///< F, N, of the extension l - l_0, m
    std::optional<ScalarLaw> damping_law = std::nullopt;  ///< N, of the rate of extension dl/dt, m/s
  };
  SpringDamper(const Parameters& parameters, const Model& model);

  /// l_0, m: as given, or the distance at the start.
  double free_length() const { return l_0_; }

  Traits traits() const override;
  void force(const Motion& motion, std::span<double> f) const override;
  void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const override;
  void conservative_force(const Configuration& q, double t, std::span<double> f) const override;
  double potential_energy(const Configuration& q, double t) const override;

  /// Length, rate of extension, tension.
  std::vector<Quantity> quantities() const override;
  void observe(const Motion& motion, std::span<double> values) const override;

  /// A line from A to B.
  std::vector<MaterialPoint> points() const override { return {ends_.a(), ends_.b()}; }
  std::vector<std::vector<Index>> polylines() const override { return {{0, 1}}; }

 private:
  struct Line;
  Line line(const Configuration& q) const;

  PointPair ends_;
  ScalarLaw law_;
  ScalarLaw damping_;
  double l_0_;
  double preload_;
  bool has_damper_;
  bool needs_no_direction_;  ///< whether F = k D
};

}  // namespace picus
