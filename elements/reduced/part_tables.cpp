#include <picus/elements/reduced/part_tables.hpp>
#include <picus/text_table.hpp>

#include <fmt/format.h>

#include <map>
#include <string_view>

namespace picus {

std::vector<MatrixPartOptions::PartNode> read_part_nodes(const std::filesystem::path& path) {
  TextTable table(path, "#*");
  std::vector<MatrixPartOptions::PartNode> nodes;
  std::vector<std::string_view> words;
  while (table.next(words)) {
    if (words.size() != 4)
      table.fail(fmt::format("a name and three coordinates are expected, not {} words", words.size()));
    Vec3 position;
    for (Index i = 0; i < 3; ++i) position[i] = table.number<double>(words[i + 1]);
    if (!position.allFinite()) table.fail("a coordinate is not finite");
    nodes.push_back({std::string(words[0]), position});
  }
  return nodes;
}

std::vector<MatrixPartOptions::Row> read_part_rows(const std::filesystem::path& path,
                                                   const std::vector<MatrixPartOptions::PartNode>& nodes) {
  std::map<std::string, Index, std::less<>> index;
  for (Index n = 0; n < count_of(nodes); ++n) index[nodes[n].name] = n;
  TextTable table(path, "#*", ".");
  std::vector<MatrixPartOptions::Row> rows;
  std::vector<std::string_view> words;
  while (table.next(words)) {
    if (words.size() != 2)
      table.fail(fmt::format("a node and a component are expected, not {} words", words.size()));
    const auto node = index.find(words[0]);
    if (node == index.end()) table.fail(fmt::format("there is no node \"{}\"", words[0]));
    const int component = table.number<int>(words[1]);
    if (component < 1 || component > 6)
      table.fail(fmt::format("component is {}, must lie in [1, 6]", component));
    rows.push_back({node->second, static_cast<Component>(component - 1)});
  }
  return rows;
}

}  // namespace picus
