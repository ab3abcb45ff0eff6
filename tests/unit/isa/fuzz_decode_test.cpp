// SPDX-License-Identifier: MIT
// decode takes any words; what it accepts, encode writes again with the same meaning.
#include <gtest/gtest.h>

#include <random>

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/codec/fields.h"

namespace spalt::isa {
namespace {

bool same(const Inst& a, const Inst& b) {
  return a.opcode == b.opcode && a.opcode_y == b.opcode_y && a.format == b.format && a.dst == b.dst && a.src == b.src &&
         a.simm16 == b.simm16 && a.mods == b.mods && a.size_bytes == b.size_bytes;
}

/// Decodes; if that works, checks text, size and the second decoding. Returns whether it worked.
bool check_words(std::span<const uint32_t> words, const Target& target, unsigned wave_size) {
  const Result<Inst> inst = decode(words, target, wave_size);
  if (!inst) {
    EXPECT_FALSE(inst.error().message.empty());
    return false;
  }
  EXPECT_LE(inst->size_bytes, 4 * words.size());
  EXPECT_FALSE(to_text(*inst, target).empty());
  const Result<EncodedInst> encoded = encode(*inst, target);
  if (!encoded) {
    // Machine words may break the constant-bus rule, which holds for what we make.
    EXPECT_NE(encoded.error().message.find("too many scalar"), std::string::npos)
        << encoded.error().message << ": " << to_text(*inst, target);
    return true;
  }
  const Result<Inst> again = decode({encoded->words, encoded->count}, target, wave_size);
  EXPECT_TRUE(again.ok() && same(*again, *inst)) << std::hex << words[0] << ": " << to_text(*inst, target) << " became "
                                                 << (again.ok() ? to_text(*again, target) : again.error().message);
  return true;
}

class FuzzDecode : public testing::TestWithParam<const char*> {};

unsigned fuzz_wave_size(const Target& target, unsigned i) {
  return target.has_wave32 && i % 2 == 0 ? 32 : 64;
}

TEST_P(FuzzDecode, RandomWords) {
  const Target& target = *find_target(GetParam());
  std::mt19937 random(7);
  unsigned accepted = 0;
  for (unsigned i = 0; i < 100000; ++i) {
    uint32_t words[kMaxInstDwords];
    for (uint32_t& word : words) word = static_cast<uint32_t>(random());
    const size_t count = i % 16 == 0 ? random() % (kMaxInstDwords + 1) : kMaxInstDwords;
    accepted += check_words({words, count}, target, fuzz_wave_size(target, i));
  }
  EXPECT_GT(accepted, 1000u);
}

TEST_P(FuzzDecode, RandomOperandsOfEveryOpcode) {
  const Target& target = *find_target(GetParam());
  std::mt19937 random(8);
  unsigned accepted = 0, tried = 0;
  for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count); ++i) {
    for (unsigned f = 1; f < static_cast<unsigned>(Format::count); ++f) {
      const int number = opcode_number(static_cast<Opcode>(i), static_cast<Format>(f), target.generation);
      const FormatLayout& layout = format_layout(static_cast<Format>(f), target.generation);
      if (number < 0 || layout.marker_mask == 0) continue;
      for (unsigned sample = 0; sample < 20; ++sample) {
        uint32_t words[kMaxInstDwords];
        for (uint32_t& word : words) word = static_cast<uint32_t>(random() & random());
        words[0] = (words[0] & ~layout.marker_mask) | layout.marker;
        for (const Field& field : {layout.opcode, layout.opcode_high}) {
          if (field.width != 0) words[field.word] &= ~(field.mask() << field.shift);
        }
        layout.opcode.set(words, static_cast<uint32_t>(number));
        layout.opcode_high.set(words, static_cast<uint32_t>(number) >> layout.opcode.width);
        accepted += check_words(words, target, fuzz_wave_size(target, sample));
        ++tried;
      }
    }
  }
  EXPECT_GT(accepted, tried / 3);
}

INSTANTIATE_TEST_SUITE_P(Processors, FuzzDecode,
                         testing::Values("gfx900", "gfx906", "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"),
                         [](const auto& param) { return std::string(param.param); });

TEST(Decode, EveryTruncationIsAnError) {
  const Target& target = *find_target("gfx1030");
  EXPECT_FALSE(decode({}, target, 32).ok());
  const uint32_t vop3[] = {0xd5030100, 0x00020702};  // v_add_f32_e64 v0, |v2|, v3
  EXPECT_TRUE(decode(vop3, target, 32).ok());
  EXPECT_FALSE(decode({vop3, 1}, target, 32).ok());
  const uint32_t literal[] = {0xbe8003ff, 0x12345678};  // s_mov_b32 s0, 0x12345678
  EXPECT_TRUE(decode(literal, target, 32).ok());
  EXPECT_FALSE(decode({literal, 1}, target, 32).ok());
  const uint32_t sdwa[] = {0x061020f9, 0x06060618};  // v_add_f32_sdwa v8, v24, v16 ...
  EXPECT_TRUE(decode(sdwa, target, 32).ok());
  EXPECT_FALSE(decode({sdwa, 1}, target, 32).ok());
}

}  // namespace
}  // namespace spalt::isa
