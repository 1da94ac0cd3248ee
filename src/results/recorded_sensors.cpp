#include "recorded_sensors.hpp"

#include <algorithm>
#include <iterator>

namespace picus::results {
namespace {

constexpr std::string_view group = "sensors/";

std::string path_of(const Sensor& sensor) {
  return std::string(group) + sensor.name;
}

/// Estimated number of samples of a run to its final time, too large by at most one or two.
double expected_samples(const Sensor& sensor, const RunInfo& run) {
  return run.until / std::max(sensor.interval, run.integrator.step_size()) + 2;
}

Sample with(const Sample& sample, std::span<const double> values) {
  Sample result = sample;
  result.sensor = values;
  return result;
}

}  // namespace

std::vector<Column> make_sensor_columns(const Model& model) {
  std::vector<Column> columns;
  for (const Sensor& sensor : model.sensors()) {
    Index place = 0;
    for (const Quantity& quantity : sensor.quantities) {
      columns.push_back(make_column<double>(
          path_of(sensor) + '/' + quantity.name, quantity.shape, quantity.unit, quantity.description,
          [place, count = quantity.size()](const Sample& sample, double* row) {
            std::copy_n(sample.sensor.data() + place, count, row);
          }));
      place += quantity.size();
    }
  }
  return columns;
}

bool is_sensor_column(const Column& column) {
  return column.name.starts_with(group);
}

RecordedSensors::RecordedSensors(Hdf5File& file, const RunInfo& run, std::vector<Column> columns, int level) {
  auto next = columns.begin();  // columns are in the order of the sensors
  for (const Sensor& sensor : run.system.model().sensors()) {
    const std::string path = path_of(sensor);
    const auto first = next;
    while (next != columns.end() && next->name.starts_with(path + '/')) ++next;
    if (next == first) continue;
    std::vector<Column> own = {make_time_column(run.time_unit, path + "/time", "samples")};
    std::move(first, next, std::back_inserter(own));
    const std::int64_t chunk_rows = choose_chunk_rows(own, expected_samples(sensor, run));
    sensors_.emplace_back(sensor, file, std::move(own), chunk_rows, level);
    file.set_attribute(path, "interval", sensor.interval);
    file.set_attribute(path, "sampling", std::string(sensor.sampling == Sampling::mean ? "mean" : "instant"));
  }
}

bool RecordedSensors::record_step(const Reading& reading, const Sample& sample) {
  bool has_new = false;
  for (Recorded& sensor : sensors_) {
    if (!sensor.sampler.record_step(reading)) continue;
    sensor.table.append(with(sample, sensor.sampler.values()));
    has_new = true;
  }
  return has_new;
}

void RecordedSensors::record_last(const Reading& reading, const Sample& sample) {
  for (Recorded& sensor : sensors_) {
    if (sensor.sampler.record_last(reading)) sensor.table.append(with(sample, sensor.sampler.values()));
  }
}

void RecordedSensors::write_out(bool is_last) {
  for (Recorded& sensor : sensors_) sensor.table.write_out(is_last);
}

void RecordedSensors::close() {
  for (Recorded& sensor : sensors_) sensor.table.close();
}

void RecordedSensors::serialize(Archive& archive) {
  for (Recorded& sensor : sensors_) archive(sensor.sampler);
}

std::vector<SeriesTable*> RecordedSensors::tables() {
  std::vector<SeriesTable*> tables;
  for (Recorded& sensor : sensors_) tables.push_back(&sensor.table);
  return tables;
}

}  // namespace picus::results
