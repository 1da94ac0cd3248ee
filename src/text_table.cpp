#include <picus/text_table.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace picus {
namespace {

constexpr std::string_view separators = " \t\r,;";
/// Longest line that is read, bytes.
constexpr std::size_t longest_line = 4096;

}  // namespace

TextTable::TextTable(const std::filesystem::path& path, std::string_view comment_marks,
                     std::string_view further_separators)
    : path_(path),
      comment_marks_(comment_marks),
      separators_(std::string(separators) + std::string(further_separators)) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    throw FileError(fmt::format(
        "cannot read file \"{}\": {}", path.string(),
        std::filesystem::exists(path, error) ? "it is no regular file" : "there is no such file"));
  }
  stream_.open(path);
  if (!stream_)
    throw FileError(fmt::format("cannot read file \"{}\": {}", path.string(), std::strerror(errno)));
}

bool TextTable::next(std::vector<std::string_view>& words) {
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
    if (!words.empty() && comment_marks_.find(words[0][0]) == std::string::npos) return true;
    words.clear();
  }
  return false;
}

void TextTable::fail(std::string_view what) const {
  throw FileError(fmt::format("cannot read file \"{}\": line {}: {}", path_.string(), number_, what));
}

}  // namespace picus
