#pragma once

/// The file driver that lets HDF5 write through a CommittedFile.

#include "hdf5_handle.hpp"

namespace picus::results {

class CommittedFile;

/// A file access property list for `file`, which must outlive every HDF5 file opened with it.
Hdf5Handle make_file_access(CommittedFile& file);

}  // namespace picus::results
