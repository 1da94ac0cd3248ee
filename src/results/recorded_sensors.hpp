#pragma once

/// Recording of the sensors of a model: a table "sensors/NAME/*" with its own time for each.

#include "columns.hpp"
#include "recorded_run.hpp"
#include "series.hpp"
#include <picus/recorder.hpp>
#include <picus/sensor_sampler.hpp>

#include <list>
#include <string_view>
#include <vector>

namespace picus::results {

/// Columns "sensors/NAME/QUANTITY" of all sensors, filled from Sample::sensor.
std::vector<Column> make_sensor_columns(const Model& model);
bool is_sensor_column(const Column& column);

class RecordedSensors {
 public:
  /// Creates a table for each sensor that has any of the columns, which come from make_sensor_columns().
  RecordedSensors(Hdf5File& file, const RunInfo& run, std::vector<Column> columns, int level);

  /// Passes the start or a step to all sensors; `sample` is that of the same instant. Returns whether rows were added.
  /// Allocates nothing.
  bool record_step(const Reading& reading, const Sample& sample);
  /// Adds rows for the last step to sensors that have not sampled it.
  void record_last(const Reading& reading, const Sample& sample);

  void write_out(bool is_last);
  void close();

  /// Stores the data that later samples depend on.
  void serialize(Archive& archive);
  /// The tables, in order.
  std::vector<SeriesTable*> tables();

 private:
  struct Recorded {
    Recorded(const Sensor& sensor, Hdf5File& file, std::vector<Column> columns, std::int64_t chunk_rows,
             int level)
        : sampler(sensor), table(file, std::move(columns), chunk_rows, level) {}
    SensorSampler sampler;
    SeriesTable table;
  };
  std::list<Recorded> sensors_;
};

}  // namespace picus::results
