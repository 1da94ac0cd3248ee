#pragma once

/// Checks of user input, with messages of a uniform form: `rigid body "bird": mass is -1 kg, must be positive`.

#include <picus/types.hpp>

#include <string>
#include <string_view>

namespace picus {

/// The object being checked: its kind ("rigid body") and the name given by the user ("bird").
struct Culprit {
  std::string_view kind;  ///< as in messages: "rigid body"
  std::string_view name;  ///< as the user named it
  /// `rigid body "bird"`
  std::string text() const;
};

/// Requires a finite value. Each of these functions throws ModelError if the condition does not hold; `unit` may be
/// empty.
void require_finite(const Culprit& who, std::string_view what, double value, std::string_view unit);
/// Requires three finite components.
void require_finite(const Culprit& who, std::string_view what, const Vec3& value, std::string_view unit);
/// Requires a finite value > 0.
void require_positive(const Culprit& who, std::string_view what, double value, std::string_view unit);
/// Requires a finite value >= 0.
void require_not_negative(const Culprit& who, std::string_view what, double value, std::string_view unit);
/// Requires a finite value in [low, high].
void require_between(const Culprit& who, std::string_view what, double value, double low, double high);
/// The unit vector along `value`; throws when its length is zero or not finite.
Vec3 require_direction(const Culprit& who, std::string_view what, const Vec3& value);

}  // namespace picus
