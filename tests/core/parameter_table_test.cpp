#include <picus/parameter_table.hpp>

#include <gmock/gmock.h>

#include <functional>
#include <limits>

namespace picus::parameter_table_test {
namespace {

using testing::ElementsAre;
using testing::Pair;

enum class Colour : std::uint8_t { red, green, blue };

struct Paint {
  double thickness = 0.1;
  double gloss = 0.5;
  Index coats = 2;
  Colour colour = Colour::green;
  bool drying = false;
};

const ParameterTable<Paint>& table() {
  static const auto t =
      ParameterTable<Paint>()
          .real("thickness", &Paint::thickness, Range::positive(), "mm", "of a coat")
          .real("gloss", &Paint::gloss, Range::between(0, 1), "", "how it shines")
          .integer("coats", &Paint::coats, {.low = 1, .high = 9}, "how many")
          .choice("colour", &Paint::colour,
                  {{"red", Colour::red}, {"green", Colour::green}, {"blue", Colour::blue}}, "which")
          .flag("drying", &Paint::drying, "whether to wait");
  return t;
}

Paint read(std::vector<std::string> assignments) {
  return table().read(assignments);
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const OptionError& error) {
    return error.what();
  }
  return "no error";
}

std::string message_for(const std::string& assignment) {
  return message_of([&] { read({assignment}); });
}

TEST(ParameterTable, KeepsTheDefaultsOfTheStruct) {
  const Paint paint = read({});
  EXPECT_EQ(paint.thickness, 0.1);
  EXPECT_EQ(paint.colour, Colour::green);
  EXPECT_THAT(table().write(paint),
              ElementsAre(Pair("thickness", "0.1"), Pair("gloss", "0.5"), Pair("coats", "2"),
                          Pair("colour", "green"), Pair("drying", "no")));
}

TEST(ParameterTable, ReadsEachKind) {
  const Paint paint = read({"thickness=+2.5e-3", "gloss=1", "coats=7", "colour=blue", "drying=yes"});
  EXPECT_EQ(paint.thickness, 2.5e-3);
  EXPECT_EQ(paint.gloss, 1.0);
  EXPECT_EQ(paint.coats, 7);
  EXPECT_EQ(paint.colour, Colour::blue);
  EXPECT_TRUE(paint.drying);
}

TEST(ParameterTable, WritesWhatReadsBackTheSame) {
  Paint paint;
  paint.thickness = 1.0 / 3.0;
  std::vector<std::string> assignments;
  for (const auto& [name, value] : table().write(paint)) assignments.push_back(name + '=' + value);
  EXPECT_EQ(read(assignments).thickness, paint.thickness);
}

TEST(ParameterTable, DescribesItself) {
  const auto& infos = table().infos();
  ASSERT_EQ(infos.size(), 5U);
  EXPECT_EQ(infos[0].kind_name(), "real");
  EXPECT_EQ(infos[0].allowed(), "> 0");
  EXPECT_EQ(infos[0].unit, "mm");
  EXPECT_EQ(infos[1].allowed(), "0 to 1");
  EXPECT_EQ(infos[2].default_value, "2");
  EXPECT_EQ(infos[3].allowed(), "red, green, blue");
  EXPECT_EQ(infos[4].allowed(), "no, yes");
}

TEST(ParameterTable, NamesTheCulpritAndTheNearestName) {
  EXPECT_EQ(message_for("colur=red"), "there is no parameter \"colur\" (did you mean \"colour\"?)");
  EXPECT_EQ(message_for("zzz=1"),
            "there is no parameter \"zzz\"; there are thickness, gloss, coats, colour, drying");
  EXPECT_EQ(message_for("colour=grean"),
            "parameter colour is \"grean\", must be one of red, green, blue (did you mean \"green\"?)");
  EXPECT_EQ(message_for("drying=true"), "parameter drying is \"true\", must be one of no, yes");
}

TEST(ParameterTable, RefusesWhatIsOutOfRange) {
  EXPECT_EQ(message_for("thickness=0"), "parameter thickness is 0, must be positive");
  EXPECT_EQ(message_for("gloss=1.01"), "parameter gloss is 1.01, must lie in [0, 1]");
  EXPECT_EQ(message_for("coats=0"), "parameter coats is 0, must lie in [1, 9]");
  EXPECT_EQ(message_for("thickness=nan"), "parameter thickness is nan, must be a finite number");
  EXPECT_EQ(message_for("thickness=inf"), "parameter thickness is inf, must be a finite number");
}

TEST(ParameterTable, RefusesWhatIsNoNumber) {
  EXPECT_EQ(message_for("thickness="), "parameter thickness is \"\", must be a number");
  EXPECT_EQ(message_for("thickness=1mm"), "parameter thickness is \"1mm\", must be a number");
  EXPECT_EQ(message_for("thickness=1,5"), "parameter thickness is \"1,5\", must be a number");
  EXPECT_EQ(message_for("thickness= 1"), "parameter thickness is \" 1\", must be a number");
  EXPECT_EQ(message_for("thickness=1e999"),
            "parameter thickness is 1e999, too large for a number of 64 bits");
  EXPECT_EQ(message_for("coats=1.5"), "parameter coats is \"1.5\", must be an integer");
  EXPECT_EQ(message_for("coats=99999999999"), "parameter coats is 99999999999, too large: at most 9");
}

TEST(ParameterTable, RefusesWhatIsNoSetting) {
  EXPECT_EQ(message_for("gloss"), "\"gloss\" is not a setting; write NAME=VALUE");
  EXPECT_EQ(message_for("=1"), "\"=1\" is not a setting; write NAME=VALUE");
  EXPECT_EQ(message_of([] { read({"gloss=1", "coats=3", "gloss=0"}); }), "parameter gloss is set twice");
}

TEST(Range, SaysWhatItRequires) {
  EXPECT_EQ((Range{}).requirement(), "must be a finite number");
  EXPECT_EQ(Range::positive().requirement(), "must be positive");
  EXPECT_EQ(Range::not_negative().requirement(), "must not be negative");
  EXPECT_EQ((Range{.low = 1}).requirement(), "must be at least 1");
  EXPECT_EQ((Range{.low = 0, .high = 1, .low_included = false}).requirement(), "must lie in (0, 1]");
  EXPECT_EQ((Range{.high = 3}).requirement(), "must be at most 3");
}

TEST(ParameterTable, HasOtherDefaultsOnDemand) {
  const auto glossy = table().with_defaults({.gloss = 0.9, .colour = Colour::blue});
  EXPECT_EQ(glossy.infos()[1].default_value, "0.9");
  EXPECT_EQ(glossy.infos()[3].default_value, "blue");
  const std::vector<std::string> assignments = {"coats=3"};
  const Paint paint = glossy.read(assignments);
  EXPECT_EQ(paint.gloss, 0.9);
  EXPECT_EQ(paint.coats, 3);
  EXPECT_EQ(table().infos()[1].default_value, "0.5") << "those of the first are as they were";
}

struct Wall {
  double height = 2.5;
  Paint paint{.gloss = 0.25};
};

TEST(ParameterTable, TakesThoseOfAPartAlong) {
  const auto wall = ParameterTable<Wall>()
                        .real("height", &Wall::height, Range::positive(), "m", "of it")
                        .part(&Wall::paint, table());
  ASSERT_EQ(wall.infos().size(), 6U);
  EXPECT_EQ(wall.infos()[2].name, "gloss");
  EXPECT_EQ(wall.infos()[2].default_value, "0.25") << "that of the whole";
  const std::vector<std::string> assignments = {"colour=red", "height=3", "coats=4"};
  const Wall read = wall.read(assignments);
  EXPECT_EQ(read.height, 3.0);
  EXPECT_EQ(read.paint.colour, Colour::red);
  EXPECT_EQ(read.paint.coats, 4);
  EXPECT_EQ(read.paint.gloss, 0.25);
  EXPECT_THAT(wall.write(read),
              ElementsAre(Pair("height", "3"), Pair("thickness", "0.1"), Pair("gloss", "0.25"),
                          Pair("coats", "4"), Pair("colour", "red"), Pair("drying", "no")));
  EXPECT_EQ(message_of([&] { wall.require_valid({.height = 3, .paint = {.coats = 10}}); }),
            "coats is 10, must lie in [1, 9]");
}

TEST(ParameterTable, ChecksAStructThatNobodyTyped) {
  EXPECT_EQ(message_of([] { table().require_valid({}); }), "no error");
  EXPECT_EQ(message_of([] { table().require_valid({.thickness = 0}); }), "thickness is 0, must be positive");
  EXPECT_EQ(message_of([] { table().require_valid({.gloss = std::numeric_limits<double>::quiet_NaN()}); }),
            "gloss is nan, must lie in [0, 1]");
}

TEST(ParameterTable, CallsAParameterByAnotherNoun) {
  const auto refusal = [](std::vector<std::string> assignments) {
    return message_of([&] { table().read(assignments, "option"); });
  };
  EXPECT_EQ(refusal({"gloss=2"}), "option gloss is 2, must lie in [0, 1]");
  EXPECT_EQ(refusal({"colur=red"}), "there is no option \"colur\" (did you mean \"colour\"?)");
  EXPECT_EQ(refusal({"gloss=1", "gloss=1"}), "option gloss is set twice");
}

}  // namespace
}  // namespace picus::parameter_table_test
