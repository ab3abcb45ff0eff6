// SPDX-License-Identifier: MIT
// Every row in each of its formats: random instruction, our text of it, parsed again: the same instruction.
#include <gtest/gtest.h>

#include <algorithm>

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/text/assembler.h"
#include "random_inst.h"

namespace spalt::isa::test {
namespace {

constexpr unsigned kSamples = 40;    // per row and format
constexpr unsigned kShownRows = 40;  // one sample of each row that fails

bool same(const Inst& a, const Inst& b) {
  return a.opcode == b.opcode && a.opcode_y == b.opcode_y && a.format == b.format && a.dst == b.dst && a.src == b.src &&
         a.simm16 == b.simm16 && a.mods == b.mods && a.size_bytes == b.size_bytes;
}

/// The lane that a bitmask swizzle reads.
unsigned swizzle_lane(int32_t offset, unsigned lane) {
  return ((lane & (offset & 31)) | (offset >> 5 & 31)) ^ (offset >> 10 & 31);
}

bool same_swizzle(int32_t a, int32_t b) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (swizzle_lane(a, lane) != swizzle_lane(b, lane)) return false;
  }
  return a >= 0 && b >= 0 && a < 0x8000 && b < 0x8000;
}

/// Two instructions of one text and one meaning (docs/isa-errata.md, "One text, two encodings").
bool same_meaning(const Inst& a, const Inst& b) {
  const OpcodeInfo& facts = info(a.opcode);
  if (a.opcode != b.opcode) return false;
  if (a.opcode == Opcode::ds_swizzle_b32) return same_swizzle(a.mods.offset, b.mods.offset);
  return a.format == Format::vop3 && facts.dst_count + facts.src_count == 0;
}

struct Processor {
  const char* name;
  unsigned wave_size;
};
class ParseRoundtrip : public testing::TestWithParam<Processor> {};

TEST_P(ParseRoundtrip, TextOfEveryRowParsesToTheSameInstruction) {
  const unsigned wave_size = GetParam().wave_size;
  const Target& target = *find_target(GetParam().name);
  RandomInst random(target, wave_size, 99 + wave_size, RandomInst::HighHalves::all);
  unsigned tried = 0, failures = 0, failed_rows = 0;
  std::vector<unsigned> shown(static_cast<unsigned>(Opcode::count));
  for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count); ++i) {
    for (unsigned f = 1; f < static_cast<unsigned>(Format::count); ++f) {
      const auto opcode = static_cast<Opcode>(i);
      const auto format = static_cast<Format>(f);
      const int number = opcode_number(opcode, format, target.generation);
      if (number < 0 || !target.has(info(opcode, target.generation).feature)) continue;
      if (format == Format::vopd && number > 15) continue;  // second operations only
      for (unsigned sample = 0; sample < kSamples; ++sample) {
        const Inst inst = random.make(opcode, format);
        const std::string text = to_text(inst, target);
        const Result<Inst> parsed = from_text(text, target, wave_size);
        ++tried;
        if (parsed.ok() && (same(*parsed, inst) || same_meaning(inst, *parsed))) continue;
        ++failures;
        if (++shown[i] > 1 || failed_rows++ >= kShownRows) continue;
        ADD_FAILURE() << text << "\n  "
                      << (parsed.ok() ? "became " + to_text(*parsed, target) : located_message(parsed.error()));
      }
    }
  }
  EXPECT_GT(tried, 1000u * kSamples);
  EXPECT_EQ(failures, 0u) << "of " << tried << " samples";
}

INSTANTIATE_TEST_SUITE_P(Processors, ParseRoundtrip,
                         testing::Values(Processor{"gfx900", 64}, Processor{"gfx906", 64}, Processor{"gfx1010", 32},
                                         Processor{"gfx1010", 64}, Processor{"gfx1011", 32}, Processor{"gfx1030", 32},
                                         Processor{"gfx1030", 64}, Processor{"gfx1100", 32}, Processor{"gfx1150", 32},
                                         Processor{"gfx1200", 32}, Processor{"gfx9-generic", 64},
                                         Processor{"gfx10-1-generic", 32}, Processor{"gfx10-3-generic", 32},
                                         Processor{"gfx11-generic", 32}, Processor{"gfx12-generic", 32}),
                         [](const auto& param) {
                           std::string name = param.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name + "_wave" + std::to_string(param.param.wave_size);
                         });

}  // namespace
}  // namespace spalt::isa::test
