#pragma once

/// Contact of a point with the inner side of a fixed sphere.
///
///     g = R - |x - c|,   n = (c - x)/|x - c|,   t_1 = p x n/|p x n|,   t_2 = n x t_1
///
/// with a fixed direction p, so that the tangents are singular at c +- R p only.

#include <picus/element.hpp>
#include <picus/model.hpp>

#include <string>

namespace picus::models {

class HollowSphereContact : public Element, public Contact {
 public:
  struct Parameters {
    std::string name;
    PointNode point;
    Vec3 centre = Vec3::Zero();  ///< c, m
    double radius = 1.0;         ///< R, m
    double mu = 0.0;
    double e_n = 0.0;
  };
  /// Throws ModelError for a radius or a coefficient outside its range, or a point at the centre.
  HollowSphereContact(const Parameters& parameters, const Model& model);

  const ContactLaw& law() const override { return law_; }
  void displacement(const Configuration& q_n, const Configuration& q, std::span<double> g) const override;
  void gradient(const Configuration& q, std::span<double> G) const override;
  void geometric_stiffness(const Configuration& q, std::span<const double> p,
                           std::span<double> K) const override;
  bool has_path_dependent_slip() const override { return law_.friction_directions > 0; }

 private:
  Mat3 axes(const Configuration& q) const;

  PointNode point_;
  Vec3 centre_;
  double radius_;
  ContactLaw law_;
};

}  // namespace picus::models
