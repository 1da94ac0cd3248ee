#pragma once

/// A file whose content on disk is consistent at every instant.
///
/// HDF5 changes a file in place, piece by piece; a process killed between two writes leaves a corrupt file. Here data
/// are written immediately, to locations that nothing on disk refers to yet, while changes of metadata are held in
/// memory until commit() writes them in an order that keeps the file consistent at each moment.

#include <picus/error.hpp>

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

/// Kinds of pieces of the file, which determine the order of writing.
enum class Piece : std::uint8_t {
  data,        ///< written immediately
  superblock,  ///< contains the length of the file
  tree_node,   ///< index of the chunks of a data set
  other,       ///< heaps, symbol tables
  header,      ///< header of a data set or group: extent, attributes
};

/// Another process has changed the file while it was written: it does not contain the computed results.
class ForeignChange : public FileError {
 public:
  using FileError::FileError;
};

class CommittedFile {
 public:
  /// Opens a temporary file in the folder of `path`, which the first commit renames. Throws FileError.
  CommittedFile(std::filesystem::path path, bool overwrite);
  ~CommittedFile();
  CommittedFile(const CommittedFile&) = delete;
  CommittedFile& operator=(const CommittedFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// System errors are reported by has_failed() and reason(). From then on nothing is written to disk, but metadata can
  /// still be read as written, so that HDF5 can close normally: after a failed write it would crash at the end of the
  /// process.
  void write(FileAddress address, std::span<const std::byte> bytes, Piece piece) noexcept;
  /// Returns false on a system error.
  bool read(FileAddress address, std::span<std::byte> bytes) const noexcept;

  /// Metadata written while this is set will be changed last in each commit.
  void set_comes_last(bool comes_last) { comes_last_ = comes_last; }

  /// Writes the metadata held in memory: first new pieces, then the length of the file, then nodes from the root down,
  /// then headers, then those marked as last. Throws FileError; ForeignChange if others have removed, moved,
  /// replaced, overwritten or shortened the file.
  void commit();

  FileAddress length() const { return length_; }
  /// Sets the length of the file once everything is written.
  void set_final_length(FileAddress length) { final_length_ = length; }
  bool has_failed() const { return failed_; }
  /// Reason of the first failure, the system's error or an external change of the file; empty if there was none.
  std::string reason() const;
  /// Throws FileError with reason(), or with `otherwise` if there was no system error.
  [[noreturn]] void fail(const std::string& otherwise) const;

 private:
  struct PendingPiece {
    std::vector<std::byte> bytes;
    Piece piece;
  };

  bool write_now(FileAddress address, std::span<const std::byte> bytes) noexcept;
  void update_pending(FileAddress address, std::span<const std::byte> bytes) noexcept;
  bool write_backwards(FileAddress address, std::span<const std::byte> bytes) noexcept;
  void defer(FileAddress address, std::span<const std::byte> bytes, Piece piece);
  std::vector<FileAddress> commit_order() const;
  bool write_pending();
  bool set_length(FileAddress length) noexcept;
  bool publish() noexcept;
  void update_marks(FileAddress address, std::span<const std::byte> bytes) noexcept;
  /// Whether the file no longer has its name.
  bool is_gone() const noexcept;
  /// Whether another process has written other bytes over the marks.
  bool is_overwritten() const;
  /// Whether another process has truncated the file.
  bool is_shorter() const noexcept;
  bool failed(int error) noexcept;
  bool failed(std::string_view reason) noexcept;

  std::filesystem::path path_;
  std::filesystem::path temporary_;  ///< empty once published
  bool overwrite_;
  int descriptor_ = -1;
  bool has_length_ = false;  ///< it is not a device
  FileAddress length_ = 0;   ///< length on disk
  FileAddress final_length_ = 0;
  std::map<FileAddress, PendingPiece> pending_;
  std::unordered_set<FileAddress> committed_;  ///< addresses of metadata on disk
  std::unordered_set<FileAddress> last_;       ///< addresses of metadata to be changed last
  /// Metadata on disk that contain the length of the file and the number of complete rows: those of another file, even
  /// of the same model, differ.
  std::map<FileAddress, std::vector<std::byte>> marks_;
  bool comes_last_ = false;
  bool failed_ = false;
  int error_ = 0;                ///< errno of the first failure
  std::string_view own_reason_;  ///< reason of a failure without system error
};

/// `cannot write file "x.h5": No space left on device`
std::string cannot_write(const std::filesystem::path& path, const std::string& reason);

}  // namespace picus::results
