// Sensors that a model refuses.

#include <picus/sensors.hpp>
#include <support/flying_model.hpp>
#include <support/message.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace picus::support::sensor_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A bar between two points that provides the position of any of its points, xi[0] in [0, 1].
class Bar : public Element, public Continuum {
 public:
  struct Parameters {
    std::string name;
    PointNode a, b;
  };
  Bar(const Parameters& p, const Model&) : Element(p.name, {p.a, p.b}), p_(p) {}
  std::vector<Quantity> point_quantities() const override { return {{"place", {3}, "m"}}; }
  bool contains(const Vec3& xi) const override { return xi[0] >= 0 && xi[0] <= 1; }
  void observe_point(const Vec3& xi, const Motion& motion, std::span<double> values) const override {
    vector_view<3>(values) = (1 - xi[0]) * motion.q.position(p_.a) + xi[0] * motion.q.position(p_.b);
  }

 private:
  Parameters p_;
};

class Sensors : public testing::Test {
 protected:
  std::string refusal(const Sensor& sensor) {
    return message_of<ModelError>([&] { model.add_sensor(sensor); });
  }
  /// A valid sensor.
  static Sensor clock() {
    return {.name = "clock",
            .quantities = {{"reading", {}, "s"}},
            .read = [](const Reading& at, std::span<double> values) { values[0] = at.state.time; }};
  }

  Model model = make_flying_model();
  FrameNode spinner{model.find_node("spinner")};
  PointNode ball{model.find_node("ball")};
  ScalarNode angle{model.find_node("angle")};
};

TEST_F(Sensors, AreKeptInOrder) {
  model.add_sensor(clock());
  model.add_sensor(sensors::point({.name = "ball", .interval = 0.5, .point = ball}));
  ASSERT_EQ(model.sensors().size(), 2U);
  EXPECT_EQ(model.sensors()[0].name, "clock");
  EXPECT_EQ(model.sensors()[1].interval, 0.5);
}

TEST_F(Sensors, NeedANameOfTheirOwn) {
  model.add_sensor(clock());
  EXPECT_EQ(refusal(clock()), "there is a sensor \"clock\" already; names of sensors are unique");
  Sensor other = clock();
  other.name = "a/b";
  EXPECT_EQ(refusal(other), "sensor name \"a/b\" contains '/', which separates groups in result files");
  other.name = "";
  EXPECT_EQ(refusal(other), "a sensor needs a name");
}

TEST_F(Sensors, NeedAnIntervalQuantitiesAndAFunction) {
  Sensor sensor = clock();
  sensor.interval = -0.1;
  EXPECT_EQ(refusal(sensor), "sensor \"clock\": interval is -0.1 s, must not be negative");
  sensor.interval = nan;
  EXPECT_EQ(refusal(sensor), "sensor \"clock\": interval is nan s, must be a finite number");
  sensor = clock();
  sensor.read = nullptr;
  EXPECT_EQ(refusal(sensor), "sensor \"clock\": it has no function to read its quantities");
  sensor = clock();
  sensor.quantities.clear();
  EXPECT_EQ(refusal(sensor), "sensor \"clock\": it has no quantities");
  const auto refused_quantity = [&](const Quantity& quantity) {
    sensor = clock();
    sensor.quantities.push_back(quantity);
    return refusal(sensor);
  };
  EXPECT_EQ(refused_quantity({""}), "sensor \"clock\": a quantity needs a name");
  EXPECT_EQ(refused_quantity({"m/s"}), "sensor \"clock\": quantity \"m/s\" cannot be the name of a data set");
  EXPECT_EQ(refused_quantity({"time"}),
            "sensor \"clock\": quantity \"time\" would hide the instants of the samples");
  EXPECT_EQ(refused_quantity({"reading"}), "sensor \"clock\": quantity \"reading\" comes twice");
  EXPECT_EQ(refused_quantity({"list", {2, 0}}),
            "sensor \"clock\": quantity \"list\" has a dimension of 0, must be at least 1");
  EXPECT_TRUE(model.sensors().empty());
}

TEST_F(Sensors, OfPointsNeedNodesOfTheModel) {
  Model other("other");
  other.add_point("first");
  other.add_point("second");
  other.add_point("third");
  const PointNode foreign = other.add_point("fourth");
  const std::string none = " is not a node of model \"flight\"";
  EXPECT_EQ(refusal(sensors::point({.name = "s", .point = foreign})), "sensor \"s\": point" + none);
  EXPECT_EQ(refusal(sensors::point({.name = "s", .point = ball, .relative_to = foreign})),
            "sensor \"s\": relative_to" + none);
  EXPECT_EQ(refusal(sensors::point({.name = "s"})), "sensor \"s\": point is not given");
  EXPECT_EQ(refusal(sensors::point({.name = "s", .point = {spinner, {0, nan, 0}}})),
            "sensor \"s\": offset of point[1] is nan m, must be a finite number");
  EXPECT_EQ(refusal(sensors::scalar({.name = "s"})), "sensor \"s\": node" + none);
  EXPECT_EQ(refusal(sensors::support_force({.name = "s", .on = foreign})), "sensor \"s\": on" + none);
  EXPECT_EQ(refusal(sensors::support_force({.name = "s", .on = ball})),
            "sensor \"s\": no component of node \"ball\" is fixed or driven");
}

TEST_F(Sensors, OfElementsNeedElementsOfTheModelAndTheirPoints) {
  const PointNode end = model.add_point("end");
  const auto bar = model.add<Bar>({.name = "bar", .a = ball, .b = end});
  model.add_sensor(sensors::element_point({.name = "middle", .at = {bar, {0.5, 0, 0}}}));
  EXPECT_EQ(refusal(sensors::element_point({.name = "s", .at = {bar, {1.5, 0, 0}}})),
            "sensor \"s\": local coordinates (1.5, 0, 0) are outside element \"bar\"");
  Model other("other");
  const auto foreign = other.add<Bar>({.name = "bar", .a = other.add_point("a"), .b = other.add_point("b")});
  EXPECT_EQ(refusal(sensors::element_point({.name = "s", .at = {foreign, {0.5, 0, 0}}})),
            "sensor \"s\": the element is not an element of model \"flight\"");
  EXPECT_EQ(message_of<ModelError>([] { sensors::element_point({.name = "s"}); }),
            "sensor \"s\": the element is not given");
}

TEST_F(Sensors, OfForcesNeedANodeOfTheirElement) {
  const InRole<BilateralConstraint> tie = model.constraints()[0];
  const InRole<Contact> floor = model.contacts()[0];
  model.add_sensor(sensors::joint_force({.name = "in the tie", .joint = tie, .on = ball}));
  EXPECT_EQ(refusal(sensors::joint_force({.name = "s", .joint = tie, .on = angle})),
            "sensor \"s\": on is a scalar node, must be a frame or a point");
  EXPECT_EQ(refusal(sensors::contact_force({.name = "s", .contact = floor, .on = spinner})),
            "sensor \"s\": node \"spinner\" is none of contact \"floor\"");
  EXPECT_EQ(refusal(sensors::joint_force({.name = "s", .joint = tie, .on = ball, .about = MaterialPoint()})),
            "sensor \"s\": about is not given");
  Model other = make_flying_model();
  EXPECT_EQ(refusal(sensors::joint_force({.name = "s", .joint = other.constraints()[0], .on = ball})),
            "sensor \"s\": joint is not an element of model \"flight\"");
  EXPECT_EQ(message_of<ModelError>([&] { sensors::contact_force({.name = "s", .on = ball}); }),
            "sensor \"s\": contact is not given");
}

}  // namespace
}  // namespace picus::support::sensor_test
