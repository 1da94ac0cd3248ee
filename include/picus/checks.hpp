#pragma once

/// Checks of what a user gives, with messages of one form: `rigid body "bird": mass is -1 kg, must be
/// positive`.

#include <picus/types.hpp>

#include <string>
#include <string_view>

namespace picus {

/// Who is being checked: what it is ("rigid body") and how the user named it ("bird").
struct Culprit {
  std::string_view kind;  ///< what it is, as messages call it: "rigid body"
  std::string_view name;  ///< as the user named it
  /// `rigid body "bird"`
  std::string text() const;
};

/// Finite. Each of these throws ModelError when the value does not hold; `unit` may be empty.
void require_finite(const Culprit& who, std::string_view what, double value, std::string_view unit);
/// All three components are finite.
void require_finite(const Culprit& who, std::string_view what, const Vec3& value, std::string_view unit);
/// Finite and > 0.
void require_positive(const Culprit& who, std::string_view what, double value, std::string_view unit);
/// Finite and >= 0.
void require_not_negative(const Culprit& who, std::string_view what, double value, std::string_view unit);
/// Finite and in [low, high].
void require_between(const Culprit& who, std::string_view what, double value, double low, double high);
/// The unit vector along `value`; throws when its length is zero or not finite.
Vec3 require_direction(const Culprit& who, std::string_view what, const Vec3& value);

}  // namespace picus
