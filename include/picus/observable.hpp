#pragma once

/// Quantities that an element reports beyond the motion of its nodes: joint coordinates, section forces, strains,
/// stresses. Optional, recorded in the results, never used by a solver.

#include <picus/element.hpp>

#include <string>
#include <vector>

namespace picus {

/// One quantity that an element reports.
struct Quantity {
  std::string name;              ///< name of its data set, such as "section_force"
  std::vector<Index> shape;      ///< empty: a scalar; {6}: a vector; {8, 6}: a matrix, row by row
  std::string unit;              ///< comma-separated where components differ
  std::string description = {};  ///< meaning and axes

  /// Number of values.
  Index size() const {
    Index count = 1;
    for (const Index length : shape) count *= length;
    return count;
  }
};

/// The role of an element that reports quantities.
class Observable {
 public:
  virtual ~Observable() = default;
  /// The quantities, constant over the life of the element; at least one.
  virtual std::vector<Quantity> quantities() const = 0;
  /// Writes all quantities, one after another. Allocates nothing.
  virtual void observe(const Motion& motion, std::span<double> values) const = 0;
};

}  // namespace picus
