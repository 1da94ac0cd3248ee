#pragma once

/// A text file that gets its name once it is complete.

#include "../part_file.hpp"

#include <filesystem>
#include <string_view>

namespace picus::program {

/// Throws FileError unless a new file may be given this name: it is unused, or belongs to a file to be replaced.
void check_name(const std::filesystem::path& path, bool replaces);

class NewFile {
 public:
  /// Opens the file, before anything is computed, so that an unwritable location is detected immediately. Throws
  /// FileError.
  explicit NewFile(std::filesystem::path path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Writes the text and gives the file its name. Throws FileError.
  void publish(std::string_view text);

 private:
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  results::PartFile part_;
  bool is_published_ = false;
};

}  // namespace picus::program
