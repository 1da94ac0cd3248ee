// The schemes by name, and the text that chooses one with its options.

#include <picus/error.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <support/message.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace picus::schemes_test {
namespace {

std::string refusal(std::string_view text, const IntegratorOptions& options = {}) {
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
    for (const SchemeOption& option : scheme.options)
      text += (&option == scheme.options.data() ? ":" : ",") + option.name + "=" + option.default_value;
    EXPECT_EQ(make_integrator(text, {})->options(), make_integrator(scheme.name, {})->options());
  }
}

TEST(Schemes, RefusalsNameTheCulprit) {
  EXPECT_EQ(refusal("chem"), "there is no scheme \"chem\" (did you mean \"chen\"?)");
  EXPECT_EQ(refusal("chen:projektion=yes"),
            "scheme \"chen\" has no option \"projektion\" (did you mean \"projection\"?)");
  EXPECT_EQ(refusal("ds:projection=yes"),
            "scheme \"ds\" has no option \"projection\"; known to chen, newmark-implicit, newmark, "
            "hht and moreau-jean");
  EXPECT_EQ(refusal("chen:projection=maybe"), "scheme \"chen\": projection is \"maybe\", must be yes or no");
  EXPECT_EQ(refusal("chen:"), "scheme \"chen\": \"\" is not KEY=VALUE");
  EXPECT_EQ(refusal("chen:projection"), "scheme \"chen\": \"projection\" is not KEY=VALUE");
  EXPECT_EQ(refusal("chen:projection=yes,"), "scheme \"chen\": \"\" is not KEY=VALUE");
  EXPECT_EQ(refusal("chen:projection=yes,projection=no"), "scheme \"chen\": projection is given twice");
  EXPECT_EQ(refusal("moreau-jean:theta=2"),
            "scheme \"moreau-jean\": theta is \"2\", must be above 0, up to 1");
  EXPECT_EQ(refusal("moreau-jean:theta=nan"),
            "scheme \"moreau-jean\": theta is \"nan\", must be above 0, up to 1");
  EXPECT_EQ(refusal("moreau-jean:theta=0.5x"),
            "scheme \"moreau-jean\": theta is \"0.5x\", must be above 0, up to 1");
  EXPECT_EQ(refusal("moreau-jean:theta=0"), "theta is 0, must be in (0, 1]");
  EXPECT_EQ(refusal("newmark-implicit:beta=0.3"), "beta is 0.3, must be at least gamma / 2");
  EXPECT_EQ(refusal("newmark:gamma=0.7,beta=0.3"), "beta is 0.3, must be at least gamma / 2");
  EXPECT_EQ(refusal("newmark:gamma=0.4"), "scheme \"newmark\": gamma is \"0.4\", must be 0.5 to 10");
  EXPECT_EQ(refusal("hht:alpha=-0.1"), "scheme \"hht\": alpha is \"-0.1\", must be 0 to 1/3");
  EXPECT_EQ(refusal("hht:alpha=0.34"), "scheme \"hht\": alpha is \"0.34\", must be 0 to 1/3");
  EXPECT_EQ(refusal("hht:gamma=0.5"),
            "scheme \"hht\" has no option \"gamma\"; known to newmark-implicit, newmark and moreau-jean");
  EXPECT_EQ(refusal("ds:base=bathe"), "scheme \"ds\" has no option \"base\"; known to mixed");
  EXPECT_EQ(refusal("moreau-jean:dissipates=yes,gamma=0.4"),
            "scheme \"moreau-jean\": gamma has no meaning when dissipates is yes");
  EXPECT_EQ(refusal("moreau-jean:dissipates=yes,theta=0.4"),
            "theta is 0.4, must be at least 0.5 to dissipate");
  for (const Scheme& scheme : schemes())
    EXPECT_EQ(refusal(scheme.name, {.step = 0.0}), "step is 0, must be positive") << scheme.name;
}

}  // namespace
}  // namespace picus::schemes_test
