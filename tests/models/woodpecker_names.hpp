#pragma once

/// Names of the cases and variants of the woodpecker in test reports.

#include <picus/models/woodpecker.hpp>

#include <ostream>

namespace picus::models {

// GoogleTest looks for functions of this name.
// NOLINTBEGIN(readability-identifier-naming)
inline void PrintTo(Woodpecker::Case guidance, std::ostream* out) {
  *out << (guidance == Woodpecker::Case::one ? "case I" : "case II");
}

inline void PrintTo(Woodpecker::Variant variant, std::ostream* out) {
  *out << (variant == Woodpecker::Variant::rigid_links ? "rigid links" : "body points");
}
// NOLINTEND(readability-identifier-naming)

}  // namespace picus::models
