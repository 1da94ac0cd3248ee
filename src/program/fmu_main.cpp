/// The `picus-fmu` program, which makes FMUs of the models in a library: those of picus, or those of picus_add_fmu().

#include "command_line.hpp"
#include "exit_status.hpp"
#include <picus/version.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

int main(int argc, char** argv) {
  using namespace picus::program;
  return exit_status_of([&] {
    const ProgramText text{.description = "Nonsmooth flexible multibody dynamics.",
                           .version = fmt::format("picus {}", picus::version)};
    parse_command_line(argc, argv, text, [](CLI::App& app, const std::string& /*typed*/, Action& action) {
      add_fmu_command(app, action);
    })();
  });
}
