#pragma once

/// One benchmark on its way from plan to result. Part of execution.cpp and of its tests alone.

#include <picus/models/benchmarks/execution.hpp>

namespace picus::models {

class Job {
 public:
  struct Task {
    std::string label;
    double cost;  ///< estimated, in no unit
    std::function<void()> work;
    double* run_seconds = nullptr;  ///< where its CPU time goes, beside that of the benchmark
    double cpu_seconds = 0.0;
  };

  /// `options` must outlive the job.
  Job(const Benchmark& benchmark, const ExecutionOptions& options);
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Fills tasks(). What is wrong with a run or study is noted, and it gets no task.
  void prepare();
  std::vector<Task>& tasks() { return tasks_; }
  /// Does a task, on any thread. After the last one, turns what the runs gave into the result and frees their signals.
  void run(Task& task);
  /// The result, when all tasks are done; a job without tasks has it after prepare().
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
  std::atomic<std::size_t> left_ = 0;  ///< tasks
  std::atomic<bool> is_interrupted_ = false;
};

}  // namespace picus::models
