#include <picus/models/benchmarks/execution.hpp>
#include <picus/models/benchmarks/job.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>

namespace picus::models {
namespace {

/// Reports the overall progress, one call at a time.
class ProgressTeller {
 public:
  ProgressTeller(const ExecutionOptions& options, std::size_t count, double work)
      : tell_(options.progress), count_(count), work_(work) {}

  void begin(const std::string& task) { tell(task, false); }
  void end(const std::string& task, double cost) {
    const std::lock_guard lock(mutex_);
    ++finished_;
    done_ += cost;
    if (tell_) tell_({finished_, count_, work_ > 0.0 ? done_ / work_ : 1.0, task, true});
  }

 private:
  void tell(const std::string& task, bool has_ended) {
    const std::lock_guard lock(mutex_);
    if (tell_) tell_({finished_, count_, work_ > 0.0 ? done_ / work_ : 1.0, task, has_ended});
  }

  const std::function<void(const Progress&)>& tell_;
  std::size_t count_;
  double work_;
  std::size_t finished_ = 0;
  double done_ = 0.0;
  std::mutex mutex_;
};

}  // namespace

std::vector<BenchmarkResult> execute(std::span<const Benchmark> benchmarks, const ExecutionOptions& options) {
  std::vector<std::unique_ptr<Job>> jobs;
  std::vector<std::function<void()>> preparations;
  for (const Benchmark& benchmark : benchmarks) {
    Job& job = *jobs.emplace_back(std::make_unique<Job>(benchmark, options));
    preparations.emplace_back([&job] { job.prepare(); });
  }
  run_side_by_side(preparations, options.workers, options.threads);

  struct Entry {
    Job* job;
    Job::Task* task;
    std::string label;
  };
  std::vector<Entry> entries;
  double cost = 0.0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    for (Job::Task& task : jobs[i]->tasks()) {
      entries.push_back({jobs[i].get(), &task, fmt::format("{}: {}", benchmarks[i].name, task.label)});
      cost += task.cost;
    }
  }
  std::ranges::stable_sort(entries, std::greater<>(), [](const Entry& entry) { return entry.task->cost; });

  ProgressTeller teller(options, entries.size(), cost);
  std::vector<std::function<void()>> tasks;
  for (const Entry& entry : entries) {
    tasks.emplace_back([&teller, &entry] {
      teller.begin(entry.label);
      entry.job->run(*entry.task);
      teller.end(entry.label, entry.task->cost);
    });
  }
  run_side_by_side(tasks, options.workers, options.threads);

  std::vector<BenchmarkResult> results;
  for (const auto& job : jobs) results.push_back(job->take());
  return results;
}

}  // namespace picus::models
