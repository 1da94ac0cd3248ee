#pragma once

/// RAII wrappers for HDF5 identifiers, and HDF5 errors.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace picus::results {

/// Owns one HDF5 identifier of any kind.
class Hdf5Handle {
 public:
  using Id = std::int64_t;  ///< hid_t

  Hdf5Handle() = default;
  explicit Hdf5Handle(Id id) : id_(id) {}
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Hdf5Handle() { release(); }

  Id id() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  /// Releases it now; false if HDF5 reports an error.
  bool release();

 private:
  Id id_ = -1;
};

/// Keeps HDF5 from printing its error stack during the lifetime of the object.
class QuietHdf5 {
 public:
  QuietHdf5();
  ~QuietHdf5();
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;

 private:
  int (*printer_)(Hdf5Handle::Id, void*) = nullptr;
  void* data_ = nullptr;
};

/// The lengths of a data set in each dimension (hsize_t).
std::vector<unsigned long long> shape_of(Hdf5Handle::Id set);

/// A short description of the last HDF5 error.
std::string hdf5_error();

}  // namespace picus::results
