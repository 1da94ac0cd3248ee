/// `picus plot FILE [FILE ...] [QUANTITY ...]`: figures of results over time, and of the findings of sweeps.

#include "command_line.hpp"
#include "integrator_options.hpp"
#include "new_file.hpp"
#include "output.hpp"
#include "result_file.hpp"
#include "scripts.hpp"
#include <picus/error.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

namespace picus::program {
namespace {

namespace fs = std::filesystem;

struct PlotWords {
  std::string file;
  std::vector<std::string> others;  // further files and quantities
  bool is_overview = false;
  std::string out;
  std::optional<std::string> begin, end;
  bool force = false;
};

/// The files to be drawn beside each other, and the quantities to be drawn.
struct PlotOrder {
  std::vector<std::string> files, quantities;
};

/// A word is a file if it has the extension of result files, or if there is such a file.
bool is_file_name(const std::string& word) {
  std::error_code unknown;
  return fs::path(word).extension() == ".h5" || fs::is_regular_file(word, unknown);
}

PlotOrder read_order(const PlotWords& words) {
  if (words.file.empty())
    throw OptionError(fmt::format("{} plot needs the name of a result file", program_name()));
  PlotOrder order{{words.file}, {}};
  for (const std::string& word : words.others)
    (is_file_name(word) ? order.files : order.quantities).push_back(word);
  for (auto file = order.files.begin(); file != order.files.end(); ++file) {
    if (std::find(order.files.begin(), file, *file) != file)
      throw OptionError(fmt::format("file \"{}\" is named twice", *file));
  }
  if (words.is_overview == !order.quantities.empty()) {
    throw OptionError(
        fmt::format("{0} plot needs the names of quantities, such as \"contacts/*/gap\", or --overview; {0} "
                    "show FILE lists what there is",
                    program_name()));
  }
  return order;
}

fs::path figure_of(const PlotWords& words, const PlotOrder& order) {
  fs::path figure = words.out;
  if (words.out.empty()) {
    figure = fs::path(words.file).replace_extension();
    figure += order.files.size() > 1 ? "-compared.png" : ".png";
  }
  const std::string extension = figure.extension().string();
  if (extension != ".png" && extension != ".svg" && extension != ".pdf") {
    throw OptionError(fmt::format("--out: \"{}\" must end in .png, .svg or .pdf", figure.string()));
  }
  check_name(figure, words.force);
  return figure;
}

void plot(const PlotWords& words) {
  const PlotOrder order = read_order(words);
  for (const std::string& file : order.files) check_result_file(file);
  const fs::path figure = figure_of(words, order);
  std::vector<std::string> arguments = {"--out=" + figure.string()};
  if (words.is_overview) arguments.emplace_back("--overview");
  for (const auto& [option, word] : {std::pair{"--from", words.begin}, {"--to", words.end}}) {
    if (!word) continue;
    const double time = real_or(0.0, option, word, Range{});
    arguments.push_back(fmt::format("{}={}", option, time));
  }
  for (std::size_t i = 1; i < order.files.size(); ++i) arguments.push_back("--with=" + order.files[i]);
  arguments.insert(arguments.end(), {"--", words.file});
  arguments.insert(arguments.end(), order.quantities.begin(), order.quantities.end());
  run_script("plot_results.py", arguments, fmt::format("{}", fmt::join(order.files, ", ")));
  print("written: {}\n", shown(figure));
}

}  // namespace

void add_plot_command(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("plot", "Draw quantities of results over time, or what sweeps have found");
  const auto words = std::make_shared<PlotWords>();
  command->add_option("FILE", words->file, "Result file, or one of a sweep")->type_name("");
  command
      ->add_option("QUANTITY", words->others,
                   "Names or patterns, such as nodes/bird/position or */gap; words that end in .h5 or name a "
                   "file are further results, drawn beside the first")
      ->type_name("");
  command
      ->add_flag("--overview", words->is_overview,
                 "Motion, contacts, energies and iterations on one sheet; of a sweep all findings")
      ->disable_flag_override();
  command
      ->add_option("--out", words->out, "Figure, .png, .svg or .pdf (FILE.png, of several FILE-compared.png)")
      ->type_name("FIGURE");
  command->add_option("--from", words->begin, "Begin at this time, s, load factor or frequency, Hz (start)")
      ->type_name("T");
  command->add_option("--to", words->end, "End at this time, s, load factor or frequency, Hz (end)")
      ->type_name("T");
  command->add_flag("--force", words->force, "Replace the figure if it exists")->disable_flag_override();
  command->final_callback([&action, words] { action = [words] { plot(*words); }; });
}

}  // namespace picus::program
