#pragma once

/// A text file that appears under its name once it is complete.

#include "../part_file.hpp"

#include <filesystem>
#include <string_view>

namespace picus::program {

/// Throws FileError unless a new file may be given this name: nothing has it, or a file that is to be replaced.
void check_name(const std::filesystem::path& path, bool replaces);

class NewFile {
 public:
  /// Opened before anything is computed, so that an unwritable place is known at once. Throws FileError.
  explicit NewFile(std::filesystem::path path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Writes it and gives it its name. Throws FileError.
  void publish(std::string_view text);

 private:
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  results::PartFile part_;
  bool is_published_ = false;
};

}  // namespace picus::program
