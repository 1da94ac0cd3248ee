#include "process.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <pty.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace picus::test {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

/// In the child process: becomes the program. Only system calls are allowed here.
[[noreturn]] void become(char* const* words, const char* directory, int out, int err,
                         const ProcessOptions& options) {
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  if (options.largest_file) {
    const rlimit limit{*options.largest_file, *options.largest_file};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  // Regardless of how the tests themselves were started.
  for (const int number : {SIGINT, SIGTERM, SIGXCPU}) std::signal(number, SIG_DFL);
  std::signal(SIGHUP, options.ignores_hangup ? SIG_IGN : SIG_DFL);
  setenv("TERM", "xterm", 1);
  if (chdir(directory) == 0) execv(words[0], words);
  _exit(127);
}

/// Reads available output; closes `file` at its end.
void drain(int& file, std::string& text) {
  std::array<char, 4096> buffer;
  const ssize_t count = read(file, buffer.data(), buffer.size());
  if (count > 0) {
    text.append(buffer.data(), count);
  } else {  // a terminal that its program has left reports an error rather than an end
    close(file);
    file = -1;
  }
}

}  // namespace

Process::Process(const std::vector<std::string>& words, const ProcessOptions& options) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const std::string directory = options.directory.string();

  std::array<int, 2> out{};
  std::array<int, 2> err{};
  require(pipe2(out.data(), O_CLOEXEC) == 0, "no pipe");
  if (options.output_to) {
    close(out[1]);
    out[1] = open(options.output_to->c_str(), O_WRONLY | O_CLOEXEC);
    require(out[1] >= 0, "cannot open the file for standard output");
  }
  if (options.errors_on_terminal) {
    winsize size{};
    size.ws_row = 25;
    size.ws_col = 100;
    require(openpty(&err[0], &err[1], nullptr, nullptr, &size) == 0, "no terminal");
  } else {
    require(pipe2(err.data(), O_CLOEXEC) == 0, "no pipe");
  }
  pid_ = fork();
  require(pid_ >= 0, "cannot fork");
  if (pid_ == 0) become(arguments.data(), directory.c_str(), out[1], err[1], options);
  close(out[1]);
  close(err[1]);
  out_ = out[0];
  err_ = err[0];
}

Process::~Process() {
  if (pid_ < 0) return;
  kill(pid_, SIGKILL);
  finish();
}

bool Process::read_some() {
  std::array<pollfd, 2> files = {{{out_, POLLIN, 0}, {err_, POLLIN, 0}}};
  if (out_ < 0 && err_ < 0) return false;
  if (poll(files.data(), files.size(), 100) > 0) {
    if (files[0].revents != 0) drain(out_, outcome_.out);
    if (files[1].revents != 0) drain(err_, outcome_.err);
  }
  return true;
}

bool Process::wait_for_error_text(const std::string& text, std::chrono::seconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (outcome_.err.find(text) == std::string::npos) {
    if (std::chrono::steady_clock::now() > deadline || !read_some()) return false;
  }
  return true;
}

void Process::send(int signal) const {
  kill(pid_, signal);
}

Outcome Process::finish() {
  while (read_some()) {
  }
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  outcome_.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return outcome_;
}

Outcome run_picus(std::vector<std::string> words, const ProcessOptions& options) {
  words.insert(words.begin(), PICUS_PROGRAM);
  return Process(words, options).finish();
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "picus-XXXXXX").string();
  require(mkdtemp(pattern.data()) != nullptr, "no temporary folder");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string ProgramTest::text_of(const std::string& name) const {
  std::ifstream stream(file(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace picus::test
