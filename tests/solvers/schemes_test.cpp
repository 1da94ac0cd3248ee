// The schemes by name, and the text that selects one with its options.

#include <picus/error.hpp>
#include <picus/solvers/integrators/alpha_scheme.hpp>
#include <picus/solvers/integrators/coupled_nsga.hpp>
#include <picus/solvers/integrators/moreau_jean.hpp>
#include <picus/solvers/integrators/schatzman_paoli.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <support/message.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace picus::schemes_test {
namespace {

std::string refusal(std::string_view text, const SchemeOptions& options = {}) {
  return support::message_of<OptionError>([&] { make_integrator(text, options); });
}

std::string option_of(const TimeIntegrator& integrator, std::string_view key) {
  const TextEntries entries = integrator.options();
  const auto found = std::ranges::find_if(entries, [&](const auto& entry) { return entry.first == key; });
  return found == entries.end() ? "none" : found->second;
}

TEST(Schemes, AreMadeByTheirNames) {
  for (const Scheme& scheme : schemes()) {
    EXPECT_TRUE(has_scheme(scheme.name));
    const auto integrator = make_integrator(scheme.name, {.step = 0.25});
    EXPECT_EQ(integrator->name(), scheme.name);
    EXPECT_EQ(integrator->step_size(), 0.25);
    EXPECT_EQ(option_of(*integrator, "step"), "0.25") << scheme.name;
  }
  EXPECT_TRUE(has_scheme("chen:projection=yes"));
  EXPECT_FALSE(has_scheme("ches"));
}

TEST(Schemes, OptionsOfASchemeFollowItsName) {
  const auto integrator = make_integrator("moreau-jean:theta=0.5,projection=yes", {});
  EXPECT_EQ(option_of(*integrator, "theta"), "0.5");
  EXPECT_EQ(option_of(*integrator, "gamma"), "0.5") << "the default";
  EXPECT_EQ(option_of(*integrator, "projection"), "yes");
  EXPECT_EQ(option_of(*make_integrator("newmark-implicit", {}), "beta"), "0.5625");
}

/// Whether options with such a member compile: one that a scheme does not use does not exist for it.
template <class Options>
constexpr bool has_rho_inf = requires(Options options) {
  options.rho_inf;
};
template <class Options>
constexpr bool has_step_cuts = requires(Options options) {
  options.step_cuts;
};
template <class Options>
constexpr bool has_reuse = requires(Options options) {
  options.reuse;
};

TEST(Schemes, OptionsOfOneDoNotExistForAnother) {
  static_assert(has_rho_inf<DecoupledNsgaOptions> && has_step_cuts<DecoupledNsgaOptions> &&
                has_reuse<DecoupledNsgaOptions>);
  static_assert(!has_rho_inf<SchemeOptions> && !has_step_cuts<SchemeOptions> && !has_reuse<SchemeOptions>);
  static_assert(!has_step_cuts<FallbackPolicy>);
  static_assert(has_rho_inf<CoupledNsgaOptions> && !has_step_cuts<CoupledNsgaOptions>);
  static_assert(has_rho_inf<ChenOptions> && !has_reuse<ChenOptions>);
  static_assert(!has_rho_inf<HhtOptions> && !has_rho_inf<NewmarkOptions> && !has_rho_inf<MoreauJeanOptions> &&
                !has_rho_inf<SchatzmanPaoliOptions>);
  const auto integrator = make_integrator(with_option(with_option("ds", "rho_inf", "0.5"), "step_cuts", "2"));
  EXPECT_EQ(option_of(*integrator, "rho_inf"), "0.5");
  EXPECT_EQ(option_of(*integrator, "step_cuts"), "2");
  EXPECT_EQ(option_of(*make_integrator("mixed:base=bathe"), "rho_inf"), "none");
  EXPECT_EQ(option_of(*make_integrator("hht"), "step_cuts"), "none");
}

TEST(Schemes, DefaultsThatDependOnOtherOptionsShowTheirValue) {
  EXPECT_EQ(option_of(*make_integrator("newmark", {}), "beta"), "0.25");
  EXPECT_EQ(option_of(*make_integrator("newmark:gamma=0.75", {}), "beta"), "0.375");
  EXPECT_EQ(option_of(*make_integrator("newmark:gamma=0.75,beta=0.5", {}), "beta"), "0.5");
  const auto hht = make_integrator("hht:alpha=0.25", {});
  EXPECT_EQ(option_of(*hht, "alpha_m"), "0");
  EXPECT_EQ(option_of(*hht, "alpha_f"), "0.25");
  EXPECT_EQ(option_of(*hht, "gamma"), "0.75");
  EXPECT_EQ(option_of(*hht, "beta"), "0.390625");
}

TEST(Schemes, DeclaredDefaultsAreThoseThatAct) {
  for (const Scheme& scheme : schemes()) {
    std::string text = scheme.name;
    for (const ParameterInfo& option : scheme.options) {
      // The option of ed-alpha alone; giving it with another base is refused.
      if (scheme.name != "mixed" || option.name != "alpha")
        text = with_option(text, option.name, option.default_value);
    }
    EXPECT_EQ(make_integrator(text, {})->options(), make_integrator(scheme.name, {})->options());
  }
}

/// Options of a user-defined scheme.
struct OwnOptions {
  double theta = 0.75;
};

Scheme own_scheme(std::string name) {
  return make_scheme(
      {.name = std::move(name), .summary = "Somebody's."},
      ParameterTable<OwnOptions>().real("theta", &OwnOptions::theta, Range::between(0, 1), "", "Weight"),
      [](const OwnOptions& own, const SchemeOptions& options) {
        return std::make_unique<MoreauJean>(options, MoreauJeanOptions{.theta = own.theta});
      });
}

TEST(Schemes, OthersAreRegisteredByName) {
  const std::size_t count = schemes().size();
  register_scheme(own_scheme("somebodys"));
  EXPECT_EQ(schemes().size(), count + 1);
  EXPECT_EQ(schemes().back().options.front().default_value, "0.75");
  EXPECT_EQ(option_of(*make_integrator("somebodys"), "theta"), "0.75");
  EXPECT_EQ(option_of(*make_integrator("somebodys:theta=0.5", {.step = 0.25}), "theta"), "0.5");
  EXPECT_EQ(refusal("somebody"), "there is no scheme \"somebody\" (did you mean \"somebodys\"?)");
  EXPECT_EQ(refusal("somebodys:theta=2"), "scheme \"somebodys\": option theta is 2, must lie in [0, 1]");
  EXPECT_EQ(refusal("somebodys:teta=1"),
            "scheme \"somebodys\": there is no option \"teta\" (did you mean \"theta\"?)");
  EXPECT_EQ(refusal("somebodys:rho_inf=1").substr(0, 70),
            "scheme \"somebodys\": there is no option \"rho_inf\"; known to ds, dsn, ds");
}

TEST(Schemes, RefusesRegistrationsThatNobodyCouldUse) {
  const auto why = [](const Scheme& scheme) {
    return support::message_of<OptionError>([&] { register_scheme(scheme); });
  };
  const std::size_t count = schemes().size();
  EXPECT_EQ(why(own_scheme("")), "a scheme that is registered has no name");
  EXPECT_EQ(why(own_scheme("a:b")),
            "scheme \"a:b\" cannot be typed: a name has letters, digits, '-', '_' and '.'");
  EXPECT_EQ(why(own_scheme("ds")), "there is a scheme \"ds\" already");
  Scheme scheme = own_scheme("other");
  scheme.summary = "";
  EXPECT_EQ(why(scheme), "scheme \"other\": a sentence that says what it is is missing (summary)");
  scheme = own_scheme("other");
  scheme.make = {};
  EXPECT_EQ(why(scheme), "scheme \"other\": the function that makes its integrator is missing (make)");
  scheme = own_scheme("other");
  scheme.options.push_back(scheme.options.front());
  EXPECT_EQ(why(scheme), "scheme \"other\": parameter theta is there twice");
  EXPECT_EQ(schemes().size(), count);
}

TEST(Schemes, RefusalsNameTheCulprit) {
  EXPECT_EQ(refusal("chem"), "there is no scheme \"chem\" (did you mean \"chen\"?)");
  EXPECT_EQ(refusal("chen:projektion=yes"),
            "scheme \"chen\": there is no option \"projektion\" (did you mean \"projection\"?)");
  EXPECT_EQ(refusal("ds:projection=yes"),
            "scheme \"ds\": there is no option \"projection\"; known to chen, newmark-implicit, newmark, "
            "hht and moreau-jean");
  EXPECT_EQ(refusal("chen:projection=maybe"),
            "scheme \"chen\": option projection is \"maybe\", must be one of no, yes");
  EXPECT_EQ(refusal("chen:"), "scheme \"chen\": \"\" is not a setting; write NAME=VALUE");
  EXPECT_EQ(refusal("chen:projection"), "scheme \"chen\": \"projection\" is not a setting; write NAME=VALUE");
  EXPECT_EQ(refusal("chen:projection=yes,"), "scheme \"chen\": \"\" is not a setting; write NAME=VALUE");
  EXPECT_EQ(refusal("chen:projection=yes,projection=no"), "scheme \"chen\": option projection is set twice");
  EXPECT_EQ(refusal("moreau-jean:theta=2"), "scheme \"moreau-jean\": option theta is 2, must lie in (0, 1]");
  EXPECT_EQ(refusal("moreau-jean:theta=nan"),
            "scheme \"moreau-jean\": option theta is nan, must be a finite number");
  EXPECT_EQ(refusal("moreau-jean:theta=0.5x"),
            "scheme \"moreau-jean\": option theta is \"0.5x\", must be a number");
  EXPECT_EQ(refusal("moreau-jean:theta=0"), "scheme \"moreau-jean\": option theta is 0, must lie in (0, 1]");
  EXPECT_EQ(refusal("newmark-implicit:beta=0.3"), "beta is 0.3, must be at least gamma / 2");
  EXPECT_EQ(refusal("newmark:gamma=0.7,beta=0.3"), "beta is 0.3, must be at least gamma / 2");
  EXPECT_EQ(refusal("newmark:gamma=0.4"), "scheme \"newmark\": option gamma is 0.4, must lie in [0.5, 10]");
  EXPECT_EQ(refusal("hht:alpha=-0.1"),
            "scheme \"hht\": option alpha is -0.1, must lie in [0, 0.3333333333333333]");
  EXPECT_EQ(refusal("hht:alpha=0.34"),
            "scheme \"hht\": option alpha is 0.34, must lie in [0, 0.3333333333333333]");
  EXPECT_EQ(
      refusal("hht:gamma=0.5"),
      "scheme \"hht\": there is no option \"gamma\"; known to newmark-implicit, newmark and moreau-jean");
  EXPECT_EQ(
      refusal("hht:rho_inf=0.5"),
      "scheme \"hht\": there is no option \"rho_inf\"; known to ds, dsn, ds-np, ds-a, cs, chen and mixed");
  EXPECT_EQ(refusal("cs:step_cuts=2"),
            "scheme \"cs\": there is no option \"step_cuts\"; known to ds, dsn, ds-np and ds-a");
  EXPECT_EQ(refusal("chen:reuse=never"),
            "scheme \"chen\": there is no option \"reuse\"; known to ds, dsn, ds-np and ds-a");
  EXPECT_EQ(refusal("chen:position=yes,solver=newton"),
            "scheme \"chen\": solver has no meaning when position is yes");
  EXPECT_EQ(refusal("ds:rho_inf=1.5"), "scheme \"ds\": option rho_inf is 1.5, must lie in [0, 1]");
  EXPECT_EQ(refusal("ds:step_cuts=1.5"), "scheme \"ds\": option step_cuts is \"1.5\", must be an integer");
  EXPECT_EQ(refusal("ds:base=bathe"), "scheme \"ds\": there is no option \"base\"; known to mixed");
  EXPECT_EQ(refusal("moreau-jean:dissipates=yes,gamma=0.4"),
            "scheme \"moreau-jean\": gamma has no meaning when dissipates is yes");
  EXPECT_EQ(refusal("moreau-jean:dissipates=yes,theta=0.4"),
            "theta is 0.4, must be at least 0.5 to dissipate");
  for (const Scheme& scheme : schemes())
    EXPECT_EQ(refusal(scheme.name, {.step = 0.0}), "step is 0, must be positive") << scheme.name;
}

}  // namespace
}  // namespace picus::schemes_test
