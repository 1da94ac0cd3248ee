#pragma once

/// Checks that results and states of two runs are bitwise identical.

#include <picus/archive.hpp>
#include <support/result_reader.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <vector>

namespace picus::support {

inline std::vector<std::byte> bytes_of(State state) {
  Archive archive;
  archive(state);
  return archive.bytes();
}

/// All numbers of two result files, and how the runs ended.
inline void expect_equal_results(const std::filesystem::path& a, const std::filesystem::path& b) {
  const ResultReader first(a);
  const ResultReader second(b);
  ASSERT_EQ(first.data_sets(), second.data_sets());
  for (const std::string& name : first.data_sets()) {
    if (is_text(name)) continue;
    ASSERT_EQ(first.shape(name), second.shape(name)) << name;
    const std::vector<double> x = first.numbers(name);
    const std::vector<double> y = second.numbers(name);
    const bool are_equal = x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0;
    EXPECT_TRUE(are_equal) << name;
  }
  EXPECT_EQ(first.text("/", "outcome"), second.text("/", "outcome"));
  EXPECT_EQ(first.number("/", "steps"), second.number("/", "steps"));
}

}  // namespace picus::support
