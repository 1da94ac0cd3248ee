#pragma once

#include <picus/checks.hpp>
#include <picus/elements/forces/time_function.hpp>
#include <picus/error.hpp>

#include <string>

namespace picus {

/// Throws ModelError when the load is missing or not finite at t = 0.
template <class Value>
void require_load(const Culprit& who, const std::string& what, const TimeFunction<Value>& load,
                  std::string_view unit) {
  if (!load.is_given()) throw ModelError(who.text() + ": " + what + " is not given");
  require_finite(who, what + "(0)", load(0.0), unit);
}

}  // namespace picus
