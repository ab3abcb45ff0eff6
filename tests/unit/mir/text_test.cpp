// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/text/listing.h"
#include "amdgpu/mir/machine_inst.h"
#include "amdgpu/mir/modifier_names.h"
#include "amdgpu/mir/parser.h"
#include "amdgpu/mir/printer.h"

namespace spalt::mir {
namespace {

constexpr const char* kEverything = R"(machine gfx1030 wave64 masked
facts scratch_bytes=64 lds_bytes=1024
scratch s[4:7]
jump s[104:105]
hint %6:s2 vcc
b0: linear( -> b1)
  %0:s2@s[0:1], %1:v1@v0 = p_start
  p_jump b1
b1: loop_header depth=1 logical(b1 -> b1, b2) linear(b0, b1 -> b1, b2)
  %2:v1 = p_phi undef, %3:v1
  %9:lv1 = p_linear_vgpr
  p_logical_start
  %3:v1 = v_add_f32 %2:v1, 0x3f800000 neg=2 omod=1 clamp
  %4:s4 = s_load_dwordx4 %0:s2, 0x10 mem(reads_constant)
  %5:v2 = buffer_load_dwordx2 %1:v1, %4:s4, 0x0 glc offen offset=16 mem(reads_buffer, orders_memory)
  %6:s2 = v_cmp_lt_f32 %3:v1, %1:v1
  %7:v4 = p_vec %5:v2, undef:2
  %8:v1 = v_fmac_f32 %3:v1, %1:v1, tied %2:v1
  %10:s1@vcc_lo, scc = s_add_u32 0xffffffff, m0
  p_logical_end
  exec, scc = s_and_b64 exec, %6:s2
  p_jump_execnz exec, b1, b2
b2: logical(b1 ->) linear(b1 ->)
  s_endpgm simm=-3 origin=37
)";

std::string reprint(const std::string& text) {
  const Result<Function> function = parse(text);
  EXPECT_TRUE(function.ok()) << (function.ok() ? "" : function.error().message);
  return function.ok() ? print(*function) : "";
}

TEST(MirText, PrintingTheParsedTextIsTheIdentity) {
  const std::string once = reprint(kEverything);
  // The only freedom of the reader: blanks before an arrow without predecessors.
  std::string expected = kEverything;
  expected.replace(expected.find("linear( ->"), 10, "linear(->");
  EXPECT_EQ(once, expected);
  EXPECT_EQ(reprint(once), once);
}

TEST(MirText, ParsesFields) {
  const Result<Function> parsed = parse(kEverything);
  ASSERT_TRUE(parsed.ok());
  const Function& function = *parsed;
  EXPECT_EQ(function.wave_size, 64u);
  EXPECT_EQ(function.stage, Stage::masked);
  EXPECT_EQ(function.facts.lds_bytes, 1024u);
  EXPECT_EQ(function.scratch_descriptor, isa::sgpr(4));
  EXPECT_EQ(function.jump_pair, isa::sgpr(104));
  EXPECT_EQ(function.vregs[VReg(6)].hint, isa::kVcc);
  EXPECT_EQ(function.vregs[VReg(9)].cls, linear_vgpr_class());
  const Block& loop = function.blocks[BlockId(1)];
  EXPECT_TRUE(loop.loop_header);
  EXPECT_EQ(loop.loop_depth, 1);
  EXPECT_EQ(loop.linear_preds.size(), 2u);
  const InstId add = loop.insts[3];
  EXPECT_EQ(function.modifiers(add).neg, 2);
  EXPECT_TRUE(function.modifiers(add).clamp);
  EXPECT_TRUE(function.uses(loop.insts[8])[2].tied);
  EXPECT_EQ(function.insts[loop.insts[5]].memory, kReadsBuffer | kOrdersMemory);
  EXPECT_EQ(function.insts[function.blocks[BlockId(2)].insts[0]].simm16, -3);
  EXPECT_EQ(function.insts[function.blocks[BlockId(2)].insts[0]].origin, 37u);
}

TEST(MirText, KeepsEveryModifier) {
  isa::Modifiers probe;
  unsigned fields = 0;
  for_each_modifier(probe, [&](const char*, auto&) { ++fields; });
  for (unsigned wanted = 0; wanted < fields; ++wanted) {
    Function function(*isa::find_target("gfx1030"), 32);
    const BlockId block = function.create_block();
    function.layout.push_back(block);
    const InstId inst = function.append(block, Opcode::s_endpgm, {}, {});
    isa::Modifiers mods;
    unsigned at = 0;
    for_each_modifier(mods, [&](const char*, auto& field) {
      if (at++ == wanted) field = static_cast<std::remove_reference_t<decltype(field)>>(field == 0 ? 1 : 0);
    });
    function.set_modifiers(inst, mods);
    const Result<Function> parsed = parse(print(function));
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    EXPECT_TRUE(parsed->modifiers(parsed->blocks[block].insts[0]) == mods) << print(function);
  }
}

TEST(Modifiers, DefaultsAreNone) {
  Function function(*isa::find_target("gfx1030"), 32);
  const InstId inst = function.create(Opcode::s_endpgm, {}, {});
  function.set_modifiers(inst, {});
  EXPECT_FALSE(function.insts[inst].has_modifiers());
  function.set_offset(inst, 8);
  EXPECT_TRUE(function.insts[inst].has_modifiers());
  EXPECT_EQ(function.modifiers(inst).offset, 8);
  function.set_offset(inst, 0);
  EXPECT_FALSE(function.insts[inst].has_modifiers());
}

/// The address registers of an image instruction after the first are uses like all others.
TEST(MachineInst, FurtherAddressRegistersAreUses) {
  const Result<Function> parsed = parse(
      "machine gfx1030 wave32 final\nb0:\n"
      "  v[0:3] = image_sample v9, s[0:7], s[8:11], v20, v7 dmask=15 dim=2\n");
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  const isa::Inst inst = machine_inst(*parsed, parsed->blocks[BlockId(0)].insts[0]);
  EXPECT_EQ(inst.nsa.count, 2);
  EXPECT_EQ(inst.nsa.vgprs[0], 20);
  EXPECT_EQ(inst.nsa.vgprs[1], 7);
  const auto encoded = isa::encode(inst, parsed->target);
  ASSERT_TRUE(encoded.ok()) << encoded.error().message;
  const std::vector<uint32_t> words(encoded->words, encoded->words + encoded->count);
  EXPECT_NE(isa::list_code(words, parsed->target, 32).find("[v9, v20, v7]"), std::string::npos);
}

struct Refused {
  const char* text;
  const char* reason;
};

class MirTextRefuses : public testing::TestWithParam<Refused> {};

TEST_P(MirTextRefuses, WithALineNumber) {
  const Result<Function> function = parse(GetParam().text);
  ASSERT_FALSE(function.ok());
  EXPECT_EQ(function.error().status, Status::invalid_input);
  EXPECT_NE(function.error().message.find(GetParam().reason), std::string::npos) << function.error().message;
  EXPECT_NE(function.error().message.find("line "), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, MirTextRefuses,
    testing::Values(Refused{"", "expected 'machine'"}, Refused{"machine gfx1 wave64 masked", "name of a target"},
                    Refused{"machine gfx1030 wave16 masked", "wave32 or wave64"},
                    Refused{"machine gfx1030 wave32 masked", "at least one block"},
                    Refused{"machine gfx1030 wave32 masked\n s_endpgm", "expected a block"},
                    Refused{"machine gfx1030 wave32 masked\nb0:\nb0:", "appears twice"},
                    Refused{"machine gfx1030 wave32 masked\nb0: linear(-> b7)\n", "b7 is used and not defined"},
                    Refused{"machine gfx1030 wave32 masked\nb0:\n p_frob", "unknown opcode"},
                    Refused{"machine gfx1030 wave32 masked\nb0:\n %1:q1 = p_copy undef", "register class"},
                    Refused{"machine gfx1030 wave32 masked\nb0:\n %1:s99999 = p_copy undef", "register class"},
                    Refused{"machine gfx1030 wave32 masked\nb0:\n %1:s1 = p_copy %1:s2", "another class"},
                    Refused{"machine gfx1030 wave32 masked\nb0:\n %4000000000:s1 = p_copy undef",
                            "number of a virtual"},
                    Refused{"machine gfx1030 wave32 masked\nb0:\n %1:s2@s3 = p_copy undef", "another size"},
                    Refused{"machine gfx1030 wave32 masked\nb0:\n %1:s2 = p_copy s[7:3]", "register tuple"},
                    Refused{"machine gfx1030 wave32 masked\nb0:\n s_endpgm frob=3", "unknown modifier"},
                    Refused{"machine gfx1030 wave32 masked\nb0:\n s_endpgm neg=300", "from 0 to 255"},
                    Refused{"machine gfx1030 wave32 masked\nb0:\n s_endpgm mem(reads_minds)", "kind of memory"},
                    Refused{"machine gfx1030 wave32 masked\nb0:\n s_endpgm )", "end of the line"}));

}  // namespace
}  // namespace spalt::mir
