#pragma once

/// The parts of a result for visualization: the groups /VTKHDF and /visualization, and the XDMF file.

#include "cell_fields.hpp"
#include "drawing.hpp"
#include "drawn_contacts.hpp"
#include "series.hpp"
#include "vtkhdf.hpp"
#include "xdmf.hpp"

#include <string>
#include <vector>

namespace picus::results {

class Picture {
 public:
  /// `recorded` are the names of the data sets; `seconds` is the ratio of impulses of a step to forces.
  Picture(const System& system, double seconds, const std::vector<std::string>& recorded);
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;

  bool is_empty() const { return grid_.point_count() == 0; }
  bool has_contacts() const { return contacts_.count() > 0; }
  bool has_cell_fields() const { return !fields_.empty(); }
  /// The columns, of which the first is the time.
  std::vector<Column> make_columns() const;
  /// Writes constant data; to be called when the data sets of the columns exist.
  void describe(Hdf5File& file) const;

  /// To be called for every step, since pictures show contact forces and states since the previous picture.
  void add(const State& state) { contacts_.add(state); }
  /// Evaluates the contacts for the next picture; `gaps` of all contact rows.
  void evaluate(const State& state, const Vector& gaps) { contacts_.evaluate(state, gaps); }
  const std::vector<ContactPicture>& contacts() const { return contacts_.pictures(); }
  void serialize(Archive& archive) { contacts_.serialize(archive); }

  /// The text of the XDMF file of all pictures, at the instants `frames` (s), for the result file `file` in the same
  /// folder.
  std::string xdmf_text(const std::string& title, const std::string& file, std::vector<double> frames,
                        const SeriesTable& table) const;

 private:
  std::vector<std::string> contact_owners() const;

  Drawing drawing_;
  DrawnContacts contacts_;
  std::vector<CellField> fields_;
  VtkGrid grid_;
};

}  // namespace picus::results
