#pragma once

/// Names of the cases and variants of the woodpecker in test reports.

#include <picus/models/woodpecker.hpp>

#include <ostream>

namespace picus::models {

// The name under which GoogleTest looks for it.
inline void PrintTo(Woodpecker::Case guidance, std::ostream* out) {  // NOLINT(readability-identifier-naming)
  *out << (guidance == Woodpecker::Case::one ? "case I" : "case II");
}

inline void PrintTo(Woodpecker::Variant variant,
                    std::ostream* out) {  // NOLINT(readability-identifier-naming)
  *out << (variant == Woodpecker::Variant::rigid_links ? "rigid links" : "body points");
}

}  // namespace picus::models
