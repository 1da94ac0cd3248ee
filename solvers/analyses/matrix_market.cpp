#include <picus/error.hpp>
#include <picus/solvers/analyses/matrix_market.hpp>
#include <picus/text_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <string>

namespace picus {
namespace {

/// Bytes of the shortest line of an entry, "1 1 0".
constexpr std::uintmax_t shortest_entry = 6;

struct Header {
  bool is_symmetric;
};

Header read_header(const std::filesystem::path& path) {
  const auto fail = [&](const char* reason) {
    throw FileError(fmt::format("cannot read file \"{}\": {}", path.string(), reason));
  };
  std::ifstream stream(path);
  std::string line;
  if (!std::getline(stream, line)) fail("it is empty or not readable");
  std::ranges::transform(line, line.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (!line.starts_with("%%matrixmarket")) fail("its first line does not begin with %%MatrixMarket");
  const auto has = [&](std::string_view word) { return line.find(word) != std::string::npos; };
  if (!has("coordinate")) fail("it is not in coordinate format");
  if (has("pattern") || has("complex")) fail("it holds no real or integer numbers");
  if (has("skew") || has("hermitian")) fail("it is neither general nor symmetric");
  return {.is_symmetric = has("symmetric")};
}

/// An index that counts from one.
Index read_index(const TextTable& table, const char* what, std::string_view word, Index size) {
  const auto index = table.number<Index>(word);
  if (index < 1 || index > size) table.fail(fmt::format("{} is {}, must lie in [1, {}]", what, index, size));
  return index - 1;
}

}  // namespace

MatrixEntries read_matrix_market(const std::filesystem::path& path) {
  TextTable table(path, "%");
  const Header header = read_header(path);
  std::vector<std::string_view> words;
  if (!table.next(words)) table.fail("the numbers of rows, columns and entries are missing");
  if (words.size() != 3) table.fail("three numbers of rows, columns and entries are expected");
  MatrixEntries result{.rows = table.number<Index>(words[0]), .columns = table.number<Index>(words[1])};
  const auto count = table.number<Index>(words[2]);
  constexpr Index largest = std::numeric_limits<int>::max();
  if (result.rows < 1 || result.columns < 1 || count < 0 || std::max(result.rows, result.columns) > largest)
    table.fail(fmt::format("a matrix of {} times {} with {} entries cannot be read", result.rows,
                           result.columns, count));
  if (header.is_symmetric && result.rows != result.columns) table.fail("a symmetric matrix must be square");

  // A header may state more entries than the file contains.
  const auto there = static_cast<Index>(std::filesystem::file_size(path) / shortest_entry);
  result.entries.reserve((header.is_symmetric ? 2 : 1) * std::min(count, there));
  for (Index k = 0; k < count; ++k) {
    if (!table.next(words)) table.fail(fmt::format("the file ends after {} of {} entries", k, count));
    if (words.size() != 3) table.fail("a row, a column and a value are expected");
    const Index row = read_index(table, "row", words[0], result.rows);
    const Index column = read_index(table, "column", words[1], result.columns);
    const auto value = table.number<double>(words[2]);
    result.entries.push_back({row, column, value});
    if (header.is_symmetric && row != column) result.entries.push_back({column, row, value});
  }
  if (table.next(words)) table.fail(fmt::format("there are more than {} entries", count));
  return result;
}

}  // namespace picus
