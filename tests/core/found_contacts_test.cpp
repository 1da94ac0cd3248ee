// Detected contacts in a result file.

#include <picus/hdf5_recorder.hpp>
#include <picus/simulate.hpp>
#include <support/bouncing_balls.hpp>
#include <support/message.hpp>
#include <support/result_files.hpp>
#include <support/result_reader.hpp>
#include <support/scratch_folder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace picus::support::found_contacts_test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsNan;
using testing::Pointwise;
using Numbers = std::vector<double>;
using Shape = std::vector<hsize_t>;

constexpr double h = 0.01;

/// The expected content of a file for one set.
struct Expected {
  Numbers end, count, closed;
  std::map<std::string, Numbers> rows;
};

class FoundContacts : public testing::Test {
 protected:
  void run(Hdf5Recorder::Options options = {}, double until = 1.0) {
    options.overwrite = true;
    Hdf5Recorder recorder(path, std::move(options));
    summary = simulate(model, flight, {.until = until}, {&recorder});
  }

  /// The same, step by step and by the public functions that read contacts.
  std::vector<Expected> step_by_hand(int every, int steps) {
    Stepper stepper(model, flight);
    std::vector<Expected> sets(model.contact_sets().size());
    const auto record = [&](const State& state) {
      const System& system = stepper.system();
      Numbers found(sets.size()), closed(sets.size());
      for (std::size_t i = 0; i < state.found_contacts.size(); ++i) {
        const ContactKey& key = state.found_contacts[i];
        const Element& element = *system.contacts()[system.declared_contacts().size() + i].element;
        const InRole<Contact> contact(&element, dynamic_cast<const Contact*>(&element));
        const ContactReading reading = read_contact(system, state, h, contact);
        const Node ball = element.nodes()[0];
        const Vec3 force = read_contact_load(system, state, h, contact, ball).force;
        ++found[key.set];
        closed[key.set] += reading.state == ContactState::gap ? 0 : 1;
        auto& rows = sets[key.set].rows;
        const auto add = [&](const char* name, const auto& numbers) {
          rows[name].insert(rows[name].end(), std::begin(numbers), std::end(numbers));
        };
        add("key", Numbers{1.0 * key.kind, 1.0 * key.a, 1.0 * key.b});
        add("point", Vec3(state.q.position(ball)));
        add("normal", key.set == 0 ? Vec3(0, 0, 1) : Vec3(-1, 0, 0));
        add("gap", Numbers{key.set == 0 ? state.q.position(ball).z() : 2.25 - state.q.position(ball).x()});
        add("force", force);
        add("impulse", reading.impulse);
        add("state", Numbers{1.0 * static_cast<int>(reading.state)});
      }
      for (std::size_t set = 0; set < sets.size(); ++set) {
        Expected& of = sets[set];
        of.count.push_back(found[set]);
        of.closed.push_back(closed[set]);
        of.end.push_back((of.end.empty() ? 0 : of.end.back()) + found[set]);
      }
    };
    State state = stepper.start();
    record(state);
    for (int step = 1; step <= steps; ++step) {
      stepper.step(state);
      if (step % every == 0 || step == steps) record(state);
    }
    return sets;
  }

  ScratchFolder folder;
  std::filesystem::path path = folder / "balls.h5";
  Model model = make_bouncing_model();
  BouncingFlight flight{{.step = h}, 2.0};
  RunSummary summary;
};

TEST_F(FoundContacts, AreThoseOfEachRecord) {
  for (const int every : {1, 3}) {
    run({.every = every});
    const ResultReader result(path);
    const std::vector<Expected> sets = step_by_hand(every, 100);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const std::string name = i == 0 ? "contact_sets/ground/" : "contact_sets/wall/";
      EXPECT_EQ(result.numbers(name + "end"), sets[i].end) << name;
      EXPECT_EQ(result.numbers(name + "count"), sets[i].count) << name;
      EXPECT_EQ(result.numbers(name + "closed"), sets[i].closed) << name;
      for (const auto& [quantity, expected] : sets[i].rows) {
        // Forces are summed in another order, gaps and normals come from other formulas for planes.
        EXPECT_THAT(result.numbers(name + quantity), Pointwise(testing::DoubleNear(1e-12), expected))
            << name << quantity;
      }
      const auto rows = static_cast<hsize_t>(sets[i].end.back());
      EXPECT_EQ(result.shape(name + "key"), (Shape{rows, 3}));
      EXPECT_EQ(result.shape(name + "gap"), (Shape{rows}));
    }
    // Contacts have appeared, closed and disappeared.
    EXPECT_EQ(sets[0].count.front(), 0);
    EXPECT_GT(*std::ranges::max_element(sets[0].count), 1);
    EXPECT_GT(*std::ranges::max_element(sets[0].closed), 0);
    EXPECT_GT(*std::ranges::max_element(sets[1].closed), every == 1 ? 0 : -1);
  }
}

TEST_F(FoundContacts, DescribeThemselves) {
  run({.energy_details = true});
  const ResultReader result(path);
  EXPECT_EQ(result.text("contact_sets/ground/force", "unit"), "N");
  EXPECT_EQ(result.text("contact_sets/ground/end", "description"),
            "rows of the contacts of all records up to this one");
  EXPECT_EQ(result.number("/", "format_version"), 4);
  EXPECT_EQ(result.number("/", "search_changes"), static_cast<double>(summary.search.changes));
  EXPECT_GT(summary.search.changes, 4);
  EXPECT_EQ(result.number("/", "search_misses"), 0);
  EXPECT_EQ(result.number("/", "search_depth"), 0);
  // Works: balls bounce without loss where nothing slides.
  const Numbers friction = result.numbers("energy/contact_sets/ground/work_of_friction");
  EXPECT_EQ(friction.size(), 101);
  EXPECT_LT(friction.back(), -1e-3);
  EXPECT_NEAR(friction.back(), summary.energies.work_of_friction, 1e-12);
  EXPECT_EQ(result.numbers("energy/contact_sets/wall/work_of_friction").back(), 0);
  EXPECT_FALSE(result.has("energy/contacts/ground"));
}

TEST_F(FoundContacts, HaveNamesForFeaturesWhereTheyHaveKeys) {  // which: picus_results_test.py
  run({.exclude = {"contact_sets/wall/key"}});
  EXPECT_TRUE(ResultReader(path).has("contact_sets/ground/features"));
  EXPECT_FALSE(ResultReader(path).has("contact_sets/wall/features")) << "of keys that are not there";
}

TEST_F(FoundContacts, AreChosenByPatterns) {
  run({.include = {"contact_sets/*/gap", "contact_sets/wall/count"}});
  {
    const ResultReader result(path);
    EXPECT_TRUE(result.has("contact_sets/ground/gap"));
    EXPECT_TRUE(result.has("contact_sets/ground/end")) << "without it nobody knows whose rows these are";
    EXPECT_FALSE(result.has("contact_sets/ground/count"));
    EXPECT_FALSE(result.has("contact_sets/ground/key"));
    EXPECT_TRUE(result.has("contact_sets/wall/count"));
    EXPECT_EQ(result.numbers("contact_sets/ground/end"), step_by_hand(1, 100)[0].end);
  }
  run({.exclude = {"contact_sets/ground", "contact_sets/wall/*"}});
  EXPECT_FALSE(ResultReader(path).has("contact_sets"));
  run({.include = {"contact_sets/*/closed"}});
  {
    const ResultReader result(path);
    EXPECT_EQ(result.numbers("contact_sets/ground/closed"), step_by_hand(1, 100)[0].closed);
    EXPECT_FALSE(result.has("contact_sets/ground/end"));
  }
  EXPECT_THAT(message_of<OptionError>([&] { run({.include = {"contact_sets/grund"}}); }),
              HasSubstr("(did you mean \"contact_sets/ground\"?)"));
}

/// Chunks are sometimes full, and sometimes written before they are.
TEST_F(FoundContacts, FillManyChunks) {
  flight = BouncingFlight({.step = 1e-3}, 2.0);
  for (const double flush : {0.0, 1e9}) {
    run({.flush_seconds = flush}, 3.0);
    const ResultReader result(path);
    const Numbers end = result.numbers("contact_sets/ground/end"),
                  key = result.numbers("contact_sets/ground/key"),
                  gap = result.numbers("contact_sets/ground/gap");
    std::vector<Numbers> heights;
    for (const char* const ball : {"0", "1", "2"})
      heights.push_back(result.numbers(std::string("nodes/ball ") + ball + "/position"));
    ASSERT_GT(end.back(), 2048);
    ASSERT_EQ(static_cast<double>(gap.size()), end.back());
    std::size_t row = 0;
    for (std::size_t record = 0; record < end.size(); ++record) {
      for (; row < static_cast<std::size_t>(end[record]); ++row)
        ASSERT_EQ(gap[row], heights[static_cast<std::size_t>(key[3 * row + 1])][3 * record + 2]) << row;
    }
  }
}

/// Checkpoints at times when contacts are closed, near and absent.
TEST_F(FoundContacts, GoOnFromACheckpoint) {
  for (const double until : {0.1, 0.33, 0.6, 0.87}) {
    const auto begin = [&](const std::string& name, double end) {
      Hdf5Recorder recorder(folder / (name + ".h5"), {.every = 3, .overwrite = true, .energy_details = true});
      simulate(model, flight,
               {.until = end,
                .checkpoint = {.file = folder / (name + ".checkpoint"), .every = 9, .overwrite = true}},
               {&recorder});
    };
    begin("whole", 1.2);
    begin("parts", until);
    const Checkpoint checkpoint = read_checkpoint(folder / "parts.checkpoint");
    Hdf5Recorder recorder(folder / "parts.h5", {.every = 3, .energy_details = true});
    simulate(model, flight, {.until = 1.2, .resume = &checkpoint}, {&recorder});
    expect_equal_results(folder / "parts.h5", folder / "whole.h5");
    for (const char* const name : {"search_changes", "search_repeats", "search_misses"}) {
      EXPECT_EQ(ResultReader(folder / "parts.h5").number("/", name),
                ResultReader(folder / "whole.h5").number("/", name));
    }
  }
}

TEST_F(FoundContacts, OfAnotherSelectionAreRefused) {
  Hdf5Recorder recorder(path);
  simulate(model, flight, {.until = 0.5, .checkpoint = {.file = folder / "run.checkpoint", .every = 40}},
           {&recorder});
  const Checkpoint checkpoint = read_checkpoint(folder / "run.checkpoint");
  Hdf5Recorder other(path, {.exclude = {"contact_sets/wall"}});
  EXPECT_THAT(message_of<FileError>(
                  [&] { simulate(model, flight, {.until = 1.0, .resume = &checkpoint}, {&other}); }),
              HasSubstr("is not that of the checkpoint"));
}

TEST_F(FoundContacts, KeepTheLastStepBeforeAFailure) {
  flight = BouncingFlight({.step = h, .fails_at = 29}, 2.0);
  EXPECT_THROW(run({.every = 10}), SolverError);
  const ResultReader result(path);
  EXPECT_EQ(result.shape("time"), (Shape{4}));
  const Numbers end = result.numbers("contact_sets/ground/end");
  EXPECT_EQ(end.size(), 4);
  EXPECT_GT(end[3], end[2]);
  EXPECT_EQ(result.shape("contact_sets/ground/gap"), (Shape{static_cast<hsize_t>(end[3])}));
  EXPECT_TRUE(result.has_attribute("/", "search_changes"));
}

TEST_F(FoundContacts, ThatAreMissedAreToldOf) {
  model = make_bouncing_model(true);
  run();
  EXPECT_GT(summary.search.misses, 10);
  ASSERT_EQ(summary.warnings.size(), 1);
  EXPECT_THAT(
      summary.warnings[0],
      testing::MatchesRegex("surfaces passed each other unseen in [0-9]+ steps, at most [0-9.]+ m deep; "
                            "a smaller step sees them"));
  const ResultReader result(path);
  EXPECT_EQ(result.text("/", "warnings"), summary.warnings[0]);
  EXPECT_EQ(result.number("/", "search_misses"), static_cast<double>(summary.search.misses));
  EXPECT_EQ(result.number("/", "search_depth"), summary.search.worst_depth);
  EXPECT_GT(summary.search.worst_depth, 0.5);
}

TEST_F(FoundContacts, LeaveNoTraceWhereThereAreNone) {
  Model plain("plain");
  const PointNode ball = plain.add_point("ball", {.position = {0, 0, 1}});
  plain.add<PointMass>({.name = "mass", .node = ball});
  model = std::move(plain);
  run();
  const ResultReader result(path);
  EXPECT_FALSE(result.has("contact_sets"));
  EXPECT_FALSE(result.has_attribute("/", "search_changes"));
  EXPECT_EQ(result.number("/", "format_version"), 3);
}

/// A gap that is a weighted sum of heights and of scalars: sides of several nodes.
class WeightedContact : public Element, public Contact {
 public:
  struct Parameters {
    std::string name;
    std::vector<Node> nodes;
    Numbers weights;
  };
  WeightedContact(const Parameters& p, const Model&) : Element(p.name, p.nodes), p_(p) {}

  const ContactLaw& law() const override { return law_; }
  void displacement(const Configuration&, const Configuration& q, std::span<double> g) const override {
    g[0] = -0.25;
    for (std::size_t i = 0; i < p_.nodes.size(); ++i) {
      const Node& node = p_.nodes[i];
      g[0] += p_.weights[i] * (node.kind == NodeKind::scalar ? q.value(node) : q.position(node).z());
    }
  }
  void gradient(const Configuration&, std::span<double> G) const override {
    std::size_t column = 0;
    for (std::size_t i = 0; i < p_.nodes.size(); ++i) {
      G[p_.nodes[i].kind == NodeKind::scalar ? column : column + 2] = p_.weights[i];
      column += static_cast<std::size_t>(velocity_size(p_.nodes[i].kind));
    }
  }
  void geometric_stiffness(const Configuration&, std::span<const double>, std::span<double>) const override {}

 private:
  Parameters p_;
  ContactLaw law_{.friction_directions = 0};
};

/// Has the same contacts in all steps.
class AllContacts : public Element, public ContactSet {
 public:
  struct Parameters {
    std::string name;
    std::vector<WeightedContact::Parameters> contacts;
  };
  AllContacts(const Parameters& p, const Model&) : Element(p.name, std::vector<Node>{}), p_(p) {}

  std::unique_ptr<ContactSearch> make_search(const Model& model, std::uint32_t place) const override {
    return std::make_unique<Search>(p_, model, place);
  }
  std::vector<double> numbers(const Model&) const override { return {}; }

 private:
  class Search : public ContactSearch {
   public:
    Search(const Parameters& p, const Model& model, std::uint32_t place) : place_(place) {
      for (const auto& contact : p.contacts)
        contacts_.push_back(std::make_unique<WeightedContact>(contact, model));
    }
    void check_start(const Configuration&) override {}
    void find(const Configuration&, const Configuration&, std::span<const ContactKey>,
              std::vector<ContactKey>& found) override {
      for (std::uint32_t i = 0; i < contacts_.size(); ++i) found.push_back({place_, 3, i, i});
    }
    double find_undetected(const Configuration&, std::span<const ContactKey>,
                           std::vector<ContactKey>&) override {
      return 0.0;
    }
    InRole<Contact> contact(const ContactKey& key) override { return *contacts_.at(key.a); }

   private:
    std::uint32_t place_;
    std::vector<std::unique_ptr<WeightedContact>> contacts_;
  };

  Parameters p_;
};

TEST_F(FoundContacts, MayHaveSeveralNodesOnASideAndScalars) {
  Model several("several");
  const PointNode a = several.add_point("a", {.position = {1, 2, 0}});
  const PointNode b = several.add_point("b", {.position = {3, 4, 0}});
  const PointNode c = several.add_point("c", {.position = {5, 6, 0.1}});
  const ScalarNode s = several.add_scalar("s", {.value = 0.0, .rate = -1.0});
  for (const PointNode& node : {a, b, c})
    several.add<PointMass>({.name = "mass " + several.node_name(node), .node = node, .mass = 2.0});
  several.add<AllContacts>({.name = "all",
                            .contacts = {{"both", {a, b, c}, {0.75, 0.25, -1.0}},
                                         {"end", {a, b}, {0.0, 1.0}},
                                         {"slider", {s}, {1.0}},
                                         {"lever", {s, b}, {1.0, 1.0}}}});
  model = std::move(several);
  run({}, h);
  const ResultReader result(path);
  EXPECT_EQ(result.numbers("contact_sets/all/end"), (Numbers{4, 8}));
  const auto row = [&](const std::string& name, std::size_t i) {
    const Numbers numbers = result.numbers("contact_sets/all/" + name);
    const std::ptrdiff_t first = 3 * (4 + static_cast<std::ptrdiff_t>(i));
    return Numbers(numbers.begin() + first, numbers.begin() + first + 3);
  };
  for (const std::size_t i : {0, 1, 2, 3}) {
    const double p = row("impulse", i)[0];
    EXPECT_THAT(row("impulse", i), ElementsAre(testing::Ge(0), 0, 0));
    if (i == 2) {
      EXPECT_THAT(row("normal", i), Each(IsNan()));
      EXPECT_THAT(row("point", i), Each(IsNan()));
      EXPECT_THAT(row("force", i), Each(IsNan()));
      EXPECT_GT(p, 0);
      continue;
    }
    EXPECT_EQ(row("normal", i), (Numbers{0, 0, 1})) << i;
    EXPECT_THAT(row("force", i), Pointwise(testing::DoubleNear(1e-12), Numbers{0, 0, p / h})) << i;
  }
  EXPECT_GT(row("impulse", 1)[0], 0);
  EXPECT_EQ(row("point", 0)[0], 1);
  EXPECT_THAT(row("point", 3), Each(IsNan()));
  EXPECT_EQ(result.numbers("contact_sets/all/key")[3 * 5 + 1], 1);
}

}  // namespace
}  // namespace picus::support::found_contacts_test
