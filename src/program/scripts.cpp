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
#include <sys/mman.h>
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

/// An unnamed file with the text, positioned at its beginning.
int make_input(const std::string& text) {
  const int file = memfd_create("input", MFD_CLOEXEC);
  for (std::string_view left = text; file >= 0 && !left.empty();) {
    const ssize_t count = write(file, left.data(), left.size());
    if (count < 0 && errno != EINTR) throw Error(fmt::format("no input: {}", std::strerror(errno)));
    if (count > 0) left.remove_prefix(count);
  }
  if (file < 0 || lseek(file, 0, SEEK_SET) != 0)
    throw Error(fmt::format("no input: {}", std::strerror(errno)));
  return file;
}

/// A child process whose standard error is read here, and with a dialogue its standard output. It ends with this
/// process, however that ends.
class Child {
 public:
  Child(const std::vector<std::string>& words, const ScriptDialogue* dialogue) : dialogue_(dialogue) {
    std::array<int, 2> error_ends{}, answer_ends{-1, -1};
    const int input = dialogue != nullptr ? make_input(dialogue->input) : -1;
    if (pipe2(error_ends.data(), O_CLOEXEC) != 0 ||
        (dialogue != nullptr && pipe2(answer_ends.data(), O_CLOEXEC) != 0))
      throw Error(fmt::format("no pipe: {}", std::strerror(errno)));
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ == 0) {  // only calls that are safe after fork()
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      if (getppid() != parent) _exit(cannot_start);
      dup2(error_ends[1], STDERR_FILENO);
      if (input >= 0) dup2(input, STDIN_FILENO);
      if (answer_ends[1] >= 0) dup2(answer_ends[1], STDOUT_FILENO);
      execvp(arguments[0], arguments.data());
      _exit(cannot_start);
    }
    const int error = errno;
    for (const int end : {error_ends[1], answer_ends[1], input}) {
      if (end >= 0) close(end);
    }
    errors_ = error_ends[0];
    answers_ = answer_ends[0];
    if (pid_ < 0) {
      close_ends();
      throw Error(fmt::format("{} cannot be run: {}", words[0], std::strerror(error)));
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    close_ends();
    if (pid_ < 0) return;  // ended
    kill(pid_, SIGKILL);
    wait();
  }

  /// Reads all its output; returns its standard error. Terminates it when a stop is requested.
  template <class IsStopRequested>
  std::string read_all(const IsStopRequested& is_stop_requested) {
    std::string errors, answer;
    std::optional<std::chrono::steady_clock::time_point> told;
    bool has_errors = true;
    bool has_answers = answers_ >= 0;
    while (has_errors || has_answers) {
      if (!told && is_stop_requested()) {
        told = std::chrono::steady_clock::now();
        kill(pid_, SIGTERM);
      }
      if (told && std::chrono::steady_clock::now() - *told > patience) kill(pid_, SIGKILL);
      std::array<pollfd, 2> events = {pollfd{has_errors ? errors_ : -1, POLLIN, 0},
                                      pollfd{has_answers ? answers_ : -1, POLLIN, 0}};
      if (poll(events.data(), events.size(), static_cast<int>(look_interval.count())) <= 0) continue;
      if (events[0].revents != 0) has_errors = read_some(errors_, errors);
      if (events[1].revents == 0) continue;
      has_answers = read_some(answers_, answer);
      std::size_t begin = 0;
      for (std::size_t end; (end = answer.find('\n', begin)) != std::string::npos; begin = end + 1)
        dialogue_->read_line(std::string_view(answer).substr(begin, end - begin));
      answer.erase(0, begin);
    }
    return errors;
  }
  /// Waits for its end; returns the status of waitpid.
  int wait() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status;
  }

  static constexpr int cannot_start = 127;

 private:
  /// Appends the available bytes; false at the end.
  static bool read_some(int end, std::string& text) {
    std::array<char, 4096> buffer{};
    const ssize_t count = read(end, buffer.data(), buffer.size());
    if (count > 0) text.append(buffer.data(), count);
    return count > 0 || (count < 0 && errno == EINTR);
  }
  void close_ends() const {
    close(errors_);
    if (answers_ >= 0) close(answers_);
  }

  const ScriptDialogue* dialogue_;
  pid_t pid_ = -1;
  int errors_ = -1;
  int answers_ = -1;
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

namespace {

void run(std::string_view name, const std::vector<std::string>& arguments, const std::string& file,
         const ScriptDialogue* dialogue) {
  std::vector<std::string> words = {find_python().string(), find_script(name).string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::atomic<bool>& stop_request = catch_stop_signals();
  const bool is_stopped = stop_request;  // a call after a stop request is meant to show the results so far
  Child child(words, dialogue);
  const std::string errors = child.read_all([&] { return stop_request && !is_stopped; });
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

}  // namespace

void run_script(std::string_view name, const std::vector<std::string>& arguments, const std::string& file) {
  run(name, arguments, file, nullptr);
}

void run_script(std::string_view name, const std::vector<std::string>& arguments,
                const ScriptDialogue& dialogue) {
  run(name, arguments, "", &dialogue);
}

}  // namespace picus::program
