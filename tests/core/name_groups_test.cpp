// Which nodes and elements share a data set.

#include "../../src/results/name_groups.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace picus::results {
namespace {

using testing::ElementsAre;

/// Each group as its name and its members, "beam{0,1}".
std::vector<std::string> groups_of(const std::vector<std::string>& names, std::vector<Index> kinds = {}) {
  kinds.resize(names.size());
  std::vector<std::string> texts;
  for (const NameGroup& group : group_names(names, kinds)) {
    std::string text = group.name;
    if (group.is_array) {
      text += '{';
      for (const Index member : group.members)
        text += (text.back() == '{' ? "" : ",") + std::to_string(member);
      text += '}';
    }
    texts.push_back(text);
  }
  return texts;
}

TEST(NameGroups, GatherNumberedNames) {
  EXPECT_THAT(groups_of({"wall", "beam[0]", "beam[1]", "ball", "beam[2]"}),
              ElementsAre("wall", "beam{1,2,4}", "ball"));
  EXPECT_THAT(groups_of({"a[0]", "b[0]", "a[1]", "b[1]"}), ElementsAre("a{0,2}", "b{1,3}"));
  EXPECT_THAT(groups_of({"a[0]"}), ElementsAre("a{0}"));
}

TEST(NameGroups, KeepApartWhatDoesNotCountUp) {
  EXPECT_THAT(groups_of({"a[1]", "a[0]"}), ElementsAre("a[1]", "a[0]"));
  EXPECT_THAT(groups_of({"a[0]", "a[2]"}), ElementsAre("a[0]", "a[2]"));
  EXPECT_THAT(groups_of({"a[0]", "a[01]"}), ElementsAre("a{0}", "a[01]"));
}

TEST(NameGroups, KeepApartWhatIsOfAnotherKind) {
  EXPECT_THAT(groups_of({"a[0]", "a[1]"}, {0, 1}), ElementsAre("a[0]", "a[1]"));
}

TEST(NameGroups, KeepApartWhatWouldHideANameWithoutNumber) {
  EXPECT_THAT(groups_of({"a[0]", "a", "a[1]"}), ElementsAre("a[0]", "a", "a[1]"));
}

TEST(NameGroups, TakeOtherBracketsAsPartOfTheName) {
  EXPECT_THAT(groups_of({"[0]", "a[]", "a[x]", "a[0", "a[-1]", "a[0] left"}),
              ElementsAre("[0]", "a[]", "a[x]", "a[0", "a[-1]", "a[0] left"));
}

TEST(NameGroups, GiveRowsOneMoreDimension) {
  const NameGroup array{"beam", {0, 1, 2}, true};
  EXPECT_THAT(array.shape({6}), ElementsAre(3, 6));
  EXPECT_THAT((NameGroup{"ball", {0}, false}.shape({})), testing::IsEmpty());
}

}  // namespace
}  // namespace picus::results
