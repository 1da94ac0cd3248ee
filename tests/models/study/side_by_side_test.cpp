#include <picus/models/study/side_by_side.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <stdexcept>

namespace picus::models {
namespace {

TEST(SideBySide, RunsEveryTaskOnceForAnyNumberOfWorkers) {
  for (const unsigned workers : {0U, 1U, 2U, 7U, 100U}) {
    std::vector<std::atomic<int>> counts(20);
    std::vector<std::function<void()>> tasks;
    for (std::atomic<int>& count : counts) tasks.emplace_back([&count] { ++count; });
    run_side_by_side(tasks, workers);
    for (const std::atomic<int>& count : counts) EXPECT_EQ(count, 1) << workers;
  }
}

TEST(SideBySide, RunsTasksAtTheSameTime) {
  // Each waits for the other: in sequence they would never end.
  std::barrier both(2);
  run_side_by_side({[&] { both.arrive_and_wait(); }, [&] { both.arrive_and_wait(); }}, 2);
}

TEST(SideBySide, RunsTheOthersWhenOneThrowsAndPassesTheFirstExceptionOn) {
  for (const unsigned workers : {1U, 3U}) {
    std::atomic<int> done = 0;
    const std::vector<std::function<void()>> tasks = {
        [&] { ++done; }, [] { throw std::runtime_error("first"); },
        [] { throw std::runtime_error("second"); }, [&] { ++done; }};
    try {
      run_side_by_side(tasks, workers);
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "first");
    }
    EXPECT_EQ(done, 2);
  }
}

}  // namespace
}  // namespace picus::models
