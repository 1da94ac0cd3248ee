#pragma once

/// Stresses, section forces and other quantities of an element of a part, recovered from the motion of the reduced body
/// that was made from it.

#include <picus/elements/reduced/reduced_body.hpp>
#include <picus/sensor.hpp>

#include <string>

namespace picus::sensors {

/// The quantities of an element of the part (Observable::quantities), at nodes displaced by the shapes. The displacements
/// are linear in the modal coordinates, and the mean rotation of the element is subtracted from them: the strains are
/// those of linear theory, and the quantities refer to the axes in which the part was modelled, whatever the rotation of
/// the body.
struct RecoveredElementOptions {
  std::string name;                   ///< Sensor::name
  double interval = 0.0;              ///< Sensor::interval, s
  const ReducedBody* body = nullptr;  ///< of the model to which the sensor is added
  const Model* part = nullptr;        ///< from which its basis was made; it must outlive the runs
  std::string element;                ///< in the part, such as "rod[12]"
};
/// Creates the sensor. Throws ModelError where body or part is missing, the part has no such element, the element reports
/// nothing, or the basis does not have its nodes.
Sensor recovered_element(const RecoveredElementOptions& options);

}  // namespace picus::sensors
