/// `picus export FILE`: the motion of a result as a self-contained page (--html), its quantities as a table (--csv), or
/// the detected contacts for ParaView (--contacts).

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
  bool is_csv = false;
  bool is_contacts = false;
  std::string out;
  std::optional<std::string> frames, begin, end;
  std::vector<std::string> plots;
  std::optional<std::string> colour;
  bool force = false;
};

constexpr double most_frames = 100000;

/// The file to be written, which ends in `extension`; its default name is that of the result followed by `end`.
fs::path target_of(const ExportWords& words, const char* end, const char* extension) {
  fs::path target = words.out;
  if (words.out.empty()) target = fs::path(words.file).replace_extension("").string() + end;
  if (target.extension() != extension) {
    throw OptionError(fmt::format("--out: \"{}\" must end in {}", target.string(), extension));
  }
  check_name(target, words.force);
  return target;
}

std::vector<std::string> choice_of_instants(const ExportWords& words) {
  std::vector<std::string> arguments;
  if (words.frames) {
    const Index frames = integer_or(0, "--frames", words.frames, Range::between(2, most_frames));
    arguments.insert(arguments.end(), {"--frames", fmt::format("{}", frames)});
  }
  for (const auto& [option, word] : {std::pair{"--from", words.begin}, {"--to", words.end}}) {
    if (!word) continue;
    arguments.push_back(fmt::format("{}={}", option, real_or(0.0, option, word, Range{})));
  }
  return arguments;
}

void export_page(const ExportWords& words) {
  const fs::path page = target_of(words, ".html", ".html");
  std::vector<std::string> arguments = choice_of_instants(words);
  for (const std::string& plot : words.plots) arguments.push_back("--plot=" + plot);
  if (words.colour) arguments.push_back("--colour=" + *words.colour);
  arguments.insert(arguments.end(), {"--", words.file, page.string()});
  run_script("export_html.py", arguments, words.file);
  print("written: {}\n", shown(page));
}

void export_table(const ExportWords& words) {
  if (words.colour) throw OptionError("--colour is for --html, not for --csv");
  const fs::path table = target_of(words, ".csv", ".csv");
  std::vector<std::string> arguments = choice_of_instants(words);
  for (const std::string& plot : words.plots) arguments.push_back("--plot=" + plot);
  arguments.insert(arguments.end(), {"--", words.file, table.string()});
  run_script("export_csv.py", arguments, words.file);
  print("written: {}\n", shown(table));
}

void export_contacts(const ExportWords& words) {
  if (!words.plots.empty() || words.colour)
    throw OptionError("--plot and --colour are for --html, not for --contacts");
  const fs::path grid = target_of(words, "_contacts.vtkhdf", ".vtkhdf");
  const fs::path xdmf = fs::path(grid).replace_extension(".xdmf");
  check_name(xdmf, words.force);
  std::vector<std::string> arguments = choice_of_instants(words);
  arguments.insert(arguments.end(), {"--", words.file, grid.string()});
  run_script("export_contacts.py", arguments, words.file);
  print("written: {} and {}\n", shown(grid), shown(xdmf));
}

void export_result(const ExportWords& words) {
  if (words.file.empty())
    throw OptionError(fmt::format("{} export needs the name of a result file", program_name()));
  if (words.is_html + words.is_csv + words.is_contacts != 1)
    throw OptionError(
        fmt::format("{} export needs to know what to write: --html, --csv or --contacts", program_name()));
  check_result_file(words.file);
  if (words.is_html) export_page(words);
  if (words.is_csv) export_table(words);
  if (words.is_contacts) export_contacts(words);
}

}  // namespace

void add_export_command(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("export", "Write a result as a page or a table, or its contacts for ParaView");
  const auto words = std::make_shared<ExportWords>();
  command->add_option("FILE", words->file, "Result file")->type_name("");
  command->add_flag("--html", words->is_html, "One HTML page that needs nothing else")
      ->disable_flag_override();
  command->add_flag("--csv", words->is_csv, "A table of all quantities over time, or of those of --plot")
      ->disable_flag_override();
  command
      ->add_flag("--contacts", words->is_contacts,
                 "The contacts that were found as bodies moved, as .vtkhdf and .xdmf for ParaView")
      ->disable_flag_override();
  command->add_option("--out", words->out, "What to write (FILE.html, FILE.csv, FILE_contacts.vtkhdf)")
      ->type_name("NAME");
  command
      ->add_option("--frames", words->frames,
                   "At most so many instants, evenly chosen (600 of a page; all of others)")
      ->type_name("N");
  command->add_option("--from", words->begin, "Begin at this time, s, load factor or frequency, Hz (start)")
      ->type_name("T");
  command->add_option("--to", words->end, "End at this time, s, load factor or frequency, Hz (end)")
      ->type_name("T");
  command
      ->add_option("--plot", words->plots,
                   "Quantities of the time plot or table, names or patterns (gaps, energies, nodes; all)")
      ->type_name("PATTERN")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--colour", words->colour,
                   "What colours show: speed, von_mises_stress, section_force.4 or a pattern")
      ->type_name("PATTERN");
  command->add_flag("--force", words->force, "Replace what exists")->disable_flag_override();
  command->final_callback([&action, words] { action = [words] { export_result(*words); }; });
}

}  // namespace picus::program
