/// `picus fmu MODEL`: makes an FMU of a model in a library for FMUs, which provides its description.

#include "../fmu/library_interface.hpp"
#include "../fmu/setup.hpp"
#include "../readable_file.hpp"
#include "command_line.hpp"
#include "fmu_words.hpp"
#include "new_file.hpp"
#include "output.hpp"
#include "zip_archive.hpp"
#include <picus/error.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>

namespace picus::program {
namespace {

struct FmuWords {
  fmu::Setup setup;
  std::string library;
  std::string out;
  bool force = false;
  bool quiet = false;
};

/// The library of the models of picus, beside this program.
std::filesystem::path library_of_models() {
  std::error_code unknown;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", unknown);
  return (own.parent_path() / PICUS_MODEL_LIBRARY).lexically_normal();
}

std::string read_library(const std::filesystem::path& file) {
  const std::string reason = detail::why_unreadable(file);
  std::ifstream stream(file, std::ios::binary);
  if (!reason.empty() || !stream)
    throw FileError(fmt::format("cannot read \"{}\": {}", file.string(), reason));
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The library's description of the model of the setup: texts by name (library_interface.hpp).
std::map<std::string, std::string> describe(const std::filesystem::path& library, const fmu::Setup& setup) {
  // Never closed: threads of libraries that it uses may still run.
  void* handle = dlopen(std::filesystem::absolute(library).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw FileError(fmt::format("cannot load \"{}\": {}", library.string(), dlerror()));
  const auto description = reinterpret_cast<fmu::Describe*>(dlsym(handle, fmu::describe_name));
  if (description == nullptr)
    throw FileError(fmt::format("\"{}\" is no library for FMUs (picus_add_fmu)", library.string()));
  std::map<std::string, std::string> texts;
  const int status =
      description(setup_text(setup).c_str(), &texts, [](void* sink, const char* name, const char* text) {
        (*static_cast<std::map<std::string, std::string>*>(sink))[name] = text;
      });
  constexpr int wrong_usage = 2;
  if (status == wrong_usage) throw OptionError(texts["error"]);
  if (status != 0) throw Error(texts["error"]);
  return texts;
}

std::string names_line(const char* title, std::string names) {
  std::ranges::replace(names, '\n', ' ');
  if (names.empty()) return "";
  names.pop_back();
  return fmt::format("{}: {}\n", title, names);
}

void make_fmu(const FmuWords& words) {
  const std::filesystem::path library =
      words.library.empty() ? library_of_models() : std::filesystem::path(words.library);
  if (words.library.empty() && words.setup.model.empty())
    throw OptionError("picus fmu needs the name of a model; `picus list` names them");
  const std::string content = read_library(library);
  std::map<std::string, std::string> texts = describe(library, words.setup);
  const std::filesystem::path out = words.out.empty() ? texts["identifier"] + ".fmu" : words.out;
  check_name(out, words.force);
  NewFile file(out);
  const std::vector<ZipEntry> entries = {
      {"modelDescription.xml", texts["modelDescription.xml"]},
      {fmt::format("binaries/{}/{}.so", texts["platform"], texts["identifier"]), content},
      {fmt::format("resources/{}", fmu::setup_file), setup_text(words.setup)}};
  file.publish(zip_archive(entries));
  if (words.quiet) return;
  print("{}{}", names_line("inputs", texts["inputs"]), names_line("outputs", texts["outputs"]));
  print("written: {}\n", shown(out));
}

}  // namespace

void add_fmu_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(fmu_command, fmu_summary);
  const auto words = std::make_shared<FmuWords>();
  fmu::Setup& setup = words->setup;
  command->add_option("MODEL", setup.model, "Name of the model, as `picus list` prints it")->type_name("");
  const auto add = [&](const char* name, auto& value, const char* type, const char* help) {
    command->add_option(name, value, help)->type_name(type)->allow_extra_args(false);
  };
  add("--set", setup.settings, "NAME=VALUE", "Start value of a parameter; may be repeated");
  add("--input", setup.inputs, "NAME=NODE.COMPONENT",
      "An input that is a load on a node: fx, fy, fz, mx, my, mz, or f of a scalar node; may be repeated");
  add("--output", setup.outputs, "NAME",
      "An output, or a pattern of several: a signal, a quantity of a sensor, NODE.x and the like; may be "
      "repeated. Default: "
      "all signals and sensors of the model");
  add("--scheme", setup.scheme, "SCHEME", "Time integration scheme; default ds");
  add("--step", setup.step, "SECONDS", "Largest step of the scheme; default: that of the model");
  add("--until", setup.until, "SECONDS", "Recommended end; default: that of the model");
  add("--library", words->library, "FILE", "Library of own models, made by picus_add_fmu()");
  add("--out", words->out, "FILE", "The FMU; default MODEL.fmu");
  command->add_flag("--force", words->force, "Replace an existing file");
  command->add_flag("--quiet", words->quiet, "Print nothing but errors");
  command->final_callback([&action, words] { action = [words] { make_fmu(*words); }; });
}

}  // namespace picus::program
