#include <picus/solvers/linear/sweep_schedule.hpp>

#include <algorithm>
#include <numeric>

namespace picus::solvers {
namespace {

/// Number of entries of a task, half of which a sweep uses: some microseconds.
constexpr Index task_entries = 6000;
/// Number of entries of a matrix from which on a parallel sweep pays off.
constexpr Index least_entries = 100'000;
/// Required ratio of the total work to that of the longest chain of tasks.
constexpr double least_parallelism = 1.5;

void sort_out(std::vector<Index>& list) {
  std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

void SweepSchedule::Lists::append(std::span<const Index> list) {
  entries.insert(entries.end(), list.begin(), list.end());
  start.push_back(count_of(entries));
}

void SweepSchedule::build(const Threads* threads, const SparseMatrix& lines,
                          std::span<const Index> diagonal) {
  threads_ = nullptr;
  if (threads == nullptr || (count_of(lines.row) < least_entries && !threads->takes_any_size())) return;
  const Blocks blocks = find_blocks(lines, diagonal);
  const std::vector<Index> task_of_block = make_tasks(lines, blocks);
  link_tasks(blocks, task_of_block);
  if (!threads->takes_any_size() && !is_worthwhile(lines)) return;
  done_ = std::make_unique<std::atomic<std::uint32_t>[]>(task_count());
  sweep_ = 0;
  threads_ = threads;
}

SweepSchedule::Blocks SweepSchedule::find_blocks(const SparseMatrix& lines, std::span<const Index> diagonal) {
  Blocks blocks;
  std::vector<Index> block_of(lines.size);
  const auto follows_on = [&](Index line) {
    const Index own = diagonal[line];
    const Index before = diagonal[line - 1];
    return (own > lines.column_start[line] && lines.row[own - 1] == line - 1) ||
           (before + 1 < lines.column_start[line] && lines.row[before + 1] == line);
  };
  for (Index line = 0; line < lines.size; ++line) {
    const bool is_full =
        line > 0 && lines.column_start[line] - lines.column_start[blocks.lines.back().first] >= task_entries;
    if (line == 0 || is_full || !follows_on(line)) blocks.lines.push_back({line, line});
    blocks.lines.back().last = line + 1;
    block_of[line] = count_of(blocks.lines) - 1;
  }
  blocks.before.resize(blocks.lines.size());
  for (Index line = 0; line < lines.size; ++line) {
    const Index own = block_of[line];
    for (Index k = lines.column_start[line]; k < lines.column_start[line + 1]; ++k) {
      const Index other = block_of[lines.row[k]];
      if (other == own) continue;
      std::vector<Index>& list = blocks.before[std::max(own, other)];
      if (list.empty() || list.back() != std::min(own, other)) list.push_back(std::min(own, other));
    }
  }
  blocks.level.assign(blocks.lines.size(), 0);
  for (std::size_t b = 0; b < blocks.lines.size(); ++b) {
    sort_out(blocks.before[b]);
    for (const Index other : blocks.before[b])
      blocks.level[b] = std::max(blocks.level[b], blocks.level[other] + 1);
  }
  return blocks;
}

std::vector<Index> SweepSchedule::make_tasks(const SparseMatrix& lines, const Blocks& blocks) {
  std::vector<Index> order(blocks.lines.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](Index b) { return blocks.level[b]; });
  std::vector<Index> task_of_block(order.size());
  ranges_.clear();
  first_range_.assign(1, 0);
  Index entries = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Range& block = blocks.lines[order[i]];
    ranges_.push_back(block);
    task_of_block[order[i]] = task_count();
    entries += lines.column_start[block.last] - lines.column_start[block.first];
    const bool ends = i + 1 == order.size() || blocks.level[order[i + 1]] != blocks.level[order[i]];
    if (!ends && entries < task_entries) continue;
    first_range_.push_back(count_of(ranges_));
    entries = 0;
  }
  return task_of_block;
}

void SweepSchedule::link_tasks(const Blocks& blocks, std::span<const Index> task_of_block) {
  std::vector<std::vector<Index>> before(task_count());
  for (std::size_t b = 0; b < blocks.before.size(); ++b) {
    for (const Index other : blocks.before[b]) before[task_of_block[b]].push_back(task_of_block[other]);
  }
  for (std::vector<Index>& list : before) sort_out(list);
  // Dependencies are transitive: a task that depends on another one depends on all dependencies of that one.
  std::vector<std::vector<Index>> after(before.size());
  before_ = after_ = {};
  for (Index task = 0; task < task_count(); ++task) {
    std::vector<Index> needed;
    for (const Index other : before[task]) {
      const bool is_implied = std::ranges::any_of(
          before[task], [&](Index between) { return std::ranges::binary_search(before[between], other); });
      if (!is_implied) needed.push_back(other);
    }
    before_.append(needed);
    for (const Index other : needed) after[other].push_back(task);
  }
  for (const std::vector<Index>& list : after) after_.append(list);
}

bool SweepSchedule::is_worthwhile(const SparseMatrix& lines) const {
  std::vector<double> chain(task_count(), 0.0);
  double longest = 0;
  for (Index task = 0; task < task_count(); ++task) {
    double work = 0;
    for (Index r = first_range_[task]; r < first_range_[task + 1]; ++r)
      work += lines.column_start[ranges_[r].last] - lines.column_start[ranges_[r].first];
    for (const Index other : before_[task]) chain[task] = std::max(chain[task], chain[other]);
    chain[task] += work;
    longest = std::max(longest, chain[task]);
  }
  return static_cast<double>(lines.row.size()) >= least_parallelism * longest;
}

}  // namespace picus::solvers
