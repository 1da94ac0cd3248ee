#include "run_options.hpp"

#include "../printable.hpp"
#include "../readable_file.hpp"
#include "output.hpp"
#include "result_file.hpp"
#include <picus/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace picus::program {
namespace {

constexpr std::string_view checkpoint_extension = ".checkpoint";
constexpr std::string_view command_line_note = "command line";
constexpr std::string_view model_note = "MODEL";

/// Calls use(option, word) for all options of a run that are stored in checkpoints; a word is an optional text, a list
/// of texts or a flag.
template <class Words, class Use>
void for_each_word(Words& words, const Use& use) {
  use("--set", words.model.settings);
  use("--step", words.integrator.step);
  use("--until", words.until);
  use("--scheme", words.integrator.scheme);
  use("--rho-inf", words.integrator.rho_inf);
  use("--tol", words.integrator.tolerance);
  use("--max-iterations", words.integrator.max_iterations);
  use("--scaling", words.integrator.scaling);
  use("--regularization", words.integrator.regularization);
  use("--linear-solver", words.integrator.linear_solver);
  use("--contact-solver", words.integrator.contact_solver);
  use("--out", words.out);
  use("--every", words.every);
  use("--record", words.include);
  use("--omit", words.exclude);
  use("--energy-details", words.energy_details);
  use("--frames", words.frames);
  use("--contact-problems", words.contact_problems);
  use("--threads", words.threads);
  use("--checkpoint", words.checkpoint);
}

void add_texts(TextEntries& notes, std::string_view option, const std::optional<std::string>& word) {
  if (word) notes.emplace_back(option, *word);
}
void add_texts(TextEntries& notes, std::string_view option, const std::vector<std::string>& words) {
  for (const std::string& word : words) notes.emplace_back(option, word);
}
void add_texts(TextEntries& notes, std::string_view option, bool is_set) {
  if (is_set) notes.emplace_back(option, "");
}

void set_word(std::optional<std::string>& word, const std::string& text) {
  word = text;
}
void set_word(std::vector<std::string>& words, const std::string& text) {
  words.push_back(text);
}
void set_word(bool& flag, const std::string& /*text*/) {
  flag = true;
}

/// The options of a run as entries of its checkpoints.
TextEntries notes_of(const RunWords& words, const std::string& model, const std::string& typed) {
  TextEntries notes = {{std::string(command_line_note), typed}, {std::string(model_note), model}};
  for_each_word(words, [&](std::string_view option, const auto& word) { add_texts(notes, option, word); });
  return notes;
}

RunWords words_of(const TextEntries& notes) {
  RunWords words;
  for (const auto& [name, text] : notes) {
    if (name == model_note) words.model.name = text;
    for_each_word(words, [&, &option_name = name, &value = text](std::string_view option, auto& word) {
      if (option == option_name) set_word(word, value);
    });
  }
  return words;
}

std::filesystem::path checkpoint_of(const std::filesystem::path& results) {
  return std::filesystem::path(results).replace_extension(checkpoint_extension);
}

RunOptions read_new_run(const RunWords& words, const std::string& typed) {
  const auto [model, scenario] = read_model(words.model, "run");
  // Not within the braces, where GCC 12 destroys too many objects if one of the calls throws.
  IntegratorChoice integrator = read_integrator_options(words.integrator, model.info().step);
  const double until = real_or(model.info().until, "--until", words.until, Range::positive());
  const Index every = integer_or(1, "--every", words.every, {.low = 1});
  const Index frames = integer_or(600, "--frames", words.frames, {.low = 2});
  const Index threads = integer_or(0, "--threads", words.threads, Range::between(1, 256));
  RunOptions options{.scenario = scenario,
                     .integrator = std::move(integrator),
                     .until = until,
                     .threads = threads,
                     .out = words.out.value_or(model.info().name + ".h5"),
                     .results = {.every = every,
                                 .overwrite = words.force,
                                 .command_line = typed,
                                 .include = words.include,
                                 .exclude = words.exclude,
                                 .energy_details = words.energy_details,
                                 .frames = frames},
                     .contact_problems = words.contact_problems.value_or(""),
                     .checkpoint = {},
                     .resumed = {},
                     .profile = words.profile,
                     .quiet = words.quiet};
  if (options.out.empty()) throw OptionError("--out is \"\", must be the name of a file");
  if (words.contact_problems && words.contact_problems->empty())
    throw OptionError("--contact-problems is \"\", must be the name of a folder");
  if (!options.contact_problems.empty() &&
      options.contact_problems.lexically_normal() == options.out.lexically_normal())
    throw OptionError(fmt::format("--contact-problems is \"{}\", which is the result file",
                                  options.contact_problems.string()));
  if (words.checkpoint) {
    if (options.out.extension() == checkpoint_extension)
      throw OptionError(
          fmt::format("--out is \"{}\", which is the name of the checkpoint", options.out.string()));
    const Index distance = integer_or(1, "--checkpoint", words.checkpoint, {.low = 1});
    options.checkpoint = {.file = checkpoint_of(options.out),
                          .every = distance,
                          .overwrite = words.force,
                          .notes = notes_of(words, model.info().name, typed)};
  }
  return options;
}

/// Throws OptionError for all other options that were typed.
void refuse_other_words(const RunWords& words) {
  const auto refuse = [](std::string_view option) {
    throw OptionError(fmt::format(
        "{} does not go with --resume: all but --until, --profile and --quiet is as it was", option));
  };
  if (!words.model.name.empty()) refuse(words.model.name);
  if (words.force) refuse("--force");
  TextEntries typed;
  for_each_word(words, [&](std::string_view option, const auto& word) { add_texts(typed, option, word); });
  for (const auto& [option, text] : typed) {
    if (option != "--until") refuse(option);
  }
}

RunOptions read_resumed_run(const RunWords& words) {
  refuse_other_words(words);
  const std::filesystem::path named = *words.resume;
  const bool is_checkpoint = named.extension() == checkpoint_extension;
  Checkpoint checkpoint = read_checkpoint(is_checkpoint ? named : checkpoint_of(named));
  RunWords run = words_of(checkpoint.notes);
  if (run.model.name.empty()) {
    throw FileError(fmt::format("cannot go on from checkpoint \"{}\": it was not written by `{} run`",
                                checkpoint.file.string(), program_name()));
  }
  run.model.models = words.model.models;
  run.profile = words.profile;
  run.quiet = words.quiet;
  run.checkpoint.reset();
  const auto typed = std::find_if(checkpoint.notes.begin(), checkpoint.notes.end(),
                                  [](const auto& note) { return note.first == command_line_note; });
  RunOptions options = [&] {
    try {
      return read_new_run(run, typed == checkpoint.notes.end() ? "" : typed->second);
    } catch (const Error& error) {  // not the user's present input
      throw FileError(fmt::format("cannot go on from checkpoint \"{}\": {}", checkpoint.file.string(),
                                  detail::printable(error.what())));
    }
  }();
  options.until = real_or(options.until, "--until", words.until, Range::positive());
  // Result file and checkpoint may have been moved together.
  options.out = is_checkpoint ? named.parent_path() / options.out.filename() : named;
  if (detail::why_unreadable(options.out).empty())
    check_result_file(options.out, true);  // otherwise reported by the recorder
  options.resumed = std::move(checkpoint);
  return options;
}

}  // namespace

void add_run_options(CLI::App& command, RunWords& words) {
  add_model_options(command, words.model);
  const auto add = [&](const char* name, std::optional<std::string>& word, const char* type,
                       const char* help) { command.add_option(name, word, help)->type_name(type); };
  add("--step", words.integrator.step, "SECONDS", "Step size; by default that of the model");
  add("--until", words.until, "SECONDS", "Final time; by default that of the model");
  add_integrator_options(command, words.integrator);
  add("--out", words.out, "FILE", "Result file (MODEL.h5)");
  add("--every", words.every, "STEPS", "Record every so many steps (1)");
  add("--frames", words.frames, "COUNT", "Record so many pictures of the motion (600)");
  const auto add_patterns = [&](const char* name, std::vector<std::string>& patterns, const char* help) {
    command.add_option(name, patterns, help)->type_name("PATTERN")->allow_extra_args(false);
  };
  add_patterns("--record", words.include, "Record only such data sets, e.g. 'nodes/*'; may be repeated");
  add_patterns("--omit", words.exclude, "Do not record such data sets; may be repeated");
  command
      .add_flag("--energy-details", words.energy_details,
                "Record the energies of each element and contact, too")
      ->disable_flag_override();
  add("--contact-problems", words.contact_problems, "FOLDER",
      "Write the contact problem of each recorded step there, in FCLIB's format");
  add("--threads", words.threads, "COUNT",
      "Threads that share the loops of the run (all cores where the model is large enough)");
  add("--checkpoint", words.checkpoint, "STEPS",
      "Keep a checkpoint beside the result file, anew every so many steps");
  add("--resume", words.resume, "FILE",
      "Go on from the checkpoint of this result file, to the end of the run or another --until");
  command.add_flag("--profile", words.profile, "Print where the time went, and keep it in the result file")
      ->disable_flag_override();
  command.add_flag("--force", words.force, "Replace the result file if it exists")->disable_flag_override();
  command.add_flag("--quiet", words.quiet, "Print nothing but warnings and errors")->disable_flag_override();
}

RunOptions read_run_options(const RunWords& words, const std::string& typed) {
  return words.resume ? read_resumed_run(words) : read_new_run(words, typed);
}

}  // namespace picus::program
