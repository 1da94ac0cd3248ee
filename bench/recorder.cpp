/// The cost of recording woodpecker case II: microseconds and bytes per record, by variant and compression.

#include <picus/hdf5_recorder.hpp>
#include <picus/models/woodpecker.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>

#include <benchmark/benchmark.h>

#include <filesystem>
#include <unistd.h>
#include <vector>

namespace {

using namespace picus;

/// One record at every tenth step of 1.6 s at h = 1e-4, repeated as long as the benchmark runs.
void record(benchmark::State& state) {
  using Variant = models::Woodpecker::Variant;
  const Model model =
      models::make_woodpecker({.variant = state.range(0) == 0 ? Variant::body_points : Variant::rigid_links});
  const System system(model);
  DecoupledNsga integrator({.step = 1e-4});
  State motion = integrator.start(system);
  EnergyAudit audit(system, motion);
  RowValues rows(system);
  StepReport report;
  std::vector<State> states;
  for (int n = 0; n < 16000; ++n) {
    if (n % 10 == 0) states.push_back(motion);
    report = integrator.step(motion);
    audit.add_step(motion, 1e-4);
  }

  const auto folder = std::filesystem::temp_directory_path();
  const auto path = folder / ("picus-bench-" + std::to_string(getpid()) + ".h5");
  Hdf5Recorder recorder(path, {.overwrite = true, .compression = static_cast<int>(state.range(1))});
  recorder.begin({system, integrator, 1e6});
  std::size_t next = 0;
  for (auto _ : state) {
    rows.evaluate(system, states[next]);
    recorder.record({system, states[next], report, audit, rows});
    next = (next + 1) % states.size();
  }
  recorder.finish("complete");
  state.counters["bytes"] =
      static_cast<double>(std::filesystem::file_size(path)) / static_cast<double>(state.iterations());
  std::filesystem::remove(path);
  std::filesystem::remove(recorder.xdmf_path());
}
BENCHMARK(record)
    ->ArgNames({"rigid_links", "compression"})
    ->ArgsProduct({{0, 1}, {0, 1, 2, 6}})
    ->Iterations(64 * 1024)
    ->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
