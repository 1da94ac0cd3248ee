#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/elements/forces/spring_damper.hpp>
#include <picus/models/belt.hpp>
#include <picus/models/convergence.hpp>
#include <picus/models/references/belt_exact.hpp>

#include <cmath>

namespace picus::models {
namespace {

/// When the stages of the motion begin, and the errors of the whole.
class BeltObserver : public Observer {
 public:
  explicit BeltObserver(const Belt& parameters) : parameters_(parameters) {}

  void begin(const RunInfo& run) override {
    block_ = run.system.model().find_node("block");
    contact_ = find_contact(run.system, "contact");
    exact_ = std::make_unique<BeltExact>(parameters_, run.until, run.stop_request);
  }

  void record(const Snapshot& snapshot) override {
    const State& state = snapshot.state;
    const double x = state.q.position(block_).x();
    const double vx = state.v[block_.v];
    position_error_.add(x, exact_->x(state.time));
    velocity_error_.add(vx, exact_->vx(state.time));
    const ContactState contact = state.contact_state[contact_.number];
    if (contact == ContactState::gap) {
      last_flight_ = state.time;
      first_slip_.reset();
    }
    if (!first_slip_) watch_stick(contact, vx, state.time);
    last_time_ = state.time;
  }

  void serialize(Archive& archive) override {
    archive(last_flight_, last_time_, stick_steps_, first_slip_, largest_slip_rate_, position_error_,
            velocity_error_);
  }

  std::vector<Finding> findings() const override {
    const std::string source = "event-driven solution";
    const auto known = [](double time) { return std::isfinite(time) ? std::optional(time) : std::nullopt; };
    std::optional<double> bouncing_end;
    if (last_flight_ < last_time_) bouncing_end = last_flight_;
    return {
        {"bouncing ends at", "s", bouncing_end, known(exact_->bouncing_end()), source},
        {"slip begins at", "s", first_slip_, known(exact_->first_slip()), source},
        {"largest difference to the belt's velocity while sticking", "m/s", largest_slip_rate_, 0.0, source},
        {"L1 error of x", "", position_error_.value(), 0.0, source},
        {"L1 error of the velocity along x", "", velocity_error_.value(), 0.0, source}};
  }

 private:
  /// A step of slip may still be among the last bounces: only a slip after a stick that lasts is the end of it.
  void watch_stick(ContactState contact, double vx, double time) {
    constexpr int lasting = 10;  // steps
    if (contact == ContactState::stick) {
      ++stick_steps_;
      largest_slip_rate_ = std::fmax(largest_slip_rate_, std::abs(vx - parameters_.speed));
      return;
    }
    if (contact == ContactState::slip && stick_steps_ >= lasting) {
      first_slip_ = time;
    } else {
      largest_slip_rate_ = 0.0;
    }
    stick_steps_ = 0;
  }

  Belt parameters_;
  std::unique_ptr<BeltExact> exact_;
  Node block_;
  ContactPlace contact_;
  double last_flight_ = 0.0;
  double last_time_ = 0.0;
  int stick_steps_ = 0;
  std::optional<double> first_slip_;  ///< after the last flight
  double largest_slip_rate_ = 0.0;
  L1Error position_error_;
  L1Error velocity_error_;
};

}  // namespace

Model make_belt(const Belt& parameters) {
  Model model("belt");
  const PointNode anchor = model.add_point("anchor");
  model.fix(anchor);
  const FrameNode belt = model.add_frame("belt");
  model.fix(belt, {Component::y, Component::z, Component::rx, Component::ry, Component::rz});
  model.drive(belt, Component::x, PrescribedMotion::constant_speed(parameters.speed));
  const PointNode node =
      model.add_point("block", {.position = {parameters.length * std::cos(parameters.angle),
                                             parameters.length * std::sin(parameters.angle), 0.0}});
  model.restrict_to_plane(node);

  const auto block = model.add<PointMass>({.name = "mass", .node = node, .mass = parameters.mass});
  model.add<Gravity>(
      {.name = "gravity", .acceleration = {0.0, -parameters.gravity, 0.0}, .bodies = {block->mass_point()}});
  model.add<SpringDamper>({.name = "spring",
                           .a = anchor,
                           .b = node,
                           .stiffness = parameters.stiffness,
                           .free_length = parameters.length});
  model.add<NodeToFaceContact>({.name = "contact",
                                .slave = node,
                                .face = {.node = belt, .normal = Vec3::UnitY()},
                                .mu = parameters.mu,
                                .e_n = parameters.restitution,
                                .friction_directions = 1});
  return model;
}

std::unique_ptr<Observer> make_belt_observer(const Belt& parameters) {
  return std::make_unique<BeltObserver>(parameters);
}

Signals belt_signals(const RunInfo& run, const Belt& parameters) {
  const auto exact = std::make_shared<const BeltExact>(parameters, run.until, run.stop_request);
  return {position(run, "block", Axis::x).against([exact](double t) { return exact->x(t); }),
          velocity(run, "block", Axis::x).against([exact](double t) { return exact->vx(t); }),
          position(run, "block", Axis::y).against([exact](double t) { return exact->y(t); }),
          velocity(run, "block", Axis::y).against([exact](double t) { return exact->vy(t); }),
          normal_force(run, "contact"),
          friction_force(run, "contact"),
          slip_rate(run, "contact"),
          contact_state(run, "contact"),
          energy(run)};
}

RegisteredModel registered_belt() {
  using P = Belt;
  auto table = ParameterTable<P>()
                   .real("mass", &P::mass, Range::positive(), "kg", "mass of the block")
                   .real("stiffness", &P::stiffness, Range::positive(), "N/m", "stiffness of the spring")
                   .real("length", &P::length, Range::positive(), "m", "length of the unloaded spring")
                   .real("angle", &P::angle, {.low = 0.0, .high = 1.5, .low_included = false}, "rad",
                         "angle of the spring with the belt at the start")
                   .real("speed", &P::speed, Range::positive(), "m/s", "speed of the belt")
                   .real("mu", &P::mu, Range::positive(), "", "coefficient of friction")
                   .real("restitution", &P::restitution, {.low = 0.0, .high = 0.99}, "", "normal restitution")
                   .real("gravity", &P::gravity, Range::positive(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{
      .info = {.name = "belt",
               .summary =
                   "A block on a spring falls on a running belt, is carried along, and slips back. It "
                   "bounces until it "
                   "stays on the belt, and slips once the spring pulls more than friction can hold, in a "
                   "limit cycle "
                   "that touches the velocity of the belt once a turn. An event-driven solution is known.",
               .source = "thesis 4.2.3",
               .step = 1e-3,
               .until = 3.0,
               .convergence = {.quantities = {"block.x", "block.vx", "block.y", "block.vy"},
                               .steps = {4e-3, 2e-3, 1e-3, 4e-4, 2e-4, 1e-4}}},
      .parameters = table,
      .build = make_belt,
      .make_observer = make_belt_observer,
      .signals = belt_signals};
}

}  // namespace picus::models
