// SPDX-License-Identifier: MIT
#include "replay/decode.h"

#include <gtest/gtest.h>

#include "replay/problem.h"

namespace spalt_tool::replay {
namespace {

std::vector<uint32_t> words_of(const std::vector<uint8_t>& bytes, size_t count) {
  std::vector<uint32_t> words;
  return decode_varint(bytes, count, words) ? words : std::vector<uint32_t>{};
}

TEST(Varint, LowGroupsComeFirst) {
  EXPECT_EQ(words_of({0x00}, 1), (std::vector<uint32_t>{0}));
  EXPECT_EQ(words_of({0x7f, 0x80, 0x01}, 2), (std::vector<uint32_t>{127, 128}));
  // 300 = 0b10'0101100, the example of protocol buffers, whose encoding this is.
  EXPECT_EQ(words_of({0xac, 0x02}, 1), (std::vector<uint32_t>{300}));
  EXPECT_EQ(words_of({0xff, 0xff, 0xff, 0xff, 0x0f}, 1), (std::vector<uint32_t>{0xffffffff}));
  // The magic number of SPIR-V, in groups: 0x03, 0x04, 0x0c, 0x38, 0x0.
  EXPECT_EQ(words_of({0x83, 0x84, 0x8c, 0xb8, 0x00}, 1),
            (std::vector<uint32_t>{0x03 | 0x04 << 7 | 0x0c << 14 | 0x38 << 21}));
}

TEST(Varint, MustEndWhereItsDataEnds) {
  EXPECT_TRUE(words_of({0x80}, 1).empty());
  EXPECT_TRUE(words_of({0x01, 0x01}, 1).empty());
  EXPECT_TRUE(words_of({0x01}, 2).empty());
  EXPECT_TRUE(words_of({0x80, 0x80, 0x80, 0x80, 0x80, 0x01}, 1).empty());
  std::vector<uint32_t> words{5};
  EXPECT_TRUE(decode_varint({}, 0, words));
  EXPECT_TRUE(words.empty());
  EXPECT_FALSE(decode_varint({}, size_t{1} << 60, words));
}

std::string bytes_of(const std::string& text) {
  std::vector<uint8_t> bytes;
  return decode_base64(text, bytes) ? std::string(bytes.begin(), bytes.end()) : "refused";
}

/// The vectors of RFC 4648, section 10.
TEST(Base64, IsThatOfTheRfc) {
  EXPECT_EQ(bytes_of(""), "");
  EXPECT_EQ(bytes_of("Zg=="), "f");
  EXPECT_EQ(bytes_of("Zm8="), "fo");
  EXPECT_EQ(bytes_of("Zm9v"), "foo");
  EXPECT_EQ(bytes_of("Zm9vYg=="), "foob");
  EXPECT_EQ(bytes_of("Zm9vYmE="), "fooba");
  EXPECT_EQ(bytes_of("Zm9vYmFy"), "foobar");
  EXPECT_EQ(bytes_of("+/+/"), "\xfb\xff\xbf");
  for (const char* wrong : {"Z", "Zg", "Zg=", "Z===", "====", "Zg==Zg==", "Zm9*", "Zm 9"})
    EXPECT_EQ(bytes_of(wrong), "refused");
}

TEST(Hash, IsHexadecimalAndNothingElse) {
  uint64_t hash = 0;
  EXPECT_TRUE(parse_hash("00000000000000ff", hash));
  EXPECT_EQ(hash, 255u);
  EXPECT_TRUE(parse_hash("FEDCBA9876543210", hash));
  EXPECT_EQ(hash, 0xfedcba9876543210u);
  for (const char* wrong : {"", "0x1", "-1", "+1", "12345678901234567", "1 ", " 1"})
    EXPECT_FALSE(parse_hash(wrong, hash));
  EXPECT_EQ(hash_name(0xabc), "0000000000000abc");
}

}  // namespace
}  // namespace spalt_tool::replay
