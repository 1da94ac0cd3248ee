#include "command_line.hpp"

#include "output.hpp"
#include <picus/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace picus::program {
namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// The option of Picus for the name used by other programs; otherwise the word itself.
std::string common_name(const std::string& word) {
  return word == "--overwrite" || word == "-f" ? "--force" : word;
}

/// "picus", or "picus run".
std::string full_name(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : full_name(*app.get_parent()) + ' ' + app.get_name();
}

/// Arguments that no option accepts are kept by CLI11 and rejected here, with the nearest valid one.
void refuse_extra_words(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands()) refuse_extra_words(*command);
  const std::vector<std::string> extra = app.remaining();
  if (extra.empty()) return;
  const std::string word = extra.front().substr(0, extra.front().find('='));
  if (word.size() > 1 && word[0] == '-') {
    throw OptionError(fmt::format("{} has no option {}{}", full_name(app), word,
                                  suggestion(common_name(word), option_names(app))));
  }
  if (app.get_subcommands({}).empty()) {
    throw OptionError(fmt::format("{} does not expect \"{}\"", full_name(app), word));
  }
  const std::vector<std::string> names = command_names(app);
  const std::string hint = suggestion(word, names);
  throw OptionError(fmt::format("there is no command \"{}\"{}", word,
                                hint.empty() ? fmt::format("; see `{} --help`", program_name()) : hint));
}

/// The error in the values of an option, from "OPTION: ..." or "OPTION ..." as reported by CLI11.
std::string mismatch_text(const std::string& message) {
  const std::string name = message.substr(0, message.find_first_of(": "));
  const std::string option = name.starts_with('-') ? name : "--" + name;
  const auto says = [&](const char* words) { return message.find(words) != std::string::npos; };
  if (says("missing")) return option + " needs a value";
  if (says("At Most")) return option + " is given more than once";
  if (says("flag override")) return option + " takes no value";
  return message;
}

/// Whether the word looks like a negative number: "-1e-5", "-.5", "-inf".
bool is_negative_number(std::string_view word) {
  if (word.size() < 2 || word[0] != '-') return false;
  const char next = word[1];
  const std::string_view rest = word.substr(1);
  return (next >= '0' && next <= '9') || next == '.' || rest == "inf" || rest == "infinity" || rest == "nan";
}

bool takes_value(const CLI::App& app, const std::string& name) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_expected_max() > 0 && option->check_name(name)) return true;
  }
  for (const CLI::App* command : app.get_subcommands({})) {
    if (takes_value(*command, name)) return true;
  }
  return false;
}

/// The arguments in the order required by CLI11, the last one first. A negative number after an option with a value is
/// that value, even if it looks like an option.
std::vector<std::string> reversed_words(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> words;
  bool are_options = true;
  for (const std::string_view word : std::span(argv, argc).subspan(1)) {
    if (are_options && !words.empty() && is_negative_number(word) && takes_value(app, words.back())) {
      words.back() += fmt::format("={}", word);
    } else {
      words.emplace_back(word);
    }
    are_options = are_options && word != "--";
  }
  std::ranges::reverse(words);
  return words;
}

/// The command line as it can be typed in a shell.
std::string typed_text(int argc, char** argv) {
  std::string text = program_name();
  for (const std::string_view word : std::span(argv, argc).subspan(1)) {
    const bool is_plain =
        !word.empty() && word.find_first_of(" \t\n\"'\\$&|;<>()*?[]{}~#`!") == std::string_view::npos;
    text += is_plain ? fmt::format(" {}", word) : fmt::format(" '{}'", word);
  }
  return text;
}

}  // namespace

Action parse_command_line(int argc, char** argv, const ProgramText& text, const AddCommands& add_commands) {
  CLI::App app(text.description, program_name());
  app.set_version_flag("--version", text.version, "Print the version and exit");
  app.set_help_flag("--help,-h", "Print this help and exit");
  app.get_formatter()->column_width(34);
  app.footer("Exit status: 0 success, 1 the run failed or was interrupted, 2 wrong usage.");

  Action action;
  add_commands(app, typed_text(argc, argv), action);
  app.require_subcommand(0, 1);
  app.allow_extras();
  for (CLI::App* command : app.get_subcommands({})) command->allow_extras();

  try {
    app.parse(reversed_words(app, argc, argv));
  } catch (const CLI::Success& request) {  // --help, --version
    return [answer = request.get_name() == "CallForVersion" ? app.version() + '\n' : app.help()] {
      print("{}", answer);
    };
  } catch (const CLI::ArgumentMismatch& error) {
    throw OptionError(mismatch_text(error.what()));
  } catch (const CLI::ParseError& error) {
    throw OptionError(error.what());
  }
  refuse_extra_words(app);
  if (!action) throw OptionError(fmt::format("which command? See `{} --help`", program_name()));
  return action;
}

}  // namespace picus::program
