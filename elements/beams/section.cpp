#include <picus/checks.hpp>
#include <picus/elements/beams/section.hpp>
#include <picus/elements/principal_values.hpp>
#include <picus/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace picus {
namespace {

constexpr double pi = std::numbers::pi;

double shear_modulus(const Culprit& who, const BeamMaterial& material) {
  require_positive(who, "E", material.E, "N/m2");
  if (material.G) {
    require_positive(who, "G", *material.G, "N/m2");
    return *material.G;
  }
  require_finite(who, "nu", material.nu, "");
  if (material.nu <= -1 || material.nu > 0.5) {
    throw ModelError(fmt::format("{}: nu is {}, must lie in (-1, 0.5]", who.text(), material.nu));
  }
  return material.E / (2 * (1 + material.nu));
}

/// Area, second moments of area about d1 and d2, torsion constant, shear correction.
struct Shape {
  double A, I1, I2, J, k;
};

Section section_of(const Culprit& who, const Shape& shape, double G, const BeamMaterial& material) {
  require_not_negative(who, "density", material.density, "kg/m3");
  require_not_negative(who, "relaxation_time", material.relaxation_time, "s");
  return Section::constants({.EA = material.E * shape.A,
                             .GA1 = shape.k * G * shape.A,
                             .GA2 = shape.k * G * shape.A,
                             .GJ = G * shape.J,
                             .EI1 = material.E * shape.I1,
                             .EI2 = material.E * shape.I2,
                             .mass = material.density * shape.A,
                             .I1 = material.density * shape.I1,
                             .I2 = material.density * shape.I2,
                             .relaxation_time = material.relaxation_time});
}

void require_symmetric(const Culprit& who, std::string_view what, const Eigen::MatrixXd& matrix,
                       std::string_view unit) {
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < matrix.cols(); ++j)
      require_finite(who, fmt::format("{}({}, {})", what, i, j), matrix(i, j), unit);
  }
  if ((matrix - matrix.transpose()).cwiseAbs().maxCoeff() > 1e-9 * matrix.cwiseAbs().maxCoeff()) {
    throw ModelError(fmt::format("{}: {} is not symmetric", who.text(), what));
  }
}

/// An eigenvalue below this counts as zero up to rounding.
constexpr double zero = 1e-12;

}  // namespace

Section Section::rectangle(double width, double height, const BeamMaterial& material) {
  const Culprit who{"section", "rectangle"};
  require_positive(who, "width", width, "m");
  require_positive(who, "height", height, "m");
  const double G = shear_modulus(who, material);
  const Shape shape{.A = width * height,
                    .I1 = height * std::pow(width, 3) / 12,
                    .I2 = width * std::pow(height, 3) / 12,
                    .J = torsion_constant_of_rectangle(width, height),
                    .k = 5.0 / 6};
  return section_of(who, shape, G, material);
}

Section Section::circle(double radius, const BeamMaterial& material) {
  const Culprit who{"section", "circle"};
  require_positive(who, "radius", radius, "m");
  const double G = shear_modulus(who, material);
  const double nu = material.E / (2 * G) - 1;
  const double I = pi * std::pow(radius, 4) / 4;
  const double k = 6 * (1 + nu) / (7 + 6 * nu);
  return section_of(who, {pi * radius * radius, I, I, 2 * I, k}, G, material);
}

Section Section::tube(double outer_radius, double inner_radius, const BeamMaterial& material) {
  const Culprit who{"section", "tube"};
  require_positive(who, "outer_radius", outer_radius, "m");
  require_positive(who, "inner_radius", inner_radius, "m");
  if (inner_radius >= outer_radius) {
    throw ModelError(fmt::format("{}: inner_radius is {} m, must be smaller than outer_radius, {} m",
                                 who.text(), inner_radius, outer_radius));
  }
  const double G = shear_modulus(who, material);
  const double nu = material.E / (2 * G) - 1;
  const double thickness = outer_radius - inner_radius;
  const double A = pi * thickness * (outer_radius + inner_radius);
  const double squares = outer_radius * outer_radius + inner_radius * inner_radius;
  const double I = A * squares / 4;
  const double m = inner_radius / outer_radius;
  const double n = std::pow(1 + m * m, 2);
  const double k = 6 * (1 + nu) * n / ((7 + 6 * nu) * n + (20 + 12 * nu) * m * m);
  return section_of(who, {A, I, I, 2 * I, k}, G, material);
}

Section Section::constants(const Constants& c) {
  const Culprit who{"section", "constants"};
  require_positive(who, "EA", c.EA, "N");
  require_positive(who, "GA1", c.GA1, "N");
  require_positive(who, "GA2", c.GA2, "N");
  require_positive(who, "GJ", c.GJ, "N m2");
  require_positive(who, "EI1", c.EI1, "N m2");
  require_positive(who, "EI2", c.EI2, "N m2");
  require_not_negative(who, "mass", c.mass, "kg/m");
  require_not_negative(who, "I1", c.I1, "kg m");
  require_not_negative(who, "I2", c.I2, "kg m");
  require_not_negative(who, "relaxation_time", c.relaxation_time, "s");
  Section section;
  section.stiffness.diagonal() << c.EA, c.GA1, c.GA2, c.GJ, c.EI1, c.EI2;
  section.damping = c.relaxation_time * section.stiffness;
  section.mass = c.mass;
  section.inertia.diagonal() << c.I1 + c.I2, c.I1, c.I2;
  return section;
}

double equivalent_radius(const Mat6& stiffness) {
  return 2 * std::pow(stiffness(4, 4) * stiffness(5, 5), 0.25) / std::sqrt(stiffness(0, 0));
}

double torsion_constant_of_rectangle(double a, double b) {
  if (a < b) std::swap(a, b);
  // J = a b^3 (1/3 - 64 b/(pi^5 a) sum tanh(n pi a/(2 b))/n^5) over odd n. With 1 in place of tanh the sum is 31/32
  // zeta(5); the remainder, 1 - tanh x = 2/(1 + exp 2x), decreases by exp(-2 pi) per term.
  constexpr double whole = 31.0 / 32 * 1.0369277551433699263;
  double rest = 0;
  for (int n = 1; n <= 9; n += 2) rest += 2 / (1 + std::exp(n * pi * a / b)) / std::pow(n, 5);
  return a * std::pow(b, 3) * (1.0 / 3 - 64 * b / (std::pow(pi, 5) * a) * (whole - rest));
}

void require_section(const Culprit& who, const Section& section) {
  require_symmetric(who, "section stiffness", section.stiffness, "");
  for (Index i = 0; i < 6; ++i) {
    require_positive(who, fmt::format("section stiffness({}, {})", i, i), section.stiffness(i, i), "");
  }
  if (smallest_scaled_eigenvalue(section.stiffness) < zero) {
    throw ModelError(fmt::format("{}: section stiffness is not positive definite", who.text()));
  }
  require_symmetric(who, "section damping", section.damping, "");
  for (Index i = 0; i < 6; ++i)
    require_not_negative(who, fmt::format("section damping({}, {})", i, i), section.damping(i, i), "");
  if (smallest_scaled_eigenvalue(section.damping) < -zero) {
    throw ModelError(fmt::format("{}: section damping has a negative eigenvalue", who.text()));
  }
  require_not_negative(who, "section mass", section.mass, "kg/m");
  require_symmetric(who, "section inertia", section.inertia, "kg m");
  for (Index i = 0; i < 3; ++i)
    require_not_negative(who, fmt::format("section inertia({}, {})", i, i), section.inertia(i, i), "kg m");
  if (smallest_scaled_eigenvalue(section.inertia) < -zero) {
    throw ModelError(fmt::format("{}: section inertia has a negative principal moment", who.text()));
  }
}

}  // namespace picus
