#include "sweep_journal.hpp"

#include "output.hpp"
#include <picus/error.hpp>
#include <picus/text_values.hpp>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/file.h>
#include <unistd.h>
#include <vector>

namespace picus::program {
namespace {

/// The text without characters that separate fields and lines.
std::string one_field(std::string text) {
  for (char& c : text) {
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    fields.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return fields;
}

template <class Number>
bool read_number(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

std::string optional_text(const std::optional<double>& value) {
  return value ? number_text(*value) : "-";
}

bool read_optional(std::string_view text, std::optional<double>& value) {
  if (text == "-") return true;
  return read_number(text, value.emplace());
}

constexpr std::size_t head_fields = 6;
constexpr std::string_view refused = "refused";
constexpr std::size_t finding_fields = 5;

}  // namespace

std::string SweepOutcome::text() const {
  std::string line = fmt::format("{}\t{}\t{}\t{}\t{}\t{}", number_text(wall_seconds), steps, fallbacks,
                                 is_refused ? refused : "", one_field(failure), warnings.size());
  for (const std::string& warning : warnings) line += '\t' + one_field(warning);
  for (const Finding& finding : findings) {
    line += fmt::format("\t{}\t{}\t{}\t{}\t{}", one_field(finding.quantity), one_field(finding.unit),
                        optional_text(finding.value), optional_text(finding.reference),
                        one_field(finding.source));
  }
  return line;
}

std::optional<SweepOutcome> SweepOutcome::read(std::string_view text) {
  const std::vector<std::string_view> fields = fields_of(text);
  if (fields.size() < head_fields) return std::nullopt;
  SweepOutcome outcome;
  std::size_t warnings = 0;
  if (!read_number(fields[0], outcome.wall_seconds) || !read_number(fields[1], outcome.steps) ||
      !read_number(fields[2], outcome.fallbacks) || !read_number(fields[5], warnings))
    return std::nullopt;
  const std::size_t others = fields.size() - head_fields;
  if (warnings > others || (others - warnings) % finding_fields != 0) return std::nullopt;
  outcome.is_refused = fields[3] == refused;
  outcome.failure = fields[4];
  const std::size_t first_finding = head_fields + warnings;
  for (std::size_t i = head_fields; i < first_finding; ++i) outcome.warnings.emplace_back(fields[i]);
  for (std::size_t i = first_finding; i < fields.size(); i += finding_fields) {
    Finding finding{std::string(fields[i]), std::string(fields[i + 1]), {}, {}, std::string(fields[i + 4])};
    if (!read_optional(fields[i + 2], finding.value) || !read_optional(fields[i + 3], finding.reference))
      return std::nullopt;
    outcome.findings.push_back(std::move(finding));
  }
  return outcome;
}

SweepJournal::SweepJournal(std::filesystem::path path, const std::string& head, bool replaces)
    : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, 0666);
  if (descriptor_ < 0) fail();
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    ::close(descriptor_);
    throw FileError(fmt::format("another process writes \"{}\"", path_.string()));
  }
  std::ifstream file(path_, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string first = head + '\n';
  if (text.empty() || (replaces && !text.starts_with(first))) {
    replaced_ = text;
    if (::ftruncate(descriptor_, 0) != 0) fail();
    write(first);
    return;
  }
  if (!text.starts_with(first)) {
    ::close(descriptor_);
    throw FileError(fmt::format("\"{}\" is of another sweep; --force replaces it", path_.string()));
  }
  std::size_t whole = first.size();
  for (std::size_t end; (end = text.find('\n', whole)) != std::string::npos; whole = end + 1) {
    const std::string_view line = std::string_view(text).substr(whole, end - whole);
    const std::size_t tab = std::min(line.find('\t'), line.size());
    std::size_t point = 0;
    std::optional<SweepOutcome> outcome;
    if (tab < line.size() && read_number(line.substr(0, tab), point))
      outcome = SweepOutcome::read(line.substr(tab + 1));
    if (!outcome) break;
    outcomes_[point] = *std::move(outcome);
  }
  if (::ftruncate(descriptor_, static_cast<off_t>(whole)) != 0) fail();
}

SweepJournal::~SweepJournal() {
  ::close(descriptor_);
}

void SweepJournal::add(std::size_t point, const SweepOutcome& outcome) {
  write(fmt::format("{}\t{}\n", point, outcome.text()));
  if (::fdatasync(descriptor_) != 0 && errno != EINVAL) fail();
  outcomes_[point] = outcome;
}

void SweepJournal::forget_failures() {
  std::erase_if(outcomes_, [](const auto& entry) { return !entry.second.failure.empty(); });
}

void SweepJournal::remove() {
  ::unlink(path_.c_str());
}

void SweepJournal::restore_previous() {
  if (replaced_.empty()) return remove();
  if (::ftruncate(descriptor_, 0) != 0) fail();
  write(replaced_);
}

void SweepJournal::write(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor_, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail();
    text.remove_prefix(count);
  }
}

void SweepJournal::fail() const {
  throw FileError(fmt::format("cannot write \"{}\": {}", path_.string(), std::strerror(errno)));
}

}  // namespace picus::program
