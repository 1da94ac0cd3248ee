/// The `picus-report` program: what `picus` leaves to it.

#include "command_line.hpp"
#include "exit_status.hpp"

#include <CLI/CLI.hpp>

int main(int argc, char** argv) {
  using namespace picus::program;
  return exit_status_of([&] {
    parse_command_line(argc, argv, [](CLI::App& app, const std::string& typed, Action& action) {
      add_report_command(app, typed, action);
      add_benchmarks_command(app, action);
    })();
  });
}
