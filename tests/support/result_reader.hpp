#pragma once

/// Reads result files with the plain HDF5 library.

#include <hdf5.h>

#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace picus::support {

class ResultReader {
 public:
  explicit ResultReader(const std::filesystem::path& path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    file_ = require(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), path.string());
  }
  ~ResultReader() { H5Fclose(file_); }
  ResultReader(const ResultReader&) = delete;
  ResultReader& operator=(const ResultReader&) = delete;

  bool has(const std::string& name) const {
    for (std::size_t end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1)) {
      if (H5Lexists(file_, name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    }
    return H5Lexists(file_, name.c_str(), H5P_DEFAULT) > 0;
  }

  std::vector<hsize_t> shape(const std::string& name) const {
    const hid_t set = require(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), name);
    const hid_t space = H5Dget_space(set);
    std::vector<hsize_t> result(H5Sget_simple_extent_ndims(space));
    H5Sget_simple_extent_dims(space, result.data(), nullptr);
    H5Sclose(space);
    H5Dclose(set);
    return result;
  }

  /// All numbers of a data set, row by row.
  std::vector<double> numbers(const std::string& name) const {
    const hid_t set = require(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), name);
    const hid_t space = H5Dget_space(set);  // without it a virtual data set is read as if it were empty
    std::vector<double> result(H5Sget_simple_extent_npoints(space));
    H5Sclose(space);
    const herr_t status = H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, result.data());
    H5Dclose(set);
    require(status, name);
    return result;
  }

  bool has_attribute(const std::string& object, const std::string& name) const {
    return H5Aexists_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
  }

  std::string text(const std::string& object, const std::string& name) const {
    const hid_t attribute = open_attribute(object, name);
    const hid_t type = H5Aget_type(attribute);
    char* characters = nullptr;
    require(H5Aread(attribute, type, &characters), name);
    const std::string result = characters;
    H5free_memory(characters);
    H5Tclose(type);
    H5Aclose(attribute);
    return result;
  }

  double number(const std::string& object, const std::string& name) const {
    const hid_t attribute = open_attribute(object, name);
    double result = 0;
    require(H5Aread(attribute, H5T_NATIVE_DOUBLE, &result), name);
    H5Aclose(attribute);
    return result;
  }

  /// The paths of all data sets.
  std::vector<std::string> data_sets() const {
    std::vector<std::string> names;
    const auto visit = [](hid_t, const char* name, const H5O_info_t* info, void* data) -> herr_t {
      if (info->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(data)->emplace_back(name);
      return 0;
    };
    require(H5Ovisit2(file_, H5_INDEX_NAME, H5_ITER_NATIVE, visit, &names, H5O_INFO_BASIC), "all objects");
    return names;
  }

 private:
  template <class Id>
  static Id require(Id id, const std::string& what) {
    if (id < 0) throw std::runtime_error("cannot read " + what);
    return id;
  }
  hid_t open_attribute(const std::string& object, const std::string& name) const {
    return require(H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), name);
  }

  hid_t file_;
};

/// Whether a data set of a result holds texts.
inline bool is_text(const std::string& name) {
  return name.starts_with("model/") || name == "visualization/owners" || name == "visualization/contacts" ||
         (name.starts_with("contact_sets/") && name.ends_with("/features"));
}

/// Whether a data set of a result does not grow with the records.
inline bool is_constant(const std::string& name) {
  static const std::set<std::string> vtk = {"VTKHDF/Connectivity",  "VTKHDF/Offsets",
                                            "VTKHDF/Types",         "VTKHDF/NumberOfPoints",
                                            "VTKHDF/NumberOfCells", "VTKHDF/NumberOfConnectivityIds"};
  static const std::set<std::string> drawing = {
      "visualization/owners",        "visualization/line_radius", "visualization/box_point",
      "visualization/box_half",      "visualization/point_node",  "visualization/sphere_point",
      "visualization/sphere_radius", "visualization/contacts",    "visualization/triangle"};
  return name.starts_with("model/") || name.starts_with("visualization/topology/") || vtk.contains(name) ||
         drawing.contains(name);
}

}  // namespace picus::support
