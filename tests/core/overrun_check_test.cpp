// Elements that write more than they announce are refused by name, before other data are corrupted.

#include <picus/system.hpp>
#include <support/message.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace picus::overrun_check_test {
namespace {

/// Where an element writes one row too many.
enum class Overrun : std::uint8_t {
  none,
  mass,
  force,
  stiffness,
  damping,
  violation,
  gradient,
  gap,
  observe
};

struct Culprit {
  std::string name;
  PointNode node;
  Overrun overrun = Overrun::none;
};

/// Writes ones into rows x columns, or into one more row.
void write(std::span<double> out, Index rows, Index columns, bool is_overrun) {
  std::fill_n(out.data(), (rows + (is_overrun ? 1 : 0)) * columns, 1.0);
}

class Body : public Element, public Inertia, public Force, public Observable {
 public:
  using Parameters = Culprit;
  Body(const Parameters& p, const Model&) : Element(p.name, {p.node}), overrun_(p.overrun) {}
  void mass(const Configuration&, std::span<double> M) const override {
    write(M, 3, 3, overrun_ == Overrun::mass);
  }
  bool has_constant_mass() const override { return true; }
  Traits traits() const override { return {}; }
  void force(const Motion&, std::span<double> f) const override {
    write(f, 3, 1, overrun_ == Overrun::force);
  }
  void tangents(const Motion&, std::span<double> K, std::span<double> C) const override {
    write(K, 3, 3, overrun_ == Overrun::stiffness);
    write(C, 3, 3, overrun_ == Overrun::damping);
  }
  std::vector<Quantity> quantities() const override { return {{"stress", {6}, "Pa"}}; }
  void observe(const Motion&, std::span<double> values) const override {
    write(values, 6, 1, overrun_ == Overrun::observe);
  }

 private:
  Overrun overrun_;
};

class Rod : public Element, public BilateralConstraint {
 public:
  using Parameters = Culprit;
  Rod(const Parameters& p, const Model&) : Element(p.name, {p.node}), overrun_(p.overrun) {}
  Index row_count() const override { return 2; }
  void residual(const Configuration&, double, std::span<double> g) const override {
    write(g, 2, 1, overrun_ == Overrun::violation);
  }
  void gradient(const Configuration&, double, std::span<double> G) const override {
    write(G, 2, 3, overrun_ == Overrun::gradient);
  }
  void geometric_stiffness(const Configuration&, double, std::span<const double>,
                           std::span<double>) const override {}
  void rate_jacobian(const Configuration&, double, std::span<const double>,
                     std::span<double>) const override {}

 private:
  Overrun overrun_;
};

/// Frictionless according to its law, but it writes a tangential motion.
class Floor : public Element, public Contact {
 public:
  using Parameters = Culprit;
  Floor(const Parameters& p, const Model&) : Element(p.name, {p.node}), overrun_(p.overrun) {}
  const ContactLaw& law() const override { return law_; }
  void displacement(const Configuration&, const Configuration&, std::span<double> g) const override {
    write(g, 1, 1, overrun_ == Overrun::gap);
  }
  void gradient(const Configuration&, std::span<double> G) const override { write(G, 1, 3, false); }
  void geometric_stiffness(const Configuration&, std::span<const double>, std::span<double>) const override {}

 private:
  Overrun overrun_;
  ContactLaw law_{.friction_directions = 0};
};

template <class One>
std::string message(Overrun overrun) {
  Model model;
  const PointNode node = model.add_point("point");
  model.add<One>({.name = "mine", .node = node, .overrun = overrun});
  return support::message_of<ModelError>([&] { (void)System(model); });
}

TEST(OverrunCheck, NamesElementAndFunction) {
  EXPECT_EQ(message<Body>(Overrun::mass), "element \"mine\" writes past the 3 x 3 entries of mass()");
  EXPECT_EQ(message<Body>(Overrun::force), "force \"mine\" writes past the 3 x 1 entries of force()");
  EXPECT_EQ(message<Body>(Overrun::stiffness), "force \"mine\" writes past the 3 x 3 entries of tangents()");
  EXPECT_EQ(message<Body>(Overrun::damping), "force \"mine\" writes past the 3 x 3 entries of tangents()");
  EXPECT_EQ(message<Body>(Overrun::observe), "element \"mine\" writes past the 6 x 1 entries of observe()");
  EXPECT_EQ(message<Rod>(Overrun::violation),
            "constraint \"mine\" writes past the 2 x 1 entries of residual()");
  EXPECT_EQ(message<Rod>(Overrun::gradient),
            "constraint \"mine\" writes past the 2 x 3 entries of gradient()");
  EXPECT_EQ(message<Floor>(Overrun::gap), "contact \"mine\" writes past the 1 x 1 entries of displacement()");
}

TEST(OverrunCheck, ElementsThatKeepToTheirStoragePass) {
  Model model;
  const PointNode node = model.add_point("point");
  model.add<Body>({.name = "body", .node = node});
  model.add<Floor>({.name = "floor", .node = node});
  EXPECT_NO_THROW((void)System(model));
}

}  // namespace
}  // namespace picus::overrun_check_test
