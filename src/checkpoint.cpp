#include "committed_file.hpp"
#include "crc32.hpp"
#include "part_file.hpp"
#include "printable.hpp"
#include "readable_file.hpp"
#include <picus/archive.hpp>
#include <picus/checkpoint.hpp>
#include <picus/error.hpp>
#include <picus/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

namespace picus {
namespace {

// File layout: magic bytes, format number (int32), version of Picus, content (texts preceded by their length), checksum
// of all preceding bytes (uint32).
constexpr std::array<char, 8> file_mark = {'P', 'i', 'c', 'u', 's', 'C', 'P', '\n'};

std::vector<std::byte> file_content(Checkpoint& checkpoint) {
  Archive content;
  content(checkpoint);
  auto mark = file_mark;
  auto format = checkpoint_format;
  std::string writer(version);
  std::vector<std::byte> bytes = content.bytes();
  Archive file;
  file(mark, format, writer, bytes);
  bytes = file.bytes();
  auto checksum = detail::crc32(bytes);
  const auto first = reinterpret_cast<const std::byte*>(&checksum);
  bytes.insert(bytes.end(), first, first + sizeof(checksum));
  return bytes;
}

/// An open file that is removed unless it has been renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target)
      : target_(target), part_(results::open_part(target)) {
    if (part_.descriptor < 0) fail();
  }
  ~TemporaryFile() {
    if (!is_renamed_) ::unlink(part_.path.c_str());
    ::close(part_.descriptor);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(part_.descriptor, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail();
      bytes = bytes.subspan(count);
    }
    if (::fsync(part_.descriptor) != 0) fail();
  }

  void replace_target() {
    if (::rename(part_.path.c_str(), target_.c_str()) != 0) fail();
    is_renamed_ = true;
    // The new name is on disk once its folder is synchronised; if that is not possible, the system does it later.
    const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
    const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) return;
    ::fsync(opened);
    ::close(opened);
  }

 private:
  [[noreturn]] void fail() const { throw FileError(results::cannot_write(target_, std::strerror(errno))); }

  std::filesystem::path target_;
  results::PartFile part_;
  bool is_renamed_ = false;
};

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& reason) {
  throw FileError(
      fmt::format("cannot go on from checkpoint \"{}\": {}", file.string(), detail::printable(reason)));
}

bool has_mark(std::span<const std::byte> bytes) {
  return bytes.size() >= file_mark.size() &&
         std::memcmp(bytes.data(), file_mark.data(), file_mark.size()) == 0;
}

std::vector<std::byte> read_bytes(const std::filesystem::path& file) {
  const std::string reason = detail::why_unreadable(file);
  if (!reason.empty()) refuse(file, reason);
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) refuse(file, std::strerror(errno != 0 ? errno : ENOENT));
  std::vector<std::byte> bytes(file_mark.size());
  const auto read_to_end = [&](std::size_t begin) {
    stream.read(reinterpret_cast<char*>(bytes.data() + begin),
                static_cast<std::streamsize>(bytes.size() - begin));
    bytes.resize(begin + stream.gcount());
  };
  read_to_end(0);
  if (!has_mark(bytes)) refuse(file, "it is not a checkpoint of Picus");
  // The content is copied twice before it is used.
  const std::uintmax_t size = std::filesystem::file_size(file);
  if (size > detail::machine_memory() / 4) refuse(file, "it is too large for the memory of this machine");
  bytes.resize(std::max<std::size_t>(size, file_mark.size()));
  read_to_end(file_mark.size());
  return bytes;
}

template <class... Values>
void unpack(const std::filesystem::path& file, Archive& archive, Values&... values) {
  try {
    archive(values...);
  } catch (const FileError& error) {
    refuse(file, error.what());
  }
}

void unpack_end(const std::filesystem::path& file, const Archive& archive) {
  try {
    archive.finish_reading();
  } catch (const FileError& error) {
    refuse(file, error.what());
  }
}

}  // namespace

void write_checkpoint(Checkpoint& checkpoint) {
  const std::vector<std::byte> content = file_content(checkpoint);
  TemporaryFile file(checkpoint.file);
  file.write(content);
  file.replace_target();
}

Checkpoint read_checkpoint(const std::filesystem::path& file) {
  const std::vector<std::byte> bytes = read_bytes(file);
  std::uint32_t checksum = 0;
  const auto content = std::span(bytes).first(bytes.size() - std::min(bytes.size(), sizeof(checksum)));
  std::memcpy(&checksum, content.data() + content.size(), bytes.size() - content.size());
  if (checksum != detail::crc32(content)) refuse(file, "it is damaged, its checksum is wrong");

  Archive archive(content, "the file");
  auto mark = file_mark;
  std::int32_t format = 0;
  std::string writer;
  unpack(file, archive, mark, format, writer);
  if (format > checkpoint_format) {
    refuse(file, fmt::format("it has format {} of Picus {}; this is Picus {}, which knows format {}", format,
                             writer, version, checkpoint_format));
  }
  if (writer != version || format != checkpoint_format) {
    refuse(
        file,
        fmt::format("it was written by Picus {}, and only that version can go on as before; this is Picus {}",
                    writer, version));
  }
  std::vector<std::byte> kept;
  unpack(file, archive, kept);
  Archive reader(kept, "the run");
  Checkpoint checkpoint;
  unpack(file, reader, checkpoint);
  unpack_end(file, archive);
  unpack_end(file, reader);
  checkpoint.file = file;
  return checkpoint;
}

}  // namespace picus
