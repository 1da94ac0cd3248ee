#pragma once

/// A user-defined contact between any nodes, of which only the gap is needed:
///
///     g_N = gap(q),   g_T = s(q) - s(q_n),   G = d(g_N, g_T)/dq
///
/// The gap is a length in metres, positive when open. Friction needs the tangential coordinates s as well, in metres:
/// those of the contact point of one body, measured on the other along one or two perpendicular directions. Their
/// differences are the tangential displacement in a step. With the second coordinate multiplied by a, friction along it
/// has the coefficient a mu (as by the anisotropy of NodeToFaceContact). Bodies that roll on each other have no such
/// coordinates.
///
/// Both are differentiated along the group: central differences of fourth order with a step of 1e-3 (`length` for
/// translations, 1 for rotations and scalars), 4 n evaluations for n velocity components. If they are smooth over a length
/// and a radian, their error is about 1e-12 of their change over a length. Second derivatives, for tangents only, are
/// second differences: about 1e-9, and 2 n (n + 1) + 1 evaluations.
///
/// Both may only read the nodes of the contact: during differencing all others are NaN. They are called concurrently with
/// other elements, from any thread of the run, unless Model::evaluate_serially says otherwise.

#include <picus/element.hpp>
#include <picus/model.hpp>

#include <functional>
#include <string>
#include <vector>

namespace picus {

class UserContact : public Element, public Contact {
 public:
  /// The gap, m.
  using GapFunction = std::function<double(const Configuration& q)>;
  /// The tangential coordinates, m, one for each friction direction; zero on entry.
  using CoordinatesFunction = std::function<void(const Configuration& q, std::span<double> s)>;

  struct Parameters {
    std::string name;
    std::vector<Node> nodes;               ///< at least one, each once; forces are drawn from the first
    GapFunction gap;                       ///< must be given
    CoordinatesFunction coordinates = {};  ///< must be given with friction
    Friction mu = 0.0;                     ///< coefficient of friction, >= 0, or a law (friction_law.hpp)
    double e_n = 0.0;                      ///< normal coefficient of restitution, in [0, 1]
    double e_t = 0.0;                      ///< tangential coefficient of restitution, in [0, 1]
    /// The impact law to which e_n refers: Newton's, Poisson's, or that of Liu, Zhao and Brogliato.
    ImpactLaw impact_law = {};
    Index friction_directions = 2;  ///< 1 (in a plane) or 2. There is none if mu = 0.
    double length = 1.0;            ///< over which the gap changes, m; scales the differences
  };
  /// Throws ModelError for parameters out of range and for a gap or coordinates that are not finite at the start.
  UserContact(Parameters parameters, const Model& model);

  const ContactLaw& law() const override { return law_; }
  void displacement(const Configuration& q_n, const Configuration& q, std::span<double> g) const override;
  void gradient(const Configuration& q, std::span<double> G) const override;
  void geometric_stiffness(const Configuration& q, std::span<const double> p,
                           std::span<double> K) const override;
  /// The gap may depend on a velocity component in some configurations only.
  bool has_structural_zeros() const override { return false; }

 private:
  /// The gap and the coordinates.
  void evaluate(const Configuration& q, std::span<double> values) const;

  Parameters parameters_;
  ContactLaw law_;
};

}  // namespace picus
