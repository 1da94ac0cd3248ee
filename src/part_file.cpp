#include "part_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace picus::results {
namespace {

constexpr std::string_view part_mark = ".part-";
constexpr std::size_t number_length = 8;

/// Whether the file name is NAME.part-PID-NUMBER, which is not used for other files.
bool is_part_of(std::string_view file, std::string_view name) {
  if (!file.starts_with(name) || !file.substr(name.size()).starts_with(part_mark)) return false;
  const std::string_view tail = file.substr(name.size() + part_mark.size());
  const std::size_t dash = tail.find('-');
  const auto all_of = [](std::string_view text, std::string_view characters) {
    return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
  };
  return dash != std::string_view::npos && all_of(tail.substr(0, dash), "0123456789") &&
         tail.size() - dash - 1 == number_length && all_of(tail.substr(dash + 1), "0123456789abcdef");
}

/// Removes the file if no process holds its lock.
void remove_if_dead(const std::filesystem::path& part) {
  const int descriptor = ::open(part.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return;
  struct stat status = {};
  const bool is_regular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  if (is_regular && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlink(part.c_str());
  ::close(descriptor);
}

void remove_dead_parts(const std::filesystem::path& target) {
  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
  const std::string name = target.filename().string();
  std::error_code unreadable;
  auto entry = std::filesystem::directory_iterator(folder, unreadable);
  for (; !unreadable && entry != std::filesystem::directory_iterator(); entry.increment(unreadable)) {
    if (is_part_of(entry->path().filename().string(), name)) remove_if_dead(entry->path());
  }
}

/// Cleans up once for each target: a checkpoint is written often, and folders may be large.
void clean_once(const std::filesystem::path& target) {
  static std::mutex mutex;
  static std::set<std::filesystem::path> cleaned;
  {
    const std::lock_guard lock(mutex);
    if (!cleaned.insert(target).second) return;
  }
  remove_dead_parts(target);
}

/// Opens and locks the file, which another process that cleans up may remove in between.
bool open_locked(PartFile& part) {
  constexpr mode_t mode = 0666;
  part.descriptor = ::open(part.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (part.descriptor < 0) return errno != EEXIST;
  // Where files cannot be locked they are never considered abandoned.
  ::flock(part.descriptor, LOCK_EX | LOCK_NB);
  struct stat status = {};
  if (::fstat(part.descriptor, &status) != 0 || status.st_nlink > 0) return true;
  ::close(part.descriptor);
  part.descriptor = -1;
  return false;
}

}  // namespace

PartFile open_part(const std::filesystem::path& target) noexcept {
  PartFile part;
  try {
    clean_once(target);
    auto number = static_cast<std::uint32_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    do {
      part.path = target;
      part.path += fmt::format("{}{}-{:08x}", part_mark, ::getpid(), number++);
    } while (!open_locked(part));
  } catch (const std::exception&) {
    errno = ENOMEM;
  }
  return part;
}

void unlock_part(int descriptor) noexcept {
  ::flock(descriptor, LOCK_UN);
}

}  // namespace picus::results
