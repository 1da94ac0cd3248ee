#include "compare_options.hpp"

#include "integrator_options.hpp"
#include "new_file.hpp"
#include "output.hpp"
#include <picus/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace picus::program {
namespace {

constexpr double usual_limit = 60.0;  // s

std::vector<const RegisteredModel*> chosen_models(const CompareWords& words) {
  std::vector<const RegisteredModel*> chosen;
  if (words.names.empty()) {
    for (const RegisteredModel& model : words.models) chosen.push_back(&model);
  }
  for (const std::string& name : words.names) {
    const RegisteredModel* model = &find_model(words.models, name, list_command());
    if (std::ranges::find(chosen, model) != chosen.end())
      throw OptionError(fmt::format("model \"{}\" is named twice", name));
    chosen.push_back(model);
  }
  return chosen;
}

void require_one_model(std::string_view option, std::size_t count) {
  if (count != 1) throw OptionError(fmt::format("{} is for one model, not for {}", option, count));
}

std::vector<std::string> read_schemes(const std::vector<std::string>& words) {
  if (words.size() < 2) {
    throw OptionError(
        fmt::format("{} compare needs at least two schemes, as --scheme ds --scheme ds-a; `{} --schemes` "
                    "names them",
                    program_name(), list_command()));
  }
  std::vector<std::string> schemes;
  for (const std::string& word : words) schemes.push_back(read_scheme("--scheme", word));
  return schemes;
}

}  // namespace

void add_compare_options(CLI::App& command, CompareWords& words) {
  const auto add = [&](const char* name, std::optional<std::string>& word, const char* type,
                       const std::string& help) { command.add_option(name, word, help)->type_name(type); };
  const auto add_list = [&](const char* name, std::vector<std::string>& word, const char* type,
                            const std::string& help) {
    command.add_option(name, word, help)->type_name(type)->allow_extra_args(false);
  };
  command
      .add_option("MODEL", words.names,
                  fmt::format("Names as `{}` prints them; all by default", list_command()))
      ->type_name("");
  add_list("--scheme", words.schemes, "NAME[:KEY=VALUE,...]",
           fmt::format("Time integration scheme, as `{} --schemes` prints it; to be repeated: the others are "
                       "compared with the first",
                       list_command()));
  add_list("--set", words.settings, "NAME=VALUE", "Set a parameter of a single model; may be repeated");
  add("--step", words.step, "SECONDS", "Step size for a single model; by default those of the models");
  add("--until", words.until, "SECONDS", "Final time; of several models, of those that do not end earlier");
  add("--limit", words.limit, "SECONDS",
      fmt::format("CPU time of the run with the first scheme; the others end where it does, and may "
                  "take {:g} times as long ({:g})",
                  models::longest_of_others, usual_limit));
  add("--workers", words.workers, "COUNT", "Models at the same time (1)");
  add("--out", words.out, "FILE", "Write the table as CSV, too");
  command.add_flag("--force", words.force, "Replace the file if it exists")->disable_flag_override();
  command.add_flag("--quiet", words.quiet, "Print nothing but the table")->disable_flag_override();
}

CompareOptions read_compare_options(const CompareWords& words) {
  const std::vector<const RegisteredModel*> chosen = chosen_models(words);
  std::vector<std::string> schemes = read_schemes(words.schemes);
  if (!words.settings.empty()) require_one_model("--set", chosen.size());
  if (words.step) require_one_model("--step", chosen.size());
  const double limit = real_or(usual_limit, "--limit", words.limit, Range::positive());
  const Index workers = integer_or(1, "--workers", words.workers, Range::between(1, 1024));

  CompareOptions options{.models = {},
                         .schemes = std::move(schemes),
                         .limit = limit,
                         .workers = static_cast<unsigned>(workers),
                         .table = words.out.value_or(""),
                         .quiet = words.quiet};
  for (const RegisteredModel* model : chosen) {
    const ModelInfo& info = model->info();
    const double until = real_or(info.until, "--until", words.until, Range::positive());
    options.models.push_back(
        {.name = info.name,
         .comparison = {.scenario = model->configure(words.settings),
                        .schemes = options.schemes,
                        .step = real_or(info.step, "--step", words.step, Range::positive()),
                        .until = chosen.size() == 1 ? until : std::min(until, info.until),
                        .longest = limit}});
  }
  if (words.out && words.out->empty()) throw OptionError("--out is \"\", must be the name of a file");
  if (words.out) check_name(options.table, words.force);
  return options;
}

}  // namespace picus::program
