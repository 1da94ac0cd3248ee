#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/elements/forces/spring_damper.hpp>
#include <picus/models/references/bouncing_ball_exact.hpp>
#include <picus/models/registry.hpp>
#include <picus/models/study/convergence_study.hpp>

#include <gmock/gmock.h>

#include <cmath>

namespace picus::models::convergence_study_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

ConvergencePlan plan_of(const std::string& model, std::vector<double> steps, double until,
                        std::vector<std::string> quantities) {
  return {.scenario = find_model(model).configure(),
          .options = {},
          .steps = std::move(steps),
          .until = until,
          .quantities = std::move(quantities)};
}

TEST(ConvergenceStudy, MeasuresTheErrorsThatTheModelMeasuresItself) {
  const ConvergenceResult result =
      study_convergence(plan_of("bouncing-ball", {1e-3, 4e-3}, 4.0, {"ball.y", "ball.vy"}));
  EXPECT_EQ(result.reference_step, 0.0);  // the solution is known
  ASSERT_THAT(result.rows, SizeIs(2));
  EXPECT_EQ(result.rows[0].step, 4e-3);
  for (const ConvergenceRow& row : result.rows) {
    Trial trial;
    trial.scenario = find_model("bouncing-ball").configure();
    trial.options.step = row.step;
    trial.until = 4.0;
    const std::vector<Finding> findings = run(trial).findings;
    EXPECT_DOUBLE_EQ(row.errors[0], *findings[0].value);
    EXPECT_DOUBLE_EQ(row.errors[1], *findings[1].value);
  }
  const double order = std::log(result.rows[0].errors[0] / result.rows[1].errors[0]) / std::log(4.0);
  EXPECT_NEAR(*result.quantities[0].order, order, 1e-12);
  EXPECT_TRUE(result.quantities[0].is_exact);
}

TEST(ConvergenceStudy, ComparesWithAFinerRunAtTheSameInstants) {
  // The reference is kept every second of its steps, the greatest common divisor of 4 and 10.
  ConvergencePlan plan = plan_of("bouncing-ball", {1e-3, 4e-4}, 1.0, {"energy"});
  plan.reference_step = 1e-4;
  const ConvergenceResult result = study_convergence(plan);
  EXPECT_EQ(result.reference_step, 1e-4);
  EXPECT_FALSE(result.quantities[0].is_exact);

  const auto energies = [](double step) {
    Trial trial;
    trial.scenario = find_model("bouncing-ball").configure();
    trial.options.step = step;
    trial.until = 1.0;
    trial.signals = {"energy"};
    return run(trial).series[0].values;
  };
  const std::vector<double> fine = energies(1e-4);
  for (const auto& [row, stride] : {std::pair(result.rows[0], 10U), std::pair(result.rows[1], 4U)}) {
    const std::vector<double> coarse = energies(row.step);
    double error = 0.0;
    double size = 0.0;
    for (std::size_t i = 0; i < coarse.size(); ++i) {
      error += std::abs(coarse[i] - fine[stride * i]);
      size += std::abs(fine[stride * i]);
    }
    EXPECT_DOUBLE_EQ(row.errors[0], error / size);
  }
}

TEST(ConvergenceStudy, GivesTheSameOnAnyNumberOfWorkers) {
  const ConvergencePlan plan = plan_of("woodpecker", {4e-4, 2e-4, 1e-4}, 0.02, {"sleeve.y"});
  const ConvergenceResult one = study_convergence(plan, 1);
  std::vector<std::string> labels;
  const ConvergenceResult many =
      study_convergence(plan, 3, [&](const std::string& label) { labels.push_back(label); });
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(one.rows[i].errors, many.rows[i].errors);
    EXPECT_EQ(one.rows[i].mean_iterations, many.rows[i].mean_iterations);
    EXPECT_GT(one.rows[i].mean_total, 0.0);
  }
  EXPECT_THAT(labels, SizeIs(4));
  EXPECT_THAT(many.subproblems, ElementsAre("smooth", "position", "velocity"));
}

TEST(ConvergenceStudy, GoesOnWithoutTheStepsThatFail) {
  // At 1 ms one iteration is not enough for an impact; before it, nothing needs more.
  ConvergencePlan plan = plan_of("bouncing-ball", {1e-3, 0.5}, 0.5, {"ball.y"});
  plan.scheme = "ds:step_cuts=0";
  plan.max_iterations = 1;
  plan.options.fallbacks = {.smaller_scaling = false,
                            .other_first_guess = false,
                            .interior_point = false,
                            .no_restitution = false,
                            .smallest_feasible_shift = false,
                            .accepted_residual = 1};
  const ConvergenceResult result = study_convergence(plan);
  EXPECT_THAT(result.rows[1].failure, HasSubstr("0.40"));
  EXPECT_TRUE(result.rows[1].errors.empty());
  EXPECT_FALSE(result.quantities[0].order.has_value());
}

TEST(ConvergenceStudy, RefusesWhatMakesNoStudy) {
  const auto message = [](const ConvergencePlan& plan) -> std::string {
    try {
      const ConvergenceStudy study(plan);
      return "";
    } catch (const OptionError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(message(plan_of("woodpecker", {1e-3}, 0.1, {})),
            "a convergence study needs at least two step sizes");
  EXPECT_EQ(message(plan_of("woodpecker", {1e-3, 1e-4, 1e-3}, 0.1, {})),
            "two step sizes of a convergence study are equal");
  ConvergencePlan plan = plan_of("woodpecker", {1e-3, 1e-4}, 0.1, {"sleeve.y"});
  plan.reference_step = 3e-5;
  EXPECT_EQ(message(plan), "step 0.001 s is no multiple of the reference step 3e-05 s");
  EXPECT_EQ(message(plan_of("woodpecker", {1e-3, 1e-4}, 0.1, {"sleve.y"})),
            "no quantity is called \"sleve.y\" (did you mean \"sleeve.y\"?)");
  plan = plan_of("woodpecker", {1e-3, 1e-4}, 0.1, {"sleeve.y"});
  plan.phases = 0;
  EXPECT_EQ(message(plan), "a convergence study takes at least one phase, not 0");
}

TEST(ConvergenceStudy, AveragesWhereAnImpactFallsWithinItsStep) {
  // Until 1 s the ball hits the floor once, at 0.404 s.
  ConvergencePlan plan =
      plan_of("bouncing-ball", {4e-3, 2.5e-3, 1.6e-3, 1e-3, 6.3e-4, 4e-4}, 1.0, {"ball.y", "ball.vy"});
  const ConvergenceResult single = study_convergence(plan);
  plan.phases = 20;
  const ConvergenceResult averaged = study_convergence(plan, 2);
  EXPECT_EQ(averaged.phases, 20);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(*averaged.quantities[k].order, 1.0, 0.03);
    EXPECT_LT(averaged.quantities[k].order_error, 0.03);
    EXPECT_GT(std::abs(*single.quantities[k].order - 1.0), 0.1)
        << "a single grid for each step shows no order";
  }
  EXPECT_EQ(averaged.rows[2].errors, study_convergence(plan).rows[2].errors);
}

TEST(ConvergenceStudy, AveragesHowManyStepsLieBetweenTwoImpacts) {
  // The fraction of a step between the two impacts until 0.9 s belongs to the step size: no shift of the grid changes it.
  ConvergencePlan plan = plan_of("bouncing-oscillator", {1e-3, 4.96e-4}, 0.9, {"lower.y"});
  plan.scenario = find_model("bouncing-oscillator").configure(std::vector<std::string>{"stiffness=1000"});
  plan.phases = 200;
  // 14 values of h for each step, about which the means over all shifts scatter by a fifth: by 0.08 in the ratio of two.
  const ConvergenceResult result = study_convergence(plan, 2);
  EXPECT_NEAR(result.rows[0].errors[0] / result.rows[1].errors[0], 1e-3 / 4.96e-4, 2 * 2 * 0.08);
}

TEST(ConvergenceStudy, ComparesShiftedGridsWithTheReferenceAtTheirOwnInstants) {
  // A rod that falls freely: schemes of second order follow it exactly, whatever their steps.
  ConvergencePlan plan = plan_of("rocking-rod", {1e-3, 4e-4}, 0.05, {"rod.y", "rod.vy"});
  plan.options.tolerance = 1e-12;
  plan.reference_step = 1e-5;
  plan.phases = 5;
  for (const ConvergenceRow& row : study_convergence(plan).rows) {
    EXPECT_LT(row.errors[0], 1e-9);
    EXPECT_LT(row.errors[1], 1e-9);
  }
}

struct Drop {
  double mass = 1.0;  // kg
};

/// A model with one signal, the height of its first node, and its exact values.
ConvergencePlan plan_of_drop(const std::function<Model(const Drop&)>& build,
                             const std::function<double(double)>& exact) {
  const auto signals = [=](const RunInfo& run, const Drop&) {
    return Signals{position(run, "drop", Axis::z).against(exact)};
  };
  const RegisteredModel drop = ModelParts<Drop>{
      .info = {.name = "drop", .summary = "A body falls or stops."},
      .parameters = ParameterTable<Drop>().real("mass", &Drop::mass, Range::positive(), "kg", "of the body"),
      .build = build,
      .signals = signals};
  return {.scenario = drop.configure(), .quantities = {"drop.z"}};
}

TEST(ConvergenceStudy, AveragesImpactsOfContactsThatAreFound) {
  constexpr double radius = 0.1;
  ConvergencePlan plan = plan_of_drop(
      [](const Drop& drop) {
        Model model("drop");
        const PointNode node = model.add_point("drop", {.position = {0, 0, 0.8 + radius}});
        const auto mass = model.add<PointMass>({.name = "mass", .node = node, .mass = drop.mass});
        add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.8}, .bodies = {mass->mass_point()}});
        model.add<Surface>({.name = "ball", .of = shapes::Ball{radius}, .on = node});
        model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
        model.add<ContactsBetween>({.name = "contacts", .e_n = 0.8});
        return model;
      },
      [exact = BouncingBallExact(0.8, 0.8, 9.8)](double t) { return exact.position(t) + radius; });
  plan.steps = {4e-3, 2.5e-3, 1.6e-3, 1e-3, 6.3e-4, 4e-4};
  plan.until = 1.0;
  plan.phases = 20;
  const ConvergenceResult result = study_convergence(plan, 2);
  EXPECT_NEAR(*result.quantities[0].order, 1.0, 0.03);
  for (const ConvergenceRow& row : result.rows) EXPECT_EQ(row.failure, "");
}

// A damper stops the body within a fraction of the first step, however long that is: it moves by a mean of v h at most.
TEST(ConvergenceStudy, BeginsAnOverdampedMotionWithTheShorterFirstStep) {
  static constexpr double v = 3.0;
  ConvergencePlan plan = plan_of_drop(
      [](const Drop& drop) {
        Model model("drop");
        const PointNode node = model.add_point("drop", {.position = {0, 0, 1}, .velocity = {0, 0, v}});
        model.fix(node, {Component::x, Component::y});
        model.add<PointMass>({.name = "mass", .node = node, .mass = drop.mass});
        model.add<SpringDamper>({.name = "damper",
                                 .a = MaterialPoint::on_ground(Vec3::Zero()),
                                 .b = node,
                                 .damping = 1e7,
                                 .free_length = 1.0});
        return model;
      },
      [](double) { return 1.0; });
  plan.steps = {1e-2, 3e-3};
  plan.until = 0.2;
  plan.phases = 9;
  for (const std::string scheme : {"ds", "ds-a", "dsn", "cs", "chen", "moreau-jean", "mixed"}) {
    plan.scheme = scheme;
    for (const ConvergenceRow& row : study_convergence(plan, 2).rows) {
      EXPECT_EQ(row.failure, "") << scheme;
      EXPECT_LT(row.errors[0], 1.06 * v * row.step) << scheme << ", h varies by 5 %";
    }
  }
}

TEST(ConvergenceStudy, SharesTheReferenceWithOtherSchemes) {
  ConvergencePlan plan = plan_of("bouncing-ball", {2e-3, 1e-3}, 0.5, {"energy"});
  plan.reference_step = 1e-4;
  ConvergenceStudy first(plan);
  ConvergenceStudy second = first.with_scheme("ds");
  EXPECT_THAT(first.tasks(), SizeIs(3));
  ASSERT_THAT(second.tasks(), SizeIs(2));
  for (const auto& task : first.tasks()) task.work();
  EXPECT_THROW(second.finish(), Error) << "its own runs are not made yet";
  for (const auto& task : second.tasks()) task.work();
  EXPECT_EQ(first.finish().rows[0].errors, second.finish().rows[0].errors);
}

TEST(ConvergenceStudy, RepeatsWhatARunThrew) {
  ConvergencePlan plan = plan_of("bouncing-ball", {2e-3, 1e-3}, 0.5, {"energy"});
  plan.reference_step = 1e-4;
  ConvergenceStudy study(plan);
  const ConvergenceStudy other = study.with_scheme("no-such-scheme");
  ConvergenceStudy broken = other;
  for (const auto& task : study.tasks()) task.work();
  for (const auto& task : broken.tasks()) EXPECT_THROW(task.work(), OptionError);
  EXPECT_THROW(broken.finish(), OptionError);
  EXPECT_THAT(study.finish().rows, SizeIs(2));
}

}  // namespace
}  // namespace picus::models::convergence_study_test
