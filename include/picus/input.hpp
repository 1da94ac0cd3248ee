#pragma once

/// An input of a model: a value that is set from outside during a run, by a user-written time loop (stepper.hpp) or by
/// the importer of an FMU (fmu.hpp). It is a function of time for loads and motions:
///
///     const picus::Input torque;  // 0 until it is set
///     model.add<picus::ScalarLoad>({.name = "motor", .node = angle, .load = torque});
///     ...
///     torque.set(2.5, state.time);

#include <picus/prescribed_motion.hpp>

#include <memory>

namespace picus {

class Archive;

/// Copies are handles of the same value. The value is constant from the time at which it is set until it is set again.
/// It is read by all threads of a run, and to be set only between steps.
class Input {
 public:
  /// With the value 0.
  Input() : Input(0.0) {}
  /// With a value, in the unit of the load or motion that uses it.
  explicit Input(double value) : data_(std::make_shared<Data>(Data{.value = value})) {}

  /// The present value, in the unit of the load or motion that uses it.
  double value() const { return data_->value; }
  /// The present value, whatever the time.
  double operator()(double /*t*/) const { return data_->value; }
  /// Sets the value from `time` on, in s.
  void set(double value, double time) const;

  /// A motion whose rate is this input, for Model::drive(): the displacement is the integral of the input from t = 0
  /// on, m or rad for values in m/s or rad/s. The rate jumps where the input does.
  PrescribedMotion speed() const;

  /// Writes to an archive, or reads from it, the value and its integral.
  void serialize(Archive& archive) const;

 private:
  struct Data {
    double value = 0.0;
    double since = 0.0;     ///< time at which it was set, s
    double integral = 0.0;  ///< over all times before that
  };
  std::shared_ptr<Data> data_;
};

}  // namespace picus
