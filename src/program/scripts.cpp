#include "scripts.hpp"

#include <picus/error.hpp>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

extern char** environ;

namespace picus::program {
namespace {

namespace fs = std::filesystem;

/// Debian's Python has the modules that the project's setup installs.
fs::path find_python() {
  const fs::path debian = "/usr/bin/python3";
  std::error_code unknown;
  return fs::exists(debian, unknown) ? debian : fs::path("python3");
}

/// A child process whose standard error is read here.
class Child {
 public:
  explicit Child(const std::vector<std::string>& words) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw Error(fmt::format("no pipe: {}", std::strerror(errno)));
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);

    posix_spawn_file_actions_t actions{};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    const int error = posix_spawnp(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    errors_ = ends[0];
    if (error != 0) {
      close(errors_);
      throw Error(fmt::format("{} cannot be run: {}", words[0], std::strerror(error)));
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { close(errors_); }

  /// All of its standard error.
  std::string read_errors() const {
    std::string text;
    std::array<char, 4096> buffer{};
    for (;;) {
      const ssize_t count = read(errors_, buffer.data(), buffer.size());
      if (count > 0) {
        text.append(buffer.data(), static_cast<std::size_t>(count));
      } else if (count == 0 || errno != EINTR) {
        return text;
      }
    }
  }
  /// How it ended (waitpid).
  int wait() const {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
  }

 private:
  pid_t pid_ = -1;
  int errors_ = -1;
};

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t end = text.rfind('\n');
  return end == std::string::npos ? text : text.substr(end + 1);
}

}  // namespace

std::filesystem::path find_script(std::string_view name) {
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  for (const fs::path& folder :
       {program.parent_path().parent_path() / PICUS_INSTALLED_SCRIPTS, fs::path(PICUS_SOURCE_SCRIPTS)}) {
    if (fs::exists(folder / name, unknown)) return folder / name;
  }
  throw FileError(
      fmt::format("the script {} is missing; it belongs to share/picus/scripts beside the program", name));
}

void run_script(std::string_view name, const std::vector<std::string>& arguments, const std::string& file) {
  std::vector<std::string> words = {find_python().string(), find_script(name).string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const Child child(words);
  const std::string errors = child.read_errors();
  const int status = child.wait();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  if (WIFSIGNALED(status) && !file.empty()) {
    throw FileError(
        fmt::format("cannot read file \"{}\": it is damaged or made to be read for ever; {} was ended by {}",
                    file, name, strsignal(WTERMSIG(status))));
  }
  const std::string line = last_line(errors);
  const std::string own_name = fs::path(name).stem().string() + ": ";
  if (line.empty()) throw Error(fmt::format("{} failed", name));
  throw Error(line.starts_with(own_name) ? line.substr(own_name.size()) : line);
}

}  // namespace picus::program
