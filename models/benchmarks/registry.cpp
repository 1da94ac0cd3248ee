#include <picus/error.hpp>
#include <picus/models/benchmarks/benchmark.hpp>

#include <fmt/format.h>

namespace picus::models {

// One file each, beside this one.
Benchmark thesis_bouncing_ball();
Benchmark thesis_inclined_plane();
Benchmark thesis_rocking_rod();
Benchmark thesis_belt();
Benchmark thesis_sliding_masses();

const std::vector<Benchmark>& benchmarks() {
  static const std::vector<Benchmark> all = {thesis_bouncing_ball(), thesis_inclined_plane(),
                                             thesis_rocking_rod(), thesis_belt(), thesis_sliding_masses()};
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
