#pragma once

/// A program of one's own models with all that the program `picus` has for those of the papers: `list`, `info`, `run` with its
/// options (--set, --scheme, --checkpoint, --resume, --profile, ...), `converge`, `sweep`, `static`, `modes`, `show`, `plot`, `export`,
/// progress, Ctrl-C and exit statuses.
///
///     int main(int argc, char** argv) {
///       return picus::run_main(argc, argv, {registered_swing()});
///     }
///
/// Link picus::program. docs/own-models.md has a whole one.

#include <picus/registered_model.hpp>

#include <functional>
#include <string>
#include <vector>

namespace picus {

/// A command that another program understands, which lies beside this one; it takes over and is given all words.
struct Companion {
  std::string command;      ///< the first word, such as "report"
  std::string program;      ///< name of the file, such as "picus-report"
  std::string summary;      ///< of the command, for --help
  std::string origin = {};  ///< where it comes from, for the message that it is missing; empty: nobody knows
  std::string list = {};    ///< word for which it prints what `list` shows after the models; empty: nothing
};

/// What a program says of itself. All of it may be left out.
struct ProgramOptions {
  std::string name = {};                   ///< in messages and help; empty: that of the file that runs
  std::string description = {};            ///< the first line of --help; empty: the models
  std::string version = {};                ///< for --version, beside that of Picus
  std::vector<Companion> companions = {};  ///< what other programs add
  /// Called first; what it throws is told in one line. The place for register_scheme(). May be empty.
  std::function<void()> prepare = {};
  /// Folder of the scripts that draw figures and pages. Those in ../share/picus/scripts beside the program come first.
#ifdef PICUS_SCRIPTS
  std::string scripts = PICUS_SCRIPTS;  // set by the CMake package
#else
  std::string scripts = {};
#endif
};

/// Understands the words of the command line, does what they ask for and returns the exit status: 0 success, 1 the run
/// failed or was interrupted, 2 wrong usage, which includes models that do not pass RegisteredModel::check(), none at all and
/// two of the same name. Throws nothing. From here on the signals that end programs are handled, and standard error shows
/// progress; call it once, from main().
int run_main(int argc, char** argv, const std::vector<RegisteredModel>& models,
             const ProgramOptions& options = {});

}  // namespace picus
