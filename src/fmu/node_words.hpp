#pragma once

/// Components of nodes by name, for models that were not made with inputs and outputs: "tip.vx", "crank.mz".

#include <picus/input.hpp>
#include <picus/model.hpp>
#include <picus/signal.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace picus::fmu {

/// The signal NODE.x, .vx, .wx, .rotation_x (or y, z), .angle, .value, .rate of a node of the model (signal.hpp). Empty
/// if the text names no node and signal; throws ModelError for a node of the wrong kind.
std::optional<Signal> find_node_signal(const RunInfo& run, std::string_view text);

/// A load on a node: NODE.fx, .fy, .fz (a force along an inertial axis at a frame or point node, N), NODE.mx, .my, .mz (a
/// moment about an inertial axis on a frame node, N m), NODE.f (a load on a scalar node, in the unit conjugate to its
/// own).
struct NodeLoad {
  std::string name;  ///< of the input
  std::string node;
  std::string component;  ///< "fx" to "mz", "f"

  /// From NAME=NODE.COMPONENT, or NODE.COMPONENT, which is then also the name. Throws OptionError for other texts.
  static NodeLoad read(std::string_view text);
  /// "N" or "N m"; empty for a scalar node, whose unit is not known.
  std::string unit() const;
  /// Adds the load to a model. Throws ModelError if there is no such node, or it has no such component.
  void add_to(Model& model, const Input& input) const;
};

}  // namespace picus::fmu
