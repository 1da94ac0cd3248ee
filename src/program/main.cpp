/// The `picus` program: picks a command and runs it.

#include "command_line.hpp"
#include "exit_status.hpp"
#include "report_program.hpp"

#include <CLI/CLI.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace picus::program;

void add_commands(CLI::App& app, const std::string& typed, Action& action) {
  add_list_command(app, action);
  add_info_command(app, action);
  add_run_command(app, typed, action);
  add_converge_command(app, action);
  add_show_command(app, action);
  add_plot_command(app, action);
  add_export_command(app, action);
  // For the list of commands alone: that program understands the words of this command itself.
  app.add_subcommand(report_command, report_summary);
}

}  // namespace

int main(int argc, char** argv) {
  return exit_status_of([&] {
    const std::span words(argv, argc);
    if (argc > 1 && words[1] == std::string_view(report_command)) {
      become_report_program({words.begin() + 1, words.end()});
    }
    parse_command_line(argc, argv, add_commands)();
  });
}
