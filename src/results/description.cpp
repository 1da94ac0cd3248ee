#include "description.hpp"

#include "attributes.hpp"
#include "element_columns.hpp"
#include <picus/version.hpp>

#include <fmt/format.h>

#include <unordered_set>

namespace picus::results {
namespace {

std::string kind_name(NodeKind kind) {
  switch (kind) {
    case NodeKind::frame:
      return "frame";
    case NodeKind::point:
      return "point";
    case NodeKind::scalar:
      break;
  }
  return "scalar";
}

TextTable node_table(const Model& model) {
  TextTable table{{"name", "kind"}, {}};
  for (const Node& node : model.nodes()) table.rows.push_back({model.node_name(node), kind_name(node.kind)});
  return table;
}

/// Appends the role to the texts of the elements that play it.
template <class R>
void add_role(TextTable& table, const Model& model, std::span<const InRole<R>> roles, std::string_view name) {
  auto next = roles.begin();
  for (std::size_t i = 0; i < table.rows.size() && next != roles.end(); ++i) {
    if (model.elements()[i].get() != next->element) continue;
    std::string& text = table.rows[i][1];
    text += fmt::format("{}{}", text.empty() ? "" : ", ", name);
    ++next;
  }
}

TextTable element_table(const Model& model) {
  TextTable table{{"name", "roles", "nodes"}, {}};
  for (const auto& element : model.elements()) {
    std::string nodes;
    for (const Node& node : element->nodes()) {
      nodes += fmt::format("{}{}", nodes.empty() ? "" : ", ", model.node_name(node));
    }
    table.rows.push_back({element->name(), "", nodes});
  }
  add_role(table, model, model.inertias(), "inertia");
  add_role(table, model, model.forces(), "force");
  add_role(table, model, model.constraints(), "constraint");
  add_role(table, model, model.contacts(), "contact");
  add_role(table, model, model.contact_sets(), "contact set");
  return table;
}

}  // namespace

std::string newer_format(Hdf5Handle::Id file) {
  const std::optional<Attribute> format = read_attribute(file, "format_version");
  if (!format || format->integer.value_or(0) <= format_version) return "";
  const std::optional<Attribute> writer = read_attribute(file, "picus_version");
  return fmt::format("it has format {} of Picus {}; this is Picus {}, which knows formats up to {}",
                     *format->integer, writer ? writer->text : "", version, format_version);
}

void describe_run(Hdf5File& file, const RunInfo& run, const Hdf5RecorderOptions& options) {
  const Model& model = run.system.model();
  file.set_attribute("", "title", fmt::format("Picus: {}", model.name()));
  file.set_attribute("", "format_version",
                     model.contact_sets().empty() ? format_without_sets : format_version);
  file.set_attribute("", "picus_version", std::string(version));
  file.set_attribute("", "command_line", options.command_line);
  file.set_attribute("", "integrator", std::string(run.integrator.name()));
  file.set_attribute("", "step", run.integrator.step_size());
  file.set_attribute("", "until", run.until);
  file.set_attribute("", "every", options.every);

  const std::vector<std::string> warnings = run.integrator.warnings();
  if (!warnings.empty()) file.set_attribute("", "warnings", fmt::format("{}", fmt::join(warnings, "\n")));

  const std::vector<std::string> redundancies = run.integrator.redundancies();
  file.make_group("integrator");
  for (const auto& [name, value] : run.integrator.options()) file.set_attribute("integrator", name, value);

  file.make_group("model/parameters");
  file.set_attribute("model", "name", model.name());
  for (const auto& [name, value] : model.parameters()) file.set_attribute("model/parameters", name, value);
  file.write_table("model/nodes", node_table(model));
  file.write_table("model/elements", element_table(model));
  if (redundancies.empty()) return;
  TextTable table{{"redundancy"}, {}};
  for (const std::string& text : redundancies) table.rows.push_back({text});
  file.write_table("model/redundancies", table);
}

void describe_contacts(Hdf5File& file, const System& system, const std::vector<std::string>& names) {
  std::unordered_set<std::string> groups;
  for (const std::string& name : names) groups.insert(name.substr(0, name.rfind('/')));
  for (const ContactGroup& contacts : contact_groups(system)) {
    const std::string group = "contacts/" + contacts.name;
    if (!groups.contains(group)) continue;
    file.set_attribute(group, "mu", contacts.law->mu);
    file.set_attribute(group, "e_n", contacts.law->e_n);
    file.set_attribute(group, "e_t", contacts.law->e_t);
  }
}

void describe_profile(Hdf5File& file, const Profile& profile) {
  TextTable parts{{"subproblem", "part"}, {}};
  std::vector<std::int64_t> counts;
  std::vector<double> seconds;
  for (const Profile::Entry& entry : profile.entries()) {
    parts.rows.push_back({entry.subproblem, std::string(name_of(entry.part))});
    counts.push_back(entry.count);
    seconds.push_back(entry.seconds);
  }
  file.make_group("profile");
  file.write_table("profile/parts", parts);
  file.write_array<std::int64_t>("profile/count", counts);
  file.write_array<double>("profile/seconds", seconds);
}

void describe_findings(Hdf5File& file, const Findings& findings) {
  for (const char* group : {"findings", "findings/unit", "findings/reference", "findings/source"})
    file.make_group(group);
  for (const Finding& finding : findings) {
    const std::string& name = finding.quantity;
    if (finding.value) file.set_attribute("findings", name, *finding.value);
    file.set_attribute("findings/unit", name, finding.unit);
    if (finding.reference) file.set_attribute("findings/reference", name, *finding.reference);
    file.set_attribute("findings/source", name, finding.source);
  }
}

void describe_search(Hdf5File& file, const SearchStatistics& search) {
  file.set_attribute("", "search_changes", search.changes);
  file.set_attribute("", "search_repeats", search.repeats);
  file.set_attribute("", "search_misses", search.misses);
  file.set_attribute("", "search_depth", search.worst_depth);
}

}  // namespace picus::results
