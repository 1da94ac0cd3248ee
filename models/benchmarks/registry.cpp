#include <picus/error.hpp>
#include <picus/models/benchmarks/benchmark.hpp>

#include <fmt/format.h>

namespace picus::models {

// One file each, beside this one.
Benchmark thesis_bouncing_ball();
Benchmark chen_bouncing_ball();
Benchmark chen_oscillator();
Benchmark chen_rigid_pendulum();
Benchmark chen_crank_slider();
Benchmark chen_flexible_crank_slider();

const std::vector<Benchmark>& benchmarks() {
  static const std::vector<Benchmark> all = {thesis_bouncing_ball(), chen_bouncing_ball(),
                                             chen_oscillator(),      chen_rigid_pendulum(),
                                             chen_crank_slider(),    chen_flexible_crank_slider()};
  return all;
}

const Benchmark& find_benchmark(std::string_view name) {
  std::vector<std::string> names;
  for (const Benchmark& benchmark : benchmarks()) {
    if (benchmark.name == name) return benchmark;
    names.push_back(benchmark.name);
  }
  throw OptionError(fmt::format("there is no benchmark \"{}\"{}", name, suggestion(name, names)));
}

}  // namespace picus::models
