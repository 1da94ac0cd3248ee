#include <picus/error.hpp>
#include <picus/solvers/integrators/alpha_scheme.hpp>
#include <picus/solvers/integrators/coupled_nsga.hpp>
#include <picus/solvers/integrators/mixed_scheme.hpp>
#include <picus/solvers/integrators/moreau_jean.hpp>
#include <picus/solvers/integrators/schatzman_paoli.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace picus {
namespace {

/// "; known to chen, hht and mixed"; empty if no scheme has it.
std::string describe_owners(std::string_view key) {
  std::vector<std::string_view> owners;
  for (const Scheme& scheme : schemes()) {
    if (std::ranges::find(scheme.options, key, &ParameterInfo::name) != scheme.options.end())
      owners.push_back(scheme.name);
  }
  std::string sentence;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    sentence += i == 0 ? "; known to " : i + 1 < owners.size() ? ", " : " and ";
    sentence += owners[i];
  }
  return sentence;
}

/// The KEY=VALUE texts that a scheme was given.
class Given {
 public:
  Given(std::string_view scheme, std::span<const std::string> settings)
      : scheme_(scheme), settings_(settings) {}

  bool has(std::string_view key) const {
    return std::ranges::any_of(settings_,
                               [&](std::string_view one) { return one.substr(0, one.find('=')) == key; });
  }
  /// Throws OptionError, `scheme "NAME": KEY has no meaning REASON`, if the key was given.
  void refuse(std::string_view key, std::string_view reason) const {
    if (has(key)) throw OptionError(fmt::format("scheme \"{}\": {} has no meaning {}", scheme_, key, reason));
  }

  template <class P>
  P read(const ParameterTable<P>& table) const {
    detail::check_scheme_keys(scheme_, table.infos(), settings_);
    try {
      return table.read(settings_, "option");
    } catch (const OptionError& error) {
      throw OptionError(detail::name_scheme(scheme_, error.what()));
    }
  }

 private:
  std::string_view scheme_;
  std::span<const std::string> settings_;
};

/// The entry of a scheme with options of type P, whose integrator is created by `make(own, given, options)`.
template <class P, class Make>
Scheme with_own(Scheme scheme, const ParameterTable<P>& table, const Make& make) {
  scheme.options = table.infos();
  scheme.make = [name = scheme.name, table, make](std::span<const std::string> own,
                                                  const SchemeOptions& options) {
    const Given given(name, own);
    return make(given.read(table), given, options);
  };
  return scheme;
}

using IntegratorPointer = std::unique_ptr<TimeIntegrator>;

template <DecoupledVariant variant>
IntegratorPointer make_decoupled(DecoupledNsgaOptions own, const Given& /*given*/,
                                 const SchemeOptions& options) {
  own.variant = variant;
  return std::make_unique<DecoupledNsga>(options, own);
}

IntegratorPointer make_coupled(const CoupledNsgaOptions& own, const Given& /*given*/,
                               const SchemeOptions& options) {
  return std::make_unique<CoupledNsga>(options, own);
}

void check(const AlphaContacts& contacts, const Given& given) {
  if (contacts.at_position) given.refuse("solver", "when position is yes");
}

IntegratorPointer make_chen(const ChenOptions& own, const Given& given, const SchemeOptions& options) {
  check(own.contacts, given);
  return AlphaScheme::chen(options, own);
}

IntegratorPointer make_newmark(NewmarkOptions own, const Given& given, const SchemeOptions& options) {
  check(own.contacts, given);
  if (!given.has("beta")) own.beta = own.gamma / 2;
  return AlphaScheme::newmark("newmark", options, own);
}

IntegratorPointer make_newmark_implicit(const NewmarkOptions& own, const Given& given,
                                        const SchemeOptions& options) {
  check(own.contacts, given);
  return AlphaScheme::newmark("newmark-implicit", options, own);
}

IntegratorPointer make_hht(const HhtOptions& own, const Given& given, const SchemeOptions& options) {
  check(own.contacts, given);
  return AlphaScheme::hht(options, own);
}

IntegratorPointer make_moreau_jean(const MoreauJeanOptions& own, const Given& given,
                                   const SchemeOptions& options) {
  if (own.dissipates) given.refuse("gamma", "when dissipates is yes");
  return std::make_unique<MoreauJean>(options, own);
}

IntegratorPointer make_schatzman_paoli(const SchatzmanPaoliOptions& own, const Given& /*given*/,
                                       const SchemeOptions& options) {
  return std::make_unique<SchatzmanPaoli>(options, own);
}

IntegratorPointer make_mixed(const MixedOptions& own, const Given& given, const SchemeOptions& options) {
  if (own.base != MixedBaseKind::ed_alpha) given.refuse("alpha", "when the base is not ed-alpha");
  if (!has_rho_inf(own.base))
    given.refuse("rho_inf", "when the base is neither generalized-alpha nor ed-alpha");
  return std::make_unique<MixedScheme>(options, own);
}

std::vector<std::string> own_settings(std::string_view text) {
  std::vector<std::string> settings;
  std::size_t begin = text.find(':');
  while (begin != std::string_view::npos) {
    const std::size_t end = text.find(',', begin + 1);
    settings.emplace_back(text.substr(begin + 1, end == std::string_view::npos ? end : end - begin - 1));
    begin = end;
  }
  return settings;
}

}  // namespace

namespace {

/// The schemes of this library and the registered ones.
std::vector<Scheme>& known_schemes() {
  static std::vector<Scheme> all = {
      with_own({.name = "ds",
                .summary = "Decoupled nonsmooth generalized-alpha: smooth motion, position and velocity in "
                           "three solves.",
                .source = "Cosimo and others 2020; Galvez 2020, chapters 3 and 4"},
               DecoupledNsgaOptions::table(), make_decoupled<DecoupledVariant::complete>),
      with_own({.name = "dsn",
                .summary = "ds without the change of forces under the corrections, f^p = f* = 0.",
                .source = "Galvez 2020, eq. 3.32"},
               DecoupledNsgaOptions::table(), make_decoupled<DecoupledVariant::without_force_changes>),
      with_own({.name = "ds-np",
                .summary = "ds with friction at velocity level only; what sticks creeps.",
                .source = "Galvez 2020, section 4.2.1 (NSGA-NP)"},
               DecoupledNsgaOptions::table(), make_decoupled<DecoupledVariant::without_position_friction>),
      with_own({.name = "ds-a",
                .summary = "ds with joints and closed contacts at acceleration level in the smooth motion.",
                .source = "Bruels, Acary and Cardona 2018; Galvez 2020, section 6.2"},
               DecoupledNsgaOptions::table(), make_decoupled<DecoupledVariant::at_acceleration_level>),
      with_own(
          {.name = "cs",
           .summary = "Original, coupled nonsmooth generalized-alpha: three sub-problems iterated jointly.",
           .source = "Bruels, Acary and Cardona 2014; Galvez 2020, sections 3.2 and 3.3",
           .max_iterations = 100},
          CoupledNsgaOptions::table(), make_coupled),
      with_own(
          {.name = "chen",
           .summary = "Nonsmooth generalized-alpha with all constraints at velocity level, one solve a step.",
           .source = "Chen, Acary, Virlez and Bruels 2013"},
          ChenOptions::table(), make_chen),
      with_own({.name = "newmark-implicit",
                .summary = "chen with the coefficients of the fully implicit Newmark method.",
                .source = "Chen and others 2013, section 3"},
               NewmarkOptions::table().with_defaults({.gamma = 1.0, .beta = 0.5625}), make_newmark_implicit),
      with_own({.name = "newmark",
                .summary = "Nonsmooth Newmark: the trapezoidal rule of smooth motion, or more damping with "
                           "gamma > 1/2; without beta it is gamma / 2.",
                .source = "Acary's slides, eq. 52"},
               NewmarkOptions::table(), make_newmark),
      with_own({.name = "hht",
                .summary = "Nonsmooth HHT: second order in smooth motion, dissipates high frequencies.",
                .source = "Acary's slides, eqs. 52 and 81; Hilber, Hughes and Taylor 1977"},
               HhtOptions::table(), make_hht),
      with_own({.name = "moreau-jean",
                .summary = "Theta-method with all constraints at velocity level, one solve a step.",
                .source = "Jean and Moreau 1992; Chen and others 2013, eqs. 32 to 35; variant: Acary's "
                          "slides, eq. 66"},
               MoreauJeanOptions::table(), make_moreau_jean),
      with_own(
          {.name = "schatzman-paoli",
           .summary = "Two-step scheme with constraints and impacts at position level; without friction.",
           .source = "Paoli and Schatzman 2002; Acary's slides, eqs. 28 and 29"},
          SchatzmanPaoliOptions::table(), make_schatzman_paoli),
      with_own({.name = "mixed",
                .summary = "Mixed timestepping: a base scheme with forces in closed contacts, then impacts "
                           "at velocity level.",
                .source = "Rezaei and Schindler (preprint of 2015)"},
               MixedOptions::table(), make_mixed)};
  return all;
}

}  // namespace

const std::vector<Scheme>& schemes() {
  return known_schemes();
}

void register_scheme(Scheme scheme) {
  if (scheme.name.empty()) throw OptionError("a scheme that is registered has no name");
  if (!is_typed_name(scheme.name))
    throw OptionError(fmt::format(
        "scheme \"{}\" cannot be typed: a name has letters, digits, '-', '_' and '.'", scheme.name));
  if (has_scheme(scheme.name))
    throw OptionError(fmt::format("there is a scheme \"{}\" already", scheme.name));
  const auto refuse = [&](std::string_view reason) {
    throw OptionError(detail::name_scheme(scheme.name, reason));
  };
  if (scheme.summary.empty()) refuse("a sentence that says what it is is missing (summary)");
  if (!scheme.make) refuse("the function that makes its integrator is missing (make)");
  try {
    check_parameters(scheme.options);
  } catch (const OptionError& error) {
    refuse(error.what());
  }
  known_schemes().push_back(std::move(scheme));
}

namespace detail {

void check_scheme_keys(std::string_view scheme, const std::vector<ParameterInfo>& known,
                       std::span<const std::string> own) {
  for (const std::string_view one : own) {
    const std::string_view key = one.substr(0, one.find('='));
    if (std::ranges::find(known, key, &ParameterInfo::name) != known.end()) continue;
    const std::string owners = describe_owners(key);
    if (!owners.empty())
      throw OptionError(fmt::format("scheme \"{}\": there is no option \"{}\"{}", scheme, key, owners));
  }
}

std::string name_scheme(std::string_view scheme, std::string_view message) {
  return fmt::format("scheme \"{}\": {}", scheme, message);
}

}  // namespace detail

std::string_view scheme_name(std::string_view text) {
  return text.substr(0, text.find(':'));
}

std::string with_option(std::string_view text, std::string_view key, std::string_view value) {
  const bool is_first = text.find(':') == std::string_view::npos;
  return fmt::format("{}{}{}={}", text, is_first ? ':' : ',', key, value);
}

bool has_scheme(std::string_view text) {
  return std::ranges::any_of(schemes(), [&](const Scheme& one) { return one.name == scheme_name(text); });
}

const Scheme& find_scheme(std::string_view text) {
  const std::string_view name = scheme_name(text);
  std::vector<std::string> names;
  for (const Scheme& scheme : schemes()) {
    if (scheme.name == name) return scheme;
    names.push_back(scheme.name);
  }
  throw OptionError(fmt::format("there is no scheme \"{}\"{}", name, suggestion(name, names)));
}

std::unique_ptr<TimeIntegrator> make_integrator(std::string_view text, const SchemeOptions& options) {
  return find_scheme(text).make(own_settings(text), options);
}

}  // namespace picus
