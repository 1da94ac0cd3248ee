#include <picus/checks.hpp>
#include <picus/error.hpp>
#include <picus/impact_law.hpp>

#include <fmt/format.h>

namespace picus {

void require_impact_law(const Culprit& who, const ImpactLaw& law, double e_t) {
  if (law.kind == ImpactLaw::Kind::newton) return;
  require_positive(who, "stiffness of the impact law", law.stiffness, "");
  require_between(who, "exponent of the impact law", law.exponent, 1.0, 4.0);
  if (e_t != 0)
    throw ModelError(
        fmt::format("{}: e_t is {}, but only Newton's law has tangential restitution", who.text(), e_t));
}

}  // namespace picus
