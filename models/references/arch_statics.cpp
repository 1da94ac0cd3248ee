#include <picus/models/references/arch_statics.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace picus::models {
namespace {

/// a H + b M + c >= 0, with M the moment of the crown thrust about the centre line there.
struct HalfPlane {
  double a, b, c;
};

/// Width of the interval of M for one H: positive if some M satisfies all bounds.
double room(const std::vector<HalfPlane>& bounds, double H) {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  double slack = std::numeric_limits<double>::infinity();  // the smallest slack of the bounds without M
  for (const HalfPlane& bound : bounds) {
    const double rest = bound.a * H + bound.c;
    if (bound.b > 0) {
      low = std::max(low, -rest / bound.b);
    } else if (bound.b < 0) {
      high = std::min(high, -rest / bound.b);
    } else {
      slack = std::min(slack, rest);
    }
  }
  return std::min(high - low, slack);
}

/// For the half of the arch from the crown (angle pi/2) down to the springing at x > 0, with unit weight per unit
/// area.
std::vector<HalfPlane> bounds_of(const ArchShape& shape) {
  const ArchBlock block = arch_block(shape.blocks, shape.thickness);
  const double step = std::numbers::pi / static_cast<double>(shape.blocks);
  std::vector<HalfPlane> bounds;
  const auto half = shape.blocks / 2;  // number of joints strictly below the crown, or at it
  for (Index i = 0; i <= half; ++i) {
    const double angle = step * static_cast<double>(i);
    // Weight between the joint and the crown, and its first moment: whole blocks, and half of the middle one if n is
    // odd.
    double weight = 0.0;
    double moment = 0.0;  // with respect to x
    for (Index k = i; k < half; ++k) {
      weight += block.area;
      moment += block.area * block.centroid * std::cos(step * (static_cast<double>(k) + 0.5));
    }
    if (shape.blocks % 2 == 1) {
      const ArchBlock part = arch_block(2 * shape.blocks, shape.thickness);
      weight += part.area;
      moment += part.area * part.centroid * std::cos(std::numbers::pi / 2 - step / 4);
    }
    // Action of the part above on the joint: thrust H along x at height 1 with the moment M, and the weight
    // downwards. Moments about the middle of the joint, (cos, sin), are positive counterclockwise.
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    const double rest = weight * c - moment;  // moment of the weight: -(x_w - c) W
    const double arm = -(1.0 - s);            // lever arm of H
    // Normal force on the joint, along (s, -c), and shear force along (c, s).
    const double N_H = s;
    const double N_0 = weight * c;
    const double T_H = c;
    const double T_0 = -weight * s;
    const double t = shape.thickness / 2;
    bounds.push_back({N_H, 0, N_0});
    for (const double sign : {1.0, -1.0}) {
      bounds.push_back({t * N_H - sign * arm, -sign, t * N_0 - sign * rest});
      bounds.push_back({shape.mu * N_H - sign * T_H, 0, shape.mu * N_0 - sign * T_0});
    }
  }
  // An odd number of blocks has no joint at the crown: any M is admissible there.
  return bounds;
}

}  // namespace

ArchBlock arch_block(Index blocks, double thickness) {
  const double angle = std::numbers::pi / static_cast<double>(blocks);
  const double inner = 1 - thickness / 2;
  const double outer = 1 + thickness / 2;
  const double area = angle / 2 * (outer * outer - inner * inner);
  const double centroid = 2.0 / 3 * std::sin(angle / 2) / (angle / 2) *
                          (std::pow(outer, 3) - std::pow(inner, 3)) / (outer * outer - inner * inner);
  const double about_centre = angle / 4 * (std::pow(outer, 4) - std::pow(inner, 4));
  return {area, centroid, about_centre - area * centroid * centroid};
}

bool can_stand(const ArchShape& shape) {
  const std::vector<HalfPlane> bounds = bounds_of(shape);
  double low = 0.0;
  double high = 10 * shape.thickness;  // for unit weight per unit area: several times the weight of the arch
  for (int i = 0; i < 200; ++i) {
    const double a = low + (high - low) / 3;
    const double b = high - (high - low) / 3;
    if (room(bounds, a) < room(bounds, b)) {
      low = a;
    } else {
      high = b;
    }
  }
  return room(bounds, (low + high) / 2) >= 0;
}

double least_thickness(Index blocks, double mu) {
  double falls = 0.0;
  double stands = 1.0;
  while (stands - falls > 1e-9) {
    const double middle = (falls + stands) / 2;
    (can_stand({blocks, middle, mu}) ? stands : falls) = middle;
  }
  return stands;
}

}  // namespace picus::models
