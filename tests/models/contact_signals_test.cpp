/// Signals of contacts provide storage for all rows of a contact.

#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/signal.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <gtest/gtest.h>

namespace picus::contact_signals_test {
namespace {

/// A contact with all six rows, which reports how many were requested.
class SixRows : public Element, public Contact {
 public:
  struct Parameters {
    std::string name;
    Node node;
    ContactLaw law = {.mu = 0.1, .friction_directions = 2, .has_drilling = true, .rolling_directions = 2};
  };
  SixRows(const Parameters& p, const Model&) : Element(p.name, {p.node}), law_(p.law), node_(p.node) {}

  const ContactLaw& law() const override { return law_; }
  void displacement(const Configuration&, const Configuration& q, std::span<double> g) const override {
    EXPECT_EQ(g.size(), 6U);
    g[0] = q.position(node_).z();
  }
  void gradient(const Configuration&, std::span<double> G) const override { G[2 * 6] = 1.0; }
  void geometric_stiffness(const Configuration&, std::span<const double>, std::span<double>) const override {}
  bool has_structural_zeros() const override { return false; }

 private:
  ContactLaw law_;
  Node node_;
};

class GapRecorder : public Recorder {
 public:
  void begin(const RunInfo& run) override { signal = signals::gap(run, "six"); }
  void record(const Snapshot& at) override { gaps.push_back(signal.value(at)); }
  void finish(const std::string& /*outcome*/) override {}

  Signal signal;
  std::vector<double> gaps;
};

TEST(ContactSignals, AskForAllRows) {
  Model model("m");
  const FrameNode ball = model.add_frame("ball", {.position = {0, 0, 2}, .velocity = {0, 0, -1}});
  model.add<RigidBody>({.name = "body", .node = ball, .mass = 1.0, .inertia = Mat3::Identity()});
  model.add<SixRows>({.name = "six", .node = ball});
  const auto integrator = make_integrator("ds", {.step = 0.1});
  GapRecorder recorder;
  simulate(model, *integrator, {.until = 1.0}, {&recorder});
  ASSERT_EQ(recorder.gaps.size(), 11U);
  EXPECT_EQ(recorder.gaps.front(), 2.0);
  EXPECT_NEAR(recorder.gaps.back(), 1.0, 1e-12);
}

}  // namespace
}  // namespace picus::contact_signals_test
