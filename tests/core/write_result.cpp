/// Records a flight, for tests of the files by other programs. Usage: write_result FILE [--forever]
///   --forever   goes on until it is killed, bringing every record on disk at once

#include <picus/hdf5_recorder.hpp>
#include <picus/simulate.hpp>
#include <support/flying_sensors.hpp>
#include <support/free_flight.hpp>

#include <cstdint>
#include <cstdio>
#include <string_view>

int main(int argc, char** argv) {
  using namespace picus;
  const bool is_endless = argc == 3 && std::string_view(argv[2]) == "--forever";
  if (argc != 2 && !is_endless) return 2;
  try {
    Model model = support::make_flying_model();
    support::add_flying_sensors(model, 2.5e-3);
    support::FreeFlight integrator({.step = 1e-3});
    Hdf5Recorder recorder(argv[1], {.every = is_endless ? 1 : 10,
                                    .overwrite = true,
                                    .command_line = "write_result",
                                    .flush_seconds = is_endless ? 0.0 : 1.0,
                                    .frames = std::int64_t{1} << 40});
    simulate(model, integrator, {.until = is_endless ? 1e9 : 0.5}, {&recorder});
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
