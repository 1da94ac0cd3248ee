#include <picus/models/registry.hpp>
#include <picus/system.hpp>

#include <gmock/gmock.h>

namespace picus::models {
namespace {

using testing::Contains;
using testing::Pair;

TEST(Registry, FindsTheModelsThatOthersUse) {
  for (const char* name : {"woodpecker", "bouncing-ball", "inclined-plane"}) {
    EXPECT_EQ(find_model(name).info().name, name);
  }
}

TEST(Registry, OffersTheNearestName) {
  try {
    find_model("inclined_plan");
    FAIL();
  } catch (const OptionError& error) {
    EXPECT_STREQ(error.what(), "there is no model \"inclined_plan\" (did you mean \"inclined-plane\"?)");
  }
}

TEST(Registry, SaysWhichModelLacksAParameter) {
  const std::vector<std::string> settings = {"Mu=0.2"};
  try {
    find_model("woodpecker").configure(settings);
    FAIL();
  } catch (const OptionError& error) {
    EXPECT_STREQ(error.what(), "model \"woodpecker\": there is no parameter \"Mu\" (did you mean \"mu\"?)");
  }
}

TEST(Registry, DescribesEveryModelCompletely) {
  for (const RegisteredModel& model : registry()) {
    const ModelInfo& info = model.info();
    EXPECT_GT(info.summary.size(), 40U) << info.name;
    EXPECT_LT(info.title().size(), 100U) << info.name;
    EXPECT_FALSE(info.source.empty()) << info.name;
    EXPECT_GT(info.until, info.step) << info.name;
    for (const ParameterInfo& parameter : model.parameters()) {
      EXPECT_FALSE(parameter.doc.empty()) << parameter.name;
      // Every default is a value that may be set.
      const std::vector<std::string> setting = {parameter.name + '=' + parameter.default_value};
      EXPECT_NO_THROW(model.configure(setting)) << setting[0];
    }
  }
}

TEST(Registry, BuildsEveryModelWithItsParametersNoted) {
  for (const RegisteredModel& model : registry()) {
    const Scenario scenario = model.configure();
    const Model built = scenario.build();
    EXPECT_EQ(built.name(), model.info().name);
    EXPECT_NO_THROW(System{built});
    for (const auto& entry : scenario.parameters) EXPECT_THAT(built.parameters(), Contains(entry));
    EXPECT_EQ(built.parameters().size(), model.parameters().size());
  }
}

TEST(Registry, BuildsEveryChoice) {
  for (const RegisteredModel& model : registry()) {
    for (const ParameterInfo& parameter : model.parameters()) {
      for (const std::string& choice : parameter.choices) {
        const std::vector<std::string> setting = {parameter.name + '=' + choice};
        const Model built = model.configure(setting).build();
        EXPECT_THAT(built.parameters(), Contains(Pair(parameter.name, choice)));
      }
    }
  }
}

TEST(Registry, BuildsTheSameModelAgain) {
  const Scenario scenario = find_model("woodpecker").configure();
  EXPECT_EQ(scenario.build().initial_configuration(), scenario.build().initial_configuration());
}

}  // namespace
}  // namespace picus::models
