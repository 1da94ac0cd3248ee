#include "packer.hpp"

#include <new>
#include <zlib.h>

namespace picus::results {

struct Packer::Stream {
  z_stream zlib = {};
};

Packer::Packer(int level, std::size_t chunk_bytes)
    : stream_(std::make_unique<Stream>()), shuffled_(chunk_bytes), packed_(chunk_bytes) {
  constexpr int largest_window = 15;
  constexpr int memory_level = 8;
  const int strategy = level == 1 ? Z_RLE : Z_DEFAULT_STRATEGY;
  if (deflateInit2(&stream_->zlib, level, Z_DEFLATED, largest_window, memory_level, strategy) != Z_OK) {
    throw std::bad_alloc();
  }
}

Packer::~Packer() {
  deflateEnd(&stream_->zlib);
}

std::span<const std::byte> Packer::pack(std::span<const std::byte> chunk, std::size_t number_size) {
  std::span<const std::byte> input = chunk;
  if (number_size > 1) {
    const std::size_t count = chunk.size() / number_size;
    std::byte* to = shuffled_.data();
    for (std::size_t byte = 0; byte < number_size; ++byte) {
      for (std::size_t k = 0; k < count; ++k) *to++ = chunk[k * number_size + byte];
    }
    input = {shuffled_.data(), chunk.size()};
  }
  z_stream& zlib = stream_->zlib;
  deflateReset(&zlib);
  zlib.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(input.data()));
  zlib.avail_in = static_cast<uInt>(input.size());
  zlib.next_out = reinterpret_cast<Bytef*>(packed_.data());
  zlib.avail_out = static_cast<uInt>(chunk.size() - 1);
  if (deflate(&zlib, Z_FINISH) != Z_STREAM_END) return {};
  return std::span(packed_.data(), zlib.total_out);
}

}  // namespace picus::results
