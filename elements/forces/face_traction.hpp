#pragma once

/// A traction T(t) on a quadrilateral face of four point nodes, per unit area of the reference configuration (the
/// start), with a direction that does not follow the face:
///
///     f_a = T int N_a dA                                                           (12)

#include <picus/element.hpp>
#include <picus/elements/forces/quadrilateral_nodes.hpp>
#include <picus/elements/forces/time_function.hpp>
#include <picus/model.hpp>

#include <string>
#include <vector>

namespace picus {

class FaceTraction : public Element, public Force {
 public:
  struct Parameters {
    std::string name;
    QuadrilateralNodes face;      ///< counterclockwise as seen from outside
    TimeFunction<Vec3> traction;  ///< T in the inertial frame, Pa on the reference area
  };
  FaceTraction(Parameters parameters, const Model& model);

  Traits traits() const override;
  void force(const Motion& motion, std::span<double> f) const override;
  void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const override;

 private:
  TimeFunction<Vec3> traction_;
  Eigen::Vector4d areas_;  ///< int N_a dA, m2
};

/// The arguments of add_traction(); the elements are called NAME[0], NAME[1] and so on.
struct TractionParameters {
  std::string name;
  std::vector<QuadrilateralNodes> faces;  ///< each counterclockwise as seen from outside
  TimeFunction<Vec3> traction;            ///< Pa
};

/// Applies the same traction to all faces, with elements "NAME[0]", "NAME[1]" and so on.
std::vector<Handle<FaceTraction>> add_traction(Model& model, const TractionParameters& parameters);

}  // namespace picus
