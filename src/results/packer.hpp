#pragma once

/// A faster implementation of HDF5's filters "shuffle" and "deflate": of the strategies that give a valid deflate
/// stream HDF5 uses the slowest, and in the mantissas of physical data the search for repetitions is futile.

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace picus::results {

class Packer {
 public:
  /// Level 1 encodes runs only, 2 to 9 are those of zlib. `chunk_bytes` is the size of the largest chunk.
  Packer(int level, std::size_t chunk_bytes);
  ~Packer();

  /// The chunk of numbers of `number_size` bytes, shuffled and deflated; empty if the result is not smaller. Valid
  /// until the next call.
  std::span<const std::byte> pack(std::span<const std::byte> chunk, std::size_t number_size);

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
  std::vector<std::byte> shuffled_;
  std::vector<std::byte> packed_;
};

}  // namespace picus::results
