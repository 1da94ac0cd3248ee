#include "committed_file.hpp"

#include "part_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

namespace picus::results {
namespace {

constexpr FileAddress page_size = 4096;
constexpr std::string_view shortened = "another program has shortened it";
constexpr std::string_view overwritten = "another program has written to it";
constexpr std::string_view gone = "it was removed, moved or replaced";

/// Level of a node of a version 1 B-tree above the leaves: byte 5, after "TREE" and the type of node.
unsigned tree_level(const std::vector<std::byte>& node) {
  return node.size() > 5 ? std::to_integer<unsigned>(node[5]) : 0;
}

/// Copies the bytes that both ranges of addresses have in common.
void copy_common(FileAddress source_begin, std::span<const std::byte> source, FileAddress target_begin,
                 std::span<std::byte> target) {
  const FileAddress from = std::max(source_begin, target_begin);
  const FileAddress to = std::min(source_begin + source.size(), target_begin + target.size());
  if (from >= to) return;
  std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(from - source_begin), to - from,
              target.begin() + static_cast<std::ptrdiff_t>(from - target_begin));
}

}  // namespace

std::string cannot_write(const std::filesystem::path& path, const std::string& reason) {
  return fmt::format("cannot write file \"{}\": {}", path.string(), reason);
}

CommittedFile::CommittedFile(std::filesystem::path path, bool overwrite)
    : path_(std::move(path)), overwrite_(overwrite) {
  struct stat status = {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw FileError(cannot_write(path_, std::strerror(EISDIR)));
  const bool is_device = exists && S_ISCHR(status.st_mode);
  if (exists && !is_device) {
    if (!overwrite) {
      throw FileError(
          fmt::format("file \"{}\" exists; allow overwriting (--force) to replace it", path_.string()));
    }
    if (!S_ISREG(status.st_mode)) throw FileError(cannot_write(path_, "it is not a regular file"));
    if (::access(path_.c_str(), W_OK) != 0) throw FileError(cannot_write(path_, std::strerror(errno)));
  }
  if (is_device) {
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
  } else {
    std::error_code ignored;
    const auto target =
        std::filesystem::canonical(path_, ignored);  // a symbolic link is kept, its target is replaced
    PartFile part = open_part(ignored ? path_ : target);
    descriptor_ = part.descriptor;
    if (descriptor_ >= 0) temporary_ = std::move(part.path);
    has_length_ = true;
  }
  if (descriptor_ < 0) throw FileError(cannot_write(path_, std::strerror(errno)));
}

CommittedFile::~CommittedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

bool CommittedFile::failed(int error) noexcept {
  if (!failed_) error_ = error;
  failed_ = true;
  return false;
}

bool CommittedFile::failed(std::string_view reason) noexcept {
  if (!failed_) own_reason_ = reason;
  failed_ = true;
  return false;
}

std::string CommittedFile::reason() const {
  return error_ != 0 ? std::strerror(error_) : std::string(own_reason_);
}

void CommittedFile::fail(const std::string& otherwise) const {
  if (error_ == 0 && !own_reason_.empty()) throw ForeignChange(cannot_write(path_, std::string(own_reason_)));
  const std::string known = reason();
  throw FileError(cannot_write(path_, known.empty() ? otherwise : known));
}

void CommittedFile::write(FileAddress address, std::span<const std::byte> bytes, Piece piece) noexcept {
  if (piece == Piece::data) {
    update_pending(address, bytes);
    if (!failed_) write_now(address, bytes);
    return;
  }
  try {
    defer(address, bytes, piece);
    if (comes_last_) last_.insert(address);
  } catch (...) {
    failed(ENOMEM);
  }
}

bool CommittedFile::write_now(FileAddress address, std::span<const std::byte> bytes) noexcept {
  if (is_shorter()) return failed(shortened);
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed(errno);
    if (count == 0) return failed(ENOSPC);
    update_marks(address, bytes.first(count));
    bytes = bytes.subspan(count);
    address += static_cast<FileAddress>(count);
    length_ = std::max(length_, address);
  }
  return true;
}

void CommittedFile::update_marks(FileAddress address, std::span<const std::byte> bytes) noexcept {
  for (auto& [begin, mark] : marks_) copy_common(address, bytes, begin, mark);
}

// Metadata freed by HDF5 may still be held when data are written to the same addresses; they must not overwrite these.
void CommittedFile::update_pending(FileAddress address, std::span<const std::byte> bytes) noexcept {
  const FileAddress end = address + bytes.size();
  auto it = pending_.upper_bound(address);
  if (it != pending_.begin()) --it;
  for (; it != pending_.end() && it->first < end; ++it)
    copy_common(address, bytes, it->first, it->second.bytes);
}

// The process may be killed between two pages. New entries at the end of a node must be written before the number of
// entries at its beginning.
bool CommittedFile::write_backwards(FileAddress address, std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const FileAddress last_page = (address + bytes.size() - 1) / page_size * page_size;
    const std::size_t head = last_page > address ? static_cast<std::size_t>(last_page - address) : 0;
    if (!write_now(address + head, bytes.subspan(head))) return false;
    bytes = bytes.first(head);
  }
  return true;
}

void CommittedFile::defer(FileAddress address, std::span<const std::byte> bytes, Piece piece) {
  const FileAddress end = address + bytes.size();
  auto first = pending_.lower_bound(address);
  if (first != pending_.begin() &&
      std::prev(first)->first + std::prev(first)->second.bytes.size() > address) {
    --first;
  }
  const auto last = pending_.lower_bound(end);
  if (first == last) {
    pending_.emplace(address, PendingPiece{{bytes.begin(), bytes.end()}, piece});
    return;
  }
  const FileAddress begin = std::min(address, first->first);
  FileAddress joint_end = end;
  for (auto it = first; it != last; ++it)
    joint_end = std::max(joint_end, it->first + it->second.bytes.size());
  if (begin == first->first && joint_end == begin + first->second.bytes.size()) {  // mostly the same piece
    std::copy(bytes.begin(), bytes.end(),
              first->second.bytes.begin() + static_cast<std::ptrdiff_t>(address - begin));
    return;
  }
  std::vector<std::byte> joint(joint_end - begin);
  if (!read(begin, joint)) return;
  std::copy(bytes.begin(), bytes.end(), joint.begin() + static_cast<std::ptrdiff_t>(address - begin));
  pending_.erase(first, last);
  pending_.emplace(begin, PendingPiece{std::move(joint), piece});
}

bool CommittedFile::read(FileAddress address, std::span<std::byte> bytes) const noexcept {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count =
        ::pread(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(address + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) break;  // beyond the end
    done += count;
  }
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(done), bytes.end(), std::byte{0});

  const FileAddress end = address + bytes.size();
  auto it = pending_.upper_bound(address);
  if (it != pending_.begin()) --it;
  for (; it != pending_.end() && it->first < end; ++it)
    copy_common(it->first, it->second.bytes, address, bytes);
  return true;
}

std::vector<FileAddress> CommittedFile::commit_order() const {
  // Among the last pieces those created first are last: /time counts the records, and the rows of all other tables must
  // be complete by then.
  using Key = std::tuple<int, int, FileAddress, FileAddress>;
  std::vector<Key> keys;
  for (const auto& [address, pending] : pending_) {
    constexpr int first = -1;
    constexpr int last = 100;
    int rank = last_.contains(address) ? last : static_cast<int>(pending.piece);
    if (!committed_.contains(address)) rank = first;
    const int from_root =
        pending.piece == Piece::tree_node ? -static_cast<int>(tree_level(pending.bytes)) : 0;
    keys.emplace_back(rank, from_root, rank == last ? ~address : address, address);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<FileAddress> order;
  order.reserve(keys.size());
  for (const Key& key : keys) order.push_back(std::get<3>(key));
  return order;
}

bool CommittedFile::set_length(FileAddress length) noexcept {
  if (is_shorter()) return failed(shortened);
  if (length_ != length && ::ftruncate(descriptor_, static_cast<off_t>(length)) != 0) return failed(errno);
  length_ = length;
  return true;
}

bool CommittedFile::write_pending() {
  if (is_overwritten()) return failed(overwritten);
  bool is_long_enough = false;
  for (const FileAddress address : commit_order()) {
    const std::vector<std::byte>& bytes = pending_.at(address).bytes;
    if (!committed_.contains(address)) {
      if (!write_now(address, bytes)) return false;
      continue;
    }
    if (!is_long_enough && !set_length(std::max(length_, final_length_))) return false;
    is_long_enough = true;  // before the superblock contains the new length
    if (!write_backwards(address, bytes)) return false;
  }
  if (!set_length(final_length_)) return false;
  for (auto& [address, pending] : pending_) {
    committed_.insert(address);
    if (pending.piece == Piece::superblock || last_.contains(address))
      marks_[address] = std::move(pending.bytes);
  }
  pending_.clear();
  return true;
}

bool CommittedFile::publish() noexcept {
  if (temporary_.empty()) return true;
  std::error_code ignored;
  std::filesystem::path target = std::filesystem::canonical(path_, ignored);
  if (ignored) target = path_;
  int result = -1;
  if (!overwrite_)
    result = ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE);
  if (overwrite_ || (result != 0 && (errno == EINVAL || errno == ENOSYS))) {
    result = ::rename(temporary_.c_str(), target.c_str());
  }
  if (result != 0) return failed(errno);
  unlock_part(descriptor_);
  temporary_.clear();
  return true;
}

bool CommittedFile::is_gone() const noexcept {
  struct stat own = {};
  struct stat named = {};
  if (!has_length_ || ::fstat(descriptor_, &own) != 0) return false;
  if (::stat(path_.c_str(), &named) != 0) return errno == ENOENT || errno == ENOTDIR;
  return own.st_ino != named.st_ino || own.st_dev != named.st_dev;
}

bool CommittedFile::is_overwritten() const {
  std::vector<std::byte> bytes;
  for (const auto& [address, mark] : marks_) {
    bytes.resize(mark.size());
    const ssize_t count = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(address));
    if (count == static_cast<ssize_t>(bytes.size()) && bytes != mark) return true;
  }
  return false;
}

bool CommittedFile::is_shorter() const noexcept {
  struct stat status = {};
  return has_length_ && ::fstat(descriptor_, &status) == 0 &&
         static_cast<FileAddress>(status.st_size) < length_;
}

void CommittedFile::commit() {
  if (failed_ || !write_pending() || !publish()) fail("the file is damaged");
  if (is_shorter()) failed(shortened);
  if (is_gone()) failed(gone);
  if (failed_) fail("");
}

}  // namespace picus::results
