#pragma once

/// A recorder that stores the sensor values of a model.

#include <picus/recorder.hpp>
#include <picus/sensor_sampler.hpp>

#include <map>
#include <string>
#include <vector>

namespace picus::support {

struct Samples {
  std::vector<double> times;
  std::vector<Vector> values;  ///< all quantities one after another
};

class SampleKeeper : public Recorder {
 public:
  void begin(const RunInfo& run) override {
    h_ = run.integrator.is_static() ? 1.0 : run.integrator.step_size();
    for (const Sensor& sensor : run.system.model().sensors()) {
      samplers_.emplace_back(sensor);
      names_.push_back(sensor.name);
    }
  }
  void record(const Snapshot& at) override {
    for (std::size_t i = 0; i < samplers_.size(); ++i) {
      if (!samplers_[i].record_step({at.system, at.state, h_})) continue;
      Samples& samples = of_[names_[i]];
      samples.times.push_back(at.state.time);
      samples.values.emplace_back(Eigen::Map<const Vector>(samplers_[i].values().data(),
                                                           static_cast<Eigen::Index>(samplers_[i].size())));
    }
  }
  void finish(const std::string& /*outcome*/) override {}

  const Samples& of(const std::string& sensor) const { return of_.at(sensor); }

 private:
  double h_ = 0.0;
  std::vector<SensorSampler> samplers_;
  std::vector<std::string> names_;
  std::map<std::string, Samples> of_;
};

}  // namespace picus::support
