#include <picus/checks.hpp>
#include <picus/elements/joints/coordinate_stop.hpp>

#include <fmt/format.h>

namespace picus {

CoordinateStop::CoordinateStop(const Parameters& p, const Model& model)
    : Element(p.name, {p.coordinate}),
      coordinate_(p.coordinate),
      sign_(p.side == Side::lower ? 1.0 : -1.0),
      limit_(p.limit),
      law_{.mu = 0.0, .e_n = p.e_n, .e_t = 0.0, .friction_directions = 0, .impact = p.impact_law} {
  const Culprit who{"stop", name()};
  model.require_node(coordinate_, who.text(), "coordinate");
  require_finite(who, "limit", limit_, "");
  require_between(who, "e_n", p.e_n, 0.0, 1.0);
  require_impact_law(who, p.impact_law, 0.0);
}

void CoordinateStop::displacement(const Configuration&, const Configuration& q, std::span<double> g) const {
  g[0] = sign_ * (q.value(coordinate_) - limit_);
}

void CoordinateStop::gradient(const Configuration&, std::span<double> G) const {
  G[0] = sign_;
}

void CoordinateStop::geometric_stiffness(const Configuration&, std::span<const double>,
                                         std::span<double>) const {}

Stops add_stops(Model& model, const StopsParameters& p) {
  const Culprit who{"stops", p.name};
  if (!p.lower && !p.upper) throw ModelError(who.text() + ": neither lower nor upper is given");
  if (p.lower && p.upper && *p.lower >= *p.upper) {
    throw ModelError(
        fmt::format("{}: lower is {}, must be below upper, which is {}", who.text(), *p.lower, *p.upper));
  }
  using enum CoordinateStop::Side;
  Stops stops;
  if (p.lower) {
    stops.lower = model.add<CoordinateStop>({.name = p.name + "_lower",
                                             .coordinate = p.coordinate,
                                             .side = lower,
                                             .limit = *p.lower,
                                             .e_n = p.e_n,
                                             .impact_law = p.impact_law});
  }
  if (p.upper) {
    stops.upper = model.add<CoordinateStop>({.name = p.name + "_upper",
                                             .coordinate = p.coordinate,
                                             .side = upper,
                                             .limit = *p.upper,
                                             .e_n = p.e_n,
                                             .impact_law = p.impact_law});
  }
  return stops;
}

}  // namespace picus
