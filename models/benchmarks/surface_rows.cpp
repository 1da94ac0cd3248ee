#include <picus/models/benchmarks/measures.hpp>
#include <picus/models/benchmarks/surface_rows.hpp>

#include <algorithm>

namespace picus::models {

void add_surface_checks(Rows& rows, const Experiments& outcomes, const std::string& id) {
  const TrialResult& run = outcomes.run(id);
  rows.push_back(expect_at_most(id + "-penetration", id + ": largest penetration of a contact",
                                run.summary.worst_penetration, 1e-9, "m", "hard contact"));
  rows.push_back(expect_at_most(id + "-misses", id + ": steps that lacked a contact",
                                static_cast<double>(run.summary.search.misses), 0, "", "search"));
  if (outcomes.find(id).sampled_instants > 0) {
    rows.push_back(expect_at_most(id + "-samples",
                                  id + ": deepest point of a surface in another, over its size",
                                  std::ranges::max(run.find("depth").values), 1e-6, "", "hard contact",
                                  "points all over the surfaces, without the code of contacts"));
  }
  show_remedies(rows, outcomes, id);
}

void show_remedies(Rows& rows, const Experiments& outcomes, const std::string& id) {
  const TrialResult& run = outcomes.run(id);
  rows.push_back(
      show(id + "-fallbacks", id + ": fallbacks in all", static_cast<double>(run.fallback_count()), ""));
  rows.push_back(show(id + "-iterations", id + ": most iterations in a step", worst_iterations(run), ""));
}

}  // namespace picus::models
