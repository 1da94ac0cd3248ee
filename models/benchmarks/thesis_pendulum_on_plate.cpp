#include <picus/models/benchmarks/benchmark.hpp>
#include <picus/models/benchmarks/measures.hpp>
#include <picus/models/pendulum_on_plate.hpp>

#include <algorithm>
#include <cmath>

namespace picus::models::thesis_pendulum_on_plate_benchmark {
namespace {

Experiments plan(Effort effort) {
  Experiments plan;
  plan.runs = {{.id = "pendulum", .label = "h = 1 ms", .model = "pendulum-on-plate"},
               // Without rotation about the vertical the motion stays in the y-z plane.
               {.id = "plane",
                .label = "in a plane",
                .model = "pendulum-on-plate",
                .settings = {"angular_velocity=0"},
                .until = 2.0},
               {.id = "fine",
                .label = "h = 0.1 ms",
                .model = "pendulum-on-plate",
                .step = 1e-4,
                .until = 1.5,
                .signals = {"balance"}},
               {.id = "coarse",
                .label = "h = 1 ms",
                .model = "pendulum-on-plate",
                .until = 1.5,
                .signals = {"balance"}}};
  // Errors depend on where within a step the impacts occur, by a factor of 2: many steps show the mean.
  Study study{.id = "convergence",
              .title = "Tip and plate over 3 s, two impacts (thesis, figure 4.23 d)",
              .model = "pendulum-on-plate",
              .steps = {1e-2,   8e-3,   6e-3, 5.6e-3, 4.4e-3, 4e-3,   3.6e-3, 3.2e-3, 2.8e-3, 2.4e-3, 2e-3,
                        1.6e-3, 1.2e-3, 1e-3, 8e-4,   6e-4,   5.6e-4, 4.4e-4, 4e-4,   3.6e-4, 3.2e-4},
              .until = 3.0,
              .quantities = {"tip.x", "tip.z", "plate.rotation_x", "plate.rotation_y"},
              .reference_step = 4e-5};
  if (effort == Effort::full) {
    study.steps.insert(study.steps.end(),
                       {9e-3,   7e-3,   5e-3,   2.2e-3, 1.8e-3, 1.4e-3, 1.1e-3, 9e-4,   7e-4,   5e-4,
                        2.8e-4, 2.4e-4, 2.2e-4, 2e-4,   1.8e-4, 1.6e-4, 1.4e-4, 1.2e-4, 1.1e-4, 1e-4});
    study.reference_step = 2e-6;
  }
  plan.studies = {study};
  plan.figures = {
      {.id = "gaps",
       .title = "Normal gap, and tangential motion on the plate (thesis, figure 4.23 a)",
       .caption = "The tip bounces; where it is on the plate, a rising curve of the tangential motion is "
                  "slip, a level "
                  "one stick.",
       .panels = {{.y_label = "normal gap, m", .curves = {{.run = "pendulum", .y = "tip.gap"}}},
                  {.y_label = "tangential motion, m", .curves = {{.run = "pendulum", .y = "tip.slip"}}}}},
      {.id = "gaps-zoom",
       .title = "The first contact (thesis, figure 4.23 b)",
       .caption = "Slip begins with the contact and ends with it.",
       .panels = {{.y_label = "normal gap, m",
                   .curves = {{.run = "pendulum", .y = "tip.gap"}},
                   .x_range = {{0.8, 1.2}},
                   .y_range = {{-0.01, 0.15}}},
                  {.y_label = "tangential motion, m",
                   .curves = {{.run = "pendulum", .y = "tip.slip"}},
                   .x_range = {{0.8, 1.2}}}}},
      {.id = "plate",
       .title = "Rotation vector of the plate (thesis, figure 4.23 c)",
       .caption =
           "Each contact tilts the plate, which then swings out; friction turns it about its normal too.",
       .panels = {{.y_label = "rotation, rad",
                   .curves = {{.run = "pendulum", .y = "plate.rotation_x", .label = "x"},
                              {.run = "pendulum", .y = "plate.rotation_y", .label = "y"},
                              {.run = "pendulum", .y = "plate.rotation_z", .label = "z"}}}}},
      {.id = "energy",
       .title = "Energy, and what dampers and contact took",
       .caption = "",
       .panels = {{.y_label = "energy, J",
                   .curves = {{.run = "pendulum", .y = "energy", .label = "kinetic and potential"},
                              {.run = "pendulum", .y = "dissipated", .label = "dissipated"}}}}}};
  return plan;
}

/// The largest decrease of a series from one instant to the next.
double largest_fall(const Series& series) {
  double fall = 0.0;
  for (std::size_t i = 1; i < series.values.size(); ++i) {
    fall = std::max(fall, series.values[i - 1] - series.values[i]);
  }
  return fall;
}

void add_phases(Rows& rows, const TrialResult& run) {
  const Series& state = run.find("tip.state");
  const double h = run.times[1] - run.times[0];
  double sticking = 0.0;
  double slipping = 0.0;
  int contacts = 0;
  double first = 0.0;
  for (std::size_t i = 1; i < state.values.size(); ++i) {
    if (state.values[i] == 1.0) sticking += h;
    if (state.values[i] == 2.0) slipping += h;
    if (state.values[i] != 0.0 && state.values[i - 1] == 0.0) {
      if (contacts == 0) first = run.times[i];
      ++contacts;
    }
  }
  rows.push_back(expect_near("first-impact", "first impact", first, first_impact({}), h, "s",
                             "exact, free spherical pendulum", "one step"));
  rows.push_back(expect_at_least("contacts", "the tip bounces: times that contact begins", contacts, 3.0, "",
                                 "thesis 4.2.6"));
  rows.push_back(
      expect_at_least("slip", "the tip slips on the plate for", slipping, 10.0 * h, "s", "thesis 4.2.6"));
  rows.push_back(
      expect_at_least("stick", "the tip sticks to the plate for", sticking, 10.0 * h, "s", "thesis 4.2.6"));
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  const TrialResult& run = outcomes.run("pendulum");
  add_phases(rows, run);

  double length_error = 0.0;
  for (const double length : run.find("tip.length").values) {
    length_error = std::max(length_error, std::abs(length - 1.3));
  }
  rows.push_back(expect_at_most("length", "tip off its distance from the pivot by up to", length_error, 1e-9,
                                "m", "rigid rod", "joint and link are closed to the solver's tolerance"));
  rows.push_back(expect_at_most("passive", "largest negative dissipation of contact and dampers in a step",
                                largest_fall(run.find("dissipated")), 1e-12, "J", "passive elements",
                                "rounding of 40 J is 1e-14 J"));
  const double coarse = std::abs(outcomes.run("coarse").find("balance").values.back());
  const double fine = std::abs(outcomes.run("fine").find("balance").values.back());
  rows.push_back(show("balance", "energy gained by the integrator in 1.5 s, h = 1 ms", coarse, "J"));
  rows.push_back(expect_at_least("balance-order", "it vanishes with h: order from h = 1 ms to 0.1 ms",
                                 std::log10(coarse / fine), 0.9, "", "scheme of first order",
                                 "two step sizes only"));

  const TrialResult& plane = outcomes.run("plane");
  for (const char* signal : {"tip.x", "plate.rotation_y", "plate.rotation_z"}) {
    rows.push_back(expect_at_most(std::string("plane-") + signal,
                                  std::string("started in the plane y-z it stays there: largest ") + signal,
                                  largest(plane.find(signal)), 1e-9, "m or rad", "symmetry",
                                  "the solver's tolerance"));
  }
  add_orders(rows, outcomes, "convergence", 0.95);
  add_soundness(rows, outcomes, "pendulum");
}

}  // namespace
}  // namespace picus::models::thesis_pendulum_on_plate_benchmark

namespace picus::models {

Benchmark thesis_pendulum_on_plate() {
  return {
      .name = "pendulum-on-plate",
      .title = "A pendulum falls on a plate on flexible supports",
      .source = "Galvez 2020, section 4.2.6",
      .setting =
          "A square plate of 5 m (m_s = 0.2 kg, all moments m_s L^2/6) turns about its fixed centre on four "
          "supports of 0.2 m at its corners (100 N/m, 1 N s/m), vertical and unloaded at the start. A rod of "
          "1.3 m (m_v = 5 kg, all moments m_v l^2 about its centre, which is in its middle) hangs on a ball "
          "joint 1 m above the plate's centre and starts level along y with 1.5 rad/s about the vertical, g "
          "= "
          "9.81 m/s2. Its tip is the slave node of the plate, mu = 0.3, no restitution. The thesis does not "
          "say where the centre of mass is, nor about which point m_v l^2 is meant; the model has both as "
          "parameters. A thin uniform rod (0.704 kg m2) hits the plate at 0.408 s, a mass at the tip alone "
          "at 0.506 s, and both come to stick within 2 s.",
      .reference = "own run at a finer step; the free spherical pendulum until the first impact",
      .plan = thesis_pendulum_on_plate_benchmark::plan,
      .rows = {thesis_pendulum_on_plate_benchmark::add_rows}};
}

}  // namespace picus::models
