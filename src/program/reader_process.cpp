#include "reader_process.hpp"

#include "output.hpp"
#include <picus/error.hpp>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace picus::program {
namespace {

constexpr char succeeded = '+';
constexpr char failed = '-';
constexpr char out_of_memory = 'm';

#if defined(__SANITIZE_ADDRESS__)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif

/// Limit of the elapsed time, relative to that of the CPU time: reading may wait for a disk or a network.
constexpr rlim_t waiting_over_computing = 6;
/// Limit of memory, bytes: little of a file is shown, but its largest data set may be read as a whole.
constexpr double least_memory = 2e9;
constexpr double memory_a_byte = 4.0;

std::uintmax_t file_size_of(const std::filesystem::path& file) {
  std::error_code unknown;
  const auto bytes = std::filesystem::file_size(file, unknown);
  return unknown ? 0 : bytes;
}

/// CPU time limit, s: one second for each five megabytes is a tenth of the usual speed.
rlim_t time_limit(const std::filesystem::path& file, double base) {
  constexpr double bytes_a_second = 5e6;
  return static_cast<rlim_t>(base + static_cast<double>(file_size_of(file)) / bytes_a_second);
}

void limit(decltype(RLIMIT_CPU) resource, rlim_t value) {
  rlimit limits = {};
  getrlimit(resource, &limits);
  limits.rlim_cur = std::min(value, limits.rlim_max);
  setrlimit(resource, &limits);
}

/// The mapped address space of the process, bytes: with many cores the buffers of dense kernels alone are
/// gigabytes.
rlim_t address_space() {
  std::ifstream pages("/proc/self/statm");
  rlim_t count = 0;
  pages >> count;
  return count * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

void write_all(int to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(to, text.data(), text.size());
    if (count < 0 && errno != EINTR) return;
    if (count > 0) text.remove_prefix(count);
  }
}

std::string read_all(int from) {
  std::string text;
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t count = ::read(from, buffer.data(), buffer.size());
    if (count > 0) {
      text.append(buffer.data(), count);
    } else if (count == 0 || errno != EINTR) {
      return text;
    }
  }
}

[[noreturn]] void be_the_reader(int answer, rlim_t seconds, rlim_t memory,
                                const std::function<std::string()>& read) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // the result would be unused
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, seconds);
  std::signal(SIGALRM, SIG_DFL);
  ::alarm(static_cast<unsigned>(waiting_over_computing * seconds));
  if (!is_sanitized) {
    limit(RLIMIT_AS, address_space() + memory);  // sanitizers reserve terabytes of addresses
    // Hides messages of the C library about a damaged heap, but not those of sanitizers.
    const int nowhere = ::open("/dev/null", O_WRONLY);
    if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  }
  std::string text;
  try {
    text = succeeded + read();
  } catch (const std::bad_alloc&) {
    text = out_of_memory;
  } catch (const std::exception& error) {
    text = failed + std::string(error.what());
  }
  write_all(answer, text);
  ::_exit(0);
}

}  // namespace

std::string read_apart(const std::filesystem::path& file, const std::function<std::string()>& read,
                       double base) {
  const auto fail = [&](const std::string& reason) {
    throw FileError(fmt::format("cannot read file \"{}\": {}", file.string(), reason));
  };
  const rlim_t seconds = time_limit(file, base);
  const double memory = least_memory + memory_a_byte * static_cast<double>(file_size_of(file));
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail(std::strerror(errno));
  flush_output();  // otherwise the child would inherit buffered output
  const pid_t child = ::fork();
  if (child < 0) fail(std::strerror(errno));
  if (child == 0) be_the_reader(ends[1], seconds, static_cast<rlim_t>(memory), read);
  ::close(ends[1]);
  const std::string answer = read_all(ends[0]);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
    fail(fmt::format("it is damaged or made to be read for ever; after {} s of computing it is given up",
                     seconds));
  }
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
    fail(fmt::format("it is made to be waited for, or where it stands is slow; after {} s it is given up",
                     waiting_over_computing * seconds));
  }
  if (!answer.empty() && answer[0] == out_of_memory)
    fail(fmt::format("it takes more than {:.2g} GB of memory", 1e-9 * memory));
  if (answer.empty() || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    fail("it is damaged, and reading it fails in the library for HDF5");
  if (answer[0] == failed) throw FileError(answer.substr(1));
  return answer.substr(1);
}

}  // namespace picus::program
