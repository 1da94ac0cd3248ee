/// A tower of boxes that slides and stops; the contact problems of some of its steps are exported for other solvers.

#include "gallery.hpp"
#include <picus/picus.hpp>

#include <string>
#include <vector>

using namespace picus;

void step_contacts_example() {
  Model model("step_contacts");
  std::vector<MassPoint> bodies;
  const Vec3 size(0.2, 0.2, 0.1);
  for (int i = 0; i < 4; ++i) {
    const std::string name = "box " + std::to_string(i);
    const auto node = model.add_frame(
        name, {.position = {0.01 * (i % 2), 0, size.z() * (i + 0.5)}, .velocity = {0.3, 0, 0}});
    bodies.push_back(
        model
            .add<RigidBody>(
                {.name = name + " mass", .node = node, .mass = 1.0, .inertia = inertia::box(1.0, size)})
            ->mass_point());
    model.add<Surface>({.name = name, .of = shapes::Box{size}, .on = node});
  }
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
  model.add<ContactsBetween>({.name = "all", .mu = 0.3});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = bodies});
  int written = 0;
  // [example]
  picus::StepCallback export_contacts([&](const picus::Snapshot& at) {
    if (at.state.step % 50 != 0) return;
    const picus::StepContacts contacts = picus::find_step_contacts(at.system, at.state, at.h);
    if (contacts.indices.empty()) return;
    const std::string file = "contacts_" + std::to_string(at.state.step) + ".hdf5";
    picus::write_friction_problem(file, contacts.problem, true);
    ++written;
  });
  picus::DecoupledNsga integrator({.step = 1e-3});
  picus::simulate(model, integrator, {.until = 0.2}, {&export_contacts});
  // [example end]
  const FrictionProblem last = read_friction_problem("contacts_200.hdf5");
  // Four corners of each box.
  if (written < 4 || last.mu.size() < 16) throw std::runtime_error("contact problems are missing");
}
