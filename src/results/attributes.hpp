#pragma once

/// Attributes of HDF5 files that anybody may have written: types and sizes are looked at before anything is read.

#include "hdf5_handle.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace picus::results {

struct Attribute {
  /// A text, a number, or several separated by spaces, of which only the first stand here if there are many
  /// (`0 1 2 ... (64 numbers)`); for any other type what it is, in parentheses.
  std::string text;
  std::optional<std::int64_t> integer = {};  ///< of a single integer that fits
};

/// An attribute of an object that is open; nullopt if there is none of that name.
std::optional<Attribute> read_attribute(Hdf5Handle::Id object, const std::string& name);

}  // namespace picus::results
