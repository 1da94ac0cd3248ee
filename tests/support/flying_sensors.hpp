#pragma once

/// Sensors for the model of flying_model.hpp.

#include <picus/sensors.hpp>
#include <support/flying_model.hpp>

namespace picus::support {

/// "rim", a point of the spinner, every `interval`; "mean", of the height of the ball over 1.3 intervals; and
/// "steps", which counts all of them.
inline void add_flying_sensors(Model& model, double interval) {
  const FrameNode spinner{model.find_node("spinner")};
  const PointNode ball{model.find_node("ball")};
  model.add_sensor(sensors::point({.name = "rim", .interval = interval, .point = {spinner, {0.5, 0, 0}}}));
  model.add_sensor({.name = "mean",
                    .interval = 1.3 * interval,
                    .quantities = {{"height", {}, "m", "of the ball, mean since the last sample"}},
                    .read = [ball](const Reading& at,
                                   std::span<double> values) { values[0] = at.state.q.position(ball).z(); },
                    .sampling = Sampling::mean});
  model.add_sensor(
      {.name = "steps",
       .quantities = {{"count", {}, "1", "steps since the start"}, {"grid", {2, 3}, "1", "of twice that"}},
       .read = [](const Reading& at, std::span<double> values) {
         values[0] = static_cast<double>(at.state.step);
         std::fill(values.begin() + 1, values.end(), 2 * values[0]);
       }});
}

}  // namespace picus::support
