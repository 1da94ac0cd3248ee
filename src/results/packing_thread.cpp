#include "packing_thread.hpp"

#include <algorithm>

namespace picus::results {

PackingThread::PackingThread(int level, std::size_t chunk_bytes, bool has_thread)
    : packer_(level, chunk_bytes) {
  if (has_thread) thread_ = std::thread([this] { work(); });
}

PackingThread::~PackingThread() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void PackingThread::start(std::span<PackingJob> jobs) {
  if (!thread_.joinable()) return pack(jobs);
  {
    const std::lock_guard lock(mutex_);
    jobs_ = jobs;
  }
  changed_.notify_all();
}

void PackingThread::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return jobs_.empty(); });
}

void PackingThread::pack(std::span<PackingJob> jobs) {
  for (PackingJob& job : jobs) {
    const std::span<const std::byte> packed = packer_.pack(job.chunk, job.number_size);
    std::copy(packed.begin(), packed.end(), job.packed.begin());
    job.packed_bytes = packed.size();
  }
}

void PackingThread::work() {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return is_over_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
    }
    pack(jobs_);
    {
      const std::lock_guard lock(mutex_);
      jobs_ = {};
    }
    changed_.notify_all();
  }
}

}  // namespace picus::results
