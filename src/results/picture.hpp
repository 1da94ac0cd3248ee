#pragma once

/// All of a result that pictures of the motion are made of: the groups /VTKHDF and /visualization, and the XDMF file.

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
  /// `recorded` are the names of the data sets; impulses of a step are forces times `seconds`.
  Picture(const System& system, double seconds, const std::vector<std::string>& recorded);
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;

  bool is_empty() const { return grid_.point_count() == 0; }
  bool has_contacts() const { return contacts_.count() > 0; }
  bool has_cell_fields() const { return !fields_.empty(); }
  /// The first is the time.
  std::vector<Column> make_columns() const;
  /// What does not change; to be called when the columns have their data sets.
  void describe(Hdf5File& file) const;

  /// To be called for every step, so that pictures show what contacts did since the one before.
  void add(const State& state) { contacts_.add(state); }
  /// What the next picture shows of the contacts; `gaps` of all contact rows.
  void evaluate(const State& state, const Vector& gaps) { contacts_.evaluate(state, gaps); }
  const std::vector<ContactPicture>& contacts() const { return contacts_.pictures(); }
  void serialize(Archive& archive) { contacts_.serialize(archive); }

  /// The text of the XDMF file of all pictures, taken at `frames` (s), of a result file of that name in the same folder.
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
