#include "cart.hpp"

#include <picus/picus.hpp>

namespace {

constexpr double length = 0.5;  // of the spring without load, m

// A spring ties a cart to a base; inputs push the cart and move the base.
picus::Model build(const Cart& p) {
  using picus::Component;
  picus::Model model("cart");
  const auto base = model.add_point("base");
  const auto cart = model.add_point("cart", {.position = {length + p.offset, 0, 0}});
  model.drive(base, Component::x, p.speed.speed());
  for (const auto& node : {base, cart}) model.fix(node, {Component::y, Component::z});
  model.add<picus::PointMass>({.name = "mass", .node = cart, .mass = p.mass});
  model.add<picus::SpringDamper>({.name = "spring",
                                  .a = base,
                                  .b = cart,
                                  .stiffness = p.stiffness,
                                  .damping = p.damping,
                                  .free_length = length});
  model.add<picus::NodalForce>(
      {.name = "push", .point = cart, .force = [f = p.force](double t) { return picus::Vec3(f(t), 0, 0); }});
  model.add_sensor(picus::sensors::support_force({.name = "base", .on = base}));
  return model;
}

picus::Signals signals(const picus::RunInfo& run, const Cart& /*p*/) {
  using picus::signals::Axis;
  return {picus::signals::position(run, "cart", Axis::x), picus::signals::velocity(run, "cart", Axis::x)};
}

}  // namespace

picus::ModelParts<Cart> cart() {
  using picus::Range;
  return {.info = {.name = "cart",
                   .summary = "A cart on a spring is pushed, and the other end of the spring is moved.",
                   .step = 1e-3,
                   .until = 2.0},
          .parameters =
              picus::ParameterTable<Cart>()
                  .real("mass", &Cart::mass, Range::positive(), "kg", "mass of the cart")
                  .real("stiffness", &Cart::stiffness, Range::positive(), "N/m", "of the spring")
                  .real("damping", &Cart::damping, Range::not_negative(), "N s/m", "beside the spring")
                  .real("offset", &Cart::offset, Range::between(-0.2, 0.2), "m", "of the cart at the start"),
          .build = build,
          .signals = signals};
}
