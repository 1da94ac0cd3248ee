#include <picus/checks.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/require_point.hpp>

#include <fmt/format.h>

namespace picus {
namespace {

void require_bodies(const Gravity::Parameters& parameters, const Model& model) {
  const Culprit who{"gravity", parameters.name};
  require_finite(who, "acceleration", parameters.acceleration, "m/s2");
  if (parameters.bodies.empty()) {
    throw ModelError(fmt::format("{}: bodies is empty, nothing has weight", who.text()));
  }
  for (std::size_t i = 0; i < parameters.bodies.size(); ++i) {
    const MassPoint& body = parameters.bodies[i];
    require_point(who, fmt::format("bodies[{}]", i), body.point, model);
    require_positive(who, fmt::format("mass of bodies[{}]", i), body.mass, "kg");
  }
}

}  // namespace

std::vector<Handle<Gravity>> add_gravity(Model& model, const Gravity::Parameters& parameters) {
  require_bodies(parameters, model);
  std::vector<std::vector<MassPoint>> groups;
  std::vector<MassPoint> centred;
  Index dofs = 0;
  for (const MassPoint& body : parameters.bodies) {
    if (!body.point.offset.isZero(0.0)) {
      groups.push_back({body});
      continue;
    }
    if (dofs + body.point.dof_count() > max_local_dofs) {
      groups.push_back(std::move(centred));
      centred.clear();
      dofs = 0;
    }
    centred.push_back(body);
    dofs += body.point.dof_count();
  }
  if (!centred.empty()) groups.push_back(std::move(centred));

  std::vector<Handle<Gravity>> result;
  result.reserve(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    std::string name = groups.size() == 1 ? parameters.name : fmt::format("{}[{}]", parameters.name, i);
    result.push_back(model.add<Gravity>(
        {.name = std::move(name), .acceleration = parameters.acceleration, .bodies = std::move(groups[i])}));
  }
  return result;
}

}  // namespace picus
