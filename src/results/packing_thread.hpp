#pragma once

/// Compression of chunks, of large ones in parallel with the run. HDF5 itself is only called by the thread of the run.

#include "packer.hpp"

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace picus::results {

/// A chunk to be compressed, and the result.
struct PackingJob {
  std::span<const std::byte> chunk;
  std::size_t number_size = 1;
  std::vector<std::byte> packed;  ///< buffer of the size of the chunk
  std::size_t packed_bytes = 0;   ///< size of the result; 0: not smaller than the chunk
};

class PackingThread {
 public:
  /// Arguments as for Packer. Without `has_thread` start() compresses synchronously.
  PackingThread(int level, std::size_t chunk_bytes, bool has_thread);
  ~PackingThread();

  /// Starts the jobs, which must not be changed until finish(). One list at a time. Allocates nothing.
  void start(std::span<PackingJob> jobs);
  /// Waits until the jobs are done.
  void finish();

 private:
  void pack(std::span<PackingJob> jobs);
  void work();

  Packer packer_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::span<PackingJob> jobs_;  ///< empty: nothing to do
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace picus::results
