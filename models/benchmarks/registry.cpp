#include <picus/error.hpp>
#include <picus/models/benchmarks/benchmark.hpp>

#include <fmt/format.h>

namespace picus::models {

// One file each, beside this one.
Benchmark thesis_bouncing_ball();
Benchmark thesis_oblique_beam();
Benchmark thesis_pendulum_on_plate();
Benchmark thesis_woodpecker();

const std::vector<Benchmark>& benchmarks() {
  static const std::vector<Benchmark> all = {thesis_bouncing_ball(), thesis_oblique_beam(),
                                             thesis_pendulum_on_plate(), thesis_woodpecker()};
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
