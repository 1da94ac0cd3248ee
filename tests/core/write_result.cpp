/// Records a flight, for testing the files with other programs. Usage: write_result FILE [--balls] [--forever] [--checkpoints]
///   --balls         of balls that bounce, with contact detection
///   --checkpoints   with the last one beside the file
///   --forever       runs until it is killed, flushing every record to disk

#include <picus/hdf5_recorder.hpp>
#include <picus/simulate.hpp>
#include <support/bouncing_balls.hpp>
#include <support/flying_sensors.hpp>
#include <support/free_flight.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>

int main(int argc, char** argv) {
  using namespace picus;
  std::set<std::string> options(argv + std::min(argc, 2), argv + argc);
  const bool has_balls = options.erase("--balls") > 0;
  const bool is_endless = options.erase("--forever") > 0;
  const bool has_checkpoints = options.erase("--checkpoints") > 0;
  if (argc < 2 || !options.empty()) return 2;
  try {
    Model model = has_balls ? support::make_bouncing_model() : support::make_flying_model();
    if (!has_balls) support::add_flying_sensors(model, 2.5e-3);
    support::FreeFlight flight({.step = 1e-3});
    support::BouncingFlight bouncing({.step = 1e-3}, 2.0);
    TimeIntegrator& integrator = has_balls ? static_cast<TimeIntegrator&>(bouncing) : flight;
    Hdf5Recorder recorder(argv[1], {.every = is_endless ? 1 : 10,
                                    .overwrite = true,
                                    .command_line = "write_result",
                                    .flush_seconds = is_endless ? 0.0 : 1.0,
                                    .frames = std::int64_t{1} << 40});
    Profile profile;
    SimulationOptions simulation{.until = is_endless ? 1e9 : 0.5, .profile = has_balls ? &profile : nullptr};
    if (has_checkpoints)
      simulation.checkpoint.file = std::filesystem::path(argv[1]).replace_extension("checkpoint");
    simulate(model, integrator, simulation, {&recorder});
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
