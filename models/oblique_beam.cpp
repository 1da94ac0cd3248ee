#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/models/oblique_beam.hpp>

#include <cmath>

namespace picus::models {
namespace {

// Thesis, section 4.2.5. Area and second moment of area are those of a square (I = A^2/12), for which the shear
// correction is 5/6.
constexpr double length = 1.0;          // m
constexpr double area = 2.5477e-3;      // m2
constexpr double youngs_modulus = 1e9;  // N/m2
constexpr double poissons_ratio = 0.3;
constexpr double steel_density = 7850.0;  // kg/m3
constexpr double distance = 0.1;          // initial distance of the lower end from the wall, m

Section section() {
  const double side = std::sqrt(area);
  return Section::rectangle(side, side,
                            {.E = youngs_modulus, .nu = poissons_ratio, .density = steel_density});
}

/// The contact times of one end.
struct EndContacts {
  std::optional<double> first_closed, first_opened, last_closed;  ///< s

  void add(bool is_closed, double time) {
    if (is_closed && !first_closed) first_closed = time;
    if (!is_closed && first_closed && !first_opened) first_opened = time;
    if (is_closed) last_closed = time;
  }
  /// Duration of the first contact.
  std::optional<double> first_duration() const {
    if (!first_opened) return std::nullopt;
    return *first_opened - *first_closed;
  }
  void serialize(Archive& archive) {
    archive(first_closed, first_opened, last_closed);
    archive.require(first_closed.has_value() == last_closed.has_value() && (first_closed || !first_opened));
  }
};

/// Adds position and velocity of an end under its own name.
void add_end(Signals& signals, const RunInfo& run, const std::string& node, const std::string& end) {
  signals.push_back(position(run, node, Axis::x).named(end + ".x"));
  signals.push_back(position(run, node, Axis::y).named(end + ".y"));
  signals.push_back(velocity(run, node, Axis::x).named(end + ".vx"));
  signals.push_back(velocity(run, node, Axis::y).named(end + ".vy"));
  signals.push_back(gap(run, end));
  signals.push_back(normal_impulse(run, end));
  signals.push_back(friction_impulse(run, end));
  signals.push_back(contact_state(run, end));
}

}  // namespace

Model make_oblique_beam(const ObliqueBeam& parameters) {
  Model model("oblique-beam");
  const Vec3 lower_end(-distance, 0.0, 0.0);
  const Vec3 along(-std::cos(parameters.angle), std::sin(parameters.angle), 0.0);
  const BeamMesh beam = make_beam(model, {.name = "beam",
                                          .section = section(),
                                          .from = lower_end,
                                          .to = lower_end + length * along,
                                          .elements = static_cast<int>(parameters.elements),
                                          .velocity = parameters.speed * Vec3::UnitX()});
  for (const FrameNode& node : beam.nodes) model.restrict_to_plane(node);

  const Face wall{.normal = -Vec3::UnitX(), .tangent = Vec3::UnitY()};
  const auto add_contact = [&](const std::string& name, const FrameNode& end) {
    model.add<NodeToFaceContact>(
        {.name = name, .slave = end, .face = wall, .mu = parameters.mu, .friction_directions = 1});
  };
  add_contact("lower", beam.first());
  add_contact("upper", beam.last());
  return model;
}

Signals oblique_beam_signals(const RunInfo& run, const ObliqueBeam& parameters) {
  Signals signals;
  add_end(signals, run, "beam[0]", "lower");
  add_end(signals, run, "beam[" + std::to_string(parameters.elements) + "]", "upper");
  signals.push_back(energy(run));
  return signals;
}

Measures oblique_beam_measures(const RunInfo& run, const ObliqueBeam& parameters) {
  const auto& [angle, speed, mu, elements] = parameters;
  const ObliqueBeam standard;
  const bool is_published = angle == standard.angle && speed == standard.speed && mu == standard.mu;
  const auto published = [&](double value) { return is_published ? std::optional(value) : std::nullopt; };
  const std::string source = "thesis 4.2.5";
  Measures measures;
  const auto watch = [&](const char* contact) -> const EndContacts& {
    return measures.accumulate(EndContacts{}, [number = find_contact(run.system, contact).number](
                                                  const Snapshot& at, EndContacts& end) {
      end.add(is_closed(at.state, number), at.state.time);
    });
  };
  const EndContacts& lower = watch("lower");
  const EndContacts& upper = watch("upper");
  measures.add(
      "first contact of the lower end", "s", [&lower] { return lower.first_closed; }, distance / speed,
      "exact");
  measures.add(
      "it lasts", "s", [&lower] { return lower.first_duration(); }, published(5e-3), source);
  measures.add(
      "last contact of the lower end", "s", [&lower] { return lower.last_closed; }, published(0.0825),
      source);
  measures.add(
      "first contact of the upper end", "s", [&upper] { return upper.first_closed; }, published(0.5878),
      source);
  return measures;
}

RegisteredModel registered_oblique_beam() {
  using P = ObliqueBeam;
  auto table =
      ParameterTable<P>()
          .real("angle", &P::angle, Range::between(0, std::numbers::pi / 2.0), "rad",
                "angle of the beam with the horizontal at the start")
          .real("speed", &P::speed, Range::positive(), "m/s", "velocity at the start, towards the wall")
          .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction of both ends")
          .integer("elements", &P::elements, Range::between(1, 10000), "number of beam elements");
  return ModelParts<P>{
      .info =
          {.name = "oblique-beam",
           .summary =
               "An elastic beam hits a rigid wall obliquely. Its lower end stays on the wall while a wave "
               "runs "
               "to the other end and back, then it clatters on the wall, because the beam bends. The "
               "impulses turn the beam, and half a second later the upper end hits the wall.",
           .source = "thesis 4.2.5",
           .step = 1e-4,
           .until = 0.85,
           // Covers the repeated impacts; what follows the second one depends on the phase of a vibration.
           .convergence = {.quantities = {"lower.x", "upper.x"},
                           .steps = {4e-4, 2e-4, 1e-4, 8e-5, 4e-5, 2e-5},
                           .until = 0.2}},
      .parameters = table,
      .build = make_oblique_beam,
      .measures = oblique_beam_measures,
      .signals = oblique_beam_signals};
}

}  // namespace picus::models
