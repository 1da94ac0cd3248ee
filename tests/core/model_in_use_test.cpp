#include <picus/simulate.hpp>
#include <picus/step_callback.hpp>
#include <support/flying_model.hpp>
#include <support/free_flight.hpp>
#include <support/message.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace picus::support {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr auto model_in_use =
    ": model \"flight\" is in use by a run or a System, and does not change until that has ended";

template <class Action>
std::string refusal(Action&& action) {
  return message_of<ModelError>(std::forward<Action>(action));
}

/// All that changes a model.
std::vector<std::function<void()>> changes(Model& model) {
  const PointNode ball{model.find_node("ball")};
  const ScalarNode angle{model.find_node("angle")};
  return {[&model] { model.add_frame("f"); },
          [&model] { model.add_point("p"); },
          [&model] { model.add_scalar("s"); },
          [&model, ball] { model.fix(ball, {Component::y}); },
          [&model, ball] { model.fix(ball); },
          [&model, ball] { model.restrict_to_plane(ball); },
          [&model, angle] { model.drive(angle, Component::s, PrescribedMotion::constant_speed(1)); },
          [&model, ball] { model.add<PointMass>({.name = "more", .node = ball}); },
          [&model] { model.note_parameter("a", "b"); },
          [&model] {
            model.add_sensor({.name = "one",
                              .quantities = {{"one", {}, "", ""}},
                              .read = [](const Reading&, std::span<double> values) { values[0] = 1; }});
          }};
}

TEST(ModelInUse, IsChangedNeitherWhileASystemLivesNorThroughACopyOfIt) {
  Model model = make_flying_model();
  auto system = std::make_unique<System>(model);
  const auto copy = std::make_unique<System>(*system);
  system.reset();
  for (const auto& change : changes(model)) EXPECT_THAT(refusal(change), EndsWith(model_in_use));
  EXPECT_EQ(refusal([&] { model.add_point("p"); }), std::string("node \"p\" cannot be added") + model_in_use);
  EXPECT_EQ(refusal([&] { model.fix(model.find_node("ball")); }),
            std::string("node \"ball\" cannot be fixed or driven") + model_in_use);
  EXPECT_EQ(model.nodes().size(), 3U);
  EXPECT_TRUE(model.sensors().empty());
}

TEST(ModelInUse, IsNotChangedByACallbackOrASensor) {
  for (std::size_t i = 0; i < changes(*std::make_unique<Model>(make_flying_model())).size(); ++i) {
    Model model = make_flying_model();
    FreeFlight flight({.step = 0.1});
    StepCallback callback([&](const Snapshot& at) {
      if (at.state.step == 2) changes(model)[i]();
    });
    EXPECT_THAT(refusal([&] { simulate(model, flight, {.until = 1.0}, {&callback}); }),
                EndsWith(model_in_use))
        << i;
    EXPECT_EQ(model.nodes().size(), 3U);
  }
}

TEST(ModelInUse, IsNotChangedByItsOwnForce) {
  /// A force that would add a node.
  class Intruder : public Element, public Force {
   public:
    struct Parameters {
      std::string name;
      PointNode node;
      Model* model;
    };
    Intruder(const Parameters& p, const Model&) : Element(p.name, {p.node}), model_(p.model) {}
    Traits traits() const override { return {}; }
    void force(const Motion& motion, std::span<double>) const override {
      if (motion.t > 0.15) model_->add_point("late");
    }
    void tangents(const Motion&, std::span<double>, std::span<double>) const override {}

   private:
    Model* model_;
  };
  Model model = make_flying_model();
  model.add<Intruder>({.name = "intruder", .node = PointNode{model.find_node("ball")}, .model = &model});
  FreeFlight flight({.step = 0.1});
  EXPECT_EQ(refusal([&] { simulate(model, flight, {.until = 1.0}); }),
            std::string("node \"late\" cannot be added") + model_in_use);
}

TEST(ModelInUse, MayGrowBetweenTwoRuns) {
  Model model = make_flying_model();
  FreeFlight flight({.step = 0.1});
  const State before = simulate(model, flight, {.until = 0.2}).final_state;
  for (const std::size_t change : {0U, 1U, 2U, 7U, 9U}) changes(model)[change]();
  const State after = simulate(model, flight, {.until = 0.2}).final_state;
  EXPECT_EQ(after.v.size(), before.v.size() + 10);
  EXPECT_THAT(refusal([&] { before.q.position(model.find_node("p")); }),
              HasSubstr("the configuration is of fewer nodes (was it taken before the node was added?)"));
  EXPECT_EQ(after.q.position(model.find_node("ball")), before.q.position(model.find_node("ball")));
}

TEST(ModelInUse, IsNotMoved) {
  Model model = make_flying_model();
  {
    const System system(model);
    EXPECT_EQ(refusal([&] { const Model moved(std::move(model)); }),
              std::string("it cannot be moved") + model_in_use);
    EXPECT_EQ(refusal([&] { model = Model("other"); }), std::string("it cannot be replaced") + model_in_use);
    Model other("other");
    EXPECT_EQ(refusal([&] { other = std::move(model); }), std::string("it cannot be moved") + model_in_use);
    EXPECT_EQ(model.nodes().size(), 3U);
    EXPECT_EQ(model.name(), "flight");
  }
  const Model moved(std::move(model));
  EXPECT_EQ(moved.nodes().size(), 3U);
}

TEST(ModelIdentity, GoesAlongWhenAModelIsMoved) {
  Model model("first");
  const PointNode node = model.add_point("p", {.position = {1, 2, 3}});
  const std::uint32_t number = model.number();
  Model moved(std::move(model));
  EXPECT_EQ(moved.number(), number);
  EXPECT_EQ(moved.name(), "first");
  EXPECT_EQ(moved.initial_configuration().position(node), Vec3(1, 2, 3));
  moved.add<PointMass>({.name = "mass", .node = node});

  // The moved-from model is a different, empty model with nodes of its own.
  EXPECT_NE(model.number(), number);  // NOLINT: what a moved model is, is the test
  const PointNode other = model.add_point("p", {.position = {4, 5, 6}});
  EXPECT_EQ(model.initial_configuration().position(other), Vec3(4, 5, 6));
  EXPECT_THAT(refusal([&] { model.fix(node); }), HasSubstr("is not a node of model \"first\""));
  EXPECT_THAT(refusal([&] { moved.fix(other); }), HasSubstr("is not a node of model \"first\""));

  model = std::move(moved);
  EXPECT_EQ(model.number(), number);
  EXPECT_EQ(model.node_name(node), "p");
}

/// Two models that differ only in identity.
class ForeignNode : public testing::Test {
 protected:
  Model mine = make_flying_model(), theirs = make_flying_model();
  FrameNode frame{theirs.find_node("spinner")};
  PointNode point{theirs.find_node("ball")};
  ScalarNode scalar{theirs.find_node("angle")};
};

TEST_F(ForeignNode, IsNoNodeOfAnEqualModel) {
  EXPECT_NE(mine.number(), theirs.number());
  EXPECT_EQ(refusal([&] { mine.fix(point); }), "a fixation: its node is not a node of model \"flight\"");
  EXPECT_EQ(refusal([&] { mine.drive(scalar, Component::s, PrescribedMotion::constant_speed(1)); }),
            "a fixation: its node is not a node of model \"flight\"");
  EXPECT_THAT(refusal([&] { mine.add<PointMass>({.name = "more", .node = point}); }),
              EndsWith("is not a node of model \"flight\""));
  EXPECT_EQ(refusal([&] { mine.node_name(point); }),
            "the name of a node: it is not a node of model \"flight\"");
  EXPECT_EQ(theirs.node_name(point), "ball");
}

TEST_F(ForeignNode, IsNotFoundInAConfiguration) {
  Configuration q = mine.initial_configuration();
  const auto foreign = EndsWith("the node is of another model than the configuration");
  EXPECT_THAT(refusal([&] { q.position(point) = Vec3::Zero(); }), foreign);
  EXPECT_THAT(refusal([&] { q.rotation(frame) = Mat3::Identity(); }), foreign);
  EXPECT_THAT(refusal([&] { q.value(scalar) = 1; }), foreign);
  const Configuration& read = q;
  EXPECT_EQ(refusal([&] { read.position(point); }),
            "position of node 1: the node is of another model than the configuration");
  EXPECT_THAT(refusal([&] { read.rotation(frame); }), foreign);
  EXPECT_THAT(refusal([&] { read.value(scalar); }), foreign);
  const Vector v = Vector::Zero(mine.velocity_count());
  EXPECT_THAT(refusal([&] { MaterialPoint(point).position(read); }), foreign);
  EXPECT_THAT(refusal([&] { MaterialPoint(point).velocity(read, v); }), foreign);
  EXPECT_THAT(refusal([&] { MaterialPoint(frame, {1, 0, 0}).acceleration(read, v, v); }), foreign);
  EXPECT_EQ(q, theirs.initial_configuration());  // equal entries, nothing written
}

TEST_F(ForeignNode, NorIsOneOfAnotherKindOrOfNoModel) {
  Configuration q = theirs.initial_configuration();
  EXPECT_EQ(refusal([&] { q.rotation(point); }), "node 1 is a point, which has no rotation");
  EXPECT_EQ(refusal([&] { q.value(frame); }), "node 0 is a frame, which has no value");
  EXPECT_EQ(refusal([&] { q.position(scalar); }), "node 2 is a scalar, which has no position");
  EXPECT_EQ(refusal([&] { q.position(PointNode{}); }), "position of a node that no model has made");
  EXPECT_EQ(refusal([&] { q.value(ScalarNode{}); }), "value of a node that no model has made");
}

TEST_F(ForeignNode, MayBeAskedOfEntriesThatBelongToNoModelWithinTheirBounds) {
  const std::span<const double> entries = mine.initial_configuration().data();
  const Configuration whole(std::vector<double>(entries.begin(), entries.end()));
  EXPECT_EQ(whole.position(point), mine.initial_configuration().position(mine.find_node("ball")));
  const Configuration part(std::vector<double>(entries.begin(), entries.begin() + point.q + 2));
  EXPECT_THAT(refusal([&] { part.position(point); }),
              StartsWith("position of node 1: the configuration is of fewer"));
  EXPECT_EQ(part.rotation(frame), mine.initial_configuration().rotation(mine.find_node("spinner")));
}

}  // namespace
}  // namespace picus::support
