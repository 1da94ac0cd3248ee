#pragma once

/// ZIP archives, as FMUs are (PKWARE's application note 6.3, without extensions).

#include <span>
#include <string>

namespace picus::program {

/// A file in an archive.
struct ZipEntry {
  std::string name;  ///< with '/' between folders
  std::string content;
};

/// The archive of these files, compressed. Equal files give equal bytes: there is no date. Throws FileError for files of
/// 4 GB and more.
std::string zip_archive(std::span<const ZipEntry> entries);

}  // namespace picus::program
