#include <picus/elements/bodies/planar_body.hpp>
#include <picus/elements/forces/scalar_load.hpp>
#include <picus/elements/forces/spring_damper.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/models/andrews_squeezer.hpp>

#include <fmt/format.h>

#include <cmath>
#include <memory>

namespace picus::models {
namespace {

Squeezer squeezer_of(const AndrewsSqueezer& p) {
  Squeezer squeezer;
  squeezer.torque = p.torque;
  squeezer.stiffness = p.stiffness;
  return squeezer;
}

/// D on K3, the end of the spring, with K3 at the angle gamma.
Vec3 spring_end(const Squeezer& s, double gamma) {
  return s.B + s.sd * Vec3(std::cos(gamma), std::sin(gamma), 0) +
         s.sc * Vec3(std::sin(gamma), -std::cos(gamma), 0);
}

double start_energy(const Squeezer& s) {
  const double gamma = SqueezerReference(s).angles(s.beta)[2];
  const double extension = (spring_end(s, gamma) - s.C).norm() - s.free_length;
  return s.stiffness * extension * extension / 2;
}

}  // namespace

SqueezerReference andrews_squeezer_reference(const AndrewsSqueezer& p, StopRequest stop_request) {
  return SqueezerReference(squeezer_of(p), stop_request);
}

Model make_andrews_squeezer(const AndrewsSqueezer& p) {
  Model model("andrews-squeezer");
  const Squeezer s = squeezer_of(p);
  const SqueezerReference::Angles a = SqueezerReference(s).angles(s.beta);
  // Body axes: x along e(a), y along -f(a).
  const auto turned = [&](Eigen::Index body, const Vec3& X) {
    const double c = std::cos(a[body]);
    const double sine = std::sin(a[body]);
    return Vec3(c * X.x() - sine * X.y(), sine * X.x() + c * X.y(), 0);
  };
  const auto add_body = [&](Eigen::Index body, const Vec3& centre) {
    const std::size_t i = body;
    return add_planar_body(model, {.name = fmt::format("K{}", body + 1),
                                   .position = centre,
                                   .angle = a[body],
                                   .mass = s.mass[i],
                                   .inertia = s.inertia[i]});
  };
  const auto add_hinge = [&](const std::string& name, const MaterialPoint& A, const MaterialPoint& B) {
    model.add<Hinge>({.name = name, .a = A, .b = B, .axis = Vec3::UnitZ()});
  };
  const Vec3 F = turned(0, {s.rr, 0, 0});
  const Vec3 G = s.A + turned(4, {s.zt, 0, 0});
  const Vec3 H = s.A + turned(6, {0, -s.u, 0});
  const PlanarBody K1 = add_body(0, turned(0, {s.ra, 0, 0}));
  const PlanarBody K2 = add_body(1, F + turned(1, {-s.da, 0, 0}));
  const PlanarBody K3 = add_body(2, s.B + turned(2, {s.sb, -s.sa, 0}));
  const PlanarBody K4 = add_body(3, G + turned(3, {0, s.ea - s.e, 0}));
  const PlanarBody K5 = add_body(4, s.A + turned(4, {s.ta, s.tb, 0}));
  const PlanarBody K6 = add_body(5, H + turned(5, {s.zf - s.fa, 0, 0}));
  const PlanarBody K7 = add_body(6, s.A + turned(6, {-s.ub, -s.ua, 0}));

  const ScalarNode beta = model.add_scalar("beta", {.value = s.beta});
  model.add<Hinge>({.name = "O",
                    .a = MaterialPoint::on_ground(Vec3::Zero()),
                    .b = K1.at({-s.ra, 0, 0}),
                    .axis = Vec3::UnitZ(),
                    .angle = beta});
  model.add<ScalarLoad>({.name = "motor", .node = beta, .load = s.torque});
  add_hinge("F", K1.at({s.rr - s.ra, 0, 0}), K2.at({s.da, 0, 0}));
  add_hinge("B", MaterialPoint::on_ground(s.B), K3.at({-s.sb, s.sa, 0}));
  add_hinge("A-K5", MaterialPoint::on_ground(s.A), K5.at({-s.ta, -s.tb, 0}));
  add_hinge("A-K7", MaterialPoint::on_ground(s.A), K7.at({s.ub, s.ua, 0}));
  add_hinge("G", K5.at({s.zt - s.ta, -s.tb, 0}), K4.at({0, s.e - s.ea, 0}));
  add_hinge("H", K7.at({s.ub, s.ua - s.u, 0}), K6.at({s.fa - s.zf, 0, 0}));
  const MaterialPoint E = K3.at({-s.sb, s.sa - s.ss, 0});
  add_hinge("E-K2", E, K2.at({s.da - s.d, 0, 0}));
  add_hinge("E-K4", E, K4.at({0, -s.ea, 0}));
  add_hinge("E-K6", E, K6.at({s.fa, 0, 0}));
  model.add<SpringDamper>({.name = "spring",
                           .a = MaterialPoint::on_ground(s.C),
                           .b = K3.at({s.sd - s.sb, s.sa - s.sc, 0}),
                           .stiffness = s.stiffness,
                           .free_length = s.free_length});
  return model;
}

Signals andrews_squeezer_signals(const RunInfo& run, const AndrewsSqueezer& p) {
  const Squeezer s = squeezer_of(p);
  const auto exact = std::make_shared<SqueezerReference>(s, run.stop_request);
  const auto angle = [exact](Eigen::Index i) {
    return [exact, i](double t) { return exact->angles(exact->at(t).beta)[i]; };
  };
  const Signal beta = scalar_value(run, "beta", "rad").named("beta");
  const Signal whole = energy(run);
  Signals signals;
  signals.push_back(beta.against([exact](double t) { return exact->at(t).beta; }));
  signals.push_back(
      scalar_rate(run, "beta", "rad").named("rate").against([exact](double t) { return exact->at(t).rate; }));
  signals.push_back(planar_angle(run, "K3").named("gamma").against(angle(2)));
  signals.push_back(planar_angle(run, "K5").named("delta").against(angle(4)));
  signals.push_back({"balance", "J", "energy less that at the start and the work of the motor",
                     [whole, beta, s, start = start_energy(s)](const Snapshot& at) {
                       return whole.value(at) - start - s.torque * (beta.value(at) - s.beta);
                     }});
  signals.push_back(violation(run));
  return signals;
}

Measures andrews_squeezer_measures(const RunInfo& run, const AndrewsSqueezer& p) {
  Measures measures;
  const Signals signals = andrews_squeezer_signals(run, p);
  measures.add("L1 error of beta", "", measures.l1_error(signals.front()), 0.0, "reference");
  measures.add(
      "largest change of energy less work", "J",
      measures.largest([balance = signals[4].value](const Snapshot& at) { return std::abs(balance(at)); }),
      0.0, "conserved");
  return measures;
}

RegisteredModel registered_andrews_squeezer() {
  using P = AndrewsSqueezer;
  auto table = ParameterTable<P>()
                   .real("torque", &P::torque, {}, "N m", "moment on the crank")
                   .real("stiffness", &P::stiffness, Range::not_negative(), "N/m", "stiffness of the spring");
  return ModelParts<P>{.info = {.name = "andrews-squeezer",
                                .summary = "Andrews' squeezer mechanism: a motor turns the crank of seven "
                                           "bodies in a plane. Against a spring "
                                           "it gets from rest to a thousand radians a second within 30 ms.",
                                .source = "IFToMM A03; Schiehlen 1990; Hairer and Wanner, section VII.7",
                                .step = 1e-5,
                                .until = 0.05,
                                .convergence = {.quantities = {"beta", "gamma", "delta"},
                                                .steps = {4e-5, 2e-5, 1e-5},
                                                .until = 0.03}},
                       .parameters = table,
                       .build = make_andrews_squeezer,
                       .measures = andrews_squeezer_measures,
                       .signals = andrews_squeezer_signals};
}

}  // namespace picus::models
