#include <picus/error.hpp>
#include <picus/models/benchmarks/benchmark.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::models {
namespace {

Verdict verdict(bool holds) {
  return holds ? Verdict::met : Verdict::missed;
}

std::string with_unit(double number, const std::string& unit) {
  return unit.empty() ? fmt::format("{:.4g}", number) : fmt::format("{:.4g} {}", number, unit);
}

Row compare(std::string id, std::string claim, double value, double reference, double tolerance,
            const std::string& tolerance_text, std::string unit, std::string source, std::string note) {
  Row row{.id = std::move(id), .claim = std::move(claim), .value = value, .unit = std::move(unit)};
  row.expected = fmt::format("{} ± {}", with_unit(reference, row.unit), tolerance_text);
  row.reference = reference;
  row.source = std::move(source);
  row.verdict = verdict(std::abs(value - reference) <= tolerance);
  row.note = std::move(note);
  return row;
}

Row bound(std::string id, std::string claim, double value, double limit, bool holds, std::string_view sign,
          std::string unit, std::string source, std::string note) {
  Row row{.id = std::move(id), .claim = std::move(claim), .value = value, .unit = std::move(unit)};
  row.expected = fmt::format("{} {}", sign, with_unit(limit, row.unit));
  row.source = std::move(source);
  row.verdict = verdict(holds);
  row.note = std::move(note);
  return row;
}

/// Calls `add` with the id, the claim and the source of each row about the order of a quantity of a study.
template <class Add>
void for_each_order(const Experiments& outcomes, std::string_view study, std::string_view scheme, Add add) {
  const ConvergenceResult& result = outcomes.study(study, scheme);
  const double decades = std::log10(result.rows.front().step / result.rows.back().step);
  const std::string phases = result.phases > 1 ? fmt::format("{} phases, ", result.phases) : "";
  for (const ConvergenceQuantity& quantity : result.quantities) {
    add(quantity, fmt::format("{}-{}-order-{}", study, scheme, quantity.name),
        fmt::format("order of {} over {:.2g} decades of h ({}{})", quantity.name, decades, phases, scheme),
        quantity.is_exact ? std::string("exact solution")
                          : fmt::format("own run, h = {} s", number_text(result.reference_step)));
  }
}

}  // namespace

const Run& Experiments::find(std::string_view id) const {
  const auto found = std::ranges::find(runs, id, &Run::id);
  if (found == runs.end()) throw Error(fmt::format("there is no run \"{}\"", id));
  return *found;
}

const TrialResult& Experiments::run(std::string_view id) const {
  const TrialResult& result = find(id).result;
  if (!result.is_complete()) throw Error(fmt::format("run \"{}\" failed: {}", id, result.failure));
  return result;
}

const ConvergenceResult& Experiments::study(std::string_view id, std::string_view scheme) const {
  const auto found = std::ranges::find(studies, id, &Study::id);
  if (found == studies.end()) throw Error(fmt::format("there is no study \"{}\"", id));
  const auto of_scheme = std::ranges::find(found->results, scheme, &SchemeStudy::scheme);
  if (of_scheme == found->results.end())
    throw Error(fmt::format("study \"{}\" was not made with scheme {}", id, scheme));
  if (!of_scheme->failure.empty())
    throw Error(fmt::format("study \"{}\" failed: {}", id, of_scheme->failure));
  return of_scheme->result;
}

const Spectrum& Experiments::spectrum(std::string_view id) const {
  const auto found = std::ranges::find(spectra, id, &SpectrumRun::id);
  if (found == spectra.end()) throw Error(fmt::format("there is no spectrum \"{}\"", id));
  if (!found->failure.empty()) throw Error(fmt::format("spectrum \"{}\" failed: {}", id, found->failure));
  return found->result;
}

Row expect_within(std::string id, std::string claim, double value, double reference, double relative,
                  std::string unit, std::string source, std::string note) {
  return compare(std::move(id), std::move(claim), value, reference, relative * std::abs(reference),
                 fmt::format("{:.3g} %", 100.0 * relative), std::move(unit), std::move(source),
                 std::move(note));
}

Row expect_near(std::string id, std::string claim, double value, double reference, double absolute,
                std::string unit, std::string source, std::string note) {
  const std::string tolerance = with_unit(absolute, unit);
  return compare(std::move(id), std::move(claim), value, reference, absolute, tolerance, std::move(unit),
                 std::move(source), std::move(note));
}

Row expect_at_most(std::string id, std::string claim, double value, double limit, std::string unit,
                   std::string source, std::string note) {
  return bound(std::move(id), std::move(claim), value, limit, value <= limit, "≤", std::move(unit),
               std::move(source), std::move(note));
}

Row expect_at_least(std::string id, std::string claim, double value, double limit, std::string unit,
                    std::string source, std::string note) {
  return bound(std::move(id), std::move(claim), value, limit, value >= limit, "≥", std::move(unit),
               std::move(source), std::move(note));
}

/// Two of these are half of the distance between integer orders.
constexpr double largest_order_error = 0.25;

Row expect_order(std::string id, std::string claim, const ConvergenceQuantity& quantity, double least,
                 std::string source, std::string note) {
  if (!quantity.order) {
    return expect_true(std::move(id), std::move(claim), false, std::move(source), "too few runs converged");
  }
  const double claimed = std::round(least);
  const double error = std::min(quantity.order_error, largest_order_error);
  const double most = claimed + std::max({claimed - least, 0.05, 2.0 * error});
  Row row{.id = std::move(id), .claim = std::move(claim), .value = *quantity.order};
  row.standard_error = quantity.order_error;
  row.expected = fmt::format("{:.4g} to {:.3g}", least, most);
  row.source = std::move(source);
  const bool is_scattered = quantity.order_error > largest_order_error;
  row.verdict = verdict(*quantity.order >= least && *quantity.order <= most && !is_scattered);
  row.note = std::move(note);
  if (is_scattered)
    row.note += fmt::format("{}the errors scatter too much to show an order", row.note.empty() ? "" : "; ");
  return row;
}

Row expect_true(std::string id, std::string claim, bool holds, std::string source, std::string note) {
  return {.id = std::move(id),
          .claim = std::move(claim),
          .source = std::move(source),
          .verdict = verdict(holds),
          .note = std::move(note)};
}

Row show(std::string id, std::string claim, double value, std::string unit, std::string note) {
  return {.id = std::move(id),
          .claim = std::move(claim),
          .value = value,
          .unit = std::move(unit),
          .note = std::move(note)};
}

void add_orders(Rows& rows, const Experiments& outcomes, std::string_view study, double least,
                std::string_view scheme) {
  for_each_order(
      outcomes, study, scheme,
      [&](const ConvergenceQuantity& quantity, const std::string& id, const std::string& claim,
          const std::string& source) { rows.push_back(expect_order(id, claim, quantity, least, source)); });
}

void add_averaged_orders(Rows& rows, const Experiments& outcomes, std::string_view study,
                         std::string_view scheme) {
  constexpr double tolerance = 0.03;
  for_each_order(outcomes, study, scheme,
                 [&](const ConvergenceQuantity& quantity, const std::string& id, const std::string& claim,
                     const std::string& source) {
                   // No order, no row that is met; and no allowance for the standard error.
                   Row row = expect_order(id, claim, quantity, 1.0 - tolerance, source);
                   if (quantity.order) {
                     row.expected = fmt::format("1 ± {}", tolerance);
                     row.verdict = verdict(std::abs(*quantity.order - 1.0) <= tolerance);
                   }
                   rows.push_back(std::move(row));
                 });
}

void add_soundness(Rows& rows, const Experiments& outcomes, std::string_view run, double violation,
                   double penetration) {
  const TrialResult& result = outcomes.run(run);
  const std::string of = fmt::format("{}-", run);
  rows.push_back(expect_at_most(of + "fallbacks",
                                fmt::format("{}: fallbacks in {} steps", run, result.summary.steps),
                                static_cast<double>(result.fallback_count()), 0.0, "", "design"));
  rows.push_back(expect_at_most(of + "violation", fmt::format("{}: worst bilateral violation", run),
                                result.summary.worst_violation, violation, "m or rad", "design"));
  rows.push_back(expect_at_most(of + "penetration", fmt::format("{}: worst penetration", run),
                                result.summary.worst_penetration, penetration, "m", "design"));
}

void add_robustness(Rows& rows, const Experiments& outcomes, std::string_view study,
                    std::string_view scheme) {
  const ConvergenceResult& result = outcomes.study(study, scheme);
  std::int64_t failed = 0;
  std::int64_t fallbacks = 0;
  for (const ConvergenceRow& row : result.rows) {
    if (!row.failure.empty()) ++failed;
    fallbacks += row.fallbacks;
  }
  const std::string of = fmt::format("{}-{}", study, scheme);
  rows.push_back(expect_at_most(of + "-failed",
                                fmt::format("failed runs of {} step sizes ({})", result.rows.size(), scheme),
                                static_cast<double>(failed), 0.0, "", "design"));
  rows.push_back(show(of + "-fallbacks", fmt::format("fallbacks in all of them ({})", scheme),
                      static_cast<double>(fallbacks), ""));
}

void add_iterations(Rows& rows, const Experiments& outcomes, std::string_view study,
                    std::string_view scheme) {
  const ConvergenceResult& result = outcomes.study(study, scheme);
  for (const ConvergenceRow& row : result.rows) {
    if (!row.failure.empty()) continue;
    for (std::size_t i = 0; i < result.subproblems.size(); ++i) {
      if (result.subproblems[i].empty()) continue;
      rows.push_back(show(fmt::format("{}-{}-{}-mean", study, scheme, result.subproblems[i]),
                          fmt::format("mean iterations, {}, h = {} s ({})", result.subproblems[i],
                                      number_text(row.step), scheme),
                          row.mean_iterations[i], ""));
      rows.push_back(show(fmt::format("{}-{}-{}-worst", study, scheme, result.subproblems[i]),
                          fmt::format("most iterations, {}, h = {} s ({})", result.subproblems[i],
                                      number_text(row.step), scheme),
                          row.worst_iterations[i], ""));
    }
    return;
  }
}

}  // namespace picus::models
