/// `picus export FILE --html`: the motion of a result as one page that can be mailed.

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

struct ExportWords {
  std::string file;
  bool is_html = false;
  std::string out;
  std::optional<std::string> frames, begin, end;
  std::vector<std::string> plots;
  std::optional<std::string> colour;
  bool force = false;
};

constexpr double most_frames = 100000;

fs::path page_of(const ExportWords& words) {
  fs::path page = words.out.empty() ? fs::path(words.file).replace_extension(".html") : fs::path(words.out);
  if (page.extension() != ".html") {
    throw OptionError(fmt::format("--out: \"{}\" must end in .html", page.string()));
  }
  check_name(page, words.force);
  return page;
}

void export_page(const ExportWords& words) {
  if (words.file.empty()) throw OptionError("picus export needs the name of a result file");
  if (!words.is_html) throw OptionError("picus export needs to know what to write: --html");
  check_result_file(words.file);
  const fs::path page = page_of(words);
  std::vector<std::string> arguments;
  if (words.frames) {
    const Index frames = integer_or(0, "--frames", words.frames, Range::between(2, most_frames));
    arguments.insert(arguments.end(), {"--frames", fmt::format("{}", frames)});
  }
  for (const auto& [option, word] : {std::pair{"--from", words.begin}, {"--to", words.end}}) {
    if (!word) continue;
    arguments.push_back(fmt::format("{}={}", option, real_or(0.0, option, word, Range{})));
  }
  for (const std::string& plot : words.plots) arguments.push_back("--plot=" + plot);
  if (words.colour) arguments.push_back("--colour=" + *words.colour);
  arguments.insert(arguments.end(), {"--", words.file, page.string()});
  run_script("export_html.py", arguments, words.file);
  print("written: {}\n", page.string());
}

}  // namespace

void add_export_command(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("export", "Write the motion of a result as a page with everything in it");
  const auto words = std::make_shared<ExportWords>();
  command->add_option("FILE", words->file, "Result file")->type_name("");
  command->add_flag("--html", words->is_html, "One HTML page that needs nothing else")
      ->disable_flag_override();
  command->add_option("--out", words->out, "The page (FILE.html)")->type_name("PAGE");
  command->add_option("--frames", words->frames, "At most so many instants, evenly chosen (600)")
      ->type_name("N");
  command->add_option("--from", words->begin, "Begin at this time, s (start)")->type_name("T");
  command->add_option("--to", words->end, "End at this time, s (end)")->type_name("T");
  command
      ->add_option("--plot", words->plots,
                   "Quantities of the time plot, names or patterns (gaps, energies, nodes)")
      ->type_name("PATTERN")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--colour", words->colour,
                   "What colours show: speed, von_mises_stress, section_force.4 or a pattern")
      ->type_name("PATTERN");
  command->add_flag("--force", words->force, "Replace the page if it exists")->disable_flag_override();
  command->final_callback([&action, words] { action = [words] { export_page(*words); }; });
}

}  // namespace picus::program
