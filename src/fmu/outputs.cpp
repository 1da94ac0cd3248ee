#include "outputs.hpp"

#include "../unit_text.hpp"
#include "node_words.hpp"
#include <picus/error.hpp>
#include <picus/model.hpp>
#include <picus/name_pattern.hpp>
#include <picus/system.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace picus::fmu {
namespace {

std::string known_unit(const std::string& text) {
  return detail::is_unit(text) ? text : "";
}

/// The unit of one entry; units of several entries are separated by commas.
std::string unit_of_entry(const std::string& units, std::size_t entry) {
  std::size_t begin = 0;
  for (std::size_t i = 0; units.find(',', begin) != std::string::npos; ++i) {
    const std::size_t end = units.find(',', begin);
    if (i == entry) return known_unit(units.substr(begin, end - begin));
    begin = end + 1;
  }
  return known_unit(units.substr(begin));
}

/// "", "[2]", "[1,3]": the place of an entry, counted from 1, row by row.
std::string place_text(const std::vector<Index>& shape, std::size_t entry) {
  std::string text;
  auto rest = static_cast<Index>(entry);
  for (auto length = shape.rbegin(); length != shape.rend(); ++length) {
    text = fmt::format("{}{}{}", rest % *length + 1, text.empty() ? "" : ",", text);
    rest /= *length;
  }
  return text.empty() ? "" : fmt::format("[{}]", text);
}

}  // namespace

Outputs::Outputs(const RunInfo& run, const Signals& signals, std::span<const std::string> patterns) {
  const Model& model = run.system.model();
  const std::vector<Candidate> candidates = list_candidates(model, signals);
  std::vector<std::string> names;
  for (const Candidate& candidate : candidates) names.push_back(candidate.info.name);
  if (patterns.empty()) {
    for (const Candidate& candidate : candidates) add(candidate);
  }
  for (const std::string& pattern : patterns) {
    bool is_found = false;
    for (const Candidate& candidate : candidates) {
      if (!matches(pattern, candidate.info.name)) continue;
      is_found = true;
      const auto has_name = [&](const OutputInfo& info) { return info.name == candidate.info.name; };
      if (std::ranges::none_of(infos_, has_name)) add(candidate);
    }
    if (is_found) continue;
    const std::optional<Signal> signal = find_node_signal(run, pattern);
    if (!signal)
      throw OptionError(fmt::format("no output is called \"{}\"{}", pattern, suggestion(pattern, names)));
    signals_.push_back(*signal);
    add({{signal->name, known_unit(signal->unit), signal->meaning}, {true, signals_.size() - 1, 0}});
  }
  if (infos_.empty())
    throw OptionError(
        fmt::format("model \"{}\" has neither signals nor sensors that could be outputs", model.name()));
  values_.resize(infos_.size());
}

std::vector<Outputs::Candidate> Outputs::list_candidates(const Model& model, const Signals& signals) {
  std::vector<Candidate> candidates;
  signals_ = signals;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    candidates.push_back({{signals[i].name, known_unit(signals[i].unit), signals[i].meaning}, {true, i, 0}});
  }
  for (const Sensor& sensor : model.sensors()) {
    std::size_t size = 0;
    for (const Quantity& quantity : sensor.quantities) {
      for (std::size_t k = 0; k < static_cast<std::size_t>(quantity.size()); ++k, ++size) {
        candidates.push_back(
            {{fmt::format("{}.{}{}", sensor.name, quantity.name, place_text(quantity.shape, k)),
              unit_of_entry(quantity.unit, k), quantity.description},
             {false, sensors_.size(), size}});
      }
    }
    sensors_.push_back({sensor, std::vector<double>(size), std::vector<double>(size)});
  }
  return candidates;
}

void Outputs::add(const Candidate& candidate) {
  for (const OutputInfo& info : infos_) {
    if (info.name == candidate.info.name)
      throw OptionError(fmt::format("two outputs are called \"{}\"", info.name));
  }
  if (!candidate.source.is_signal) sensors_[candidate.source.part].is_used = true;
  infos_.push_back(candidate.info);
  sources_.push_back(candidate.source);
}

void Outputs::record(const Snapshot& at) {
  ++recorded_;
  for (SensorPart& part : sensors_) {
    if (!part.is_used || part.sensor.sampling != Sampling::mean) continue;
    part.sensor.read({at.system, at.state, at.h}, part.reading);
    for (std::size_t i = 0; i < part.sums.size(); ++i) part.sums[i] += part.reading[i];
  }
}

void Outputs::sample(const Snapshot& at) {
  for (SensorPart& part : sensors_) {
    if (!part.is_used || part.sensor.sampling == Sampling::mean) continue;
    part.sensor.read({at.system, at.state, at.h}, part.reading);
  }
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const Source& source = sources_[i];
    if (source.is_signal) {
      values_[i] = signals_[source.part].value(at);
    } else {
      const SensorPart& part = sensors_[source.part];
      const bool is_mean = part.sensor.sampling == Sampling::mean;
      values_[i] =
          is_mean ? part.sums[source.entry] / static_cast<double>(recorded_) : part.reading[source.entry];
    }
  }
  for (SensorPart& part : sensors_) std::ranges::fill(part.sums, 0.0);
  recorded_ = 0;
}

void Outputs::serialize(Archive& archive) {
  for (SensorPart& part : sensors_) archive.in_place(part.reading, part.sums);
  archive(recorded_);
  archive.in_place(values_);
}

}  // namespace picus::fmu
