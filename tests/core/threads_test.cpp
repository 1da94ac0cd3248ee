#include <picus/element_loop.hpp>
#include <picus/error.hpp>
#include <picus/model.hpp>
#include <picus/system.hpp>
#include <picus/threads.hpp>
#include <support/message.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>

namespace picus::support {
namespace {

using testing::HasSubstr;

/// Threads that share loops of any size.
std::shared_ptr<const Threads> eager(int count) {
  const ThreadLimit limit(count, true);
  return Threads::make(0, 1);
}

TEST(ThreadsTest, VisitEachItemOnce) {
  for (const int count : {2, 3, 8}) {
    const auto threads = eager(count);
    for (const std::size_t items : {0, 1, 2, 7, 1000}) {
      std::vector<int> visits(items, 0);
      threads->for_parts(items, 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) ++visits[i];
      });
      EXPECT_EQ(visits, std::vector<int>(items, 1)) << count << " threads, " << items;
    }
  }
}

TEST(ThreadsTest, AreAsManyAsAskedFor) {
  const auto threads = eager(5);
  std::set<std::thread::id> seen;
  std::mutex mutex;
  std::atomic<int> inside = 0;
  threads->for_each_thread([&] {
    ++inside;
    // Waits for a while until all five are inside at the same time.
    for (int i = 0; i < 20000 && inside < 5; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(seen.size(), 5U);
}

TEST(ThreadsTest, TreatDenormalsAsTheCaller) {
#if defined(__SSE__)
  const unsigned before = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(before | 0x8040U);
  std::atomic<int> flushed = 0;
  eager(4)->for_parts(64, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      volatile double small = std::numeric_limits<double>::min();
      small = small / 4;
      if (small == 0) ++flushed;
    }
  });
  __builtin_ia32_ldmxcsr(before);
  EXPECT_EQ(flushed, 64);
#endif
}

TEST(ThreadsTest, PassOnTheExceptionOfTheFirstPart) {
  for (const int count : {2, 3, 8}) {
    const auto threads = eager(count);
    for (int repeat = 0; repeat < 50; ++repeat) {
      EXPECT_EQ(message_of<Error>([&] {
                  threads->for_parts(500, 1, [&](std::size_t first, std::size_t last) {
                    for (std::size_t i = first; i < last; ++i) {
                      if (i >= 123 && i % 7 != 0) throw Error(std::to_string(i));
                    }
                  });
                }),
                "123");
    }
  }
}

TEST(ThreadsTest, AreOneForSmallModelsAndWhereALimitSaysSo) {
  EXPECT_EQ(Threads::make(0, 10), nullptr);
  EXPECT_EQ(Threads::make(1, 1'000'000), nullptr);
  ASSERT_NE(Threads::make(3, 10), nullptr);
  EXPECT_EQ(Threads::make(3, 10)->count(), 3);
  {
    const ThreadLimit one(1);
    EXPECT_EQ(Threads::make(0, 1'000'000), nullptr);
    {
      const ThreadLimit four(4);
      EXPECT_EQ(Threads::make(0, 1)->count(), 4);
      EXPECT_EQ(Threads::make(2, 1)->count(), 2);
    }
    EXPECT_EQ(Threads::make(0, 1'000'000), nullptr);
  }
}

TEST(ThreadsTest, RefuseNumbersOutOfRange) {
  for (const int count : {-1, 257}) {
    const std::string text =
        "the number of threads is " + std::to_string(count) + ", must be from 1 to 256, or 0 for all cores";
    EXPECT_EQ(message_of<OptionError>([&] { Threads::make(count, 1); }), text);
    EXPECT_EQ(message_of<OptionError>([&] { ThreadLimit{count}; }), text);
  }
}

/// Number of probe calls in progress.
std::atomic<int> calls_inside = 0;

/// A force that fails on demand, and detects concurrent calls.
class Probe : public Element, public Force {
 public:
  struct Parameters {
    std::string name;
    PointNode node;
    bool fails = false;
    bool alone = false;
  };
  Probe(const Parameters& parameters, const Model& /*model*/)
      : Element(parameters.name, {parameters.node}), fails_(parameters.fails) {
    if (parameters.alone) evaluate_serially();
  }
  Traits traits() const override { return {.depends_on_configuration = false, .depends_on_velocity = false}; }
  void force(const Motion& motion, std::span<double> f) const override {
    const bool is_beside = calls_inside++ > 0;
    if (is_beside || std::this_thread::get_id() != home_) called_alone_ = false;
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    f[0] = std::sin(1.0 + static_cast<double>(nodes()[0].index));
    --calls_inside;
    if (fails_ && motion.t > 5) throw SolverError("force of " + name());
  }
  void tangents(const Motion& /*motion*/, std::span<double> /*K*/, std::span<double> /*C*/) const override {}
  /// Whether no other call was in progress during the calls since the last query.
  bool was_called_alone() const { return std::exchange(called_alone_, true); }

 private:
  bool fails_;
  std::thread::id home_ = std::this_thread::get_id();
  mutable bool called_alone_ = true;
};

class ElementsInThreads : public testing::Test {
 protected:
  void add(bool fails, bool alone, bool mark = false) {
    const auto name = "probe[" + std::to_string(probes.size()) + "]";
    const PointNode node = model.add_point(name);
    probes.push_back(model.add<Probe>({.name = name, .node = node, .fails = fails, .alone = alone}));
    if (mark) model.evaluate_serially(probes.back());
  }
  Vector sum(const System& system, double t = 0) const {
    Vector r = Vector::Zero(system.velocity_count());
    system.add_forces({model.initial_configuration(), Vector::Zero(r.size()), t}, 0.3, r);
    return r;
  }

  Model model;
  std::vector<Handle<Probe>> probes;
  ThreadLimit any_size{1, true};
};

TEST_F(ElementsInThreads, TheFirstOfSeveralThatFailIsNamed) {
  for (int i = 0; i < 60; ++i) add(i >= 17 && i % 2 == 1, i % 5 == 4);
  for (const int threads : {1, 2, 3, 8}) {
    const System system(model, threads);
    for (int repeat = 0; repeat < 3; ++repeat)
      EXPECT_EQ(message_of<SolverError>([&] { sum(system, 6.0); }), "force of probe[17]") << threads;
  }
}

TEST_F(ElementsInThreads, OneThatIsCalledAloneIsNamedWhereItIsTheFirst) {
  for (int i = 0; i < 60; ++i) add(i >= 14 && i % 2 == 0, i % 5 == 4);  // 14 is called alone
  for (const int threads : {1, 2, 3, 8}) {
    const System system(model, threads);
    for (int repeat = 0; repeat < 3; ++repeat)
      EXPECT_EQ(message_of<SolverError>([&] { sum(system, 6.0); }), "force of probe[14]") << threads;
  }
}

TEST_F(ElementsInThreads, ThoseThatAreMarkedAreCalledAloneInTheThreadOfTheRun) {
  for (int i = 0; i < 60; ++i) add(false, i % 5 == 4, i % 7 == 3);
  const System alone(model, 1);
  const Vector expected = sum(alone);
  for (const auto& probe : probes) EXPECT_TRUE(probe->was_called_alone());
  const System system(model, 3);
  bool any_together = false;
  // On a loaded machine one thread may do all the work, again and again.
  for (int repeat = 0; repeat < 8 || (!any_together && repeat < 300); ++repeat) {
    ASSERT_EQ(sum(system), expected);
    for (std::size_t i = 0; i < probes.size(); ++i) {
      const bool was_alone = probes[i]->was_called_alone();
      if (i % 5 == 4 || i % 7 == 3) {
        EXPECT_TRUE(was_alone) << i;
        EXPECT_TRUE(probes[i]->is_evaluated_serially());
      } else {
        any_together = any_together || !was_alone;
      }
    }
  }
  EXPECT_TRUE(any_together);  // otherwise nothing has been tested
}

TEST_F(ElementsInThreads, OnlyElementsOfAModelThatIsNotInUseAreMarked) {
  add(false, false);
  Model other("other");
  EXPECT_EQ(message_of<ModelError>([&] { other.evaluate_serially(probes[0]); }),
            "element \"probe[0]\" is not one of model \"other\": it cannot be called alone");
  const System system(model);
  EXPECT_THAT(message_of<ModelError>([&] { model.evaluate_serially(probes[0]); }),
              HasSubstr("element \"probe[0]\" cannot be marked as called alone: model \"model\" is in use"));
}

}  // namespace
}  // namespace picus::support
