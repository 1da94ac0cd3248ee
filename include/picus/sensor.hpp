#pragma once

/// Sensors: named outputs of a model, each sampled at a rate of its own. They read states and never change them.
///
///     model.add_sensor(picus::sensors::point({.name = "tip", .interval = 1e-3, .point = {arm, {0.5, 0, 0}}}));
///     model.add_sensor({.name = "lift",
///                       .quantities = {{"height", {}, "m", "of the ball above the floor"}},
///                       .read = [ball](const picus::Reading& at, std::span<double> values) {
///                         values[0] = at.state.q.position(ball).z();
///                       }});
///
/// Those of sensors.hpp are ready-made. Hdf5Recorder writes all of them into the group /sensors of its file;
/// SensorSampler is for other recorders.

#include <picus/contact_reading.hpp>
#include <picus/observable.hpp>
#include <picus/state.hpp>

#include <functional>
#include <string>
#include <vector>

namespace picus {

class Model;
class System;

/// What a sensor sees: the start, or the end of a step.
struct Reading {
  const System& system;  ///< for rows of constraints and contacts
  const State& state;    ///< at that instant
  double h;  ///< impulses of the step divided by this are mean forces: its size, s; 1 s in a static analysis

  /// As elements take it.
  Motion motion() const { return {state.q, state.v, state.time}; }
  /// What a contact does. Throws ModelError for one of another model.
  ContactReading contact(const InRole<Contact>& contact) const {
    return read_contact(system, state, h, contact);
  }
  /// What it exerts on one of its nodes. Throws ModelError also for a node that it does not have.
  ContactLoad contact_load(const InRole<Contact>& contact, const Node& on) const {
    return read_contact_load(system, state, h, contact, on);
  }
};

/// What a sample is made of.
enum class Sampling : std::uint8_t {
  instant,  ///< the reading of that step
  mean,  ///< the mean of the readings of all steps since the last sample, so that no impulse is lost between
};

struct Sensor {
  std::string name;  ///< unique among the sensors of a model, free of '/'
  /// From one sample to the next, s. There is one at the start and one at the first step at or after each multiple of
  /// this, whether or not the step divides it; 0: at every step. The last step of a run is always sampled.
  double interval = 0.0;
  /// What it reads. Names are unique, free of '/', and none is "time".
  std::vector<Quantity> quantities;
  /// Writes all quantities one after another. `values` holds what the last call wrote, zero at first. Allocates
  /// nothing. Called once per step at most; each run has its own copy.
  std::function<void(const Reading&, std::span<double> values)> read;
  Sampling sampling = Sampling::instant;  ///< what becomes of readings between two samples
  /// What Model::add_sensor() has to refuse: throws ModelError. May be empty.
  std::function<void(const Model&)> check = {};
};

}  // namespace picus
