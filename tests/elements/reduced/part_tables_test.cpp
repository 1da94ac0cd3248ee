#include <picus/elements/reduced/part_tables.hpp>
#include <picus/error.hpp>
#include <support/message.hpp>
#include <support/scratch_folder.hpp>

#include <gtest/gtest.h>

#include <fstream>

namespace picus::part_tables_test {
namespace {

using support::message_of;

class PartTables : public testing::Test {
 public:
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name) << text;
    return folder / name;
  }
  /// The message of the error, without the folder.
  template <class Action>
  std::string message(Action&& action) const {
    std::string text = message_of<FileError>(action);
    const std::string place = (folder / "").string();
    if (const auto at = text.find(place); at != std::string::npos) text.erase(at, place.size());
    return text;
  }

  support::ScratchFolder folder;
};

TEST_F(PartTables, ReadsNodesAndRows) {
  const auto nodes = read_part_nodes(
      write("nodes", "# id x y z\n12, 0.5, -1e-3, 2\r\n\n*NODE\n  7; +1 ; 2; 3 \nA 1\t2 3.5"));
  ASSERT_EQ(nodes.size(), 3U);
  EXPECT_EQ(nodes[0].name, "12");
  EXPECT_EQ(nodes[0].position, Vec3(0.5, -1e-3, 2));
  EXPECT_EQ(nodes[1].position, Vec3(1, 2, 3));
  EXPECT_EQ(nodes[2].name, "A");
  const auto rows = read_part_rows(write("rows", "7.1\n7.3\nA 6\n12,2\n"), nodes);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].node, 1);
  EXPECT_EQ(rows[0].component, Component::x);
  EXPECT_EQ(rows[1].component, Component::z);
  EXPECT_EQ(rows[2].node, 2);
  EXPECT_EQ(rows[2].component, Component::rz);
  EXPECT_EQ(rows[3].node, 0);
}

TEST_F(PartTables, NamesTheLineThatIsWrong) {
  EXPECT_EQ(message([&] { read_part_nodes(folder / "none"); }),
            "cannot read file \"none\": there is no such file");
  EXPECT_EQ(message([&] { read_part_nodes(folder / "."); }), "cannot read file \".\": it is no regular file");
  EXPECT_EQ(message([&] { read_part_nodes(write("n", "1 0 0 0\n2 0 0\n")); }),
            "cannot read file \"n\": line 2: a name and three coordinates are expected, not 3 words");
  EXPECT_EQ(message([&] { read_part_nodes(write("n", "1 0 0x 0\n")); }),
            "cannot read file \"n\": line 1: \"0x\" is no number");
  EXPECT_EQ(message([&] { read_part_nodes(write("n", "1 0 nan 0\n")); }),
            "cannot read file \"n\": line 1: a coordinate is not finite");
  EXPECT_EQ(message([&] { read_part_nodes(write("n", std::string(5000, 'x'))); }),
            "cannot read file \"n\": line 1: the line is longer than 4096 bytes");
  const std::vector<MatrixPartOptions::PartNode> nodes = {{"1"}};
  EXPECT_EQ(message([&] { read_part_rows(write("r", "1.1\n2.1\n"), nodes); }),
            "cannot read file \"r\": line 2: there is no node \"2\"");
  EXPECT_EQ(message([&] { read_part_rows(write("r", "1.7"), nodes); }),
            "cannot read file \"r\": line 1: component is 7, must lie in [1, 6]");
  EXPECT_EQ(message([&] { read_part_rows(write("r", "1"), nodes); }),
            "cannot read file \"r\": line 1: a node and a component are expected, not 1 words");
}

}  // namespace
}  // namespace picus::part_tables_test
