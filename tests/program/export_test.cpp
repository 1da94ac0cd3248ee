/// `picus export`: output and refused input. animation_test.py checks the page, core/vtkhdf_test.py the contacts.

#include "process.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace picus::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ExportTest : public ProgramTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(picus({"run", "bouncing-ball", "--until", "0.1", "--quiet", "--out", "a.h5"}).status, 0);
  }
  bool has(const char* file) const { return std::filesystem::exists(folder.path() / file); }
};

TEST_F(ExportTest, WritesOnePageThatAsksForNothing) {
  const Outcome outcome = picus({"export", "a.h5", "--html"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "written: a.html\n");
  const std::string page = text_of("a.html");
  EXPECT_THAT(page,
              AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("WebGLRenderer"), Not(HasSubstr("src=\"http"))));
}

TEST_F(ExportTest, TakesWhatIsAskedFor) {
  const Outcome outcome =
      picus({"export", "a.h5", "--html", "--out", "b.html", "--frames", "11", "--from", "0.02", "--to",
             "0.05", "--plot", "*/gap", "--plot", "energy/kinetic", "--colour", "speed"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(text_of("b.html"), AllOf(HasSubstr("\"frames\":11"), HasSubstr("energy/kinetic"),
                                       HasSubstr("/gap"), Not(HasSubstr("energy/potential"))));
}

TEST_F(ExportTest, ReplacesAPageOnlyWhenToldTo) {
  std::ofstream(folder.path() / "a.html") << "mine";
  Outcome outcome = picus({"export", "a.h5", "--html"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "picus: file \"a.html\" exists; --force replaces it\n");
  EXPECT_EQ(text_of("a.html"), "mine");
  EXPECT_EQ(picus({"export", "a.h5", "--html", "--force"}).status, 0);
  EXPECT_THAT(text_of("a.html"), StartsWith("<!DOCTYPE html>"));
}

TEST_F(ExportTest, ReadsAnOlderFormat) {
  const Outcome outcome = picus({"export", PICUS_FORMAT_1, "--html", "--out", "old.html"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(text_of("old.html"), HasSubstr("\"frames\":51"));
}

TEST_F(ExportTest, SaysInOneLineWhatIsWrong) {
  std::ofstream(folder.path() / "text.h5") << "no result";
  struct Case {
    std::vector<std::string> words;
    int status;
    std::string message;
  };
  const std::vector<Case> cases = {
      {{"export"}, 2, "picus export needs the name of a result file"},
      {{"export", "a.h5"}, 2, "picus export needs to know what to write: --html, --csv or --contacts"},
      {{"export", "a.h5", "--html", "--contacts"}, 2, "needs to know what to write: --html, --csv or"},
      {{"export", "a.h5", "--csv", "--out", "a.txt"}, 2, "--out: \"a.txt\" must end in .csv"},
      {{"export", "a.h5", "--csv", "--colour", "speed"}, 2, "--colour is for --html, not for --csv"},
      {{"export", "a.h5", "--csv", "--from", "5"}, 1, "there is no record in the interval that is asked for"},
      {{"export", "a.h5", "--csv", "--plot", "energy/kinetik"}, 1, "did you mean energy/kinetic?"},
      {{"export", "a.h5", "--contacts"}, 1, "a.h5 has no contacts that were found as bodies moved"},
      {{"export", "a.h5", "--contacts", "--out", "a.html"}, 2, "--out: \"a.html\" must end in .vtkhdf"},
      {{"export", "a.h5", "--contacts", "--colour", "speed"}, 2, "--plot and --colour are for --html"},
      {{"export", "missing.h5", "--html"}, 1, "cannot read file \"missing.h5\": No such file or directory"},
      {{"export", "text.h5", "--html"},
       1,
       "cannot read file \"text.h5\": it is not an HDF5 file, or damaged"},
      {{"export", "a.h5", "--html", "--out", "a.png"}, 2, "--out: \"a.png\" must end in .html"},
      {{"export", "a.h5", "--html", "--frames", "1"}, 2, "--frames"},
      {{"export", "a.h5", "--html", "--from", "x"}, 2, "--from"},
      {{"export", "a.h5", "--html", "--from", "5"},
       1,
       "there are fewer than two pictures in the time that is asked for"},
      {{"export", "a.h5", "--html", "--plot", "energy/kinetik"},
       1,
       "has no quantity energy/kinetik; did you mean energy/kinetic?"},
      {{"export", "a.h5", "--html", "--colour", "von_mises"},
       1,
       "nothing that can be shown as a colour is called von_mises; there is speed"},
      {{"export", "a.h5", "--html", "--out", "no/a.html"},
       1,
       "cannot write file \"no/a.html\": No such file or directory"}};
  for (const auto& [words, status, message] : cases) {
    const Outcome outcome = picus(words);
    EXPECT_EQ(outcome.status, status) << message;
    EXPECT_THAT(outcome.err, AllOf(StartsWith("picus: "), HasSubstr(message)));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_FALSE(has("a.html")) << message;
  }
}

/// A ball that falls from rest: the table has all records, and of each number as many digits as are stored.
TEST_F(ExportTest, WritesATable) {
  Outcome outcome =
      picus({"export", "a.h5", "--csv", "--plot", "nodes/ball/position", "--plot", "energy/kinetic"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "written: a.csv\n");
  std::istringstream table(text_of("a.csv"));
  std::string line;
  std::getline(table, line);
  EXPECT_EQ(line,
            "time (s),energy/kinetic (J),nodes/ball/position.x (m),nodes/ball/position.y "
            "(m),nodes/ball/position.z (m)");
  std::vector<std::array<double, 5>> rows;
  while (std::getline(table, line)) {
    std::istringstream cells(line);
    std::string cell;
    auto& row = rows.emplace_back();
    for (double& value : row) {
      ASSERT_TRUE(std::getline(cells, cell, ','));
      value = std::stod(cell);
    }
  }
  ASSERT_GT(rows.size(), 10U);
  EXPECT_EQ(rows.front()[0], 0.0);
  EXPECT_NEAR(rows.back()[0], 0.1, 1e-12);
  for (const auto& row : rows)  // falls freely at 9.8 m/s2
    EXPECT_NEAR(row[3], rows.front()[3] - 4.9 * row[0] * row[0], 1e-12);

  outcome = picus({"export", "a.h5", "--csv", "--frames", "5", "--to", "0.05", "--out", "b.csv"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const std::string few = text_of("b.csv");
  EXPECT_EQ(std::count(few.begin(), few.end(), '\n'), 6);
  EXPECT_THAT(few, AllOf(StartsWith("time (s),"), HasSubstr("energy/balance (J)"), HasSubstr("/gap (m)")));
  EXPECT_EQ(picus({"export", "a.h5", "--csv"}).err, "picus: file \"a.csv\" exists; --force replaces it\n");
}

TEST_F(ExportTest, WritesContactsForParaView) {
  ASSERT_EQ(picus({"run", "dominoes", "--until", "0.02", "--quiet", "--out", "d.h5"}).status, 0);
  Outcome outcome = picus({"export", "d.h5", "--contacts", "--frames", "5"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "written: d_contacts.vtkhdf and d_contacts.xdmf\n");
  EXPECT_TRUE(has("d_contacts.vtkhdf"));
  EXPECT_THAT(text_of("d_contacts.xdmf"), AllOf(HasSubstr("d_contacts.vtkhdf"), HasSubstr("contact_force")));
  outcome = picus({"export", "d.h5", "--contacts"});
  EXPECT_EQ(outcome.err, "picus: file \"d_contacts.vtkhdf\" exists; --force replaces it\n");
  std::filesystem::remove(folder.path() / "d_contacts.vtkhdf");
  outcome = picus({"export", "d.h5", "--contacts"});
  EXPECT_EQ(outcome.err, "picus: file \"d_contacts.xdmf\" exists; --force replaces it\n");
  EXPECT_EQ(picus({"export", "d.h5", "--contacts", "--force"}).status, 0);
  outcome = picus({"export", "d.h5", "--contacts", "--force", "--from", "5"});
  EXPECT_THAT(outcome.err, HasSubstr("there are no records in the time that is asked for"));
}

TEST_F(ExportTest, SaysWhichModuleIsMissing) {
  const Outcome outcome =
      Process({"/usr/bin/python3", "-I", "-S", PICUS_SCRIPTS "/export_html.py", "a.h5", "a.html"},
              {.directory = folder.path()})
          .finish();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(StartsWith("export_html: the Python module "),
                                 HasSubstr(" is missing; on Debian: apt-get install")));
}

}  // namespace
}  // namespace picus::test
