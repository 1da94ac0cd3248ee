#include "sweep_runs.hpp"

#include "output.hpp"
#include "stop_signals.hpp"
#include "summary.hpp"
#include "sweep_progress.hpp"
#include <picus/error.hpp>
#include <picus/simulate.hpp>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <numeric>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace picus::program {
namespace {

using Clock = std::chrono::steady_clock;

/// A process that runs one point and writes its outcome into a pipe.
struct Worker {
  std::size_t point;
  pid_t process;
  int answer;
  std::string text;
  Clock::time_point begun;
};

[[noreturn]] void be_a_worker(const SweepOptions& options, std::size_t point, int answer) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // the result would be unused
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU})
    std::signal(signal, SIG_IGN);  // terminated by the parent
  const std::string text = run_point(options, point).text() + '\n';
  for (std::string_view left = text; !left.empty();) {
    const ssize_t count = ::write(answer, left.data(), left.size());
    if (count < 0 && errno != EINTR) break;
    if (count > 0) left.remove_prefix(count);
  }
  ::_exit(0);
}

Worker start_worker(const SweepOptions& options, std::size_t point) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(fmt::format("no pipe: {}", std::strerror(errno)));
  flush_output();  // otherwise the child would inherit buffered output
  const pid_t process = ::fork();
  if (process < 0) throw Error(fmt::format("no process for a run: {}", std::strerror(errno)));
  if (process == 0) be_a_worker(options, point, ends[1]);
  ::close(ends[1]);
  return {point, process, ends[0], {}, Clock::now()};
}

/// The result of a worker that has closed its pipe: its answer, or how it was terminated.
SweepOutcome collect(const Worker& worker) {
  ::close(worker.answer);
  int status = 0;
  while (::waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
  }
  if (worker.text.ends_with('\n')) {
    if (auto outcome = SweepOutcome::read(std::string_view(worker.text).substr(0, worker.text.size() - 1)))
      return *std::move(outcome);
  }
  SweepOutcome lost;
  lost.wall_seconds = std::chrono::duration<double>(Clock::now() - worker.begun).count();
  lost.failure = WIFSIGNALED(status) ? fmt::format("its process was ended by {}", strsignal(WTERMSIG(status)))
                                     : std::string("its process ended without an answer");
  return lost;
}

}  // namespace

SweepOutcome run_point(const SweepOptions& options, std::size_t point) {
  SweepOutcome outcome;
  const Clock::time_point begin = Clock::now();
  try {
    const Scenario scenario = options.model->configure(options.plan.settings(point));
    const Model model = scenario.build();
    const std::unique_ptr<TimeIntegrator> integrator =
        make_integrator(options.integrator.scheme, options.integrator.options);
    const std::unique_ptr<Observer> observer = scenario.make_observer();
    const RunSummary summary =
        simulate(model, *integrator, {.until = options.until, .threads = options.threads}, {observer.get()});
    outcome.steps = summary.steps;
    outcome.fallbacks = std::accumulate(summary.fallbacks.begin(), summary.fallbacks.end(), std::int64_t{0});
    outcome.findings = observer->findings();
    outcome.warnings = warnings_of(summary.warnings, outcome.findings);
  } catch (const std::bad_alloc&) {
    outcome.failure = "out of memory";
  } catch (const std::exception& error) {
    outcome.failure = error.what();
    outcome.is_refused = dynamic_cast<const OptionError*>(&error) != nullptr ||
                         dynamic_cast<const ModelError*>(&error) != nullptr;
  } catch (...) {
    outcome.failure = "an unknown exception";
  }
  outcome.wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return outcome;
}

std::vector<std::size_t> missing_points(const SweepOptions& options, const SweepJournal& journal) {
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < options.plan.values.size(); ++i) {
    if (!journal.outcomes().contains(i)) missing.push_back(i);
  }
  return missing;
}

void run_points(const SweepOptions& options, SweepJournal& journal) {
  const std::atomic<bool>& stop = catch_stop_signals();
  const std::vector<std::size_t> missing = missing_points(options, journal);
  std::vector<Worker> workers;
  struct End {  // also when something is thrown
    std::vector<Worker>& workers;
    ~End() {
      for (const Worker& worker : workers) {
        ::kill(worker.process, SIGKILL);
        collect(worker);
      }
    }
  } const end{workers};
  SweepProgress progress(options.plan.values.size(), journal.outcomes().size(), options.model->info().name,
                         options.quiet);
  auto next = missing.begin();
  while (!stop && (next != missing.end() || !workers.empty())) {
    while (next != missing.end() && count_of(workers) < options.workers)
      workers.push_back(start_worker(options, *next++));
    std::vector<pollfd> events;
    for (const Worker& worker : workers)
      events.push_back({.fd = worker.answer, .events = POLLIN, .revents = 0});
    constexpr int look_interval = 100;  // between checks for requests to stop, ms
    if (::poll(events.data(), events.size(), look_interval) > 0) {
      for (std::size_t i = workers.size(); i-- > 0;) {
        if (events[i].revents == 0) continue;
        std::array<char, 4096> buffer{};
        const ssize_t count = ::read(workers[i].answer, buffer.data(), buffer.size());
        if (count > 0) workers[i].text.append(buffer.data(), count);
        if (count > 0 || (count < 0 && errno == EINTR)) continue;
        const Worker done = std::move(workers[i]);
        workers.erase(workers.begin() + static_cast<std::ptrdiff_t>(i));
        journal.add(done.point, collect(done));
      }
    }
    progress.show(journal.outcomes().size(), count_failures(journal));
  }
}

}  // namespace picus::program
