#include "output.hpp"
#include "scripts.hpp"
#include "stop_signals.hpp"
#include "sweep_progress.hpp"
#include "sweep_runs.hpp"
#include <picus/error.hpp>

#include <charconv>
#include <csignal>
#include <sys/prctl.h>

namespace picus::program {
namespace {

/// Removes the text before the mark, and the mark, from `text`; returns that part.
std::string_view take_until(std::string_view& text, char mark) {
  const std::size_t end = std::min(text.find(mark), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

template <class Number>
Number number_of(std::string_view text) {
  Number number{};
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Reads the lines that scripts/sweep_on_dask.py prints.
class Answers {
 public:
  Answers(const SweepOptions& options, SweepJournal& journal)
      : journal_(journal),
        all_(options.plan.values.size()),
        progress_(all_, journal.outcomes().size(), options.model->info().name, options.quiet) {}

  void read(std::string_view line) {
    const std::string_view kind = take_until(line, '\t');
    const auto number = number_of<std::size_t>(take_until(line, '\t'));
    if (kind == "workers") {
      note_ = number == 0 ? ", no workers" : fmt::format(", {} worker{}", number, number == 1 ? "" : "s");
    } else if (number >= all_) {
      return;
    } else if (kind == "lost") {
      SweepOutcome lost;
      lost.wall_seconds = number_of<double>(take_until(line, '\t'));
      lost.failure = line;
      journal_.add(number, lost);
    } else if (std::optional<SweepOutcome> outcome = SweepOutcome::read(line)) {
      journal_.add(number, *outcome);
    }
    progress_.show(journal_.outcomes().size(), count_failures(journal_), note_);
  }

 private:
  SweepJournal& journal_;
  std::size_t all_;
  SweepProgress progress_;
  std::string note_;
};

}  // namespace

void run_points_by_scheduler(const SweepOptions& options, SweepJournal& journal) {
  Answers answers(options, journal);
  ScriptDialogue dialogue{.input = {}, .read_line = [&](std::string_view line) { answers.read(line); }};
  for (const std::size_t point : missing_points(options, journal))
    dialogue.input += fmt::format("{}\n", point);
  if (dialogue.input.empty()) return;
  std::vector<std::string> arguments = {options.scheduler, options.head};
  arguments.insert(arguments.end(), options.worker_command.begin(), options.worker_command.end());
  try {
    run_script("sweep_on_dask.py", arguments, dialogue);
  } catch (const Interrupted&) {
    return;  // missing points are reported
  } catch (const Error&) {
    if (journal.outcomes().empty()) journal.restore_previous();
    throw;
  }
}

void answer_point(const SweepOptions& options, std::size_t point) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // the answer would be unused
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU})
    std::signal(signal, SIG_IGN);  // terminated with the worker, so that no failure is reported
  print("{}\n{}\n", options.head, run_point(options, point).text());
}

}  // namespace picus::program
