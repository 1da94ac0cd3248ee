#pragma once

/// The time integration schemes by name, as `--scheme` and the benchmarks choose them; docs/integrators.md
/// describes them.

#include <picus/parameter_table.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace picus {

/// One entry of `picus list --schemes`.
struct Scheme {
  std::string name;                      ///< as typed, e.g. "ds"
  std::string summary;                   ///< one sentence
  std::string source;                    ///< paper and section
  std::vector<ParameterInfo> options{};  ///< those of its own, the keys of KEY=VALUE
  /// Iterations before a solve is given up (ds: before fallbacks) that suit the scheme, for programs that let
  /// users choose; SchemeOptions::max_iterations decides.
  int max_iterations = SchemeOptions{}.max_iterations;
  /// Makes the integrator with options of its own, as KEY=VALUE each; make_integrator() calls it.
  std::function<std::unique_ptr<TimeIntegrator>(std::span<const std::string> own,
                                                const SchemeOptions& options)>
      make{};
};

/// All schemes, `ds` first.
const std::vector<Scheme>& schemes();

/// The part of NAME or NAME:KEY=VALUE,... before the colon.
std::string_view scheme_name(std::string_view text);
/// The text with another KEY=VALUE at its end.
std::string with_option(std::string_view text, std::string_view key, std::string_view value);

/// Whether the name in NAME or NAME:KEY=VALUE,... is one of schemes().
bool has_scheme(std::string_view text);
/// Throws OptionError, with the nearest name, when there is none.
const Scheme& find_scheme(std::string_view text);

/// The scheme that NAME or NAME:KEY=VALUE,... stands for. Throws OptionError for an unknown name (it offers the nearest
/// one), for a key that the scheme does not know (it names the schemes that do) and for an option out of its range.
std::unique_ptr<TimeIntegrator> make_integrator(std::string_view text, const SchemeOptions& options = {});

}  // namespace picus
