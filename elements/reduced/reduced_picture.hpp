#pragma once

/// Draws a ReducedBody as the part of which it was made: its solids, beams and surfaces. Nodes of the part that have a
/// node in the model (ReducedAttachment) move with it, deformations included; the others with the frame of the body. It
/// adds no unknowns and no equations.

#include <picus/drawable.hpp>
#include <picus/elements/reduced/reduced_body.hpp>

#include <map>
#include <string>
#include <vector>

namespace picus {

class ReducedPicture : public Element, public Drawable {
 public:
  struct Parameters {
    std::string name;
    const ReducedBody* body = nullptr;  ///< the body that is drawn
    const Model* part = nullptr;  ///< the model that reduce() was given; needed during construction only
    std::map<std::string, PointNode, std::less<>> nodes =
        {};  ///< of the model, by the names of nodes of the part
  };
  /// Throws ModelError for a missing body or part, for a part with a node that the basis of the body does not have, and
  /// for nodes of another model.
  ReducedPicture(const Parameters& parameters, const Model& model);

  std::vector<MaterialPoint> points() const override { return points_; }
  std::vector<std::vector<Index>> polylines() const override { return polylines_; }
  std::vector<double> line_radii() const override { return radii_; }
  std::vector<std::array<Index, 8>> hexahedra() const override { return hexahedra_; }
  std::vector<std::array<Index, 3>> triangles() const override { return triangles_; }

 private:
  std::vector<MaterialPoint> points_;
  std::vector<std::vector<Index>> polylines_;
  std::vector<double> radii_;
  std::vector<std::array<Index, 8>> hexahedra_;
  std::vector<std::array<Index, 3>> triangles_;
};

}  // namespace picus
