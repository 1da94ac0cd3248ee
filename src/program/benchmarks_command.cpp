/// The second half of `picus list`: the available benchmarks.

#include "command_line.hpp"
#include "output.hpp"
#include "report_words.hpp"
#include <picus/models/benchmarks/benchmark.hpp>

#include <CLI/CLI.hpp>

namespace picus::program {
namespace {

void list_benchmarks() {
  Table table({"benchmark", "what", "source"});
  for (const models::Benchmark& benchmark : models::benchmarks()) {
    table.add({benchmark.name, benchmark.title, benchmark.source});
  }
  print("\n{}", table.text());
}

}  // namespace

void add_benchmarks_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(benchmarks_command, "List the benchmarks");
  command->final_callback([&action] { action = list_benchmarks; });
}

}  // namespace picus::program
