#pragma once

/// Pressure p(t) on a quadrilateral face of four point nodes. It follows the face: the force is along the
/// normal of the deformed face, against its outer side.
///
///     f_a = -p int N_a x_,xi x x_,eta dxi deta                                     (12)
///     K_ab = p int N_a (N_b,eta x_,xi^ - N_b,xi x_,eta^) dxi deta
///
/// For a single face K is not symmetric; over a closed surface it is. (Schweizerhof and Ramm 1984)

#include <picus/element.hpp>
#include <picus/elements/forces/quadrilateral_nodes.hpp>
#include <picus/elements/forces/time_function.hpp>
#include <picus/model.hpp>

#include <string>
#include <vector>

namespace picus {

class FacePressure : public Element, public Force {
 public:
  struct Parameters {
    std::string name;
    QuadrilateralNodes face;        ///< counterclockwise as seen from outside
    TimeFunction<double> pressure;  ///< p, Pa; a negative one pulls
  };
  FacePressure(Parameters parameters, const Model& model);

  Traits traits() const override;
  void force(const Motion& motion, std::span<double> f) const override;
  void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const override;

 private:
  TimeFunction<double> pressure_;
};

/// The arguments of add_pressure(); the elements are called NAME[0], NAME[1] and so on.
struct PressureParameters {
  std::string name;
  std::vector<QuadrilateralNodes> faces;  ///< each counterclockwise as seen from outside
  TimeFunction<double> pressure;          ///< Pa
};

/// Applies the same pressure to all faces, with elements "NAME[0]", "NAME[1]" and so on.
std::vector<Handle<FacePressure>> add_pressure(Model& model, const PressureParameters& parameters);

}  // namespace picus
