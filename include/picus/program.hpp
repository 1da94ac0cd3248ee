#pragma once

/// A program for user-defined models with all features that the program `picus` has for those of the papers: `list`,
/// `info`, `run` with its options (--set, --scheme, --checkpoint, --resume, --profile, ...), `converge`, `sweep`,
/// `static`, `modes`, `show`, `plot`, `export`, progress, Ctrl-C and exit statuses.
///
///     int main(int argc, char** argv) {
///       return picus::run_main(argc, argv, {registered_swing()});
///     }
///
/// Link picus::program. See docs/own-models.md for a complete example.

#include <picus/registered_model.hpp>

#include <functional>
#include <string>
#include <vector>

namespace picus {

/// A command that is executed by another program in the same folder, which receives all arguments.
struct Companion {
  std::string command;      ///< the first word, such as "report"
  std::string program;      ///< file name, such as "picus-report"
  std::string summary;      ///< summary of the command, for --help
  std::string origin = {};  ///< where to get it, for the message that it is missing; empty: unknown
  std::string list = {};    ///< argument with which it prints what `list` shows after the models; empty: none
};

/// Description of a program. All members are optional.
struct ProgramOptions {
  std::string name = {};                   ///< in messages and help; empty: that of the executable
  std::string description = {};            ///< the first line of --help; empty: the models
  std::string version = {};                ///< for --version, in addition to that of Picus
  std::vector<Companion> companions = {};  ///< commands of other programs
  /// Called first, e.g. to call register_scheme(); what it throws is reported in one line. May be empty.
  std::function<void()> prepare = {};
  /// Folder of the scripts that draw figures and pages. ../share/picus/scripts, relative to the program, is searched
  /// first.
#ifdef PICUS_SCRIPTS
  std::string scripts = PICUS_SCRIPTS;  // set by the CMake package
#else
  std::string scripts = {};
#endif
};

/// Parses the command line, executes it and returns the exit status: 0 success, 1 the run failed or was interrupted, 2
/// wrong usage, which includes models that fail RegisteredModel::check(), no models at all and two of the same name.
/// Throws nothing. It installs handlers for termination signals and shows progress on standard error; call it once,
/// from main().
int run_main(int argc, char** argv, const std::vector<RegisteredModel>& models,
             const ProgramOptions& options = {});

}  // namespace picus
