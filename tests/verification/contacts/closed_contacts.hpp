#pragma once

/// Motions with a contact that stays closed, and reduced equations for them without multipliers or constraint rows.

#include <picus/model.hpp>
#include <picus/state.hpp>

#include <functional>
#include <numbers>
#include <string>
#include <vector>

namespace picus::closed_contacts_test {

inline constexpr double g = 9.81;

/// Coordinates, then their rates.
using Reduced = Eigen::VectorXd;

struct ClosedContact {
  std::string name;
  std::function<Model()> build;
  double until;                                             ///< s
  std::function<Reduced(const Model&, const State&)> read;  ///< the coordinates of the model
  Reduced start;
  std::function<Reduced(double t, const Reduced&)> rate;
  std::function<double(double t, const Reduced&)> normal_force;  ///< N

  /// From t to t + h by the fourth-order Runge-Kutta method. With eight steps in 1 ms the errors are below 1e-14.
  Reduced advance(Reduced y, double t, double h) const;
};

/// A point of 1 kg within a sphere of 1 m about the origin, from 1 rad before its bottom.
struct Bowl {
  double mu = 0.0;
  bool spatial = false;  ///< it circles as it swings
};
Model make_bowl(const Bowl& parameters);

std::vector<ClosedContact> closed_contacts();
/// Bodies whose nodes are not at their centres of mass.
std::vector<ClosedContact> closed_contacts_of_offset_bodies();

}  // namespace picus::closed_contacts_test
