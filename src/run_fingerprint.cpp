/// Fingerprints of runs (RunFingerprint).

#include <picus/checkpoint.hpp>
#include <picus/mass_matrix.hpp>
#include <picus/system.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus {
namespace {

constexpr double agreement = 1e-9;

/// Weights in [0.5, 1.5) that are all different, so that an exchange of two entries is detected.
double weight(Index i) {
  constexpr double golden = 0.6180339887498949;
  const double x = golden * static_cast<double>(i + 1);
  return 0.5 + x - std::floor(x);
}

/// A weighted sum of the order of the magnitudes of the entries, without cancellation, but different for each sign.
double sum_of(const Vector& values) {
  double sum = 0;
  for (Index i = 0; i < count_of(values); ++i) sum += weight(i) * (std::abs(values[i]) + 0.5 * values[i]);
  return sum;
}

void add_texts(RunFingerprint& fingerprint, const Model& model, const TimeIntegrator& integrator) {
  const auto add = [&](std::string name, std::string value) {
    fingerprint.texts.emplace_back(std::move(name), std::move(value));
  };
  add("the model", model.name());
  for (const auto& [name, value] : model.parameters()) add("parameter " + name, value);
  add("the integrator", std::string(integrator.name()));
  add("the step size", fmt::format("{} s", integrator.step_size()));
  for (const auto& [name, value] : integrator.options()) add("option " + name, value);
  for (const Node& node : model.nodes()) {
    std::string held;
    for (Index i = 0; i < velocity_size(node.kind); ++i) {
      held += model.is_fixed(node.v + i) ? 'f' : model.driven().contains(node.v + i) ? 'd' : '-';
    }
    add(fmt::format("node {}", node.index),
        fmt::format("\"{}\" with components {}", model.node_name(node), held));
  }
  Index number = 0;
  for (const auto& element : model.elements()) {
    std::string nodes;
    for (const Node& node : element->nodes()) nodes += fmt::format(" {}", node.index);
    add(fmt::format("element {}", number++), fmt::format("\"{}\" of nodes{}", element->name(), nodes));
  }
  number = 0;
  for (const Sensor& sensor : model.sensors()) {
    std::string quantities;
    for (const Quantity& quantity : sensor.quantities) quantities += ' ' + quantity.name;
    add(fmt::format("sensor {}", number++),
        fmt::format("\"{}\" each {} s of{}", sensor.name, sensor.interval, quantities));
  }
}

/// Evaluated at a small distance from the start, with nonzero velocities, at an arbitrary time: springs are strained,
/// dampers move, loads act.
void add_sums(RunFingerprint& fingerprint, const System& system) {
  const Model& model = system.model();
  constexpr double time = 0.1237;
  const double distance = 1e-6 * std::min(1.0, system.length_scale());
  Vector v(system.velocity_count());
  for (Index i = 0; i < system.velocity_count(); ++i) v[i] = weight(i);
  Configuration q = model.initial_configuration();
  retract(system.nodes(), model.initial_configuration(), distance * v, q);
  Vector f = Vector::Zero(system.velocity_count());
  const auto add = [&](std::string name, double sum) { fingerprint.sums.emplace_back(std::move(name), sum); };

  const std::span<const double> q_0 = model.initial_configuration().data();
  const std::span<const double> v_0 = model.initial_velocity();
  add("start position", sum_of(Eigen::Map<const Vector>(q_0.data(), q_0.size())));
  add("start velocity", sum_of(Eigen::Map<const Vector>(v_0.data(), v_0.size())));
  MassMatrix mass(system);
  mass.assemble(q);
  mass.multiply(v, f);
  add("mass", sum_of(f));
  f.setZero();
  system.add_forces({q, v, time}, 1.0, f);
  add("force", sum_of(f));

  Vector g = Vector::Zero(system.row_count());
  system.evaluate_constraint_residual(q, time, g);
  Gradients G = system.make_constraint_gradients();
  system.evaluate_gradients(q, time, G);
  Vector rate = Vector::Zero(system.row_count());
  System::multiply(system.constraint_entries(), G, v, rate);
  add("constraint", sum_of(g) + sum_of(rate));

  g = rate = Vector::Zero(system.contact_row_count());
  system.evaluate_gaps(model.initial_configuration(), q, g);
  G = system.make_contact_gradients();
  system.evaluate_contact_gradients(q, G);
  System::multiply(system.contact_entries(), G, v, rate);
  add("contact", sum_of(g) + sum_of(rate));
  std::vector<double> laws;
  for (const RowBlock<Contact>& contact : system.declared_contacts()) {
    const ContactLaw& law = contact.role->law();
    laws.insert(laws.end(), {law.coefficient().fingerprint(), law.e_n, law.e_t});
    if (law.impact.kind == ImpactLaw::Kind::newton) continue;
    laws.insert(laws.end(),
                {static_cast<double>(law.impact.kind), law.impact.stiffness, law.impact.exponent});
  }
  add("law of a contact", sum_of(Eigen::Map<const Vector>(laws.data(), count_of(laws))));
  for (const auto& [element, set] : model.contact_sets()) {
    const std::vector<double> numbers = set->numbers(model);
    add(fmt::format("number of contact set \"{}\"", element->name()),
        sum_of(Eigen::Map<const Vector>(numbers.data(), count_of(numbers))));
  }
}

}  // namespace

RunFingerprint make_fingerprint(const System& system, const TimeIntegrator& integrator) {
  RunFingerprint fingerprint;
  add_texts(fingerprint, system.model(), integrator);
  add_sums(fingerprint, system);
  return fingerprint;
}

std::string difference_of(const RunFingerprint& run, const RunFingerprint& checkpoint) {
  const std::size_t common = std::min(run.texts.size(), checkpoint.texts.size());
  for (std::size_t i = 0; i < common; ++i) {
    const auto& [name, value] = run.texts[i];
    const auto& [other_name, other_value] = checkpoint.texts[i];
    if (name != other_name)
      return fmt::format("{} ({}) is where the checkpoint has {} ({})", name, value, other_name, other_value);
    if (value != other_value) return fmt::format("{} is {}, in the checkpoint {}", name, value, other_value);
  }
  if (run.texts.size() > common)
    return fmt::format("{} ({}) is not in the checkpoint", run.texts[common].first, run.texts[common].second);
  if (checkpoint.texts.size() > common)
    return fmt::format("{} ({}) of the checkpoint is missing", checkpoint.texts[common].first,
                       checkpoint.texts[common].second);
  if (run.sums.size() != checkpoint.sums.size()) return "it has other sums";
  for (std::size_t i = 0; i < run.sums.size(); ++i) {
    const double a = run.sums[i].second;
    const double b = checkpoint.sums[i].second;
    const bool agree = std::abs(a - b) <= agreement * std::min(std::abs(a), std::abs(b)) || a == b ||
                       (std::isnan(a) && std::isnan(b));
    if (!agree) return fmt::format("a {} is another than in the checkpoint", run.sums[i].first);
  }
  return "";
}

}  // namespace picus
