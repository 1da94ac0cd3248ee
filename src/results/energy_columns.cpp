#include "energy_columns.hpp"

#include "name_groups.hpp"

namespace picus::results {
namespace {

struct Part {
  const char* name;
  const char* description;
  double Energies::*value;
};

constexpr std::array parts = {
    Part{"kinetic", "v^T M v / 2", &Energies::kinetic},
    Part{"potential", "sum of the next four", &Energies::potential},
    Part{"gravitational", "of weights", &Energies::gravitational},
    Part{"springs", "of springs and bushings", &Energies::springs},
    Part{"strain", "of deformable bodies", &Energies::strain},
    Part{"other_potential", "of user forces with a potential", &Energies::other_potential},
    Part{"work_of_applied_loads", "of loads beyond their potentials, since the start",
         &Energies::work_of_loads},
    Part{"work_of_dampers", "of all other forces beyond their potentials, since the start",
         &Energies::work_of_dampers},
    Part{"work_of_motions", "of driven components and moving constraints since the start",
         &Energies::work_of_motions},
    Part{"work_of_contacts", "sum of the next two", &Energies::work_of_contacts},
    Part{"work_of_impacts", "of normal impulses since the start", &Energies::work_of_impacts},
    Part{"work_of_friction", "of tangential impulses since the start", &Energies::work_of_friction},
    Part{"balance", "gained (+) or lost (-) by the integrator since the start", &Energies::balance},
    Part{"numerical", "gained (+) or dissipated (-) by the formulas of the scheme since the start",
         &Energies::numerical},
    Part{"work_of_corrections", "of potential forces against corrections of positions since the start",
         &Energies::work_of_corrections},
    Part{"work_of_constraints", "of resting constraints since the start", &Energies::work_of_constraints},
    Part{"unexplained", "balance less the three before", &Energies::unexplained}};

struct ElementPart {
  const char* name;
  const char* description;
  double ElementEnergies::*value;
};

constexpr std::array element_parts = {
    ElementPart{"kinetic", "v^T M v / 2 of the element", &ElementEnergies::kinetic},
    ElementPart{"potential", "of the element", &ElementEnergies::potential},
    ElementPart{"work", "of the element's force beyond its potential, since the start",
                &ElementEnergies::work}};

struct ContactPart {
  const char* name;
  const char* description;
  double ContactWorks::*value;
};

constexpr std::array contact_parts = {
    ContactPart{"work_of_impacts", "of its normal impulses since the start", &ContactWorks::impacts},
    ContactPart{"work_of_friction", "of its tangential impulses since the start", &ContactWorks::friction}};

constexpr std::array set_parts = {
    ContactPart{"work_of_impacts", "of normal impulses of its contacts since the start",
                &ContactWorks::impacts},
    ContactPart{"work_of_friction", "of tangential impulses of its contacts since the start",
                &ContactWorks::friction}};

void add_elements(std::vector<Column>& columns, const System& system) {
  const std::vector<const Element*> elements = EnergyAudit::elements_of(system.model());
  std::vector<std::string> names;
  for (const Element* element : elements) names.push_back(element->name());
  const std::vector<Index> kinds(names.size(), 0);
  for (const NameGroup& group : group_names(names, kinds)) {
    for (const ElementPart& part : element_parts) {
      columns.push_back(make_column<double>(
          "energy/elements/" + group.name + '/' + part.name, group.shape({}), "J", part.description,
          [members = group.members, value = part.value](const Sample& sample, double* row) {
            for (const Index i : members) *row++ = sample.audit.element_energies(i, sample.state).*value;
          }));
    }
  }
}

void add_contacts(std::vector<Column>& columns, const System& system) {
  std::vector<std::string> names;
  for (const auto& contact : system.declared_contacts()) names.push_back(contact.element->name());
  const std::vector<Index> kinds(names.size(), 0);
  for (const NameGroup& group : group_names(names, kinds)) {
    for (const ContactPart& part : contact_parts) {
      columns.push_back(make_column<double>(
          "energy/contacts/" + group.name + '/' + part.name, group.shape({}), "J", part.description,
          [members = group.members, value = part.value](const Sample& sample, double* row) {
            for (const Index i : members) *row++ = sample.audit.contact_works()[i].*value;
          }));
    }
  }
}

void add_contact_sets(std::vector<Column>& columns, const Model& model) {
  for (std::size_t set = 0; set < model.contact_sets().size(); ++set) {
    const std::string path = "energy/contact_sets/" + model.contact_sets()[set].element->name() + '/';
    for (const ContactPart& part : set_parts) {
      columns.push_back(make_column<double>(path + part.name, {}, "J", part.description,
                                            [set, value = part.value](const Sample& sample, double* row) {
                                              *row = sample.audit.contact_set_works()[set].*value;
                                            }));
    }
  }
}

}  // namespace

void add_energy_columns(std::vector<Column>& columns, const System& system, bool details) {
  for (const Part& part : parts) {
    columns.push_back(make_column<double>(
        std::string("energy/") + part.name, {}, "J", part.description,
        [value = part.value](const Sample& sample, double* row) { *row = sample.energies.*value; }));
  }
  columns.push_back(
      make_column<double>("energy/work_of_loads", {}, "J", "sum of work_of_applied_loads and work_of_dampers",
                          [](const Sample& sample, double* row) {
                            *row = sample.energies.work_of_loads + sample.energies.work_of_dampers;
                          }));
  const auto add_momentum = [&](const char* name, const char* unit, const char* description,
                                Vec3 Momentum::*value) {
    columns.push_back(make_column<double>(
        name, {3}, unit, description,
        [value](const Sample& sample, double* row) { Eigen::Map<Vec3>{row} = sample.momentum.*value; }));
  };
  add_momentum("momentum/linear", "kg m/s", "of all masses, inertial frame", &Momentum::linear);
  add_momentum("momentum/angular", "kg m2/s", "of all masses about the origin, inertial frame",
               &Momentum::angular);
  if (!details) return;
  add_elements(columns, system);
  add_contacts(columns, system);
  add_contact_sets(columns, system.model());
}

}  // namespace picus::results
