#pragma once

/// A user-defined force on any nodes:
///
///     f = f(q, v, t),   K = -df/dq,   C = -df/dv
///
/// f has the local layout: the velocity components of the nodes one after another, in newtons (inertial axes) and
/// newton metres (body axes of frames). `tangents` fills K and C column by column with respect to left-trivialised
/// increments (see element.hpp); all storage is zero on entry.
///
/// Without `tangents` the element differentiates f along the group itself: central differences of fourth order with a
/// step of 1e-3 (`length` for translations, 1 for rotations and scalars, per second for velocities), 8 n evaluations
/// of f for n components. If f is smooth over a length, a radian and the corresponding rates, their error is about
/// 1e-12 of the change of f over a length; at a kink of f they are the mean of both sides.
///
/// f may only read its own nodes: during differencing all others are NaN. It is called concurrently with other
/// elements, from any thread of the run, unless Model::evaluate_serially says otherwise.

#include <picus/element.hpp>
#include <picus/model.hpp>

#include <functional>
#include <string>
#include <vector>

namespace picus {

class UserForce : public Element, public Force {
 public:
  /// Force::force: f in the local layout of the nodes, N and N m; zero on entry.
  using ForceFunction = std::function<void(const Motion& motion, std::span<double> f)>;
  /// Force::tangents: K = -df/dq and C = -df/dv, n x n, column by column; zero on entry.
  using TangentFunction = std::function<void(const Motion& motion, std::span<double> K, std::span<double> C)>;
  /// Force::conservative_force: -dV/dq, n entries.
  using ConservativeFunction = std::function<void(const Configuration& q, double t, std::span<double> f)>;
  /// Force::potential_energy: V in J.
  using PotentialFunction = std::function<double(const Configuration& q, double t)>;

  struct Parameters {
    std::string name;
    std::vector<Node> nodes;        ///< at least one, each once
    ForceFunction force;            ///< f; must be given
    TangentFunction tangents = {};  ///< exact derivatives; otherwise f is differenced
    /// A potential needs traits.has_potential, and also conservative_force unless the whole force derives from it.
    PotentialFunction potential = {};
    ConservativeFunction conservative_force = {};  ///< -dV/dq
    Traits traits = {};   ///< by default f may depend on q and v and has no potential
    double length = 1.0;  ///< over which f changes, m; scales the differences
  };
  UserForce(Parameters parameters, const Model& model);

  Traits traits() const override { return parameters_.traits; }
  void force(const Motion& motion, std::span<double> f) const override { parameters_.force(motion, f); }
  void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const override;
  void conservative_force(const Configuration& q, double t, std::span<double> f) const override {
    parameters_.conservative_force(q, t, f);
  }
  double potential_energy(const Configuration& q, double t) const override {
    return parameters_.potential(q, t);
  }

 private:
  Parameters parameters_;
};

}  // namespace picus
