#pragma once

#include <picus/types.hpp>

#include <cstddef>

namespace picus {

/// An index as the containers of the standard library take it.
inline std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

}  // namespace picus
