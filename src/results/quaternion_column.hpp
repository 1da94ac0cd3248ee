#pragma once

/// Columns of unit quaternions without jumps: q and -q are the same rotation, and each row has the sign nearer to the
/// previous row.

#include "columns.hpp"

#include <cstring>
#include <memory>

namespace picus::results {

/// A column of `count` quaternions w, x, y, z of numbers T, of which quaternion_of(sample, i) gives the i-th as a
/// Vector4d of either sign.
template <class T, class QuaternionOf>
Column make_quaternion_column(std::string name, std::vector<Index> shape, std::string description,
                              std::size_t count, QuaternionOf quaternion_of) {
  using Quaternion = Eigen::Matrix<T, 4, 1>;
  const auto last = std::make_shared<std::vector<Quaternion>>(count, Quaternion::UnitX());
  Column column =
      make_column<T>(std::move(name), std::move(shape), "1", std::move(description),
                     [last, quaternion_of = std::move(quaternion_of)](const Sample& sample, T* row) {
                       for (std::size_t i = 0; i < last->size(); ++i, row += 4) {
                         const Eigen::Vector4d value = quaternion_of(sample, i);
                         Quaternion quaternion = value.template cast<T>();
                         if (quaternion.dot((*last)[i]) < 0) quaternion = -quaternion;
                         (*last)[i] = quaternion;
                         std::memcpy(row, quaternion.data(), sizeof(quaternion));
                       }
                     });
  column.resume = [last](const std::byte* row) {
    for (Quaternion& quaternion : *last) {
      std::memcpy(quaternion.data(), row, sizeof(quaternion));
      row += sizeof(quaternion);
    }
  };
  return column;
}

}  // namespace picus::results
