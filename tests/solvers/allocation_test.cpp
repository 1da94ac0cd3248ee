// A step allocates nothing once a run is under way. This program counts every allocation of the process,
// those of the linear solvers included, by standing before malloc.

#include "box_on_rod.hpp"
#include "runs.hpp"
#include <picus/solvers/linear/gmres_solver.hpp>
#include <support/dense.hpp>

#include <cstddef>
#include <cstdlib>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define PICUS_COUNTS_ALLOCATIONS 1

namespace {
bool is_counting = false;
long allocations = 0;

void count() {
  if (is_counting) ++allocations;
}
}  // namespace

// The names under which glibc keeps its own functions for those who replace them.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t number, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  count();
  return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) {
  count();
  return __libc_calloc(number, size);
}
void* realloc(void* old, std::size_t size) {
  count();
  return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  count();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  count();
  *result = __libc_memalign(alignment, size);
  return *result == nullptr ? ENOMEM : 0;
}
}
#endif

namespace picus {
namespace {

#ifdef PICUS_COUNTS_ALLOCATIONS

/// Allocations of one call.
template <class Action>
long allocations_of(Action&& action) {
  allocations = 0;
  is_counting = true;
  action();
  is_counting = false;
  return allocations;
}

TEST(Allocation, IsCountedWhereverItComesFrom) {
  EXPECT_EQ(allocations_of([] {}), 0);
  EXPECT_GE(allocations_of([] { std::vector<double>(100).swap(*std::make_unique<std::vector<double>>()); }),
            2);
  EXPECT_GE(allocations_of([] { (void)Vector::Zero(100).eval().norm(); }), 1);
  const BoxOnRod box;
  EXPECT_GE(allocations_of([&] { (void)System(box.model); }), 10);
}

TEST(Allocation, StepsMakeNoneWhileContactsOpenAndClose) {
  const BoxOnRod box;
  const System system(box.model);
  DecoupledNsga integrator({.step = 2e-3});
  State state = integrator.start(system);
  // Into the phase of impacts, so that each solver has chosen its pivots.
  for (int i = 0; i < 90; ++i) integrator.step(state);
  const auto pivoted = [&] {
    return integrator.linear_statistics(0).factorizations + integrator.linear_statistics(1).factorizations +
           integrator.linear_statistics(2).factorizations;
  };
  const auto pivoted_before = pivoted();
  int changes = 0;
  std::array<ContactState, 4> states{};
  const long count = allocations_of([&] {
    for (int i = 0; i < 300; ++i) {
      integrator.step(state);
      if (!std::equal(states.begin(), states.end(), state.contact_state.begin())) ++changes;
      std::copy(state.contact_state.begin(), state.contact_state.end(), states.begin());
    }
  });
  EXPECT_GE(changes, 10) << "contacts should open and close";
  EXPECT_EQ(pivoted(), pivoted_before) << "choosing new pivots allocates";
  EXPECT_EQ(count, 0) << "allocations in 300 steps";
}

/// Every scheme by its name and what its options add.
std::vector<std::string> all_schemes() {
  std::vector<std::string> result;
  for (const Scheme& scheme : schemes()) {
    result.push_back(scheme.name);
    for (const SchemeOption& option : scheme.options) {
      if (option.allowed == "yes or no") result.push_back(scheme.name + ":" + option.name + "=yes");
    }
  }
  result.push_back("chen:solver=lcp");
  for (const char* base : {"bathe", "ed-alpha", "half-explicit", "moreau-midpoint"})
    result.push_back(std::string("mixed:base=") + base);
  return result;
}

TEST(Allocation, StepsMakeNoneWithAnyScheme) {
  for (const std::string& scheme : all_schemes()) {
    // Some have no friction.
    const bool has_friction = scheme.find("lcp") == std::string::npos && scheme != "schatzman-paoli";
    const BoxOnRod box(has_friction ? 0.4 : 0.0);
    const System system(box.model);
    const auto integrator =
        make_integrator(scheme, {.step = 2e-3, .max_iterations = find_scheme(scheme).max_iterations});
    State state = integrator->start(system);
    // Into the phase of impacts: vectors have their size, pivots are chosen.
    for (int i = 0; i < 90; ++i) integrator->step(state);
    int changes = 0;
    std::array<ContactState, 4> states{};
    const long count = allocations_of([&] {
      for (int i = 0; i < 300; ++i) {
        integrator->step(state);
        if (!std::equal(states.begin(), states.end(), state.contact_state.begin())) ++changes;
        std::copy(state.contact_state.begin(), state.contact_state.end(), states.begin());
      }
    });
    EXPECT_GE(changes, 5) << scheme << ": contacts should open and close";
    EXPECT_EQ(count, 0) << scheme << ": allocations in 300 steps";
  }
}

/// Twenty points of three components with a contact each, of three rows, that stick.
SparseMatrix points_on_a_plane(Eigen::MatrixXd& K) {
  constexpr Index points = 20;
  K = Eigen::MatrixXd::Zero(6 * points, 6 * points);
  for (Index i = 0; i < 3 * points; ++i) {
    K(i, i) = 2;
    if (i >= 3) K(i, i - 3) = K(i - 3, i) = -0.5;
    K(3 * points + i, i) = K(i, 3 * points + i) = -1;
  }
  Eigen::MatrixXd pattern = K;
  for (Index i = 3 * points; i < 6 * points; i += 3) pattern.block<3, 3>(i, i).setOnes();
  SparseMatrix result = support::sparse(pattern);
  for (Index c = 0; c < result.size; ++c) {
    for (Index k = result.column_start[static_cast<std::size_t>(c)];
         k < result.column_start[static_cast<std::size_t>(c) + 1]; ++k)
      result.values[static_cast<std::size_t>(k)] = K(result.row[static_cast<std::size_t>(k)], c);
  }
  return result;
}

TEST(Allocation, GmresMakesNoneOnceItHasSeenAMatrix) {
  Eigen::MatrixXd K;
  SparseMatrix matrix = points_on_a_plane(K);
  GmresSolver solver;
  solver.analyze(matrix, 60);
  ASSERT_TRUE(solver.factorize(matrix));
  Vector b = Vector::LinSpaced(K.rows(), -1, 1);
  const long count = allocations_of([&] {
    for (int i = 0; i < 10; ++i) {
      for (double& value : matrix.values) value *= 1.01;
      solver.factorize(matrix);
      solver.solve({b.data(), static_cast<std::size_t>(b.size())});
    }
  });
  EXPECT_EQ(solver.statistics().factorizations, 0);
  EXPECT_EQ(count, 0);
}

#else

TEST(Allocation, CannotBeCountedHere) {
  GTEST_SKIP() << "the sanitizers have an allocator of their own";
}

#endif

}  // namespace
}  // namespace picus
