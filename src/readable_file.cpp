#include "readable_file.hpp"

#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace picus::detail {

std::string why_unreadable(const std::filesystem::path& path) {
  struct stat about = {};
  if (::stat(path.c_str(), &about) != 0) return std::strerror(errno);
  if (S_ISDIR(about.st_mode)) return std::strerror(EISDIR);
  if (!S_ISREG(about.st_mode)) return "it is a pipe or a device, not a file";
  if (::access(path.c_str(), R_OK) != 0) return std::strerror(errno);
  return "";
}

std::uint64_t machine_memory() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace picus::detail
