#include "packing_thread.hpp"

#include <algorithm>

namespace picus::results {

PackingThread::PackingThread(int level, std::size_t chunk_bytes)
    : packer_(level, chunk_bytes), thread_([this] { work(); }) {}

PackingThread::~PackingThread() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void PackingThread::start(std::span<PackingJob> jobs) {
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

void PackingThread::work() {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return is_over_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
    }
    for (PackingJob& job : jobs_) {
      const std::span<const std::byte> packed = packer_.pack(job.chunk, job.number_size);
      std::copy(packed.begin(), packed.end(), job.packed.begin());
      job.packed_bytes = packed.size();
    }
    {
      const std::lock_guard lock(mutex_);
      jobs_ = {};
    }
    changed_.notify_all();
  }
}

}  // namespace picus::results
