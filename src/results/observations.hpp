#pragma once

/// What elements report of themselves (Observable), as columns "elements/NAME/QUANTITY".

#include "columns.hpp"

namespace picus::results {

/// Columns that are filled from Sample::observed.
void add_observation_columns(std::vector<Column>& columns, const Model& model);

/// The values of all observable elements, one after another.
class Observations {
 public:
  explicit Observations(const Model& model);
  /// Asks all elements. Allocates nothing.
  void evaluate(const State& state);
  const Vector& values() const { return values_; }

 private:
  struct Reporter {
    const Observable* role;
    Index first, size;
  };
  std::vector<Reporter> reporters_;
  Vector values_;
};

}  // namespace picus::results
