#pragma once

/// Packs chunks, large ones beside the run, which goes on meanwhile. HDF5 itself is only called by the thread of the run.

#include "packer.hpp"

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace picus::results {

/// A chunk to be packed, and what comes of it.
struct PackingJob {
  std::span<const std::byte> chunk;
  std::size_t number_size = 1;
  std::vector<std::byte> packed;  ///< as large as the chunk
  std::size_t packed_bytes = 0;   ///< 0: packing does not make it smaller
};

class PackingThread {
 public:
  /// As for Packer. Without a thread of its own start() packs at once.
  PackingThread(int level, std::size_t chunk_bytes, bool has_thread);
  ~PackingThread();

  /// Begins with the jobs, which must stay as they are until finish(). One list at a time. Allocates nothing.
  void start(std::span<PackingJob> jobs);
  /// Waits until they are done.
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
