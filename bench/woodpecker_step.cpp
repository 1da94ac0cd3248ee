/// The time of a step of the woodpecker (case II, h = 1e-4, recording every tenth step) compared with the time of the
/// KLU refactorisations and solves of the same matrices alone, in one run: `bench_woodpecker_step`.

#include "recording_solver.hpp"
#include <picus/hdf5_recorder.hpp>
#include <picus/models/woodpecker.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <sys/resource.h>

namespace {

using namespace picus;

constexpr double step = 1e-4;
constexpr double until = 1.5;
constexpr int repetitions = 7;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double seconds_of_a_run(const Model& model, const std::string& file, double end) {
  DecoupledNsga integrator({.step = step});
  Hdf5Recorder recorder(file, {.every = 10, .overwrite = true});
  return simulate(model, integrator, {.until = end}, {&recorder}).wall_seconds;
}

/// Start and file creation are excluded: the time of the steps after the first tenth.
double seconds_of_the_steps(const Model& model, const std::string& file) {
  return (seconds_of_a_run(model, file, until) - seconds_of_a_run(model, file, until / 10)) / 0.9;
}

void measure(std::string_view name, models::Woodpecker::Variant variant, const std::string& file) {
  const Model model = models::make_woodpecker({.variant = variant});
  bench::Tape tape;
  DecoupledNsga recording({.step = step, .wrap_linear_solver = [&](std::unique_ptr<LinearSolver> inner) {
                             return std::make_unique<bench::RecordingSolver>(std::move(inner), tape);
                           }});
  const RunSummary summary = simulate(model, recording, {.until = until});

  // Alternating, so that variations of the machine's speed affect both.
  std::vector<double> whole, bare, ratio, own_bare;
  for (int i = 0; i < repetitions; ++i) {
    whole.push_back(seconds_of_the_steps(model, file));
    bare.push_back(bench::replay_with_klu(tape, bench::Ordering::of_the_run));
    own_bare.push_back(bench::replay_with_klu(tape, bench::Ordering::of_klu));
    ratio.push_back(whole.back() / bare.back());
  }
  const double per_step = 1e6 / static_cast<double>(summary.steps);
  fmt::print("{:<12} {:>10.2f} {:>15.2f} {:>8.2f} {:>24.2f}\n", name, median(whole) * per_step,
             median(bare) * per_step, median(ratio), median(own_bare) * per_step);
}

long peak_memory_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/// Memory of runs of different length, without tapes: it must not increase with the number of steps.
void measure_memory(const std::string& file) {
  const Model model = models::make_woodpecker();
  for (const double end : {1.5, 15.0}) {
    DecoupledNsga integrator({.step = step});
    Hdf5Recorder recorder(file, {.every = 10, .overwrite = true});
    const RunSummary summary = simulate(model, integrator, {.until = end}, {&recorder});
    fmt::print("peak memory after {:>6} steps: {:.1f} MB\n", summary.steps,
               static_cast<double>(peak_memory_kilobytes()) / 1024);
  }
}

}  // namespace

int main() {
  const std::string file = (std::filesystem::temp_directory_path() / "picus_bench_woodpecker.h5").string();
  try {
    measure_memory(file);
    fmt::print("woodpecker case II, h = {} s, {} s, every tenth step recorded, medians of {}\n", step, until,
               repetitions);
    fmt::print("{:<12} {:>10} {:>15} {:>8} {:>24}\n", "variant", "step [us]", "bare KLU [us]", "ratio",
               "with KLU's ordering [us]");
    measure("rigid-links", models::Woodpecker::Variant::rigid_links, file);
    measure("body-points", models::Woodpecker::Variant::body_points, file);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_woodpecker_step: {}\n", error.what());
    return 1;
  }
  std::filesystem::remove(file);
  std::filesystem::remove(std::filesystem::path(file).replace_extension(".xdmf"));
  return 0;
}
