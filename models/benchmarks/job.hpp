#pragma once

/// One benchmark from its plan to its result. Only for execution.cpp and its tests.

#include <picus/models/benchmarks/execution.hpp>

namespace picus::models {

class Job {
 public:
  struct Task {
    std::string label;
    double cost;  ///< estimated, arbitrary unit
    std::function<void()> work;
    double* run_seconds = nullptr;  ///< receives its CPU time, in addition to that of the benchmark
    double cpu_seconds = 0.0;
  };

  /// `options` must outlive the job.
  Job(const Benchmark& benchmark, const ExecutionOptions& options);
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Fills tasks(). Errors in a run or study are recorded, and it gets no task.
  void prepare();
  std::vector<Task>& tasks() { return tasks_; }
  /// Performs a task, on any thread. The last one turns the outcomes of the runs into the result and frees their
  /// signals.
  void run(Task& task);
  /// The result, once all tasks are done; for a job without tasks, after prepare().
  BenchmarkResult take() { return std::move(result_); }

 private:
  /// A study of one scheme whose runs are tasks.
  struct StudyAtWork {
    SchemeStudy* result;
    ConvergenceStudy study;
  };

  bool stop_is_requested() const;
  void note(const std::string& what, const std::string& message);

  void check_names() const;
  void prepare(Run& run);
  void make_run(const Trial& trial, Run& run);
  void prepare(SpectrumRun& spectrum);
  void prepare(Study& study);
  void make_part_of_study(const std::function<void()>& work);

  void conclude();
  void conclude_runs();
  void conclude_studies();

  const ExecutionOptions& options_;
  BenchmarkResult result_;
  std::vector<Task> tasks_;
  std::vector<StudyAtWork> studies_;
  double preparation_seconds_ = 0.0;
  std::atomic<std::size_t> left_ = 0;  ///< number of remaining tasks
  std::atomic<bool> is_interrupted_ = false;
};

}  // namespace picus::models
