#include <picus/checks.hpp>
#include <picus/error.hpp>

#include <fmt/format.h>

#include <cmath>

namespace picus {
namespace {

std::string with_unit(double value, std::string_view unit) {
  return unit.empty() ? fmt::format("{}", value) : fmt::format("{} {}", value, unit);
}

}  // namespace

std::string Culprit::text() const {
  return fmt::format("{} \"{}\"", kind, name);
}

void require_finite(const Culprit& who, std::string_view what, double value, std::string_view unit) {
  if (!std::isfinite(value)) {
    throw ModelError(
        fmt::format("{}: {} is {}, must be a finite number", who.text(), what, with_unit(value, unit)));
  }
}

void require_finite(const Culprit& who, std::string_view what, const Vec3& value, std::string_view unit) {
  for (Index i = 0; i < 3; ++i) require_finite(who, fmt::format("{}[{}]", what, i), value[i], unit);
}

void require_positive(const Culprit& who, std::string_view what, double value, std::string_view unit) {
  require_finite(who, what, value, unit);
  if (value <= 0) {
    throw ModelError(fmt::format("{}: {} is {}, must be positive", who.text(), what, with_unit(value, unit)));
  }
}

void require_not_negative(const Culprit& who, std::string_view what, double value, std::string_view unit) {
  require_finite(who, what, value, unit);
  if (value < 0) {
    throw ModelError(
        fmt::format("{}: {} is {}, must not be negative", who.text(), what, with_unit(value, unit)));
  }
}

void require_between(const Culprit& who, std::string_view what, double value, double low, double high) {
  require_finite(who, what, value, "");
  if (value < low || value > high) {
    throw ModelError(fmt::format("{}: {} is {}, must lie in [{}, {}]", who.text(), what, value, low, high));
  }
}

Vec3 require_direction(const Culprit& who, std::string_view what, const Vec3& value) {
  require_finite(who, what, value, "");
  const double length = value.stableNorm();
  if (length == 0) throw ModelError(fmt::format("{}: {} has zero length", who.text(), what));
  return value / length;
}

}  // namespace picus
