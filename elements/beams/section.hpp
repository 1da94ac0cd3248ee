#pragma once

/// Cross sections of beams: the properties of the plane (d1, d2) through the centroid of a section whose normal t
/// points along the beam.
///
/// Strains and stress resultants are ordered as
///
///     strain     (elongation, shear along d1, shear along d2, twist, curvature about d1, curvature about d2)
///     resultant  (N, V1, V2, T, M1, M2) = stiffness strain + damping d(strain)/dt      N, N m
///
/// Dimensions in m, moduli in N/m2, densities in kg/m3. Bending about d2 happens in the plane (t, d1).

#include <picus/checks.hpp>
#include <picus/types.hpp>

#include <Eigen/Geometry>

#include <optional>

namespace picus {

/// Strains or stress resultants of a section, in the order above.
using Vec6 = Eigen::Matrix<double, 6, 1>;
/// Stiffness or damping of a section, 6 x 6.
using Mat6 = Eigen::Matrix<double, 6, 6>;

/// An isotropic elastic material.
struct BeamMaterial {
  double E = 0.0;                          ///< Young's modulus, N/m2, > 0
  double nu = 0.0;                         ///< Poisson's ratio, in (-1, 1/2]
  std::optional<double> G = std::nullopt;  ///< shear modulus, N/m2, > 0; E/(2 (1 + nu)) unless given
  double density = 0.0;                    ///< kg/m3, >= 0
  double relaxation_time = 0.0;            ///< tau of Kelvin-Voigt damping, tau times the stiffness, s, >= 0
};

struct Section {
  /// Stiffnesses and inertias about the principal axes through the centroid.
  struct Constants {
    double EA = 0.0;               ///< N, > 0
    double GA1 = 0.0;              ///< shear along d1, shear correction included, N, > 0
    double GA2 = 0.0;              ///< shear along d2, shear correction included, N, > 0
    double GJ = 0.0;               ///< torsion, N m2, > 0
    double EI1 = 0.0;              ///< bending about d1, N m2, > 0
    double EI2 = 0.0;              ///< bending about d2, N m2, > 0
    double mass = 0.0;             ///< rho A, kg/m, >= 0
    double I1 = 0.0;               ///< rho I about d1, kg m, >= 0
    double I2 = 0.0;               ///< rho I about d2, kg m, >= 0; the one about t is I1 + I2
    double relaxation_time = 0.0;  ///< as in BeamMaterial, s, >= 0
  };

  Mat6 stiffness = Mat6::Zero();  ///< symmetric positive definite
  Mat6 damping = Mat6::Zero();    ///< symmetric positive semidefinite
  double mass = 0.0;              ///< kg/m, >= 0
  Mat3 inertia = Mat3::Zero();    ///< about the centroid, axes (t, d1, d2), kg m; symmetric, eigenvalues >= 0

  /// `width` is along d2, `height` along d1. Shear correction 5/6; torsion constant from Saint-Venant's series
  /// (Timoshenko and Goodier, Theory of Elasticity, section 109).
  static Section rectangle(double width, double height, const BeamMaterial& material);
  /// Shear correction 6 (1 + nu)/(7 + 6 nu) (Cowper 1966).
  static Section circle(double radius, const BeamMaterial& material);
  /// Shear correction of Cowper (1966), with m the ratio of inner to outer radius: 6 (1 + nu) (1 + m^2)^2/((7 + 6 nu)
  /// (1 + m^2)^2 + (20 + 12 nu) m^2).
  static Section tube(double outer_radius, double inner_radius, const BeamMaterial& material);
  /// From stiffnesses and inertias per unit length. Throws ModelError if one is out of range.
  static Section constants(const Constants& constants);
};

/// The radius of the solid circular section with the same radius of gyration (the geometric mean if the two differ):
/// r = 2 (EI1 EI2/EA^2)^(1/4), in m. `stiffness` is that of a section, or a multiple of it.
double equivalent_radius(const Mat6& stiffness);

/// The torsion constant of a rectangle with these sides, m4.
double torsion_constant_of_rectangle(double a, double b);

/// Throws ModelError unless the stiffness is symmetric positive definite, the damping symmetric without negative
/// eigenvalues, the mass not negative and the inertia physically possible.
void require_section(const Culprit& who, const Section& section);

}  // namespace picus
