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
  std::vector<Column> make_columns() const;
  /// What does not change; to be called when the columns have their data sets.
  void describe(Hdf5File& file) const;

  /// What samples show of the contacts at this state.
  void evaluate(const State& state) { contacts_.evaluate(state); }
  const std::vector<ContactPicture>& contacts() const { return contacts_.pictures(); }

  /// The text of the XDMF file with these frames of a result of that name in the same folder.
  std::string xdmf_text(const std::string& title, const std::string& results, std::vector<XdmfFrame> frames,
                        const SeriesTable& table) const;

 private:
  std::vector<std::string> contact_owners() const;

  Drawing drawing_;
  DrawnContacts contacts_;
  std::vector<CellField> fields_;
  VtkGrid grid_;
};

}  // namespace picus::results
