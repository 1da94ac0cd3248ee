/// The `picus-report` program, which executes some commands of `picus`.

#include "command_line.hpp"
#include "exit_status.hpp"
#include "scripts.hpp"
#include <picus/program.hpp>
#include <picus/version.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

int main(int argc, char** argv) {
  using namespace picus::program;
  return exit_status_of([&] {
    set_scripts_folder(picus::ProgramOptions{}.scripts);
    const ProgramText text{.description = "Nonsmooth flexible multibody dynamics.",
                           .version = fmt::format("picus {}", picus::version)};
    parse_command_line(argc, argv, text, [](CLI::App& app, const std::string& typed, Action& action) {
      add_report_command(app, typed, action);
      add_benchmarks_command(app, action);
    })();
  });
}
