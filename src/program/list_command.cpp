/// `picus list`: the models and benchmarks that there are.

#include "command_line.hpp"
#include "output.hpp"
#include <picus/models/benchmarks/benchmark.hpp>
#include <picus/models/registry.hpp>

#include <CLI/CLI.hpp>

namespace picus::program {
namespace {

void list() {
  Table table({"model", "what", "source"});
  for (const models::RegisteredModel& model : models::registry()) {
    table.add({model.info().name, model.info().title(), model.info().source});
  }
  print("{}", table.text());

  Table benchmarks({"benchmark", "what", "source"});
  for (const models::Benchmark& benchmark : models::benchmarks()) {
    benchmarks.add({benchmark.name, benchmark.title, benchmark.source});
  }
  print("\n{}", benchmarks.text());
}

}  // namespace

void add_list_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("list", "List the models that can be run, and the benchmarks");
  command->final_callback([&action] { action = list; });
}

}  // namespace picus::program
