#include "zip_archive.hpp"

#include <picus/error.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <zlib.h>

namespace picus::program {
namespace {

constexpr std::uint16_t version_needed = 20;  // of deflated files in folders
constexpr std::uint16_t made_by_unix = 3U << 8U | version_needed;
constexpr std::uint16_t utf8_names = 1U << 11U;
constexpr std::uint16_t deflated = 8;
constexpr std::uint16_t first_of_january_1980 = 1U << 5U | 1U;  // the earliest date
constexpr std::uint32_t readable_file = 0100644U << 16U;

void add(std::string& bytes, std::uint64_t value, int size) {
  for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xffU);
}

std::string deflate_text(const std::string& content) {
  z_stream stream{};
  constexpr int raw = -15;  // neither header nor checksum
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, raw, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw FileError("cannot compress");
  std::string result(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  const int status = deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw FileError("cannot compress");
  return result;
}

/// The common part of the local and the central header of a file.
std::string common_header(const ZipEntry& entry, const std::string& compressed) {
  std::string bytes;
  add(bytes, version_needed, 2);
  add(bytes, utf8_names, 2);
  add(bytes, deflated, 2);
  add(bytes, 0, 2);  // time
  add(bytes, first_of_january_1980, 2);
  add(bytes,
      crc32(0, reinterpret_cast<const Bytef*>(entry.content.data()), static_cast<uInt>(entry.content.size())),
      4);
  add(bytes, compressed.size(), 4);
  add(bytes, entry.content.size(), 4);
  add(bytes, entry.name.size(), 2);
  add(bytes, 0, 2);  // no extra field
  return bytes;
}

}  // namespace

std::string zip_archive(std::span<const ZipEntry> entries) {
  constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();
  std::string archive, directory;
  for (const ZipEntry& entry : entries) {
    if (entry.content.size() > most || archive.size() > most)
      throw FileError(fmt::format("\"{}\" is too large for an archive", entry.name));
    const std::string compressed = deflate_text(entry.content);
    const std::string header = common_header(entry, compressed);
    add(directory, 0x02014b50, 4);
    add(directory, made_by_unix, 2);
    directory += header;
    add(directory, 0, 2);  // no comment
    add(directory, 0, 2);  // on the first disk
    add(directory, 0, 2);  // binary
    add(directory, readable_file, 4);
    add(directory, archive.size(), 4);
    directory += entry.name;
    add(archive, 0x04034b50, 4);
    archive += header + entry.name + compressed;
  }
  const std::size_t begin = archive.size();
  archive += directory;
  add(archive, 0x06054b50, 4);
  add(archive, 0, 4);  // one disk
  add(archive, entries.size(), 2);
  add(archive, entries.size(), 2);
  add(archive, directory.size(), 4);
  add(archive, begin, 4);
  add(archive, 0, 2);  // no comment
  return archive;
}

}  // namespace picus::program
