#include <picus/elements/reduced/part_tables.hpp>
#include <picus/error.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <string_view>

namespace picus {
namespace {

constexpr std::string_view separators = " \t\r,;";
/// Longest line that is read, bytes.
constexpr std::size_t longest_line = 4096;

/// The words of each line that holds any.
class Table {
 public:
  Table(const std::filesystem::path& path, std::string_view further_separators)
      : path_(path), separators_(std::string(separators) + std::string(further_separators)) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
      throw FileError(fmt::format(
          "cannot read file \"{}\": {}", path.string(),
          std::filesystem::exists(path, error) ? "it is no regular file" : "there is no such file"));
    }
    stream_.open(path);
    if (!stream_) throw FileError(fmt::format("cannot read file \"{}\"", path.string()));
  }

  /// False at the end.
  bool next(std::vector<std::string_view>& words) {
    words.clear();
    while (std::getline(stream_, line_)) {
      ++number_;
      if (line_.size() > longest_line) fail(fmt::format("the line is longer than {} bytes", longest_line));
      const std::string_view text = line_;
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = text.find_first_not_of(separators_, at);
        if (begin == std::string_view::npos) break;
        at = std::min(text.find_first_of(separators_, begin), text.size());
        words.push_back(text.substr(begin, at - begin));
      }
      if (!words.empty() && words[0][0] != '#' && words[0][0] != '*') return true;
      words.clear();
    }
    return false;
  }

  template <class Number>
  Number number(std::string_view word) const {
    if (word.starts_with('+')) word.remove_prefix(1);
    Number value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size())
      fail(fmt::format("\"{}\" is no number", word));
    return value;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw FileError(fmt::format("cannot read file \"{}\": line {}: {}", path_.string(), number_, what));
  }

 private:
  std::filesystem::path path_;
  std::string separators_;
  std::ifstream stream_;
  std::string line_;
  std::size_t number_ = 0;
};

}  // namespace

std::vector<MatrixPartOptions::PartNode> read_part_nodes(const std::filesystem::path& path) {
  Table table(path, "");
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
  Table table(path, ".");
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
