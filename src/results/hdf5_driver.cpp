#include "hdf5_driver.hpp"

#include "../committed_file.hpp"

#include <hdf5.h>

#include <limits>
#include <new>

namespace picus::results {
namespace {

/// Driver data in the access property list.
struct DriverInfo {
  CommittedFile* file;
};

/// The part of HDF5 comes first; HDF5 casts between the two.
struct OpenFile {
  H5FD_t common;
  CommittedFile* file;
  haddr_t allocated_end;
};

OpenFile& opened(H5FD_t* file) {
  return *reinterpret_cast<OpenFile*>(file);
}
const OpenFile& opened(const H5FD_t* file) {
  return *reinterpret_cast<const OpenFile*>(file);
}

Piece piece_of(H5FD_mem_t type) {
  switch (type) {
    case H5FD_MEM_DRAW:
      return Piece::data;
    case H5FD_MEM_SUPER:
      return Piece::superblock;
    case H5FD_MEM_BTREE:
      return Piece::tree_node;
    case H5FD_MEM_OHDR:
      return Piece::header;
    default:
      return Piece::other;
  }
}

H5FD_t* open(const char* /*name*/, unsigned /*flags*/, hid_t access, haddr_t /*max_address*/) {
  const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(access));
  if (info == nullptr) return nullptr;
  auto* file = new (std::nothrow) OpenFile{{}, info->file, 0};
  return file == nullptr ? nullptr : &file->common;
}

herr_t close(H5FD_t* file) {
  delete &opened(file);
  return 0;
}

herr_t query(const H5FD_t* /*file*/, unsigned long* flags) {
  // No accumulation of metadata: every piece is written separately and with its kind.
  *flags = H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t get_allocated_end(const H5FD_t* file, H5FD_mem_t /*type*/) {
  return opened(file).allocated_end;
}

herr_t set_allocated_end(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t end) {
  opened(file).allocated_end = end;
  opened(file).file->set_final_length(end);
  return 0;
}

haddr_t get_end(const H5FD_t* file, H5FD_mem_t /*type*/) {
  return opened(file).file->length();
}

herr_t read(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t address, std::size_t size,
            void* to) {
  return opened(file).file->read(address, {static_cast<std::byte*>(to), size}) ? 0 : -1;
}

herr_t write(H5FD_t* file, H5FD_mem_t type, hid_t /*transfer*/, haddr_t address, std::size_t size,
             const void* from) {
  opened(file).file->write(address, {static_cast<const std::byte*>(from), size}, piece_of(type));
  return 0;
}

H5FD_class_t make_driver() {
  H5FD_class_t driver = {};
#ifdef H5FD_CLASS_VERSION
  driver.version = H5FD_CLASS_VERSION;
  driver.value = 600;  // from the range for private drivers
#endif
  driver.name = "picus_committed";
  driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<std::int64_t>::max());
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(DriverInfo);
  driver.open = open;
  driver.close = close;
  driver.query = query;
  driver.get_eoa = get_allocated_end;
  driver.set_eoa = set_allocated_end;
  driver.get_eof = get_end;
  driver.read = read;
  driver.write = write;
  return driver;
}

/// Registers the driver, again if the library has been closed in between.
hid_t driver_id() {
  static const H5FD_class_t driver = make_driver();
  static hid_t id = -1;
  if (id < 0 || H5Iget_type(id) != H5I_VFL) id = H5FDregister(&driver);
  return id;
}

}  // namespace

Hdf5Handle make_file_access(CommittedFile& file) {
  Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS));
  const DriverInfo info{&file};
  if (!access || H5Pset_driver(access.id(), driver_id(), &info) < 0) file.fail(hdf5_error());
  return access;
}

}  // namespace picus::results
