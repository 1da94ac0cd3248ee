/// Strings from files, printed to a terminal.

#include "../../src/printable.hpp"

#include <gtest/gtest.h>

namespace picus::support {
namespace {

TEST(Printable, LeavesTextAsItIs) {
  for (const char* text : {"", "plain", "Größe 5 µm, 水", "back\\slash", "😀"})
    EXPECT_EQ(detail::printable(text), text);
}

TEST(Printable, EscapesWhatCommandsATerminal) {
  EXPECT_EQ(detail::printable("\x1b[31mred"), "\\x1b[31mred");
  EXPECT_EQ(detail::printable("a\nb\tc\r"), "a\\nb\\tc\\r");
  EXPECT_EQ(detail::printable(std::string_view("\0\x7f", 2)), "\\x00\\x7f");
  EXPECT_EQ(detail::printable("\xc2\x9b"
                              "2J"),
            "\\x9b2J");  // the same command as ESC [ 2 J, in one character
  EXPECT_EQ(detail::printable("\u202Eabc\u2066\u2028"), "\\u202eabc\\u2066\\u2028");
}

TEST(Printable, EscapesWhatIsNoUtf8) {
  EXPECT_EQ(detail::printable("\xff"), "\\xff");
  EXPECT_EQ(detail::printable("\xc3"), "\\xc3");                    // half a character
  EXPECT_EQ(detail::printable("\xc0\x8a"), "\\xc0\\x8a");           // a line feed in two bytes
  EXPECT_EQ(detail::printable("\xe0\x80\x8a"), "\\xe0\\x80\\x8a");  // in three
  EXPECT_EQ(detail::printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(detail::printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

}  // namespace
}  // namespace picus::support
