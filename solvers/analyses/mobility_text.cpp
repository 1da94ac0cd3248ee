// Messages about redundant constraints.

#include <picus/error.hpp>
#include <picus/solvers/analyses/constraint_rank.hpp>
#include <picus/solvers/analyses/mobility.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string_view>

namespace picus {
namespace {

/// Incompatibilities below this fraction of the model's size are rounding errors.
constexpr double contradiction = 1e-9;
/// Largest number of constraints named in an error, and in the summary; further ones are only counted.
constexpr std::size_t max_names = 8;
constexpr std::size_t first_names = 3;
constexpr std::size_t all_names = std::numeric_limits<std::size_t>::max();

/// "x", or "(0.6, 0.8, 0)" for a direction not along an axis.
std::string axis_text(const Vec3& direction) {
  static constexpr std::array<const char*, 3> names = {"x", "y", "z"};
  const Vec3 d = direction.normalized();
  for (int i = 0; i < 3; ++i) {
    if (std::abs(d[i]) > 1 - 1e-6) return names[i];
  }
  const auto rounded = [](double value) { return std::abs(value) < 5e-4 ? 0.0 : value; };
  return fmt::format("({:.3g}, {:.3g}, {:.3g})", rounded(d.x()), rounded(d.y()), rounded(d.z()));
}

const RowBlock<BilateralConstraint>& block_of(const System& system, Index row) {
  const auto blocks = system.constraints();
  const auto next = std::upper_bound(blocks.begin(), blocks.end(), row,
                                     [](Index value, const auto& block) { return value < block.first_row; });
  return *(next - 1);
}

/// Description of a constraint row: the direction of the force or moment that it exerts on the last node on which it
/// acts, inertial axes.
class RowTexts {
 public:
  RowTexts(const System& system, const Configuration& q, double t) : system_(system), q_(q) {
    G_ = system.make_constraint_gradients();
    system.evaluate_gradients(q, t, G_);
  }

  const RowBlock<BilateralConstraint>& block_of(Index row) const { return picus::block_of(system_, row); }

  std::string direction(Index row) const {
    const auto& block = block_of(row);
    const Index r = row - block.first_row;
    const auto entry = [&](Index column) { return G_.values[block.first_source + column * block.rows + r]; };
    std::string text = fmt::format("row {}", r + 1);
    Index column = 0;
    for (const Node& node : block.element->nodes()) {
      const Index first = column;
      column += velocity_size(node.kind);
      if (node.kind == NodeKind::scalar) continue;
      const Vec3 force(entry(first), entry(first + 1), entry(first + 2));
      Vec3 moment = Vec3::Zero();
      if (node.kind == NodeKind::frame)
        moment = q_.rotation(node) * Vec3(entry(first + 3), entry(first + 4), entry(first + 5));
      if (force.norm() > 1e-6) {
        text = "force along " + axis_text(force);
      } else if (moment.norm() > 1e-6 * system_.length_scale()) {
        text = "moment about " + axis_text(moment);
      }
    }
    return text;
  }

 private:
  const System& system_;
  const Configuration& q_;
  Gradients G_;
};

/// A set of redundancies that share constraints, with these constraints.
struct Group {
  std::vector<const Redundancy*> redundancies;
  std::set<Index> rows;
};

std::vector<Group> group(const RowTexts& texts, const std::vector<Redundancy>& redundancies) {
  std::vector<std::size_t> leader(redundancies.size());
  std::iota(leader.begin(), leader.end(), 0U);
  const auto find = [&](std::size_t i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  std::map<const Element*, std::size_t> owner;
  for (std::size_t i = 0; i < redundancies.size(); ++i) {
    for (const auto& [row, weight] : redundancies[i].rows) {
      const auto [place, is_new] = owner.try_emplace(texts.block_of(row).element, i);
      if (!is_new) leader[find(i)] = find(place->second);
    }
  }
  std::map<std::size_t, Group> groups;
  for (std::size_t i = 0; i < redundancies.size(); ++i) {
    Group& set = groups[find(i)];
    set.redundancies.push_back(&redundancies[i]);
    for (const auto& [row, weight] : redundancies[i].rows) set.rows.insert(row);
  }
  std::vector<Group> result;
  for (auto& [first, set] : groups) result.push_back(std::move(set));
  return result;
}

/// `"upper" (force along x, moment about y), "lower" (force along x) and 3 others`
std::string names_of(const RowTexts& texts, const Group& set, std::size_t most) {
  std::vector<std::pair<const Element*, std::vector<std::string>>> parts;
  for (const Index row : set.rows) {
    const Element* element = texts.block_of(row).element;
    if (parts.empty() || parts.back().first != element) parts.push_back({element, {}});
    parts.back().second.push_back(texts.direction(row));
  }
  std::string result;
  for (std::size_t i = 0; i < std::min(parts.size(), most); ++i) {
    result += fmt::format("{}\"{}\" ({})", i > 0 ? ", " : "", parts[i].first->name(),
                          fmt::join(parts[i].second, ", "));
  }
  if (parts.size() > most) result += fmt::format(" and {} others", parts.size() - most);
  return result;
}

[[noreturn]] void refuse(const RowTexts& texts, const std::vector<Redundancy>& incompatible, bool at_rate) {
  const Group set = group(texts, incompatible).front();
  double worst = 0;
  for (const Redundancy* redundancy : set.redundancies)
    worst = std::max(worst, std::abs(at_rate ? redundancy->rate : redundancy->violation));
  throw SolverError(fmt::format("constraints contradict each other{} by {:.3g}: {}",
                                at_rate ? " in their rates" : "", worst, names_of(texts, set, max_names)));
}

constexpr std::string_view shared_forces = "their motion is determined, how they share the forces is not";
constexpr std::string_view branching = "a singular position, from which motion may branch";

}  // namespace

std::string summarize_redundancies(const System& system, const Mobility& mobility) {
  const std::size_t count = mobility.redundancies.size();
  if (count == 0) return "";
  std::set<Index> first_rows;  // of the constraints, in the order of the model
  std::size_t singular = 0;
  for (const Redundancy& redundancy : mobility.redundancies) {
    if (redundancy.is_singular_position) ++singular;
    for (const auto& [row, weight] : redundancy.rows) first_rows.insert(block_of(system, row).first_row);
  }
  std::string names;
  std::size_t named = 0;
  for (const Index row : first_rows) {
    if (named == first_names) break;
    names += fmt::format("{}\"{}\"", named++ == 0 ? "" : ", ", block_of(system, row).element->name());
  }
  if (first_rows.size() > named) {
    const std::size_t others = first_rows.size() - named;
    names += fmt::format(" and {} other{}", others, others == 1 ? "" : "s");
  }
  const std::string meaning = singular == 0 ? std::string(shared_forces)
                              : singular == count
                                  ? std::string(branching)
                                  : fmt::format("{}; {} of them {} of {}", shared_forces, singular,
                                                singular == 1 ? "is" : "are", branching);
  return fmt::format("{} redundant equation{} among {} constraint{}, {}: {}", count, count == 1 ? "" : "s",
                     first_rows.size(), first_rows.size() == 1 ? "" : "s", names, meaning);
}

std::vector<std::string> describe_redundancies(const System& system, const Configuration& q, double t,
                                               const Mobility& mobility) {
  std::vector<std::string> sentences;
  if (mobility.redundancies.empty()) return sentences;
  const RowTexts texts(system, q, t);
  for (const Group& set : group(texts, mobility.redundancies)) {
    const bool is_singular = std::any_of(set.redundancies.begin(), set.redundancies.end(),
                                         [](const Redundancy* r) { return r->is_singular_position; });
    const std::size_t count = set.redundancies.size();
    sentences.push_back(fmt::format("{} redundant equation{} among constraints {}: {}", count,
                                    count == 1 ? "" : "s", names_of(texts, set, all_names),
                                    is_singular ? branching : shared_forces));
  }
  return sentences;
}

StartFindings check_constraints(const System& system, const Configuration& q, double t) {
  const Mobility mobility = analyse_mobility(system, q, t);
  std::vector<Redundancy> incompatible;
  for (const Redundancy& redundancy : mobility.redundancies) {
    if (std::abs(redundancy.rate) > contradiction * std::max(1.0, system.length_scale()))
      incompatible.push_back(redundancy);
  }
  if (!incompatible.empty()) refuse(RowTexts(system, q, t), incompatible, true);
  StartFindings found;
  std::ranges::copy_if(mobility.redundancies, std::back_inserter(found.lasting),
                       [](const Redundancy& one) { return !one.is_singular_position; });
  if (!found.lasting.empty() && solvers::lose_redundancies(system, q, t, count_of(found.lasting))) {
    for (Redundancy& one : found.lasting) one.ends_off_constraints = true;
  }
  found.redundancies = describe_redundancies(system, q, t, mobility);
  if (!found.redundancies.empty()) found.warnings.push_back(summarize_redundancies(system, mobility));
  return found;
}

void refuse_incompatible_constraints(const System& system) {
  const Configuration& q = system.model().initial_configuration();
  std::vector<Redundancy> incompatible;
  for (const Redundancy& redundancy : analyse_mobility(system, q, 0.0).redundancies) {
    if (std::abs(redundancy.violation) > contradiction * system.length_scale())
      incompatible.push_back(redundancy);
  }
  if (!incompatible.empty()) refuse(RowTexts(system, q, 0.0), incompatible, false);
}

}  // namespace picus
