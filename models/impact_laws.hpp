#pragma once

/// The choice of an impact law as a parameter of models.

#include <picus/impact_law.hpp>
#include <picus/parameter_table.hpp>

#include <string>
#include <utility>
#include <vector>

namespace picus::models {

/// Their names as typed by the user.
inline std::vector<std::pair<std::string, ImpactLaw::Kind>> impact_law_names() {
  return {{"newton", ImpactLaw::Kind::newton},
          {"poisson", ImpactLaw::Kind::poisson},
          {"lzb", ImpactLaw::Kind::lzb}};
}

}  // namespace picus::models
