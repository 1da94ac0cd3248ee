#include "new_file.hpp"

#include <picus/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace picus::program {

void check_name(const std::filesystem::path& path, bool replaces) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return;  // errors are reported on writing
  if (!S_ISREG(status.st_mode)) {
    throw FileError(
        fmt::format("cannot write file \"{}\": {}", path.string(),
                    S_ISDIR(status.st_mode) ? std::strerror(EISDIR) : "it is not a regular file"));
  }
  if (!replaces) throw FileError(fmt::format("file \"{}\" exists; --force replaces it", path.string()));
}

NewFile::NewFile(std::filesystem::path path) : path_(std::move(path)) {
  check_name(path_, true);
  part_ = results::open_part(path_);
  if (part_.descriptor < 0) fail();
}

NewFile::~NewFile() {
  if (!is_published_) ::unlink(part_.path.c_str());
  ::close(part_.descriptor);
}

void NewFile::publish(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(part_.descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail();
    text.remove_prefix(count);
  }
  if (std::rename(part_.path.c_str(), path_.c_str()) != 0) fail();
  is_published_ = true;
}

void NewFile::fail() const {
  throw FileError(fmt::format("cannot write \"{}\": {}", path_.string(), std::strerror(errno)));
}

}  // namespace picus::program
