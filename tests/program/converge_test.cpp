/// `picus converge`: table, file and figure, and refused input.

#include "process.hpp"
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/program.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <limits>

namespace picus::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class ConvergeTest : public ProgramTest {
 protected:
  Outcome converge(std::vector<std::string> words) const {
    words.insert(words.begin(), "converge");
    return picus(words);
  }
};

TEST_F(ConvergeTest, WritesTableFileAndFigure) {
  const Outcome outcome = converge({"bouncing-ball", "--steps", "1e-2,4e-3", "--set", "restitution=0.5"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("bouncing-ball, scheme ds, until 4 s"), HasSubstr("the exact solution"),
                    HasSubstr("ball.vy"), HasSubstr("order"), HasSubstr("0.004")));
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("h = 0.01 s done"), HasSubstr("h = 0.004 s done")));
  const std::string table = text_of("bouncing-ball-convergence.csv");
  EXPECT_THAT(table, AllOf(StartsWith("# model: bouncing-ball\n"), HasSubstr("# restitution = 0.5\n"),
                           HasSubstr("\nh,error:ball.y,error:ball.vy,mean:smooth,worst:smooth,"),
                           HasSubstr("\n0.01,")));
  EXPECT_THAT(text_of("bouncing-ball-convergence.png"), StartsWith("\x89PNG\r\n\x1a\n"));
}

TEST_F(ConvergeTest, StudiesEveryModelByDefault) {
  const Outcome outcome = converge({"inclined-plane", "--quiet", "--out", "study"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(text_of("study.csv"), HasSubstr("error:block.s"));
}

TEST_F(ConvergeTest, SaysWhatItIsComparedWith) {
  const Outcome outcome = converge({"woodpecker", "--steps", "4e-4,2e-4", "--reference", "1e-4", "--until",
                                    "0.01", "--quantity", "sleeve.*", "--workers", "1"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("a run of ds with h = 0.0001 s"), HasSubstr("sleeve.vy")));
}

TEST_F(ConvergeTest, AveragesOverPhases) {
  const std::vector<std::string> words = {"bouncing-ball", "--until",    "1",     "--steps",
                                          "4e-3,2e-3",     "--quantity", "ball.y"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return converge(std::move(more));
  };
  const Outcome averaged = with({"--phases", "5", "--out", "five"});
  EXPECT_EQ(averaged.status, 0) << averaged.err;
  EXPECT_THAT(averaged.out, HasSubstr(", means of 5 phases"));
  EXPECT_THAT(text_of("five.csv"), HasSubstr("\n# phases: 5\n"));
  const Outcome single = with({"--phases", "1", "--out", "one"});
  EXPECT_EQ(single.status, 0) << single.err;
  EXPECT_THAT(single.out, testing::Not(HasSubstr("phases")));
  EXPECT_THAT(text_of("one.csv"), testing::Not(HasSubstr("phases")));
}

TEST_F(ConvergeTest, SaysWhenAllRunsFail) {
  const Outcome outcome = converge({"spinning-top", "--steps", "1e8,1e7", "--until", "1e9", "--quiet"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(
      outcome.err,
      AllOf(StartsWith("picus: all 2 runs failed; the first, with h = 100000000 s: step from t = 0 s"),
            testing::Not(HasSubstr("plot"))));
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST_F(ConvergeTest, KeepsFilesThatExist) {
  std::ofstream(folder.path() / "a.csv") << "mine";
  const Outcome outcome = converge({"bouncing-ball", "--out", "a"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "picus: file \"a.csv\" exists; --force replaces it\n");
  EXPECT_EQ(text_of("a.csv"), "mine");
  EXPECT_EQ(converge({"bouncing-ball", "--steps", "1e-2,5e-3", "--out", "a", "--force"}).status, 0);
}

TEST_F(ConvergeTest, RefusesWithTheCulprit) {
  const auto refused = [&](std::vector<std::string> words, const std::string& message) {
    const Outcome outcome = converge(std::move(words));
    EXPECT_EQ(outcome.status, 2) << message;
    EXPECT_EQ(outcome.err, "picus: " + message + '\n');
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  };
  refused({}, "picus converge needs the name of a model; `picus list` names them");
  refused({"bouncing-ball", "--steps", "1e-2"}, "a convergence study needs at least two step sizes");
  refused({"bouncing-ball", "--steps", "1e-2,,1e-3"}, "--steps is \"\", must be a number");
  refused({"bouncing-ball", "--steps", "1e-2,-1e-3"}, "--steps is -1e-3, must be positive");
  refused({"woodpecker", "--steps", "1e-3,1e-4", "--reference", "3e-5"},
          "step 0.001 s is no multiple of the reference step 3e-05 s");
  refused({"bouncing-ball", "--quantity", "bal.y"},
          "no quantity is called \"bal.y\" (did you mean \"ball.y\"?)");
  refused({"bouncing-ball", "--phases", "0"}, "--phases is 0, must lie in [1, 1000]");
  refused({"bouncing-ball", "--phases", "1001"}, "--phases is 1001, must lie in [1, 1000]");
  refused({"bouncing-ball", "--phases", "many"}, "--phases is \"many\", must be an integer");
  refused({"bouncing-ball", "--scheme", "dd"}, "--scheme: there is no scheme \"dd\" (did you mean \"ds\"?)");
}

struct Top {
  double speed = 1.0;
  double limit = 1.0;
};

/// A top, with quantities whose errors are the square of the step: `sound` for any step, `limited` up to a step size
/// above which it is infinite.
RegisteredModel top() {
  return ModelParts<Top>{
      .info = {.name = "top", .summary = "A top spins.", .step = 0.1, .until = 1.0},
      .parameters = ParameterTable<Top>()
                        .real("speed", &Top::speed, {}, "rad/s", "of the top")
                        .real("limit", &Top::limit, {}, "s", "step size above which a quantity is infinite"),
      .build =
          [](const Top& p) {
            Model model("top");
            const auto node = model.add_frame("top", {.angular_velocity = {0, 0, p.speed}});
            model.add<RigidBody>({.name = "rotor", .node = node, .mass = 1.0, .inertia = Mat3::Identity()});
            return model;
          },
      .measures =
          [](const RunInfo&, const Top& p) {
            Measures measures;
            if (p.speed > 15)
              measures.add("drift", "m", [] { return std::numeric_limits<double>::quiet_NaN(); });
            return measures;
          },
      .signals =
          [](const RunInfo& run, const Top& p) {
            const double h = run.integrator.step_size();
            const double limited = h > p.limit ? std::numeric_limits<double>::infinity() : 1 + h * h;
            const auto one = [](double) { return 1.0; };
            return Signals{{"sound", "m", "", [h](const Snapshot&) { return 1 + h * h; }, one},
                           {"limited", "m", "", [limited](const Snapshot&) { return limited; }, one}};
          }};
}

/// `converge top` in this process.
class ConvergeTopTest : public ProgramTest {
 protected:
  Outcome converge(std::vector<std::string> words, const RegisteredModel& model = top()) const {
    words.insert(words.begin(), {"mine", "converge", "top", "--force", "--out", file("t").string()});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Outcome outcome;
    outcome.status =
        run_main(static_cast<int>(arguments.size()), arguments.data(), {model}, {.scripts = PICUS_SCRIPTS});
    outcome.out = testing::internal::GetCapturedStdout();
    outcome.err = testing::internal::GetCapturedStderr();
    return outcome;
  }
};

TEST_F(ConvergeTopTest, TellsEachWarningOfItsRunsOnceWithTheirSteps) {
  // The angles of a step, 2 and 4 rad, differ, and so do the warnings.
  const Outcome outcome = converge({"--steps", "0.2,0.1,0.01", "--set", "speed=20"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("\nwarning: h = 0.2 s: node \"top\" turns by 4 rad in a step"),
                                 HasSubstr("\nwarning: h = 0.1 s: node \"top\" turns by 2 rad in a step"),
                                 testing::Not(HasSubstr("h = 0.01 s: ")),
                                 HasSubstr("\nwarning: h = 0.2, 0.1, 0.01 s: drift is nan: the run")));
  EXPECT_THAT(text_of("t.csv"), HasSubstr("\n# warning: h = 0.2 s: node \"top\" turns by 4 rad in a step"));
  const Outcome quiet = converge({"--steps", "0.2,0.1,0.01", "--set", "speed=20", "--quiet"});
  EXPECT_THAT(quiet.out, IsEmpty());
  EXPECT_THAT(quiet.err, StartsWith("mine: warning: h = 0.2 s: node \"top\" turns by 4 rad in a step"));
  EXPECT_THAT(converge({"--steps", "0.2,0.1"}).out, testing::Not(HasSubstr("warning")));
}

/// Of a pendulum: its angle and where it is, against a finer run.
TEST_F(ConvergeTopTest, TakesTheMotionOfModelsWithoutSignals) {
  const RegisteredModel swing = ModelParts<Top>{
      .info = {.name = "top", .summary = "A rod swings.", .step = 0.1, .until = 0.5},
      .parameters = ParameterTable<Top>(),
      .build = [](const Top&) {
        Model model("swing");
        const auto node = model.add_frame("rod", {.position = {1, 0, 0}});
        const auto rod =
            model.add<RigidBody>({.name = "rod", .node = node, .mass = 1.0, .inertia = Mat3::Identity()});
        model.add<Hinge>({.name = "pin",
                          .a = MaterialPoint::on_ground(Vec3::Zero()),
                          .b = {node, Vec3(-1, 0, 0)},
                          .axis = Vec3(0, 0, 1),
                          .angle = model.add_scalar("angle")});
        model.add<Gravity>({.name = "gravity", .acceleration = {0, -9.81, 0}, .bodies = {rod->mass_point()}});
        return model;
      }};
  const Outcome outcome = converge({"--steps", "0.02,0.01", "--reference", "0.001"}, swing);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const std::string table = text_of("t.csv");
  EXPECT_THAT(table, AllOf(HasSubstr("# order of angle.value: "), HasSubstr("# order of rod.y: "),
                           HasSubstr("error:rod.x"), HasSubstr("error:rod.z")));
  EXPECT_NEAR(std::stod(table.substr(table.find("angle.value: ") + 13)), 2.0, 0.1);
}

TEST_F(ConvergeTopTest, NamesTheRunsWhoseErrorIsInfinite) {
  const Outcome outcome = converge({"--steps", "0.4,0.2,0.1,0.05", "--set", "limit=0.15"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\nwarning: errors that are not finite, which no order counts: limited "
                                     "(h = 0.4, 0.2 s)\n"));
  EXPECT_THAT(text_of("t.csv"), HasSubstr("\n# order of limited: 2.0000\n"));
}

TEST_F(ConvergeTopTest, FailsWhereNoOrderCanBeTold) {
  const Outcome outcome =
      converge({"--steps", "0.4,0.2,0.1", "--set", "limit=0.15", "--quantity", "limited"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err,
              HasSubstr("mine: no order can be told: it takes two runs with errors that are finite and above "
                        "rounding\n"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("\n +order +- *\n"));
  EXPECT_THAT(text_of("t.csv"), AllOf(HasSubstr("\n0.4,inf,"), testing::Not(HasSubstr("# order"))));
  EXPECT_THAT(text_of("t.png"), StartsWith("\x89PNG"));
}

TEST_F(ConvergeTest, NamesAPlaceThatCannotBeWritten) {
  const Outcome outcome = converge({"bouncing-ball", "--steps", "1e-2,5e-3", "--out", "missing/a"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "picus: cannot write \"missing/a.csv\": No such file or directory\n");
}

}  // namespace
}  // namespace picus::test
