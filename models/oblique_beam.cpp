#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/models/oblique_beam.hpp>

#include <cmath>

namespace picus::models {
namespace {

// Thesis, section 4.2.5. Area and second moment of area are those of a square (I = A^2/12), whose shear
// correction is 5/6.
constexpr double length = 1.0;          // m
constexpr double area = 2.5477e-3;      // m2
constexpr double youngs_modulus = 1e9;  // N/m2
constexpr double poissons_ratio = 0.3;
constexpr double steel_density = 7850.0;  // kg/m3
constexpr double distance = 0.1;          // of the lower end from the wall at the start, m

Section section() {
  const double side = std::sqrt(area);
  return Section::rectangle(side, side,
                            {.E = youngs_modulus, .nu = poissons_ratio, .density = steel_density});
}

/// When an end is on the wall.
class EndMeter {
 public:
  explicit EndMeter(std::string contact) : contact_(std::move(contact)) {}

  void begin(const RunInfo& run) { number_ = find_contact(run.system, contact_).number; }

  void record(const State& state) {
    const bool is_closed = state.contact_state[number_] != ContactState::gap;
    if (is_closed && !first_closed_) first_closed_ = state.time;
    if (!is_closed && first_closed_ && !first_opened_) first_opened_ = state.time;
    if (is_closed) last_closed_ = state.time;
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(first_closed_, first_opened_, last_closed_);
  }

  std::optional<double> first_closed() const { return first_closed_; }
  std::optional<double> last_closed() const { return last_closed_; }
  /// How long the first contact lasts.
  std::optional<double> first_duration() const {
    if (!first_opened_) return std::nullopt;
    return *first_opened_ - *first_closed_;
  }

 private:
  std::string contact_;
  std::size_t number_ = 0;
  std::optional<double> first_closed_;
  std::optional<double> first_opened_;
  std::optional<double> last_closed_;
};

class ObliqueBeamObserver : public Observer {
 public:
  explicit ObliqueBeamObserver(const ObliqueBeam& parameters) : parameters_(parameters) {}

  void begin(const RunInfo& run) override {
    lower_.begin(run);
    upper_.begin(run);
  }

  void record(const Snapshot& snapshot) override {
    lower_.record(snapshot.state);
    upper_.record(snapshot.state);
  }

  void serialize(Archive& archive) override { archive(lower_, upper_); }

  std::vector<Finding> findings() const override {
    const auto& [angle, speed, mu, elements] = parameters_;
    const ObliqueBeam standard;
    const bool is_published = angle == standard.angle && speed == standard.speed && mu == standard.mu;
    const auto published = [&](double value) { return is_published ? std::optional(value) : std::nullopt; };
    const std::string source = "thesis 4.2.5";
    return {{"first contact of the lower end", "s", lower_.first_closed(), distance / speed, "exact"},
            {"it lasts", "s", lower_.first_duration(), published(5e-3), source},
            {"last contact of the lower end", "s", lower_.last_closed(), published(0.0825), source},
            {"first contact of the upper end", "s", upper_.first_closed(), published(0.5878), source}};
  }

 private:
  ObliqueBeam parameters_;
  EndMeter lower_{"lower"};
  EndMeter upper_{"upper"};
};

/// Position and velocity of an end, under its own name.
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

std::unique_ptr<Observer> make_oblique_beam_observer(const ObliqueBeam& parameters) {
  return std::make_unique<ObliqueBeamObserver>(parameters);
}

Signals oblique_beam_signals(const RunInfo& run, const ObliqueBeam& parameters) {
  Signals signals;
  add_end(signals, run, "beam[0]", "lower");
  add_end(signals, run, "beam[" + std::to_string(parameters.elements) + "]", "upper");
  signals.push_back(energy(run));
  return signals;
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
           // The clatter; what follows the second impact depends on the phase of a vibration.
           .convergence = {.quantities = {"lower.x", "upper.x"},
                           .steps = {4e-4, 2e-4, 1e-4, 8e-5, 4e-5, 2e-5},
                           .until = 0.2}},
      .parameters = table,
      .build = make_oblique_beam,
      .make_observer = make_oblique_beam_observer,
      .signals = oblique_beam_signals};
}

}  // namespace picus::models
