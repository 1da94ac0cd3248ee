#include "hdf5_recorder_check.hpp"

#include <picus/error.hpp>

#include <fmt/format.h>

#include <cmath>

namespace picus::results {

void check_options(const std::filesystem::path& path, const Hdf5RecorderOptions& options) {
  if (path.empty()) throw OptionError("the result file has no name");
  if (path.extension() == ".xdmf") {
    throw OptionError(
        fmt::format("the HDF5 file \"{}\" must not end in .xdmf, as the file beside it does", path.string()));
  }
  if (options.every < 1) {
    throw OptionError(fmt::format("every is {}, must be at least 1 step", options.every));
  }
  if (options.frames < 2) {
    throw OptionError(fmt::format("frames is {}, must be at least 2", options.frames));
  }
  if (!(options.flush_seconds >= 0) || !std::isfinite(options.flush_seconds)) {
    throw OptionError(
        fmt::format("flush_seconds is {}, must be finite and not negative", options.flush_seconds));
  }
  if (options.compression < 0 || options.compression > 9) {
    throw OptionError(fmt::format("compression is {}, must lie in [0, 9]", options.compression));
  }
}

}  // namespace picus::results
