#include <picus/models/benchmarks/chen_schemes.hpp>

#include <algorithm>
#include <cmath>

namespace picus::models {
namespace {

const std::vector<std::string> settings = {"rods=flexible"};
constexpr double h = 1e-4;
constexpr double until = 0.15;
const std::vector<std::string> corners = {"lower_left", "lower_right", "upper_right", "upper_left"};

Plan plan(Effort effort) {
  const bool is_full = effort == Effort::full;
  Plan plan;
  chen::add_runs(plan,
                 {.id = "slider", .model = "crank-slider", .settings = settings, .step = h, .until = until});
  for (const std::string scheme : {"ds", "moreau-jean"}) {
    const bool is_paper = is_full || scheme != "ds";
    plan.runs.push_back({.id = "slider-fine-" + scheme,
                         .label = scheme == "ds" ? "DS, fine" : "Moreau-Jean, fine",
                         .model = "crank-slider",
                         .settings = settings,
                         .scheme = scheme,
                         .step = is_full ? 1e-6 : 1e-5,
                         .until = until,
                         .every = is_full ? 10 : 1});
    (void)is_paper;
  }
  return plan;
}

Rows rows(const Outcomes& outcomes, Effort /*effort*/) {
  Rows rows;
  add_soundness(rows, outcomes, "slider-ds");
  return rows;
}

}  // namespace

Benchmark chen_flexible_crank_slider() {
  return {.name = "chen-flexible-crank-slider",
          .title = "A flexible crank-slider mechanism with clearance",
          .source = "Chen 2013, section 5.6.2",
          .setting = "",
          .reference = "",
          .plan = plan,
          .rows = rows};
}

}  // namespace picus::models
