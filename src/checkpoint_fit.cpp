#include "checkpoint_fit.hpp"

#include "printable.hpp"
#include <picus/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace picus::detail {
namespace {

struct Part {
  const char* name;
  Vector State::*values;
};

constexpr std::array parts = {Part{"velocities", &State::v},
                              Part{"accelerations", &State::acceleration},
                              Part{"auxiliary rates", &State::auxiliary},
                              Part{"forces of constraints", &State::constraint_force},
                              Part{"impulses of constraints", &State::constraint_impulse},
                              Part{"impulses of contacts", &State::contact_impulse},
                              Part{"rates of contacts", &State::contact_rate},
                              Part{"slips of contacts", &State::contact_slip},
                              Part{"position multipliers", &State::position_multiplier},
                              Part{"changes of impulses of contacts", &State::contact_impulse_change},
                              Part{"changes of position multipliers", &State::position_multiplier_change},
                              Part{"reactions", &State::reaction}};

template <class Values>
std::string misfit_of_numbers(const char* name, const Values& values, const Values& start) {
  if (values.size() != start.size())
    return fmt::format("its {} are {} numbers, those of the model {}", name, values.size(), start.size());
  for (Index i = 0; i < count_of(values); ++i) {
    if (!std::isfinite(values.data()[i]))
      return fmt::format("one of its {} is {}, must be a finite number", name, values.data()[i]);
  }
  return "";
}

std::string misfit_of_rotations(const Configuration& q, const System& system) {
  constexpr double tolerance = 1e-6;  // rounding after a step is 1e-15
  for (const Node& node : system.nodes()) {
    if (node.kind != NodeKind::frame) continue;
    const Mat3 R = q.rotation(node);
    if (!((R.transpose() * R - Mat3::Identity()).norm() <= tolerance) || R.determinant() < 0)
      return fmt::format("the rotation of node \"{}\" is none", system.model().node_name(node));
  }
  return "";
}

std::string misfit_of_contacts(const State& state, const State& start, const System& system) {
  if (state.contact_state.size() != start.contact_state.size())
    return fmt::format("it has {} contacts, the model {}", state.contact_state.size(),
                       start.contact_state.size());
  for (std::size_t i = 0; i < state.contact_state.size(); ++i) {
    if (state.contact_state[i] > ContactState::slip)
      return fmt::format("contact \"{}\" is in state {}, which there is not",
                         system.contacts()[i].element->name(), static_cast<int>(state.contact_state[i]));
  }
  return "";
}

std::string misfit_of_time(const State& state, const State& start, std::int64_t steps, double h) {
  constexpr auto max_steps = static_cast<std::int64_t>(9e15);  // beyond, n and n + 1 are the same double
  constexpr double rounding = 1e-12;
  if (state.step < 0 || state.step > max_steps) return fmt::format("it is of step {}", state.step);
  if (state.step != steps)
    return fmt::format("its state is of step {}, its statistics of {}", state.step, steps);
  const double time = start.time + static_cast<double>(steps) * h;
  if (!(std::abs(state.time - time) <= rounding * std::max(std::abs(time), h)))
    return fmt::format("its state is of {}, but step {} ends at {}", state.time, steps, time);
  if (!std::isfinite(state.load_factor)) return fmt::format("its load factor is {}", state.load_factor);
  return "";
}

}  // namespace

void refuse(const Checkpoint& checkpoint, const std::string& reason) {
  throw FileError(
      fmt::format("cannot go on from checkpoint \"{}\": {}", checkpoint.file.string(), printable(reason)));
}

std::string owner_text(const Checkpoint& checkpoint, const std::string& owner) {
  return fmt::format("{} (file \"{}\")", owner, checkpoint.file.string());
}

std::string misfit_of(const State& state, const State& start, const System& system, std::int64_t steps,
                      double h) {
  std::string misfit = misfit_of_time(state, start, steps, h);
  if (misfit.empty()) misfit = misfit_of_numbers("positions", state.q.data(), start.q.data());
  for (const auto& [name, values] : parts) {
    if (misfit.empty()) misfit = misfit_of_numbers(name, state.*values, start.*values);
  }
  if (misfit.empty()) misfit = misfit_of_rotations(state.q, system);
  if (misfit.empty()) misfit = misfit_of_contacts(state, start, system);
  return misfit;
}

}  // namespace picus::detail
