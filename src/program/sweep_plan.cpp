#include "sweep_plan.hpp"

#include <picus/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace picus::program {
namespace {

constexpr double most_points = 1e6;

/// The values of a parameter given by one argument.
struct Axis {
  std::string name;
  std::vector<std::string> values;  ///< listed, or evenly spaced
  bool is_range = false;            ///< to be sampled between low and high
  bool is_integer = false;
  double low = 0.0, high = 0.0;
};

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string value_text(double value, bool is_integer) {
  return is_integer ? fmt::format("{:.0f}", std::round(value)) : number_text(value);
}

/// FIRST:LAST, FIRST:LAST:COUNT or FIRST:LAST:COUNT:log.
void read_range(Axis& axis, const std::vector<std::string>& parts, bool is_sampled) {
  const std::string what = "--set " + axis.name;
  axis.low = read_real(what, parts[0]);
  axis.high = read_real(what, parts[1]);
  if (is_sampled) {
    if (parts.size() != 2)
      throw OptionError(fmt::format("{}: with --samples a range is FIRST:LAST, without a count", what));
    if (!(axis.low < axis.high)) throw OptionError(what + ": the range is empty");
    axis.is_range = true;
    return;
  }
  if (parts.size() == 2)
    throw OptionError(fmt::format("{}: a range is FIRST:LAST:COUNT, or FIRST:LAST with --samples", what));
  const bool is_log = parts.size() == 4;
  if (parts.size() > 4 || (is_log && parts[3] != "log"))
    throw OptionError(fmt::format("{}: a range is FIRST:LAST:COUNT or FIRST:LAST:COUNT:log", what));
  if (is_log && !(axis.low > 0 && axis.high > 0))
    throw OptionError(fmt::format("{}: the ends of a logarithmic range must be positive", what));
  const Index count = read_integer(what, parts[2], Range::between(2, most_points));
  for (Index i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / (count - 1);
    const double value =
        is_log ? axis.low * std::pow(axis.high / axis.low, share) : axis.low + share * (axis.high - axis.low);
    // The last value as typed; others without rounding noise in their last digits.
    const double shown = i + 1 == count ? axis.high : std::stod(fmt::format("{:.12g}", value));
    if (axis.is_integer && shown != std::round(shown))
      throw OptionError(fmt::format("{} is {} in this range, must be an integer", what, shown));
    axis.values.push_back(value_text(shown, axis.is_integer));
  }
}

Axis read_axis(const std::string& word, const std::vector<ParameterInfo>& parameters, bool is_sampled) {
  Axis axis;
  const auto [name, text] = split_assignment(word);
  axis.name = name;
  const ParameterInfo& info = parameters[find_parameter(name, parameters)];
  axis.is_integer = info.kind == ParameterKind::integer;
  const bool is_number = axis.is_integer || info.kind == ParameterKind::real;
  const std::vector<std::string> parts = split(text, ':');
  if (is_number && parts.size() > 1) {
    read_range(axis, parts, is_sampled);
  } else {
    axis.values = split(text, ',');
  }
  return axis;
}

/// Uniform in [0, 1) from 53 bits: the same on any machine, unlike the distributions of the standard library.
double uniform(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

std::vector<std::string> sample(const Axis& axis, const Sampling& sampling, std::mt19937_64& random) {
  std::vector<double> shares(sampling.count);
  for (Index i = 0; i < sampling.count; ++i)
    shares[i] = sampling.is_latin ? (i + uniform(random)) / sampling.count : uniform(random);
  if (sampling.is_latin) {
    for (std::size_t i = shares.size(); i > 1; --i)
      std::swap(shares[i - 1], shares[static_cast<std::size_t>(uniform(random) * static_cast<double>(i))]);
  }
  std::vector<std::string> values;
  for (const double share : shares) {
    if (axis.is_range && axis.is_integer) {
      const double whole = std::floor(axis.low + share * (axis.high - axis.low + 1));
      values.push_back(value_text(whole, true));
    } else if (axis.is_range) {
      values.push_back(number_text(axis.low + share * (axis.high - axis.low)));
    } else {
      values.push_back(
          axis.values[static_cast<std::size_t>(share * static_cast<double>(axis.values.size()))]);
    }
  }
  return values;
}

}  // namespace

std::vector<std::string> SweepPlan::settings(std::size_t point) const {
  std::vector<std::string> settings = fixed;
  for (std::size_t i = 0; i < names.size(); ++i) settings.push_back(names[i] + '=' + values[point][i]);
  return settings;
}

SweepPlan plan_sweep(std::span<const std::string> words, const std::vector<ParameterInfo>& parameters,
                     const std::optional<Sampling>& sampling) {
  SweepPlan plan;
  std::vector<Axis> axes;
  double count = 1.0;
  for (const std::string& word : words) {
    Axis axis = read_axis(word, parameters, sampling.has_value());
    if (std::ranges::find(axes, axis.name, &Axis::name) != axes.end())
      throw OptionError(fmt::format("parameter {} is set twice", axis.name));
    if (!axis.is_range && axis.values.size() == 1)
      plan.fixed.push_back(word);
    else
      plan.names.push_back(axis.name);
    count *= axis.is_range ? 1.0 : static_cast<double>(axis.values.size());
    axes.push_back(std::move(axis));
  }
  std::erase_if(axes, [](const Axis& axis) { return !axis.is_range && axis.values.size() == 1; });
  if (axes.empty())
    throw OptionError("nothing varies: --set NAME=FIRST:LAST:COUNT or --set NAME=VALUE,VALUE says what");
  if (sampling) {
    plan.values.assign(sampling->count, {});
    std::mt19937_64 random(sampling->seed);
    for (const Axis& axis : axes) {
      const std::vector<std::string> drawn = sample(axis, *sampling, random);
      for (std::size_t i = 0; i < drawn.size(); ++i) plan.values[i].push_back(drawn[i]);
    }
    return plan;
  }
  if (count > most_points)
    throw OptionError(fmt::format("{:.3g} points are too many, at most 1000000", count));
  plan.values = {{}};
  for (const Axis& axis : axes) {  // the last one changes fastest
    std::vector<std::vector<std::string>> longer;
    for (const auto& point : plan.values) {
      for (const std::string& value : axis.values) {
        longer.push_back(point);
        longer.back().push_back(value);
      }
    }
    plan.values = std::move(longer);
  }
  return plan;
}

}  // namespace picus::program
