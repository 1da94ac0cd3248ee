/// run_main() with models that cannot run: one line that names the culprit, and status 2.

#include <picus/program.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace picus::run_main_test {
namespace {

struct Parameters {
  double length = 1.0;
  Index parts = 3;
  int kind = 1;
};

Model build(const Parameters& p) {
  Model model("rod");
  model.add_point("end", {.position = {p.length, 0, 0}});
  return model;
}

ModelParts<Parameters> rod() {
  return {.info = {.name = "rod", .summary = "A rod."},
          .parameters = ParameterTable<Parameters>(),
          .build = build};
}

/// A model with this parameter in addition to those of rod().
template <class Add>
RegisteredModel with(const Add& add, const Parameters& defaults = {}) {
  ModelParts<Parameters> parts = rod();
  parts.parameters = ParameterTable<Parameters>(defaults);
  add(parts.parameters);
  return parts;
}

struct Ended {
  int status;
  std::string errors;
};

Ended run(const std::vector<RegisteredModel>& models, std::vector<std::string> words = {"list"},
          const ProgramOptions& options = {}) {
  words.insert(words.begin(), "/usr/bin/mine");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  const int status = run_main(static_cast<int>(arguments.size()), arguments.data(), models, options);
  testing::internal::GetCapturedStdout();
  return {status, testing::internal::GetCapturedStderr()};
}

void expect_refused(const Ended& ended, const std::string& message) {
  EXPECT_EQ(ended.status, 2);
  EXPECT_EQ(ended.errors, "mine: " + message + '\n');
}

TEST(RunMain, RefusesModelsThatNobodyCouldChoose) {
  expect_refused(run({}), "this program has no models");
  expect_refused(run({rod(), rod()}), "two models of this program are called \"rod\"");
  ModelParts<Parameters> parts = rod();
  parts.info.name = "";
  expect_refused(run({parts}), "a model of this program has no name");
  parts.info.name = "my rod";
  expect_refused(run({parts}),
                 "model \"my rod\" cannot be typed: a name has letters, digits, '-', '_' and '.'");
  EXPECT_EQ(run({rod()}).status, 0);
}

TEST(RunMain, RefusesModelsThatLackSomething) {
  ModelParts<Parameters> parts = rod();
  parts.info.summary = "";
  expect_refused(run({parts}), "model \"rod\": a sentence that says what it is is missing (info.summary)");
  parts = rod();
  parts.build = {};
  expect_refused(run({parts}), "model \"rod\": the function that builds it is missing (build)");
  parts = rod();
  parts.info.step = 0.0;
  expect_refused(run({parts}), "model \"rod\": its step is 0, must be positive");
  parts = rod();
  parts.info.until = std::numeric_limits<double>::infinity();
  expect_refused(run({parts}), "model \"rod\": its final time is inf, must be positive");
}

TEST(RunMain, RefusesParametersThatNobodyCouldSet) {
  using P = Parameters;
  using Table = ParameterTable<P>;
  expect_refused(run({with([](Table& t) {
                   t.real("length", &P::length, {}, "m", "").real("length", &P::length, {}, "m", "");
                 })}),
                 "model \"rod\": parameter length is there twice");
  expect_refused(
      run({with([](Table& t) { t.real("le ngth", &P::length, {}, "m", ""); })}),
      "model \"rod\": parameter \"le ngth\" cannot be typed: a name has letters, digits, '-', '_' and '.'");
  expect_refused(
      run({with([](Table& t) { t.real("length", &P::length, {}, "metre", ""); })}),
      "model \"rod\": parameter length has the unit \"metre\", which is none of the SI and its kin");
  expect_refused(run({with([](Table& t) { t.real("length", &P::length, Range::positive(), "m", ""); },
                           {.length = -1.0})}),
                 "model \"rod\": the default of parameter length is -1, must be positive");
  expect_refused(run({with([](Table& t) { t.real("length", &P::length, {}, "m", ""); },
                           {.length = std::numeric_limits<double>::quiet_NaN()})}),
                 "model \"rod\": the default of parameter length is nan, must be a finite number");
  expect_refused(run({with([](Table& t) { t.integer("parts", &P::parts, Range::between(4, 9), ""); })}),
                 "model \"rod\": the default of parameter parts is 3, must lie in [4, 9]");
  expect_refused(run({with([](Table& t) {
                   t.choice<int>("kind", &P::kind, {{"a", 5}, {"b", 6}}, "");
                 })}),
                 "model \"rod\": the default of parameter kind is none of its choices");
  expect_refused(run({with([](Table& t) { t.choice<int>("kind", &P::kind, {}, ""); })}),
                 "model \"rod\": parameter kind has no choices");
}

TEST(RunMain, KnowsUnits) {
  using P = Parameters;
  for (const char* unit : {"", "1", "m", "kg m2", "N m/rad", "N s/m", "kg/m3", "1/s", "m/s2", "deg", "mm",
                           "kN", "GPa", "rpm", "W/(m K)", "kg*m^2", "%", "s-1", "Nm"}) {
    const bool is_known =
        run({with([&](ParameterTable<P>& t) { t.real("x", &P::length, {}, unit, ""); })}).status == 0;
    EXPECT_EQ(is_known, std::string(unit) != "Nm") << unit;  // newton and metre need a separator
  }
}

TEST(RunMain, TellsInOneLineWhatABuilderThrows) {
  ModelParts<Parameters> parts = rod();
  parts.build = [](const Parameters&) -> Model { throw std::out_of_range("no such file"); };
  expect_refused(run({parts}, {"run", "rod"}), "model \"rod\": its builder failed: no such file");
  expect_refused(run({parts}, {"static", "rod"}), "model \"rod\": its builder failed: no such file");
  parts.build = [](const Parameters&) -> Model { throw 7; };
  expect_refused(run({parts}, {"run", "rod"}), "model \"rod\": its builder threw what is no std::exception");
  parts.build = [](const Parameters&) -> Model { throw ModelError("the rod is bent"); };
  expect_refused(run({parts}, {"modes", "rod"}), "the rod is bent");
}

TEST(RunMain, HasTheNameThatItIsGiven) {
  const Ended ended = run({rod()}, {"lst"}, {.name = "rods"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_EQ(ended.errors, "rods: there is no command \"lst\" (did you mean \"list\"?)\n");
  expect_refused(run({rod()}, {"info", "beam"}), "there is no model \"beam\"; `mine list` names them");
}

TEST(RunMain, RefusesUnknownParametersOfOwnModels) {
  using P = Parameters;
  const RegisteredModel model = with([](ParameterTable<P>& t) { t.real("length", &P::length, {}, "m", ""); });
  expect_refused(run({model}, {"run", "rod", "--set", "lenght=2"}),
                 "model \"rod\": there is no parameter \"lenght\" (did you mean \"length\"?)");
}

}  // namespace
}  // namespace picus::run_main_test
