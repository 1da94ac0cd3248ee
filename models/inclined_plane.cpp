#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/models/convergence.hpp>
#include <picus/models/inclined_plane.hpp>
#include <picus/models/references/inclined_plane_exact.hpp>

#include <cmath>

namespace picus::models {
namespace {

Vec3 uphill(double slope) {
  return {std::cos(slope), std::sin(slope), 0.0};
}

Vec3 normal(double slope) {
  return {-std::sin(slope), std::cos(slope), 0.0};
}

/// When the block stops slipping, how far it came, and the impulses of a step.
class InclinedPlaneObserver : public Observer {
 public:
  explicit InclinedPlaneObserver(const InclinedPlane& parameters)
      : parameters_(parameters),
        exact_(parameters.speed, parameters.slope, parameters.mu, parameters.gravity) {}

  void begin(const RunInfo& run) override {
    block_ = run.system.model().find_node("block");
    plane_ = find_contact(run.system, "plane");
    step_ = run.integrator.step_size();
    has_friction_ = run.system.contacts()[plane_.number].rows > 1;
  }

  void record(const Snapshot& snapshot) override {
    const State& state = snapshot.state;
    time_ = state.time;
    distance_ = state.q.position(block_).dot(uphill(parameters_.slope));
    distance_error_.add(distance_, exact_.position(state.time));
    if (state.step == 0) return;
    normal_impulse_ = state.contact_impulse[plane_.row];
    const double tangential = has_friction_ ? state.contact_impulse[plane_.row + 1] : 0.0;
    if (state.contact_state[plane_.number] == ContactState::stick) {
      if (!slip_end_) slip_end_ = state.time;
      sticking_impulse_ = tangential;
    } else if (!slip_end_) {
      slipping_impulse_ = tangential;
    }
  }

  void serialize(Archive& archive) override {
    archive(time_, distance_, distance_error_, slip_end_, normal_impulse_, slipping_impulse_,
            sticking_impulse_);
  }

  std::vector<Finding> findings() const override {
    const std::string source = "exact";
    const double impulse = parameters_.mass * step_;
    std::optional<double> slip_end;
    if (exact_.sticks()) slip_end = exact_.slip_end();
    std::optional<double> sticking;
    if (exact_.sticks()) sticking = impulse * exact_.sticking_force();
    return {{"slip ends at", "s", slip_end_, slip_end, source + ", v_0 / (g (sin + mu cos))"},
            {"distance uphill at the end", "m", distance_, exact_.position(time_), source},
            {"L1 error of the distance", "", distance_error_.value(), 0.0, source},
            {"normal impulse of a step", "N s", normal_impulse_, impulse * exact_.normal_force(), source},
            {"uphill impulse, slipping", "N s", slipping_impulse_, impulse * exact_.slipping_force(), source},
            {"uphill impulse, sticking", "N s", sticking_impulse_, sticking, source}};
  }

 private:
  InclinedPlane parameters_;
  InclinedPlaneExact exact_;
  Node block_;
  ContactPlace plane_;
  bool has_friction_ = true;
  double step_ = 0.0;
  double time_ = 0.0;
  double distance_ = 0.0;
  L1Error distance_error_;
  std::optional<double> slip_end_;
  std::optional<double> normal_impulse_;
  std::optional<double> slipping_impulse_;
  std::optional<double> sticking_impulse_;
};

}  // namespace

Model make_inclined_plane(const InclinedPlane& parameters) {
  Model model("inclined-plane");
  const Vec3 along = uphill(parameters.slope);
  const PointNode node = model.add_point("block", {.velocity = parameters.speed * along});
  model.restrict_to_plane(node);
  const auto block = model.add<PointMass>({.name = "mass", .node = node, .mass = parameters.mass});
  model.add<Gravity>(
      {.name = "gravity", .acceleration = {0.0, -parameters.gravity, 0.0}, .bodies = {block->mass_point()}});
  model.add<NodeToFaceContact>({.name = "plane",
                                .slave = node,
                                .face = {.normal = normal(parameters.slope), .tangent = along},
                                .mu = parameters.mu,
                                .friction_directions = 1});
  return model;
}

std::unique_ptr<Observer> make_inclined_plane_observer(const InclinedPlane& parameters) {
  return std::make_unique<InclinedPlaneObserver>(parameters);
}

Signals inclined_plane_signals(const RunInfo& run, const InclinedPlane& parameters) {
  const InclinedPlaneExact exact(parameters.speed, parameters.slope, parameters.mu, parameters.gravity);
  const Node block = run.system.model().find_node("block");
  const Vec3 along = uphill(parameters.slope);
  return {{"block.s", "m", "distance of the block uphill",
           [block, along](const Snapshot& at) { return at.state.q.position(block).dot(along); },
           [exact](double t) { return exact.position(t); }},
          {"block.vs", "m/s", "velocity of the block uphill",
           [block, along](const Snapshot& at) { return at.state.v.segment<3>(block.v).dot(along); },
           [exact](double t) { return exact.velocity(t); }},
          normal_impulse(run, "plane"),
          friction_impulse(run, "plane"),
          contact_state(run, "plane")};
}

RegisteredModel registered_inclined_plane() {
  using P = InclinedPlane;
  auto table =
      ParameterTable<P>()
          .real("mass", &P::mass, Range::positive(), "kg", "mass of the block")
          .real("speed", &P::speed, {}, "m/s", "velocity at the start, uphill")
          .real("slope", &P::slope, Range::between(0, 1.5), "rad", "angle of the plane with the horizontal")
          .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction")
          .real("gravity", &P::gravity, Range::positive(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{
      .info =
          {.name = "inclined-plane",
           .summary =
               "A block kicked up an inclined plane slows down, stops and sticks. Where it stops, friction "
               "changes its sign: it no longer brakes, it holds. A scheme that imposes friction on the "
               "velocities alone lets the block creep downhill from there on.",
           .source = "thesis 4.2.1",
           .step = 1e-3,
           .until = 2.0,
           .convergence = {.quantities = {"block.s", "block.vs"},
                           .steps = {1e-2, 4e-3, 2e-3, 1e-3, 4e-4, 2e-4, 1e-4}}},
      .parameters = table,
      .build = make_inclined_plane,
      .make_observer = make_inclined_plane_observer,
      .signals = inclined_plane_signals};
}

}  // namespace picus::models
