#pragma once

/// Sensors: named outputs of a model, each with its own sampling interval. They read states and never change them.
///
///     model.add_sensor(picus::sensors::point({.name = "tip", .interval = 1e-3, .point = {arm, {0.5, 0, 0}}}));
///     model.add_sensor({.name = "lift",
///                       .quantities = {{"height", {}, "m", "of the ball above the floor"}},
///                       .read = [ball](const picus::Reading& at, std::span<double> values) {
///                         values[0] = at.state.q.position(ball).z();
///                       }});
///
/// sensors.hpp has ready-made sensors. Hdf5Recorder writes all sensors into the group /sensors of its file; other
/// recorders use SensorSampler.

#include <picus/contact_reading.hpp>
#include <picus/observable.hpp>
#include <picus/state.hpp>

#include <functional>
#include <string>
#include <vector>

namespace picus {

class Model;
class System;

/// The input of a sensor: the start, or the end of a step.
struct Reading {
  const System& system;  ///< the system, with its rows of constraints and contacts
  const State& state;    ///< at that instant
  double h;  ///< impulses of the step divided by h are mean forces: step size, s; 1 s in a static analysis

  /// The same, as elements receive it.
  Motion motion() const { return {state.q, state.v, state.time}; }
  /// Reads a contact. Throws ModelError for one of another model.
  ContactReading contact(const InRole<Contact>& contact) const {
    return read_contact(system, state, h, contact);
  }
  /// Load of a contact on one of its nodes. Also throws ModelError for a node that it does not have.
  ContactLoad contact_load(const InRole<Contact>& contact, const Node& on) const {
    return read_contact_load(system, state, h, contact, on);
  }
};

/// How a sample is formed.
enum class Sampling : std::uint8_t {
  instant,  ///< the reading of the sampled step
  mean,     ///< the mean of the readings of all steps since the last sample, so that no impulse is missed
};

struct Sensor {
  std::string name;  ///< unique among the sensors of a model, without '/'
  /// Time between samples, s. The start is sampled, and the first step at or after each multiple of the interval,
  /// whether or not the step size divides it; 0: every step. The last step of a run is always sampled.
  double interval = 0.0;
  /// The quantities that it reads. Names are unique, without '/', and none is "time".
  std::vector<Quantity> quantities;
  /// Writes all quantities, one after another. `values` contains the result of the last call, initially zero. Must not
  /// allocate. Called at most once per step; each run has its own copy.
  std::function<void(const Reading&, std::span<double> values)> read;
  Sampling sampling = Sampling::instant;  ///< instant or mean
  /// Called by Model::add_sensor() to reject invalid options by ModelError. May be empty.
  std::function<void(const Model&)> check = {};
};

}  // namespace picus
