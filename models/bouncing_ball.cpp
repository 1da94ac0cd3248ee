#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/models/bouncing_ball.hpp>
#include <picus/models/convergence.hpp>
#include <picus/models/references/bouncing_ball_exact.hpp>

namespace picus::models {
namespace {

/// Compares height and velocity with the exact ones, step by step.
class BouncingBallObserver : public Observer {
 public:
  explicit BouncingBallObserver(const BouncingBall& parameters)
      : exact_(parameters.height, parameters.restitution, parameters.gravity) {}

  void begin(const RunInfo& run) override { ball_ = run.system.model().find_node("ball"); }

  void record(const Snapshot& snapshot) override {
    const State& state = snapshot.state;
    const double height = state.q.position(ball_).y();
    last_height_ = height;
    last_time_ = state.time;
    position_error_.add(height, exact_.position(state.time));
    velocity_error_.add(state.v[ball_.v + 1], exact_.velocity(state.time));
    if (state.contact_state[0] == ContactState::gap) last_open_ = state.time;
  }

  void serialize(Archive& archive) override {
    archive(position_error_, velocity_error_, last_open_, last_time_, last_height_);
  }

  std::vector<Finding> findings() const override {
    const std::string source = "exact, Chen 2013, appendix A";
    std::optional<double> rest;  // the last instant off the floor, if the ball stays on it afterwards
    if (last_open_ < last_time_) rest = last_open_;
    std::optional<double> resting_height;
    if (last_time_ >= exact_.accumulation_time()) resting_height = last_height_;
    return {{"L1 error of the height", "", position_error_.value(), 0.0, source},
            {"L1 error of the velocity", "", velocity_error_.value(), 0.0, source},
            {"at rest from", "s", rest, exact_.accumulation_time(), source},
            {"height at the end", "m", resting_height, 0.0, source}};
  }

 private:
  BouncingBallExact exact_;
  Node ball_;
  L1Error position_error_;
  L1Error velocity_error_;
  double last_open_ = 0.0;
  double last_time_ = 0.0;
  double last_height_ = 0.0;
};

}  // namespace

Model make_bouncing_ball(const BouncingBall& parameters) {
  Model model("bouncing-ball");
  const PointNode node = model.add_point("ball", {.position = {0.0, parameters.height, 0.0}});
  const auto ball = model.add<PointMass>({.name = "mass", .node = node, .mass = parameters.mass});
  model.add<Gravity>(
      {.name = "gravity", .acceleration = {0.0, -parameters.gravity, 0.0}, .bodies = {ball->mass_point()}});
  model.add<NodeToFaceContact>(
      {.name = "floor", .slave = node, .face = {.normal = Vec3::UnitY()}, .e_n = parameters.restitution});
  return model;
}

std::unique_ptr<Observer> make_bouncing_ball_observer(const BouncingBall& parameters) {
  return std::make_unique<BouncingBallObserver>(parameters);
}

Signals bouncing_ball_signals(const RunInfo& run, const BouncingBall& parameters) {
  const BouncingBallExact exact(parameters.height, parameters.restitution, parameters.gravity);
  return {position(run, "ball", Axis::y).against([exact](double t) { return exact.position(t); }),
          velocity(run, "ball", Axis::y).against([exact](double t) { return exact.velocity(t); }),
          normal_impulse(run, "floor"), energy(run)};
}

RegisteredModel registered_bouncing_ball() {
  using P = BouncingBall;
  auto table = ParameterTable<P>()
                   .real("mass", &P::mass, Range::positive(), "kg", "mass of the ball")
                   .real("height", &P::height, Range::positive(), "m",
                         "height of the ball over the floor at the start")
                   .real("restitution", &P::restitution, Range::between(0, 1), "",
                         "velocity after an impact over that before")
                   .real("gravity", &P::gravity, Range::positive(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{
      .info =
          {.name = "bouncing-ball",
           .summary =
               "A ball falls on a rigid floor and bounces until it rests. Infinitely many impacts happen in "
               "a "
               "finite time, 3.64 s with the default parameters, so that no scheme can stop at each of them. "
               "The exact solution is known, through that point and beyond.",
           .source = "thesis 2.4; Chen 2013, appendix A",
           .step = 1e-3,
           .until = 4.0,
           .convergence = {.quantities = {"ball.y", "ball.vy"},
                           .steps = {1e-2, 4e-3, 2e-3, 1e-3, 4e-4, 2e-4, 1e-4}}},
      .parameters = table,
      .build = make_bouncing_ball,
      .make_observer = make_bouncing_ball_observer,
      .signals = bouncing_ball_signals};
}

}  // namespace picus::models
