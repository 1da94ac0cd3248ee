#pragma once

/// Attributes of untrusted HDF5 files: types and sizes are checked before anything is read.

#include "hdf5_handle.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace picus::results {

struct Attribute {
  /// A text, a number, or several separated by spaces, of which only the first are shown if there are many (`0 1 2 ...
  /// (64 numbers)`); for any other type its description in parentheses.
  std::string text;
  std::optional<std::int64_t> integer = {};  ///< value if it is a single integer that fits
};

/// Reads an attribute of an open object; nullopt if there is none of that name.
std::optional<Attribute> read_attribute(Hdf5Handle::Id object, const std::string& name);

}  // namespace picus::results
