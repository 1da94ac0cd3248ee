/// The cost of a reduced body: a crank and slider whose connecting rod is a solid, in full and reduced. CPU time of one
/// thread.
///
///     bench_reduced_bodies [CELLS_ALONG CELLS_ACROSS UNTIL]      (66 9 0.03: 20,100 unknowns)

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
constexpr double spin = 20;                        // of the crank, rad/s
constexpr double spin_of_rod = -spin * 0.2 / 0.6;  // at the start: it moves as if it were rigid

/// The observed nodes of the rod.
struct Rod {
  FrameNode big, small;  ///< its ends
  PointNode middle;      ///< a node half-way
};

std::vector<Node> nodes_of(const Solid& solid, std::string_view set) {
  const std::vector<PointNode> nodes = solid.nodes(set);
  return {nodes.begin(), nodes.end()};
}

Solid add_rod(Model& model, Index along, Index across, const Vec3& origin) {
  return add_solid(
      model, make_box_mesh({.size = size_of_rod, .divisions = {along, across, across}, .origin = origin}),
      {.name = "rod",
       .material = {.youngs_modulus = 7e10, .poissons_ratio = 0.33, .density = 2700},
       .velocity = {0, -0.8 * spin_of_rod, 0},
       .angular_velocity = {0, 0, spin_of_rod}});
}

/// Index of the node in the middle of the mesh.
std::size_t middle_of(Index along, Index across) {
  const Index side = across + 1;
  return static_cast<std::size_t>(along / 2 + (along + 1) * (side / 2 + side * (side / 2)));
}

/// Adds the full rod. Its end faces are rigid, like the interfaces of the reduced one.
Rod add_full(Model& model, Index along, Index across) {
  const Solid rod = add_rod(model, along, across, {0.2, -0.015, -0.01});
  const Rod ends{
      model.add_frame(
          "big end",
          {.position = {0.2, 0, 0}, .velocity = {0, 0.2 * spin, 0}, .angular_velocity = {0, 0, spin_of_rod}}),
      model.add_frame("small end", {.position = {0.8, 0, 0}, .angular_velocity = {0, 0, spin_of_rod}}),
      rod.nodes()[middle_of(along, across)]};
  int count = 0;
  for (const auto& [frame, set] : {std::pair(ends.big, "x-"), std::pair(ends.small, "x+")}) {
    for (const PointNode& node : rod.nodes(set))
      model.add<RigidLink>({.name = fmt::format("link[{}]", count++), .a = frame, .b = node});
  }
  return ends;
}

struct Motion {
  std::vector<double> deflection;  ///< of the middle off the line between the ends, m, after each step
  double seconds_per_step;
};

Motion run(Model& model, const Rod& rod, double until) {
  const FrameNode crank = model.add_frame("crank");
  model.fix(crank, {Component::x, Component::y, Component::z, Component::rx, Component::ry});
  model.drive(crank, Component::rz, PrescribedMotion::constant_speed(spin));
  const PlanarBody slider =
      add_planar_body(model, {.name = "slider", .position = {0.8, 0, 0}, .mass = 0.3, .inertia = 1e-4});
  model.fix(slider.node, {Component::y, Component::rz});
  model.add<Hinge>({.name = "big", .a = {crank, Vec3(0.2, 0, 0)}, .b = rod.big, .axis = {0, 0, 1}});
  model.add<SphericalJoint>({.name = "small", .a = rod.small, .b = slider.node});
  const System system(model);
  DecoupledNsga integrator({.step = step});
  State state = integrator.start(system);
  Motion motion;
  const double begin = models::thread_seconds();
  while (state.time < until - 0.5 * step) {
    integrator.step(state);
    const Vec3 line = (state.q.position(rod.small) - state.q.position(rod.big)).normalized();
    const Vec3 normal(-line.y(), line.x(), 0);
    motion.deflection.push_back(normal.dot(state.q.position(rod.middle) - state.q.position(rod.big)));
  }
  motion.seconds_per_step =
      (models::thread_seconds() - begin) / static_cast<double>(motion.deflection.size());
  return motion;
}

void compare(Index along, Index across, double until) {
  Model full("full");
  const Rod full_rod = add_full(full, along, across);
  const Motion reference = run(full, full_rod, until);
  double largest = 0;
  for (const double deflection : reference.deflection) largest = std::max(largest, std::abs(deflection));
  fmt::print("full, {} unknowns: {:.4g} ms a step, deflections up to {:.3g} m\n",
             3 * (along + 1) * (across + 1) * (across + 1), 1e3 * reference.seconds_per_step, largest);
  fmt::print("{:>6} {:>6} {:>12} {:>10} {:>12} {:>14} {:>14}\n", "modes", "shapes", "reduction, s",
             "ms a step", "times faster", "deflection off", "frequency off");
  for (const int modes : {0, 4, 9, 18, 24, 36}) {
    Model part("rod");
    const Solid solid = add_rod(part, along, across, Vec3::Zero());
    const std::string middle = part.node_name(solid.nodes()[middle_of(along, across)]);
    const double begin = models::thread_seconds();
    const auto basis = std::make_shared<const ReducedBasis>(
        reduce(part, {.interfaces = {{.name = "big end", .nodes = nodes_of(solid, "x-")},
                                     {.name = "small end", .nodes = nodes_of(solid, "x+")}},
                      .modes = modes}));
    const double reduction = models::thread_seconds() - begin;
    Model model("reduced");
    const ReducedBodyMesh body =
        add_reduced_body(model, {.name = "rod",
                                 .basis = basis,
                                 .position = {0.2, -0.015, -0.01},
                                 .velocity = {0.015 * spin_of_rod, -0.6 * spin_of_rod, 0},
                                 .angular_velocity = {0, 0, spin_of_rod},
                                 .nodes = {middle}});
    const Motion motion =
        run(model, {body.interface("big end"), body.interface("small end"), body.point(middle)}, until);
    double off = 0;
    for (std::size_t i = 0; i < motion.deflection.size(); ++i)
      off = std::max(off, std::abs(motion.deflection[i] - reference.deflection[i]));
    fmt::print("{:6} {:6} {:12.3g} {:10.3g} {:12.0f} {:12.2f} % {:12.3f} %\n", modes, basis->mode_count(),
               reduction, 1e3 * motion.seconds_per_step, reference.seconds_per_step / motion.seconds_per_step,
               100 * off / largest, 100 * basis->accuracy.frequency_errors().cwiseAbs().maxCoeff());
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
      compare(66, 9, 0.03);
    } else {
      compare(number<Index>(arguments[1]), number<Index>(arguments[2]), number<double>(arguments[3]));
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
