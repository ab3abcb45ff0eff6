// SPDX-License-Identifier: MIT
// The compiler encodes without the checks; what it gets must be what the checks let through.
#include "amdgpu/isa/codec/encoder.h"

#include <gtest/gtest.h>

#include "random_inst.h"

namespace spalt::isa::test {
namespace {

constexpr unsigned kSamples = 6;  // per row and format

std::vector<uint32_t> words_of(const EncodedInst& encoded) {
  return {encoded.words, encoded.words + encoded.count};
}

/// The operands of an Inst as encode_operands asks for them.
struct InstOperands {
  const Inst& inst;

  Operand operand(const Placement& placement) const {
    return placement.is_dst ? inst.dst[placement.slot] : inst.src[placement.slot];
  }
  Reg reg(const Placement& placement) const { return operand(placement).is_reg() ? operand(placement).reg : kNoReg; }
};

class EncoderTest : public ::testing::TestWithParam<const char*> {};

TEST_P(EncoderTest, UncheckedWordsAreTheCheckedOnes) {
  const Target& target = *find_target(GetParam());
  Arena arena, scratch;
  EncodeTemplates templates(target, scratch);
  Encoder unchecked(templates, false);
  RandomInst random(target, 64, 77, RandomInst::HighHalves::all);
  size_t variants = 0, direct = 0, all = 0;
  for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count); ++i) {
    const auto opcode = static_cast<Opcode>(i);
    for (unsigned f = 1; f < static_cast<unsigned>(Format::count); ++f) {
      const auto format = static_cast<Format>(f);
      const int number = opcode_number(opcode, format, target.generation);
      if (number < 0 || format == Format::vopd || !target.has(info(opcode, target.generation).feature)) continue;
      for (unsigned sample = 0; sample < kSamples; ++sample) {
        Inst inst = random.make(opcode, format);
        inst.format = Format::invalid;  // as the compiler leaves it
        const Result<EncodedInst> expected = encode(inst, target);
        if (!expected) continue;
        EncodedInst actual;
        ASSERT_EQ(unchecked.encode(inst, actual), nullptr) << to_text(inst, target);
        EXPECT_EQ(words_of(actual), words_of(*expected)) << to_text(inst, target);
        ++all;
        EncodedInst words;
        const Modifiers* mods = inst.mods == kNoModifiers ? nullptr : &inst.mods;
        if (unchecked.encode_directly(opcode, inst.simm16, mods, InstOperands{inst}, words)) {
          EXPECT_EQ(words_of(words), words_of(*expected)) << to_text(inst, target);
          ++direct;
        }
        variants += format == Format::sdwa || format == Format::dpp16 || format == Format::dpp8 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(variants, 100u);
  EXPECT_GT(direct, all / 4);
}

/// An arena that has had all memory it gets, so that each new template fails.
TEST(EncodeTemplates, StayRightWhenMemoryRunsOut) {
  bool empty = false;
  const MemoryFunctions memory = {
      [](void* user, size_t bytes, size_t) { return *static_cast<bool*>(user) ? nullptr : ::operator new(bytes); },
      [](void*, void* block, size_t) { ::operator delete(block); }, &empty};
  const Target& target = *find_target("gfx1030");
  Arena arena(memory), plenty;
  EncodeTemplates templates(target, arena), fresh(target, plenty);
  RandomInst random(target, 64, 5, RandomInst::HighHalves::all);
  unsigned failures = 0;
  for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count); ++i) {
    const auto opcode = static_cast<Opcode>(i);
    const auto encodings = opcode_encodings(opcode, target.generation);
    if (!has_opcode(target, opcode) || encodings[0].format == Format::vopd) continue;
    Inst inst = random.make(opcode, encodings[0].format);
    inst.format = Format::invalid;
    EncodedInst first, second;
    empty = true;
    try {
      Encoder(templates, false).encode(inst, first);
    } catch (const std::bad_alloc&) {
      ++failures;
    }
    empty = false;
    ASSERT_EQ(Encoder(templates, false).encode(inst, first), nullptr) << to_text(inst, target);
    ASSERT_EQ(Encoder(fresh, false).encode(inst, second), nullptr) << to_text(inst, target);
    EXPECT_EQ(words_of(first), words_of(second)) << to_text(inst, target);
  }
  EXPECT_GT(failures, 3u);
}

INSTANTIATE_TEST_SUITE_P(Generations, EncoderTest,
                         ::testing::Values("gfx900", "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"));

}  // namespace
}  // namespace spalt::isa::test
