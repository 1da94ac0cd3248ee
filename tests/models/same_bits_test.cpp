// Every model gives bitwise identical results for any number of threads.

#include <picus/models/registry.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <picus/step_callback.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

namespace picus::models {
namespace {

/// Everything that steps compute, as bits.
using Bits = std::vector<std::uint64_t>;

void append(Bits& bits, std::span<const double> values) {
  if (values.empty()) return;  // its data may be null, which memcpy does not permit
  const std::size_t before = bits.size();
  bits.resize(before + values.size());
  std::memcpy(bits.data() + before, values.data(), values.size_bytes());
}

void append(Bits& bits, const Snapshot& at) {
  const State& s = at.state;
  append(bits, s.q.data());
  for (const Vector* vector :
       {&s.v, &s.acceleration, &s.auxiliary, &s.constraint_force, &s.constraint_impulse, &s.contact_impulse,
        &s.contact_rate, &s.contact_slip, &s.position_multiplier, &s.contact_impulse_change,
        &s.position_multiplier_change, &s.reaction, &at.rows.violation, &at.rows.gaps})
    append(bits, {vector->data(), static_cast<std::size_t>(vector->size())});
  const Energies e = at.audit.energies(s);
  append(bits, std::vector{e.kinetic, e.potential, e.work_of_loads, e.work_of_dampers, e.work_of_contacts});
}

/// After `steps` steps; loops of any size are shared.
Bits bits_of(const Model& model, const std::string& scheme, double h, int steps, int threads) {
  const ThreadLimit limit(threads, true);
  const auto integrator =
      make_integrator(scheme, {.step = h, .max_iterations = find_scheme(scheme).max_iterations});
  Bits bits;
  StepCallback collect([&](const Snapshot& at) { append(bits, at); });
  simulate(model, *integrator, {.until = steps * h}, {&collect});
  return bits;
}

class SameBits : public testing::TestWithParam<RegisteredModel> {};

TEST_P(SameBits, ForAnyNumberOfThreads) {
  const ModelInfo& info = GetParam().info();
  const Model model = GetParam().configure().build();
  const Bits alone = bits_of(model, "ds", info.step, 6, 1);
  for (const int threads : {2, 3, 8})
    EXPECT_EQ(bits_of(model, "ds", info.step, 6, threads), alone) << threads;
}

INSTANTIATE_TEST_SUITE_P(Models, SameBits, testing::ValuesIn(registry().begin(), registry().end()),
                         [](const auto& model) {
                           std::string name = model.param.info().name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

/// A landing cube, with friction: large enough for tasks of sweeps, and solved iteratively with contacts.
TEST(SameBitsOfSchemes, OfALandingCube) {
  const std::vector<std::string> settings = {"divisions=6", "mu=0.3", "height=1e-4", "downward=2"};
  const Model model = find_model("flexible-cube").configure(settings).build();
  for (const char* scheme : {"ds", "moreau-jean", "chen"}) {
    const Bits alone = bits_of(model, scheme, 1e-4, 4, 1);
    for (const int threads : {2, 3, 8})
      EXPECT_EQ(bits_of(model, scheme, 1e-4, 4, threads), alone) << scheme << threads;
  }
}

}  // namespace
}  // namespace picus::models
