/// `picus plot FILE [QUANTITY ...]`: figures of a result over time.

#include "command_line.hpp"
#include "integrator_options.hpp"
#include "new_file.hpp"
#include "output.hpp"
#include "result_file.hpp"
#include "scripts.hpp"
#include <picus/error.hpp>

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

namespace picus::program {
namespace {

namespace fs = std::filesystem;

struct PlotWords {
  std::string file;
  std::vector<std::string> quantities;
  bool is_overview = false;
  std::string out;
  std::optional<std::string> begin, end;
  bool force = false;
};

fs::path figure_of(const PlotWords& words) {
  fs::path figure = words.out.empty() ? fs::path(words.file).replace_extension(".png") : fs::path(words.out);
  const std::string extension = figure.extension().string();
  if (extension != ".png" && extension != ".svg" && extension != ".pdf") {
    throw OptionError(fmt::format("--out: \"{}\" must end in .png, .svg or .pdf", figure.string()));
  }
  check_name(figure, words.force);
  return figure;
}

void plot(const PlotWords& words) {
  if (words.file.empty())
    throw OptionError(fmt::format("{} plot needs the name of a result file", program_name()));
  if (words.is_overview == !words.quantities.empty()) {
    throw OptionError(
        fmt::format("{0} plot needs the names of quantities, such as \"contacts/*/gap\", or --overview; {0} "
                    "show FILE lists what there is",
                    program_name()));
  }
  check_result_file(words.file);
  const fs::path figure = figure_of(words);
  std::vector<std::string> arguments = {"--out=" + figure.string()};
  if (words.is_overview) arguments.emplace_back("--overview");
  for (const auto& [option, word] : {std::pair{"--from", words.begin}, {"--to", words.end}}) {
    if (!word) continue;
    const double time = real_or(0.0, option, word, Range{});
    arguments.push_back(fmt::format("{}={}", option, time));
  }
  arguments.insert(arguments.end(), {"--", words.file});
  arguments.insert(arguments.end(), words.quantities.begin(), words.quantities.end());
  run_script("plot_results.py", arguments, words.file);
  print("written: {}\n", shown(figure));
}

}  // namespace

void add_plot_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("plot", "Draw quantities of a result over time");
  const auto words = std::make_shared<PlotWords>();
  command->add_option("FILE", words->file, "Result file")->type_name("");
  command
      ->add_option("QUANTITY", words->quantities, "Names or patterns, such as nodes/bird/position or */gap")
      ->type_name("");
  command
      ->add_flag("--overview", words->is_overview, "Motion, contacts, energies and iterations on one sheet")
      ->disable_flag_override();
  command->add_option("--out", words->out, "Figure, .png, .svg or .pdf (FILE.png)")->type_name("FIGURE");
  command->add_option("--from", words->begin, "Begin at this time, s, load factor or frequency, Hz (start)")
      ->type_name("T");
  command->add_option("--to", words->end, "End at this time, s, load factor or frequency, Hz (end)")
      ->type_name("T");
  command->add_flag("--force", words->force, "Replace the figure if it exists")->disable_flag_override();
  command->final_callback([&action, words] { action = [words] { plot(*words); }; });
}

}  // namespace picus::program
