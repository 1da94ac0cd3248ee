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
#include <type_traits>
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

/// All schemes, `ds` first, and those that were registered last. A reference into it holds until the next register_scheme().
const std::vector<Scheme>& schemes();

/// Adds a scheme of one's own: from then on `--scheme`, `list --schemes`, `converge` and make_integrator() of this process know it.
/// To be called before runs begin, from one thread. Throws OptionError for a name that is missing, taken or cannot be typed before a
/// colon (letters, digits, '-', '_', '.'), for a missing summary, for a `make` that is empty, and for options that no model could have either.
void register_scheme(Scheme scheme);

namespace detail {
/// Throws OptionError about the first key of KEY=VALUE texts that is none of `known`.
void check_scheme_keys(std::string_view scheme, const std::vector<ParameterInfo>& known,
                       std::span<const std::string> own);
/// The message of an error with the name of the scheme.
std::string name_scheme(std::string_view scheme, std::string_view message);
}  // namespace detail

/// `about` with options of type P, read from KEY=VALUE texts by `table`, of which `make` makes the integrator.
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
