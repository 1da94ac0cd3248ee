#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/models/crank_slider.hpp>
#include <picus/models/references/crank_slider_exact.hpp>

#include <cmath>
#include <numbers>

namespace picus::models {
namespace {

// Chen 2013, section 5.6. Lengths in m, masses in kg, moments of inertia about the centres in kg m2.
constexpr double crank_length = 0.153;     // l_1
constexpr double rod_length = 0.306;       // l_2
constexpr double slider_width = 0.05;      // 2a
constexpr double slider_length = 0.1;      // 2b
constexpr double guide_distance = 0.052;   // d
constexpr double crank_mass = 0.038;       // m_1
constexpr double rod_mass = 0.038;         // m_2
constexpr double slider_mass = 0.076;      // m_3
constexpr double crank_inertia = 7.4e-5;   // J_1
constexpr double rod_inertia = 5.9e-4;     // J_2
constexpr double slider_inertia = 2.7e-6;  // J_3
constexpr double crank_width = 0.0064;     // b_1, out of the plane
constexpr double rod_width = 0.0032;       // b_2, out of the plane
constexpr double beam_height = 0.005;      // d_1 = d_2, in the plane
const BeamMaterial steel{.E = 2.1e11, .nu = 0.3, .density = 7800.0};

const Vec3 out_of_plane = Vec3::UnitZ();
const Vec3 crank_pin(crank_length, 0.0, 0.0);
const Vec3 slider_pin(crank_length + rod_length, 0.0, 0.0);

/// So that the slider is at rest at the start.
double rod_speed(const CrankSlider& p) {
  return -p.crank_speed * crank_length / rod_length;
}

/// A crank or rod at the start, from one joint to the other along x.
struct Rod {
  std::string name;
  Vec3 from;
  double length;
  double spin;    ///< rad/s
  Vec3 velocity;  ///< of its first end, m/s
};

/// What joints need of it.
struct RodEnds {
  MaterialPoint first;
  MaterialPoint last;
  std::vector<MassPoint> weights;
};

RodEnds add_rigid(Model& model, const Rod& rod, double mass, double inertia) {
  const Vec3 half(0.5 * rod.length, 0.0, 0.0);
  const Vec3 spin = rod.spin * out_of_plane;
  const FrameNode node = model.add_frame(
      rod.name,
      {.position = rod.from + half, .velocity = rod.velocity + spin.cross(half), .angular_velocity = spin});
  model.restrict_to_plane(node);
  const auto body = model.add<RigidBody>(
      {.name = rod.name + "_body", .node = node, .mass = mass, .inertia = inertia::planar(inertia)});
  return {.first = {node, -half}, .last = {node, half}, .weights = {body->mass_point()}};
}

RodEnds add_beam(Model& model, const Rod& rod, double width, Index elements) {
  const BeamMesh beam = make_beam(model, {.name = rod.name,
                                          .section = Section::rectangle(width, beam_height, steel),
                                          .from = rod.from,
                                          .to = rod.from + Vec3(rod.length, 0.0, 0.0),
                                          .elements = static_cast<int>(elements),
                                          .velocity = rod.velocity,
                                          .angular_velocity = rod.spin * out_of_plane});
  for (const FrameNode& node : beam.nodes) model.restrict_to_plane(node);
  return {.first = beam.first(), .last = beam.last(), .weights = beam.mass_points()};
}

bool has_exact_motion(const CrankSlider& p) {
  return p.rods == CrankSlider::Rods::rigid && p.mu == 0.0;
}

CrankSliderExact exact_motion(const CrankSlider& p, double until) {
  return {{.crank_length = crank_length,
           .rod_length = rod_length,
           .crank_mass = crank_mass,
           .rod_mass = rod_mass,
           .slider_mass = slider_mass,
           .crank_inertia = crank_inertia,
           .rod_inertia = rod_inertia,
           .clearance = 0.5 * (guide_distance - slider_width),
           .restitution = p.restitution,
           .gravity = p.gravity,
           .crank_speed = p.crank_speed,
           .rod_speed = rod_speed(p)},
          until};
}

/// The body that the crank's angle is taken from: the crank, or its end at the pivot.
std::string crank_node(const CrankSlider& p) {
  return p.rods == CrankSlider::Rods::rigid ? "crank" : "crank[0]";
}

/// The angle of a planar frame without jumps, rad, seen at instants between which it turns by less than half a turn.
class UnwrappedAngle {
 public:
  explicit UnwrappedAngle(const Node& node) : node_(node) {}

  double operator()(const State& state) {
    const auto R = state.q.rotation(node_);
    angle_ += std::remainder(std::atan2(R(1, 0), R(0, 0)) - angle_, 2.0 * std::numbers::pi);
    return angle_;
  }

 private:
  Node node_;
  double angle_ = 0.0;
};

/// The first impact, and when the crank has turned twice.
class CrankSliderObserver : public Observer {
 public:
  explicit CrankSliderObserver(const CrankSlider& parameters) : parameters_(parameters) {}

  void begin(const RunInfo& run) override {
    crank_ = run.system.model().find_node(crank_node(parameters_));
    angle_.emplace(crank_);
    if (has_exact_motion(parameters_)) exact_.emplace(exact_motion(parameters_, run.until));
  }

  void record(const Snapshot& snapshot) override {
    const State& state = snapshot.state;
    const double angle = (*angle_)(state);
    bool is_closed = false;
    for (const ContactState contact : state.contact_state) is_closed |= contact != ContactState::gap;
    if (is_closed && !first_impact_) {
      first_impact_ = state.time;
      speed_at_impact_ = previous_speed_;
    }
    if (angle >= 4.0 * std::numbers::pi && !two_revolutions_) two_revolutions_ = state.time;
    previous_speed_ = state.v[crank_.v + 5];
  }

  std::vector<Finding> findings() const override {
    std::optional<double> first_impact;
    std::optional<double> speed;
    if (exact_ && !exact_->impacts().empty()) {
      first_impact = exact_->impacts().front().time;
      speed = exact_->crank_speed(*first_impact - 1e-9);
    }
    const std::string source = exact_ ? "minimal coordinates, event to event" : "";
    return {{"first impact at", "s", first_impact_, first_impact, source},
            {"crank speed before it", "rad/s", speed_at_impact_, speed, source},
            {"two revolutions of the crank after", "s", two_revolutions_, std::nullopt, ""}};
  }

 private:
  CrankSlider parameters_;
  std::optional<CrankSliderExact> exact_;
  Node crank_;
  std::optional<UnwrappedAngle> angle_;
  double previous_speed_ = 0.0;
  std::optional<double> first_impact_;
  std::optional<double> speed_at_impact_;
  std::optional<double> two_revolutions_;
};

}  // namespace

Model make_crank_slider(const CrankSlider& parameters) {
  Model model("crank-slider");
  const Rod crank{.name = "crank",
                  .from = Vec3::Zero(),
                  .length = crank_length,
                  .spin = parameters.crank_speed,
                  .velocity = Vec3::Zero()};
  const Rod rod{.name = "rod",
                .from = crank_pin,
                .length = rod_length,
                .spin = rod_speed(parameters),
                .velocity = parameters.crank_speed * out_of_plane.cross(crank_pin)};
  const bool is_rigid = parameters.rods == CrankSlider::Rods::rigid;
  const RodEnds crank_ends = is_rigid ? add_rigid(model, crank, crank_mass, crank_inertia)
                                      : add_beam(model, crank, crank_width, parameters.elements);
  const RodEnds rod_ends = is_rigid ? add_rigid(model, rod, rod_mass, rod_inertia)
                                    : add_beam(model, rod, rod_width, parameters.elements);

  const FrameNode slider = model.add_frame("slider", {.position = slider_pin});
  model.restrict_to_plane(slider);
  const auto slider_body = model.add<RigidBody>({.name = "slider_body",
                                                 .node = slider,
                                                 .mass = slider_mass,
                                                 .inertia = inertia::planar(slider_inertia)});

  std::vector<MassPoint> weights = crank_ends.weights;
  weights.insert(weights.end(), rod_ends.weights.begin(), rod_ends.weights.end());
  weights.push_back(slider_body->mass_point());
  add_gravity(model, {.name = "gravity", .acceleration = {0.0, -parameters.gravity, 0.0}, .bodies = weights});

  const auto add_hinge = [&](const std::string& name, const MaterialPoint& a, const MaterialPoint& b) {
    model.add<Hinge>({.name = name, .a = a, .b = b, .axis = out_of_plane});
  };
  add_hinge("crank_pivot", MaterialPoint::on_ground(Vec3::Zero()), crank_ends.first);
  add_hinge("crank_pin", crank_ends.last, rod_ends.first);
  add_hinge("slider_pin", rod_ends.last, slider);

  // Each corner with the guide on its side.
  const auto add_corner = [&](const std::string& name, double along, double side) {
    model.add<NodeToFaceContact>(
        {.name = name,
         .slave = {slider, Vec3(0.5 * along * slider_length, 0.5 * side * slider_width, 0.0)},
         .face = {.point = {0.0, 0.5 * side * guide_distance, 0.0}, .normal = -side * Vec3::UnitY()},
         .mu = parameters.mu,
         .e_n = parameters.restitution,
         .friction_directions = 1});
  };
  add_corner("lower_left", -1.0, -1.0);
  add_corner("lower_right", 1.0, -1.0);
  add_corner("upper_right", 1.0, 1.0);
  add_corner("upper_left", -1.0, 1.0);
  return model;
}

std::unique_ptr<Observer> make_crank_slider_observer(const CrankSlider& parameters) {
  return std::make_unique<CrankSliderObserver>(parameters);
}

Signals crank_slider_signals(const RunInfo& run, const CrankSlider& parameters) {
  const Node crank = run.system.model().find_node(crank_node(parameters));
  const auto angle = std::make_shared<UnwrappedAngle>(crank);
  Signals signals = {{"crank.turns", "", "revolutions of the crank",
                      [angle](const Snapshot& at) { return (*angle)(at.state) / (2.0 * std::numbers::pi); }},
                     {"crank.speed", "rad/s", "angular velocity of the crank at its pivot",
                      [crank](const Snapshot& at) { return at.state.v[crank.v + 5]; }},
                     position(run, "slider", Axis::x),
                     position(run, "slider", Axis::y),
                     velocity(run, "slider", Axis::y),
                     planar_angle(run, "slider"),
                     energy(run),
                     violation(run)};
  for (const char* corner : {"lower_left", "lower_right", "upper_right", "upper_left"}) {
    signals.push_back(gap(run, corner));
    signals.push_back(normal_impulse(run, corner));
  }
  if (!has_exact_motion(parameters)) return signals;

  const auto exact = std::make_shared<const CrankSliderExact>(
      exact_motion(parameters, run.until + run.integrator.step_size()));
  signals[0].exact = [exact](double t) { return exact->crank_angle(t) / (2.0 * std::numbers::pi); };
  signals[1].exact = [exact](double t) { return exact->crank_speed(t); };
  signals[2].exact = [exact](double t) { return exact->slider_x(t); };
  signals[3].exact = [exact](double t) { return exact->slider_y(t); };
  signals[4].exact = [exact](double t) { return exact->slider_vy(t); };
  signals[6].exact = [exact](double t) { return exact->energy(t); };
  return signals;
}

RegisteredModel registered_crank_slider() {
  using P = CrankSlider;
  auto table = ParameterTable<P>()
                   .choice("rods", &P::rods, {{"rigid", P::Rods::rigid}, {"flexible", P::Rods::flexible}},
                           "crank and rod are rigid bodies or beams")
                   .integer("elements", &P::elements, {.low = 1}, "beam elements of crank and rod each")
                   .real("restitution", &P::restitution, Range::between(0, 1), "", "at the slider's corners")
                   .real("mu", &P::mu, Range::not_negative(), "", "friction at the slider's corners")
                   .real("gravity", &P::gravity, Range::not_negative(), "m/s2", "acceleration of gravity")
                   .real("crank_speed", &P::crank_speed, {}, "rad/s", "of the crank at the start");
  return ModelParts<P>{
      .info = {.name = "crank-slider",
               .summary =
                   "A slider with clearance rattles between its guides while a crank turns twice. Its four "
                   "corners "
                   "hit, bounce, stay on the guides and leave them; crank and rod are rigid or flexible.",
               .source = "Chen 2013, section 5.6",
               .step = 1e-4,
               .until = 0.15,
               .convergence = {.quantities = {"crank.speed", "slider.x", "slider.y"},
                               .steps = {1e-4, 7e-5, 5e-5, 3e-5, 2e-5, 1e-5, 7e-6, 5e-6, 3e-6, 2e-6, 1e-6}}},
      .parameters = table,
      .build = make_crank_slider,
      .make_observer = make_crank_slider_observer,
      .signals = crank_slider_signals};
}

}  // namespace picus::models
