/// Whether the automatic choices are good ones: for each model the time of a step with all defaults, compared with
/// the best time when one choice is forced (linear solver, also combined with always reusing tangents; reuse of
/// tangents; KLU ordering; contact solver):
///
///     OPENBLAS_NUM_THREADS=1 OMP_THREAD_LIMIT=1 bench_defaults [--all] [PART OF A NAME]
///
/// CPU time of the thread, the minimum of several alternating runs; --all prints every choice. The goal is a ratio of
/// at most 1.3.

#include "scenes.hpp"
#include <picus/models/flexible_cube.hpp>
#include <picus/models/study/thread_clock.hpp>
#include <picus/models/woodpecker.hpp>
#include <picus/solvers/linear/klu_solver.hpp>
#include <picus/stepper.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace picus;
using models::thread_seconds;
using solvers::KluOrdering;
using solvers::KluSolver;

constexpr int rounds = 6;
/// If a run takes longer than this, s, only half as many are made.
constexpr double long_run = 0.2;
constexpr double goal = 1.3;
/// Choices that take longer than this times the defaults in the first round are dropped.
constexpr double hopeless = 1.3;
constexpr double never = std::numeric_limits<double>::infinity();

/// The timed steps of a model; earlier ones are made with the defaults and not timed.
struct Task {
  std::string name;
  std::function<Model()> make;
  double h;
  int before, steps;
};

struct Choice {
  std::string name;
  SchemeOptions options;
  DecoupledNsgaOptions own;
  bool forces_linear_solver = false;
  double seconds = never;         ///< shortest time for all steps
  std::set<std::string> solvers;  ///< linear solvers in use
};

const std::vector<std::pair<std::string, LinearSolverKind>>& linear_solvers() {
  static const std::vector<std::pair<std::string, LinearSolverKind>> all = {
      {"klu", LinearSolverKind::klu},
      {"umfpack", LinearSolverKind::umfpack},
      {"cholmod", LinearSolverKind::cholmod},
      {"cg", LinearSolverKind::conjugate_gradients},
      {"gmres", LinearSolverKind::gmres}};
  return all;
}

/// Lists the choices; the defaults come first.
std::vector<Choice> list_choices(double h, bool has_contacts) {
  std::vector<Choice> choices = {{"automatic", {.step = h}, {}}};
  choices.push_back({"reuse=never", {.step = h}, {.reuse = TangentReuse::never}});
  choices.push_back({"reuse=always", {.step = h}, {.reuse = TangentReuse::always}});
  for (const auto& [name, kind] : linear_solvers()) {
    choices.push_back({name, {.step = h, .linear_solver = kind}, {}, true});
    choices.push_back(
        {name + ", reuse=always", {.step = h, .linear_solver = kind}, {.reuse = TangentReuse::always}, true});
  }
  for (const auto& [name, ordering] : {std::pair("ordering by A + A^T", KluOrdering::symmetric),
                                       std::pair("by A^T A", KluOrdering::column)}) {
    const auto with_ordering = [ordering = ordering](std::unique_ptr<LinearSolver> solver) {
      if (solver->name() == "KLU") solver = std::make_unique<KluSolver>(ordering);
      return solver;
    };
    choices.push_back({name, {.step = h, .wrap_linear_solver = with_ordering}, {}});
  }
  if (has_contacts) {
    choices.push_back({"newton", {.step = h, .contact_solver = ContactSolverKind::newton}, {}});
    choices.push_back({"sweeps", {.step = h, .contact_solver = ContactSolverKind::sweeps}, {}});
  }
  return choices;
}

/// CPU time of the steps from `state`, after one that is not timed; infinite if a step fails or the time exceeds
/// `limit`.
double time_steps(const Task& task, const Model& model, Choice& choice, const State& begin, double limit) {
  SchemeOptions options = choice.options;
  options.wrap_linear_solver = [&](std::unique_ptr<LinearSolver> solver) {
    if (choice.options.wrap_linear_solver) solver = choice.options.wrap_linear_solver(std::move(solver));
    choice.solvers.emplace(solver->name());
    return solver;
  };
  DecoupledNsga integrator(options, choice.own);
  try {
    Stepper stepper(model, integrator);
    stepper.start();
    State state = begin;
    stepper.step(state);
    state = begin;
    const double start = thread_seconds();
    for (int i = 0; i < task.steps; ++i) {
      stepper.step(state);
      if (thread_seconds() - start > limit) return never;
    }
    return thread_seconds() - start;
  } catch (const Error&) {
    return never;
  }
}

State find_begin(const Task& task, const Model& model) {
  DecoupledNsga integrator({.step = task.h});
  Stepper stepper(model, integrator);
  State state = stepper.start();
  for (int i = 0; i < task.before; ++i) stepper.step(state);
  return state;
}

std::string text_of(const std::set<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Prints a line; returns the ratio.
double compare(const Task& task, bool prints_all) {
  const Model model = task.make();
  const State begin = find_begin(task, model);
  std::vector<Choice> choices = list_choices(task.h, !begin.contact_state.empty());
  for (int round = 0; round < rounds; ++round) {
    if (round == rounds / 2 && choices.front().seconds > long_run) break;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      Choice& choice = choices[i];
      const double automatic = choices.front().seconds;
      if (round > 0 && choice.seconds > hopeless * automatic) continue;
      const double limit = i == 0 ? never : 2 * hopeless * automatic;
      choice.seconds = std::min(choice.seconds, time_steps(task, model, choice, begin, limit));
      const bool is_the_same = choice.forces_linear_solver && choice.solvers == choices.front().solvers;
      if (is_the_same) choice.seconds = never;
    }
  }
  const Choice& automatic = choices.front();
  const Choice& best = *std::ranges::min_element(choices.begin() + 1, choices.end(), {}, &Choice::seconds);
  const double ratio = automatic.seconds / best.seconds;
  const double per_step = 1e3 / task.steps;
  fmt::print("{:<28} {:>9.3f}  {:<28} {:>9.3f}  {:<26} {:>6.2f}{}\n", task.name, per_step * automatic.seconds,
             text_of(automatic.solvers), per_step * best.seconds, best.name, ratio, ratio > goal ? " *" : "");
  if (prints_all) {
    for (const Choice& choice : choices) {
      if (std::isfinite(choice.seconds))
        fmt::print("{:>38.3f}  {:<28} {}\n", per_step * choice.seconds, text_of(choice.solvers), choice.name);
    }
  }
  std::fflush(stdout);
  return ratio;
}

std::vector<Task> list_tasks() {
  using Variant = models::Woodpecker::Variant;
  std::vector<Task> tasks = {
      {"woodpecker", [] { return models::make_woodpecker(); }, 1e-4, 1000, 2000},
      {"woodpecker, points", [] { return models::make_woodpecker({.variant = Variant::body_points}); }, 1e-4,
       1000, 5000}};
  for (const int n : {10, 30, 100, 1000}) {
    tasks.push_back({fmt::format("chain of {}", n), [n] { return bench::make_chain(n); }, 1e-3, 0,
                     std::max(10, 20000 / n)});
  }
  for (const int n : {10, 30, 100, 1000}) {
    tasks.push_back({fmt::format("beam of {}", n), [n] { return bench::make_cantilever(n); }, 1e-3, 0,
                     std::max(20, 20000 / n)});
  }
  for (const auto& [n, h, steps] :
       {std::tuple(3, 1e-4, 500), {5, 1e-4, 200}, {5, 1e-3, 100}, {10, 1e-4, 30}, {10, 1e-3, 15}}) {
    tasks.push_back({fmt::format("block of {}^3, h = {:g} s", n, h), [n = n] { return bench::make_block(n); },
                     h, 0, steps});
  }
  tasks.push_back({"cube of 5^3, in flight", [] { return models::make_flexible_cube({}); }, 1e-4, 0, 200});
  for (const auto& [n, h, before, steps] :
       {std::tuple(5, 1e-4, 40, 20), {5, 1e-3, 6, 10}, {10, 1e-4, 40, 3}}) {
    tasks.push_back({fmt::format("cube of {}^3, h = {:g} s", n, h),
                     [n = n] { return bench::make_landing_cube(n); }, h, before, steps});
  }
  for (const auto& [kind, n, before, steps] : {std::tuple("balls", 10, 300, 200),
                                               {"balls", 27, 300, 100},
                                               {"balls", 60, 350, 40},
                                               {"boxes", 8, 300, 50},
                                               {"boxes", 20, 300, 20},
                                               {"mixed", 20, 300, 40}}) {
    tasks.push_back({fmt::format("heap of {} {}", n, kind),
                     [kind = kind, n = n] { return bench::make_heap(kind, n); }, 1e-3, before, steps});
  }
  return tasks;
}

}  // namespace

int main(int argc, char** argv) {
  const bool prints_all = argc > 1 && std::string_view(argv[1]) == "--all";
  const std::string_view part = argc > 1 + prints_all ? argv[1 + prints_all] : "";
  try {
    fmt::print("{:<28} {:>9}  {:<28} {:>9}  {:<26} {:>6}\n", "model", "ms/step", "automatic", "ms/step",
               "best forced", "ratio");
    int missed = 0, count = 0;
    for (const Task& task : list_tasks()) {
      if (task.name.find(part) == std::string::npos) continue;
      ++count;
      if (compare(task, prints_all) > goal) ++missed;
    }
    fmt::print("{} of {} models above {}\n", missed, count, goal);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_defaults: {}\n", error.what());
    return 1;
  }
  return 0;
}
