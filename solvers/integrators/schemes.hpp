#pragma once

/// The time integration schemes by name, as selected by `--scheme` and the benchmarks; docs/integrators.md describes
/// them.

#include <picus/parameter_table.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace picus {

/// One entry of `picus list --schemes`.
struct Scheme {
  std::string name;                      ///< as typed, e.g. "ds"
  std::string summary;                   ///< one sentence
  std::string source;                    ///< paper and section
  std::vector<ParameterInfo> options{};  ///< options specific to the scheme, the keys of KEY=VALUE
  /// Recommended limit of iterations before a solve fails (ds: before fallbacks), for programs in which users choose
  /// the scheme; SchemeOptions::max_iterations is the limit used.
  int max_iterations = SchemeOptions{}.max_iterations;
  /// Creates the integrator with its specific options, each as KEY=VALUE; called by make_integrator().
  std::function<std::unique_ptr<TimeIntegrator>(std::span<const std::string> own,
                                                const SchemeOptions& options)>
      make{};
};

/// All schemes, `ds` first, registered ones last. References to entries are valid until the next register_scheme().
const std::vector<Scheme>& schemes();

/// Adds a user-defined scheme, which is then available to `--scheme`, `list --schemes`, `converge` and
/// make_integrator() of this process. To be called before runs begin, from one thread. Throws OptionError for a name
/// that is missing, in use or invalid (letters, digits, '-', '_', '.'), for a missing summary, for an empty `make`, and
/// for options that check_parameters() rejects.
void register_scheme(Scheme scheme);

namespace detail {
/// Throws OptionError for the first key of KEY=VALUE texts that is not among `known`.
void check_scheme_keys(std::string_view scheme, const std::vector<ParameterInfo>& known,
                       std::span<const std::string> own);
/// An error message preceded by the name of the scheme.
std::string name_scheme(std::string_view scheme, std::string_view message);
}  // namespace detail

/// Completes `about` with options of type P, which are read from KEY=VALUE texts by `table` and passed to `make` to
/// create the integrator.
template <class P>
Scheme make_scheme(
    Scheme about, const ParameterTable<P>& table,
    std::type_identity_t<
        std::function<std::unique_ptr<TimeIntegrator>(const P& own, const SchemeOptions& options)>>
        make) {
  about.options = table.infos();
  about.make = [name = about.name, table, make](std::span<const std::string> own,
                                                const SchemeOptions& options) {
    detail::check_scheme_keys(name, table.infos(), own);
    const P p = [&] {
      try {
        return table.read(own, "option");
      } catch (const OptionError& error) {
        throw OptionError(detail::name_scheme(name, error.what()));
      }
    }();
    return make(p, options);
  };
  return about;
}

/// The part of NAME or NAME:KEY=VALUE,... before the colon.
std::string_view scheme_name(std::string_view text);
/// The text with KEY=VALUE appended.
std::string with_option(std::string_view text, std::string_view key, std::string_view value);

/// Whether the name in NAME or NAME:KEY=VALUE,... is one of schemes().
bool has_scheme(std::string_view text);
/// The scheme of that name; throws OptionError, with the nearest name, if there is none.
const Scheme& find_scheme(std::string_view text);

/// Creates the integrator given by NAME or NAME:KEY=VALUE,... . Throws OptionError for an unknown name (with the
/// nearest one), for a key that the scheme does not have (with the schemes that do) and for an option out of range.
std::unique_ptr<TimeIntegrator> make_integrator(std::string_view text, const SchemeOptions& options = {});

}  // namespace picus
