// SPDX-License-Identifier: MIT
// Whatever the words are, their listing assembles to the same words.
#include "amdgpu/isa/text/listing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/text/assembler.h"

namespace spalt::isa {
namespace {

class Listing : public testing::TestWithParam<const char*> {};

TEST_P(Listing, AssemblesToTheSameWords) {
  const Target& target = *find_target(GetParam());
  std::mt19937 random(11);
  std::vector<uint32_t> words(40000);
  // Half of the words have few bits, so that many of them are instructions without reserved bits.
  for (size_t i = 0; i < words.size(); ++i) {
    words[i] = static_cast<uint32_t>(random());
    if (i % 2 == 0) words[i] &= static_cast<uint32_t>(random());
  }
  for (const unsigned wave_size : {32u, 64u}) {
    if (wave_size == 32 && !target.has_wave32) continue;
    const std::string text = list_code(words, target, wave_size);
    const auto code = assemble(text, target, wave_size);
    ASSERT_TRUE(code.ok()) << located_message(code.error());
    EXPECT_TRUE(code->words == words);
    const auto lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
    size_t data = 0;
    for (size_t at = 0; (at = text.find("\t.long", at)) != std::string::npos; ++at) ++data;
    EXPECT_LT(data, lines * 9 / 10) << "hardly any word is an instruction";
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Listing,
                         testing::Values("gfx900", "gfx906", "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"));

TEST(Listings, ShowNonCanonicalWordsAsData) {
  // s_mov_b32 s0, 0 with the zero as a literal, which the assembler would write as an inline constant.
  const uint32_t words[] = {0xbe8003ff, 0};
  const std::string text = list_code(words, *find_target("gfx1030"), 32);
  EXPECT_EQ(text.substr(0, text.find(" //")), "\t.long 0xbe8003ff, 0x00000000" + std::string(30, ' '));
  EXPECT_NE(text.find(": BE8003FF 00000000 s_mov_b32 s0, 0\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace spalt::isa
