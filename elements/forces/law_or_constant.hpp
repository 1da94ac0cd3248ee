#pragma once

#include <picus/checks.hpp>
#include <picus/elements/forces/scalar_law.hpp>
#include <picus/error.hpp>

#include <optional>
#include <string>

namespace picus {

/// The law given by the user, or a linear one with the constant; throws ModelError if the constant is negative or
/// both are given.
inline ScalarLaw law_or_constant(const Culprit& who, const std::string& law_name,
                                 const std::optional<ScalarLaw>& law, const std::string& constant_name,
                                 double constant, std::string_view unit) {
  require_not_negative(who, constant_name, constant, unit);
  if (!law) return ScalarLaw::linear(constant);
  if (constant > 0) {
    throw ModelError(who.text() + ": both " + law_name + " and " + constant_name + " are given");
  }
  return *law;
}

}  // namespace picus
