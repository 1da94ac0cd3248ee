#include <picus/elements/forces/add_gravity.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace picus::add_gravity_test {
namespace {

using support::message_of;

const Vec3 g(0, -10, 0);

std::vector<std::string> names_of(const std::vector<Handle<Gravity>>& elements) {
  std::vector<std::string> names;
  for (const auto& element : elements) names.push_back(element->name());
  return names;
}

TEST(AddGravity, OneElementKeepsTheName) {
  Model model;
  const auto frame = model.add_frame("frame");
  const auto point = model.add_point("point");
  const auto elements =
      add_gravity(model, {.name = "gravity", .acceleration = g, .bodies = {{frame, 2.0}, {point, 3.0}}});
  EXPECT_EQ(names_of(elements), std::vector<std::string>{"gravity"});
}

TEST(AddGravity, BodiesWithAnOffsetStandAlone) {
  Model model;
  std::vector<MassPoint> bodies;
  for (int i = 0; i < 6; ++i) {
    const auto frame = model.add_frame(fmt::format("frame {}", i));
    bodies.push_back({{frame, i % 2 == 0 ? Vec3(0.1, 0, 0) : Vec3(0, 0, 0)}, 1.0});
  }
  const auto elements = add_gravity(model, {.name = "g", .acceleration = g, .bodies = bodies});
  EXPECT_EQ(names_of(elements), (std::vector<std::string>{"g[0]", "g[1]", "g[2]", "g[3]"}));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(elements[i]->nodes().size(), 1u);
    EXPECT_TRUE(elements[i]->traits().depends_on_configuration);
  }
  EXPECT_EQ(elements[3]->nodes().size(), 3u);
  EXPECT_FALSE(elements[3]->traits().depends_on_configuration);
}

TEST(AddGravity, ServesTenThousandNodes) {
  Model model;
  std::vector<MassPoint> bodies;
  for (int i = 0; i < 10000; ++i) {
    const std::string name = fmt::format("node[{}]", i);
    if (i % 3 == 0) {
      bodies.push_back({model.add_frame(name), 2.0});
    } else {
      bodies.push_back({model.add_point(name), 1.0});
    }
  }
  const auto elements = add_gravity(model, {.name = "g", .acceleration = g, .bodies = bodies});
  // 40000 components, 96 per element.
  EXPECT_LE(elements.size(), 420u);
  const Vector v = Vector::Zero(model.velocity_count());
  double weight = 0;
  std::size_t nodes = 0;
  for (const auto& element : elements) {
    const Vector f = support::force(*element, model.initial_configuration(), v);
    weight += f.sum();
    nodes += element->nodes().size();
  }
  EXPECT_EQ(weight, -10.0 * (3334 * 2 + 6666));
  EXPECT_EQ(nodes, bodies.size());
}

TEST(AddGravity, NamesTheBodyAsItWasGiven) {
  Model model("m");
  std::vector<MassPoint> bodies;
  for (int i = 0; i < 40; ++i) bodies.push_back({model.add_frame(fmt::format("frame {}", i)), 1.0});
  const auto refusal = [&] {
    return message_of<ModelError>(
        [&] { add_gravity(model, {.name = "g", .acceleration = g, .bodies = bodies}); });
  };
  bodies[37].mass = -1.0;
  EXPECT_EQ(refusal(), "gravity \"g\": mass of bodies[37] is -1 kg, must be positive");
  EXPECT_TRUE(model.elements().empty()) << "a refused call adds nothing";
  bodies[37] = {FrameNode{}, 1.0};
  EXPECT_EQ(refusal(), "gravity \"g\": bodies[37] is not a node of model \"m\"");
  bodies.clear();
  EXPECT_EQ(refusal(), "gravity \"g\": bodies is empty, nothing has weight");
  bodies.push_back({model.add_point("p"), 1.0});
  EXPECT_EQ(message_of<ModelError>([&] { add_gravity(model, {.name = "g", .bodies = bodies}); }),
            "gravity \"g\": acceleration[0] is nan m/s2, must be a finite number");
}

}  // namespace
}  // namespace picus::add_gravity_test
