#include <picus/text_table.hpp>
#include <support/message.hpp>
#include <support/scratch_folder.hpp>

#include <gtest/gtest.h>

#include <fstream>

namespace picus::text_table_test {
namespace {

class TextTableTest : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& text) {
    std::ofstream(folder_ / "a.txt") << text;
    return folder_ / "a.txt";
  }
  template <class Action>
  std::string message(Action&& action) {
    std::string text = support::message_of<FileError>(action);
    const std::string place = (folder_ / "").string();
    if (const auto at = text.find(place); at != std::string::npos) text.erase(at, place.size());
    return text;
  }

  support::ScratchFolder folder_;
  std::vector<std::string_view> words_;
};

TEST_F(TextTableTest, GivesTheWordsOfLinesThatHaveAny) {
  TextTable table(write("# head\n\n a, 1;\t+2.5e-3\r\n   \n* more\nb.c 4"), "#*", ".");
  ASSERT_TRUE(table.next(words_));
  EXPECT_EQ(words_, (std::vector<std::string_view>{"a", "1", "+2", "5e-3"}));
  EXPECT_EQ(table.number<int>(words_[1]), 1);
  EXPECT_EQ(table.number<double>(words_[2]), 2.0);
  ASSERT_TRUE(table.next(words_));
  EXPECT_EQ(words_, (std::vector<std::string_view>{"b", "c", "4"}));
  EXPECT_FALSE(table.next(words_));
  EXPECT_TRUE(words_.empty());
}

TEST_F(TextTableTest, NamesTheFileAndTheLine) {
  TextTable table(write("a 1\n\nb 1x 1e999 2.5\n"), "");
  table.next(words_);
  table.next(words_);
  EXPECT_EQ(message([&] { table.number<int>(words_[1]); }),
            "cannot read file \"a.txt\": line 3: \"1x\" is no number");
  EXPECT_EQ(message([&] { table.number<double>(words_[2]); }),
            "cannot read file \"a.txt\": line 3: \"1e999\" is no number");
  EXPECT_EQ(message([&] { table.number<Index>(words_[3]); }),
            "cannot read file \"a.txt\": line 3: \"2.5\" is no number");
}

TEST_F(TextTableTest, RefusesWhatIsNoFileOrHasNoLines) {
  EXPECT_EQ(message([&] { TextTable(folder_ / "none.txt", ""); }),
            "cannot read file \"none.txt\": there is no such file");
  EXPECT_EQ(message([&] { TextTable("/dev/null", ""); }),
            "cannot read file \"/dev/null\": it is no regular file");
  TextTable table(write(std::string(5000, 'a')), "");
  EXPECT_EQ(message([&] { table.next(words_); }),
            "cannot read file \"a.txt\": line 1: the line is longer than 4096 bytes");
}

}  // namespace
}  // namespace picus::text_table_test
