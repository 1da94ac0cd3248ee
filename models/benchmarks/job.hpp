#pragma once

/// One benchmark on its way from plan to result. Part of execution.cpp and of its tests alone.

#include <picus/models/benchmarks/execution.hpp>

#include <memory>

namespace picus::models {

class Job {
 public:
  struct Task {
    std::string label;
    double cost;  ///< estimated, in no unit
    std::function<void()> work;
    double cpu_seconds = 0.0;
  };

  /// `options` must outlive the job.
  Job(const Benchmark& benchmark, const ExecutionOptions& options);
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Fills tasks(). What is wrong with a run or study is noted, and it gets no task.
  void prepare();
  std::vector<Task>& tasks() { return tasks_; }
  /// Does a task, on any thread. After the last one, turns outcomes into the result and frees them.
  void run(Task& task);
  /// The result, when all tasks are done; a job without tasks has it after prepare().
  BenchmarkResult take() { return std::move(result_); }

 private:
  struct RunWork {
    RunResult result;
    RunOutcome* outcome;
    std::optional<std::size_t> task;
  };
  struct SchemeWork {
    std::string scheme;
    std::string failure;  ///< of its preparation
    std::optional<ConvergenceStudy> study;
  };
  struct StudyWork {
    PlannedStudy plan;
    std::vector<SchemeWork> schemes;
  };

  bool stop_is_requested() const;
  void note(const std::string& what, const std::string& message);

  void prepare(PlannedRun& run);
  void make_run(const Trial& trial, RunWork& work);
  void interrupt(RunWork& work);
  void prepare(const PlannedSpectrum& planned);
  void prepare(PlannedStudy& planned);
  void make_part_of_study(const std::function<void()>& work);

  void conclude();
  void conclude_runs();
  void conclude_studies();
  SchemeResult conclude(const std::string& id, SchemeWork& work);

  const ExecutionOptions& options_;
  Plan plan_;
  bool has_plan_ = false;
  std::vector<Task> tasks_;
  std::vector<RunWork> runs_;
  std::vector<StudyWork> studies_;
  Outcomes outcomes_;
  BenchmarkResult result_;
  double preparation_seconds_ = 0.0;
  std::atomic<std::size_t> left_ = 0;  ///< tasks
  std::atomic<bool> is_interrupted_ = false;
};

}  // namespace picus::models
