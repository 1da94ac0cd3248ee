#pragma once

/// A file whose content on disk makes sense at every instant.
///
/// HDF5 changes a file in place, piece by piece; a process killed between two pieces leaves rubbish. Here
/// data go to disk at once, to places that nothing on disk refers to yet, while changes of metadata are held
/// in memory until commit() writes them in an order that keeps each moment consistent.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace picus::results {

using FileAddress = std::uint64_t;

/// What a piece of the file holds, as far as the order of writing depends on it.
enum class Piece : std::uint8_t {
  data,        ///< written at once
  superblock,  ///< holds the length of the file
  tree_node,   ///< index of the chunks of a data set
  other,       ///< heaps, symbol tables
  header,      ///< of a data set or group: its extent, its attributes
};

class CommittedFile {
 public:
  /// Opens a temporary file beside `path`, which the first commit renames. Throws FileError.
  CommittedFile(std::filesystem::path path, bool overwrite);
  ~CommittedFile();
  CommittedFile(const CommittedFile&) = delete;
  CommittedFile& operator=(const CommittedFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// When the system refuses, has_failed() and reason() tell. From then on nothing reaches the disk any more, but metadata
  /// can still be read as they were written, so that HDF5 can close in peace: a write that fails under it leaves it with a
  /// file that it falls over at the end of the process.
  void write(FileAddress address, std::span<const std::byte> bytes, Piece piece) noexcept;
  /// Returns false when the system refuses.
  bool read(FileAddress address, std::span<std::byte> bytes) const noexcept;

  /// Metadata written while this is on changes last of all in each commit, from now on.
  void set_comes_last(bool comes_last) { comes_last_ = comes_last; }

  /// Writes what is held: first what is new, then the length of the file, then nodes from the root down, then
  /// headers, then what comes last. Throws FileError, also when others have removed or shortened the file meanwhile.
  void commit();

  FileAddress length() const { return length_; }
  /// How long the file will be once everything is written.
  void set_final_length(FileAddress length) { final_length_ = length; }
  bool has_failed() const { return failed_; }
  /// What was behind the first failure, the system's error or what others did to the file; empty if there was none.
  std::string reason() const;
  /// Throws FileError with reason(), or with `otherwise` if the system found nothing wrong.
  [[noreturn]] void fail(const std::string& otherwise) const;

 private:
  struct Held {
    std::vector<std::byte> bytes;
    Piece piece;
  };

  bool write_now(FileAddress address, std::span<const std::byte> bytes) noexcept;
  void update_held(FileAddress address, std::span<const std::byte> bytes) noexcept;
  bool write_backwards(FileAddress address, std::span<const std::byte> bytes) noexcept;
  void hold(FileAddress address, std::span<const std::byte> bytes, Piece piece);
  std::vector<FileAddress> commit_order() const;
  bool write_held();
  bool set_length(FileAddress length) noexcept;
  bool publish() noexcept;
  /// Whether no name leads to it any more.
  bool is_gone() const noexcept;
  /// Whether somebody else has taken off what this has written.
  bool is_shorter() const noexcept;
  bool failed(int error) noexcept;
  bool failed(std::string_view reason) noexcept;

  std::filesystem::path path_;
  std::filesystem::path temporary_;  ///< empty once published
  bool overwrite_;
  int descriptor_ = -1;
  bool has_length_ = false;  ///< it is no device
  FileAddress length_ = 0;   ///< of what is on disk
  FileAddress final_length_ = 0;
  std::map<FileAddress, Held> held_;
  std::unordered_set<FileAddress> committed_;  ///< addresses of metadata that is on disk
  std::unordered_set<FileAddress> last_;       ///< addresses of what comes last
  bool comes_last_ = false;
  bool failed_ = false;
  int error_ = 0;                ///< of the system
  std::string_view own_reason_;  ///< where the system found nothing wrong
};

/// `cannot write file "x.h5": No space left on device`
std::string cannot_write(const std::filesystem::path& path, const std::string& reason);

}  // namespace picus::results
