#pragma once

/// The exceptions of the library. All derive from Error; each message names the offending object as the user named it.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace picus {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The description of a model is wrong: a bad parameter, an unknown or duplicate name, contradictory fixed and driven
/// components.
class ModelError : public Error {
 public:
  using Error::Error;
};

/// An option of an integrator, of a run or of the program is out of range or unknown.
class OptionError : public Error {
 public:
  using Error::Error;
};

/// A start or a step that no fallback could solve. The message names the time, the sub-problem, the worst
/// residual and the element or node that carries it.
class SolverError : public Error {
 public:
  using Error::Error;
};

/// A result file cannot be created, written or read.
class FileError : public Error {
 public:
  using Error::Error;
};

/// The run was requested to stop (Ctrl-C, SIGTERM) and did so with all results closed and readable.
class Interrupted : public Error {
 public:
  using Error::Error;
};

/// The candidate nearest to a mistyped name (edit distance), empty if none is near.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

/// ` (did you mean "NEAREST"?)` for a mistyped name, empty if no candidate is near.
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace picus
