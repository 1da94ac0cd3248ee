/// The overhead of recording: the CPU time of runs that record every step, compared with runs without a recorder,
/// alternating, median.

#include <picus/hdf5_recorder.hpp>
#include <picus/models/flexible_cube.hpp>
#include <picus/models/study/thread_clock.hpp>
#include <picus/models/woodpecker.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

using namespace picus;

double seconds_of_run(const Model& model, double step, double until, std::vector<Recorder*> recorders) {
  DecoupledNsga integrator({.step = step});
  const double begin = models::thread_seconds();
  simulate(model, integrator, {.until = until}, recorders);
  return models::thread_seconds() - begin;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void compare(std::string_view title, const Model& model, double step, double until, int runs) {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("picus-bench-{}.h5", ::getpid());
  std::vector<double> plain, recorded, ratios;
  std::uintmax_t bytes = 0;
  for (int i = 0; i < runs; ++i) {
    plain.push_back(seconds_of_run(model, step, until, {}));
    Hdf5Recorder recorder(path, {.overwrite = true});
    recorded.push_back(seconds_of_run(model, step, until, {&recorder}));
    ratios.push_back(recorded.back() / plain.back());
    bytes = std::filesystem::file_size(path);
    std::filesystem::remove(path);
    std::filesystem::remove(recorder.xdmf_path());
  }
  fmt::print("{:24} {:9.3f} s {:9.3f} s {:+7.1f} % {:8.1f} MB\n", title, median(plain), median(recorded),
             100 * (median(ratios) - 1), 1e-6 * static_cast<double>(bytes));
}

}  // namespace

int main() {
  const ThreadLimit one_thread(1);
  try {
    using Variant = models::Woodpecker::Variant;
    fmt::print("{:24} {:>11} {:>11} {:>9} {:>11}\n", "every step recorded", "without", "with", "more",
               "file");
    for (const auto& [title, variant] : {std::pair("woodpecker", Variant::body_points),
                                         std::pair("woodpecker, rigid links", Variant::rigid_links)}) {
      compare(title, models::make_woodpecker({.variant = variant}), 1e-4, 1.5, 9);
    }
    compare("10^3 cube, in flight", models::make_flexible_cube({.divisions = 10}), 1e-4, 0.01, 5);
    compare("10^3 cube, on the floor",
            models::make_flexible_cube({.divisions = 10, .mu = 0.3, .height = 1e-4, .downward = 2}), 1e-4,
            0.01, 3);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
