/// What a reduced body costs: a crank and slider whose connecting rod is a solid, in full and reduced. CPU time of one
/// thread.
///
///     bench_reduced_bodies [CELLS_ALONG CELLS_ACROSS UNTIL]      (66 9 0.05: 20,100 unknowns)

#include <picus/models/study/thread_clock.hpp>
#include <picus/picus.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string_view>

namespace {

using namespace picus;

constexpr double step = 1e-3;
const Vec3 size_of_rod(0.6, 0.03, 0.02);

struct Ends {
  FrameNode big, small;
};

std::vector<Node> nodes_of(const Solid& solid, std::string_view set) {
  const std::vector<PointNode> nodes = solid.nodes(set);
  return {nodes.begin(), nodes.end()};
}

Solid add_rod(Model& model, Index along, Index across, const Vec3& origin) {
  return add_solid(
      model, make_box_mesh({.size = size_of_rod, .divisions = {along, across, across}, .origin = origin}),
      {.name = "rod", .material = {.youngs_modulus = 2e9, .poissons_ratio = 0.3, .density = 1200}});
}

/// Its end faces are rigid, as interfaces are.
Ends add_full(Model& model, Index along, Index across) {
  const Solid rod = add_rod(model, along, across, {0.2, -0.015, -0.01});
  const Ends ends{model.add_frame("big end", {.position = {0.2, 0, 0}}),
                  model.add_frame("small end", {.position = {0.8, 0, 0}})};
  int count = 0;
  for (const auto& [frame, set] : {std::pair(ends.big, "x-"), std::pair(ends.small, "x+")}) {
    for (const PointNode& node : rod.nodes(set))
      model.add<RigidLink>({.name = fmt::format("link[{}]", count++), .a = frame, .b = node});
  }
  return ends;
}

struct Motion {
  std::vector<double> slider;  ///< m, after each step
  double seconds_per_step;
};

Motion run(Model& model, const Ends& ends, double until) {
  const FrameNode crank = model.add_frame("crank");
  model.fix(crank, {Component::x, Component::y, Component::z, Component::rx, Component::ry});
  model.drive(crank, Component::rz, PrescribedMotion::constant_speed(20));
  const PlanarBody slider =
      add_planar_body(model, {.name = "slider", .position = {0.8, 0, 0}, .mass = 0.3, .inertia = 1e-4});
  model.fix(slider.node, {Component::y, Component::rz});
  model.add<Hinge>({.name = "big", .a = {crank, Vec3(0.2, 0, 0)}, .b = ends.big, .axis = {0, 0, 1}});
  model.add<SphericalJoint>({.name = "small", .a = ends.small, .b = slider.node});
  const System system(model);
  DecoupledNsga integrator({.step = step});
  State state = integrator.start(system);
  Motion motion;
  const double begin = models::thread_seconds();
  while (state.time < until - 0.5 * step) {
    integrator.step(state);
    motion.slider.push_back(state.q.position(slider.node).x());
  }
  motion.seconds_per_step = (models::thread_seconds() - begin) / static_cast<double>(motion.slider.size());
  return motion;
}

void compare(Index along, Index across, double until) {
  Model full("full");
  const Ends ends = add_full(full, along, across);
  const Motion reference = run(full, ends, until);
  // The deflection that matters: against the slider of a rigid rod.
  double flexible = 0;
  for (std::size_t i = 0; i < reference.slider.size(); ++i) {
    const double angle = 20 * step * static_cast<double>(i + 1);
    const double rigid = 0.2 * std::cos(angle) + std::sqrt(0.36 - std::pow(0.2 * std::sin(angle), 2));
    flexible = std::max(flexible, std::abs(reference.slider[i] - rigid));
  }
  fmt::print("full, {} unknowns: {:.4g} ms a step, its slider {:.3g} m from that of a rigid rod\n",
             3 * (along + 1) * (across + 1) * (across + 1), 1e3 * reference.seconds_per_step, flexible);
  fmt::print("{:>6} {:>6} {:>12} {:>12} {:>12} {:>14} {:>14}\n", "modes", "shapes", "reduction, s",
             "ms a step", "times faster", "slider off, m", "frequencies");
  for (const int modes : {0, 4, 9, 18, 36}) {
    Model part("rod");
    const Solid solid = add_rod(part, along, across, Vec3::Zero());
    const double begin = models::thread_seconds();
    const auto basis = std::make_shared<const ReducedBasis>(
        reduce(part, {.interfaces = {{.name = "big end", .nodes = nodes_of(solid, "x-")},
                                     {.name = "small end", .nodes = nodes_of(solid, "x+")}},
                      .modes = modes}));
    const double reduction = models::thread_seconds() - begin;
    Model model("reduced");
    const ReducedBodyMesh rod =
        add_reduced_body(model, {.name = "rod", .basis = basis, .position = {0.2, -0.015, -0.01}});
    const Motion motion = run(model, {rod.interface("big end"), rod.interface("small end")}, until);
    double off = 0;
    for (std::size_t i = 0; i < motion.slider.size(); ++i)
      off = std::max(off, std::abs(motion.slider[i] - reference.slider[i]));
    fmt::print("{:6} {:6} {:12.3g} {:12.3g} {:12.0f} {:14.2e} {:14.2e}\n", modes, basis->mode_count(),
               reduction, 1e3 * motion.seconds_per_step, reference.seconds_per_step / motion.seconds_per_step,
               off, basis->accuracy.frequency_errors().cwiseAbs().maxCoeff());
  }
}

template <class Number>
Number number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value > 0))
    throw OptionError(fmt::format("\"{}\" is no positive number", text));
  return value;
}

}  // namespace

int main(int count, char** arguments) {
  const ThreadLimit one_thread(1);
  try {
    if (count != 1 && count != 4) throw OptionError("bench_reduced_bodies [CELLS_ALONG CELLS_ACROSS UNTIL]");
    if (count == 1) {
      compare(66, 9, 0.05);
    } else {
      compare(number<Index>(arguments[1]), number<Index>(arguments[2]), number<double>(arguments[3]));
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
