#include "scripts.hpp"

#include "stop_signals.hpp"
#include <picus/error.hpp>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace picus::program {
namespace {

namespace fs = std::filesystem;

/// Debian's Python has the modules installed by the setup of the project.
fs::path find_python() {
  const fs::path debian = "/usr/bin/python3";
  std::error_code unknown;
  return fs::exists(debian, unknown) ? debian : fs::path("python3");
}

constexpr std::chrono::milliseconds look_interval(100);  // between checks for requests to stop
constexpr std::chrono::seconds patience(2);              // until a child that ignores SIGTERM is killed

/// A child process whose standard error is read here. It ends with this process, however that ends.
class Child {
 public:
  explicit Child(const std::vector<std::string>& words) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(fmt::format("no pipe: {}", std::strerror(errno)));
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ == 0) {  // only calls that are safe after fork()
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      if (getppid() != parent) _exit(cannot_start);
      dup2(ends[1], STDERR_FILENO);
      execvp(arguments[0], arguments.data());
      _exit(cannot_start);
    }
    const int error = errno;
    close(ends[1]);
    errors_ = ends[0];
    if (pid_ < 0) {
      close(errors_);
      throw Error(fmt::format("{} cannot be run: {}", words[0], std::strerror(error)));
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { close(errors_); }

  /// Reads all of its standard error. Terminates it when a stop is requested.
  template <class IsStopRequested>
  std::string read_errors(const IsStopRequested& is_stop_requested) const {
    std::string text;
    std::array<char, 4096> buffer{};
    std::optional<std::chrono::steady_clock::time_point> told;
    for (;;) {
      if (!told && is_stop_requested()) {
        told = std::chrono::steady_clock::now();
        kill(pid_, SIGTERM);
      }
      if (told && std::chrono::steady_clock::now() - *told > patience) kill(pid_, SIGKILL);
      pollfd events{.fd = errors_, .events = POLLIN, .revents = 0};
      if (poll(&events, 1, static_cast<int>(look_interval.count())) <= 0) continue;
      const ssize_t count = read(errors_, buffer.data(), buffer.size());
      if (count > 0) {
        text.append(buffer.data(), count);
      } else if (count == 0 || errno != EINTR) {
        return text;
      }
    }
  }
  /// Waits for its end; returns the status of waitpid.
  int wait() const {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
  }

  static constexpr int cannot_start = 127;

 private:
  pid_t pid_ = -1;
  int errors_ = -1;
};

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t end = text.rfind('\n');
  return end == std::string::npos ? text : text.substr(end + 1);
}

fs::path& scripts_folder() {
  static fs::path folder;
  return folder;
}

}  // namespace

void set_scripts_folder(std::filesystem::path folder) {
  scripts_folder() = std::move(folder);
}

std::filesystem::path find_script(std::string_view name) {
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  for (const fs::path& folder :
       {program.parent_path().parent_path() / PICUS_INSTALLED_SCRIPTS, scripts_folder()}) {
    if (!folder.empty() && fs::exists(folder / name, unknown)) return folder / name;
  }
  throw FileError(
      fmt::format("the script {} is missing; it belongs to share/picus/scripts beside the program", name));
}

void run_script(std::string_view name, const std::vector<std::string>& arguments, const std::string& file) {
  std::vector<std::string> words = {find_python().string(), find_script(name).string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::atomic<bool>& stop_request = catch_stop_signals();
  const bool is_stopped = stop_request;  // a call after a stop request is meant to show the results so far
  const Child child(words);
  const std::string errors = child.read_errors([&] { return stop_request && !is_stopped; });
  const int status = child.wait();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  if (stop_request && !is_stopped) throw Interrupted("interrupted");
  if (WIFEXITED(status) && WEXITSTATUS(status) == Child::cannot_start)
    throw Error(fmt::format("{} cannot be run", words[0]));
  if (WIFSIGNALED(status) && !file.empty()) {
    throw FileError(
        fmt::format("cannot read file \"{}\": it is damaged or made to be read for ever; {} was ended by {}",
                    file, name, strsignal(WTERMSIG(status))));
  }
  const std::string line = last_line(errors);
  const std::string own_name = fs::path(name).stem().string() + ": ";
  if (!line.starts_with(own_name)) throw Error(fmt::format("the script {} has failed", name));
  throw Error(line.substr(own_name.size()));
}

}  // namespace picus::program
