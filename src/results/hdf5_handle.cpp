#include "hdf5_handle.hpp"

#include <hdf5.h>

#include <algorithm>
#include <type_traits>

namespace picus::results {

static_assert(std::is_same_v<hid_t, Hdf5Handle::Id>);

bool Hdf5Handle::release() {
  const Id id = std::exchange(id_, -1);
  return id < 0 || H5Idec_ref(id) >= 0;
}

QuietHdf5::QuietHdf5() {
  H5Eget_auto2(H5E_DEFAULT, &printer_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

QuietHdf5::~QuietHdf5() {
  H5Eset_auto2(H5E_DEFAULT, printer_, data_);
}

std::vector<unsigned long long> shape_of(Hdf5Handle::Id set) {
  static_assert(std::is_same_v<hsize_t, unsigned long long>);
  const Hdf5Handle space(H5Dget_space(set));
  std::vector<hsize_t> shape(std::max(H5Sget_simple_extent_ndims(space.id()), 0));
  H5Sget_simple_extent_dims(space.id(), shape.data(), nullptr);
  return shape;
}

std::string hdf5_error() {
  std::string innermost;
  const auto take = [](unsigned depth, const H5E_error2_t* error, void* text) -> herr_t {
    if (depth == 0 && error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take, &innermost);
  return innermost.empty() ? "HDF5 failed" : "HDF5: " + innermost;
}

}  // namespace picus::results
