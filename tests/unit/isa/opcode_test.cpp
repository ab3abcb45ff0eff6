// SPDX-License-Identifier: MIT
#include "amdgpu/isa/opcode.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "amdgpu/isa/opcode_tables.h"
#include "amdgpu/isa/target.h"

namespace spalt::isa {
namespace {

TEST(Opcode, EveryNameIsFoundOnce) {
  std::set<std::string> names;
  for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count); ++i) {
    const auto opcode = static_cast<Opcode>(i);
    EXPECT_TRUE(names.insert(info(opcode).name).second) << info(opcode).name;
    EXPECT_EQ(find_opcode(info(opcode).name), opcode);
  }
  EXPECT_EQ(find_opcode("v_frobnicate_b32"), Opcode::invalid);
  EXPECT_EQ(find_opcode(""), Opcode::invalid);
  EXPECT_STREQ(info(Opcode::invalid).name, "invalid");
}

constexpr Generation kGenerations[] = {Generation::gfx9,  Generation::gfx10_1, Generation::gfx10_3,
                                       Generation::gfx11, Generation::gfx11_5, Generation::gfx12};

bool is_variant(Format format) {
  return format == Format::sdwa || format == Format::dpp16 || format == Format::dpp8 || format == Format::vop3_dpp16 ||
         format == Format::vop3_dpp8;
}

TEST(Opcode, NumbersAndOpcodesAreInverse) {
  for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count); ++i) {
    const auto opcode = static_cast<Opcode>(i);
    unsigned encodings = 0;
    for (const Generation generation : kGenerations) {
      for (unsigned f = 1; f < static_cast<unsigned>(Format::count); ++f) {
        const auto format = static_cast<Format>(f);
        const int number = opcode_number(opcode, format, generation);
        if (number < 0) continue;
        ++encodings;
        // Processors of one generation may have different opcodes with one number.
        if (is_variant(format) || info(opcode, generation).feature != Feature::none) continue;
        EXPECT_EQ(opcode_at(format, static_cast<uint32_t>(number), generation), opcode) << info(opcode).name;
      }
    }
    EXPECT_GT(encodings, 0u) << info(opcode).name;
  }
  EXPECT_EQ(opcode_number(Opcode::v_add_f32, Format::sop2, Generation::gfx10_3), -1);
  EXPECT_EQ(opcode_number(Opcode::invalid, Format::vop2, Generation::gfx10_3), -1);
}

TEST(Opcode, MnemonicsFollowTheGeneration) {
  for (const Generation generation : kGenerations) {
    for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count); ++i) {
      const auto opcode = static_cast<Opcode>(i);
      if (opcode_encodings(opcode, generation).empty()) continue;
      EXPECT_EQ(find_opcode(info(opcode, generation).name, generation), opcode) << info(opcode).name;
    }
    EXPECT_EQ(find_opcode("v_frobnicate_b32", generation), Opcode::invalid);
  }
  EXPECT_STREQ(info(Opcode::v_add_nc_u32, Generation::gfx9).name, "v_add_u32");
  EXPECT_STREQ(info(Opcode::ds_read_b32, Generation::gfx11).name, "ds_load_b32");
  EXPECT_STREQ(info(Opcode::s_add_u32, Generation::gfx12).name, "s_add_co_u32");
  EXPECT_EQ(find_opcode("ds_read_b32", Generation::gfx12), Opcode::invalid);
  EXPECT_EQ(find_opcode("v_add_u32", Generation::gfx10_3), Opcode::invalid);
}

bool has_format(Opcode opcode, Format format, Generation generation) {
  return opcode_number(opcode, format, generation) >= 0;
}

/// 4 bytes whatever its operands, or with an immediate in place of one.
bool has_short_encoding(Opcode opcode, Generation generation) {
  return has_format(opcode, Format::vop2, generation) || has_format(opcode, Format::sopk, generation);
}

bool same_type(const OperandSlot& a, const OperandSlot& b) {
  return a.type == b.type;
}

/// The sources of the long opcode without the tied one are those of the short one, which may have one of them as its
/// immediate.
void expect_tied(Opcode opcode, Generation generation) {
  const OpcodeInfo& wide = info(opcode, generation);
  const OpcodeInfo& narrow = info(wide.short_form, generation);
  SCOPED_TRACE(wide.name);
  ASSERT_LT(wide.tied_source, wide.src_count);
  EXPECT_TRUE(narrow.has(kDstIsSrc));
  EXPECT_EQ(wide.flags & ~kCommutative, narrow.flags & ~(kDstIsSrc | kCommutative)) << "other effects";
  ASSERT_EQ(narrow.src_count + 1, wide.src_count);
  ASSERT_EQ(narrow.dst_count, 1);
  EXPECT_TRUE(same_type(narrow.dst[0], wide.dst[0]));
  EXPECT_TRUE(same_type(narrow.dst[0], wide.src[wide.tied_source])) << "the tied source is no destination";
  for (unsigned i = 0, j = 0; i < wide.src_count; ++i) {
    if (i == wide.tied_source) continue;
    const OperandSlot& source = narrow.src[j++];
    EXPECT_TRUE(source.role == OperandRole::simm16 || same_type(source, wide.src[i])) << "source " << i;
  }
}

// A tied source saves bytes: the short form has an encoding of 4 bytes, and the long one has none, or none that takes a
// constant beyond the inline ones.
TEST(Opcode, ShortFormsTieASource) {
  unsigned forms = 0;
  for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count); ++i) {
    const auto opcode = static_cast<Opcode>(i);
    EXPECT_EQ(kTiedSources[i], info(opcode).tied_source);
    EXPECT_EQ(info(opcode).short_form == Opcode::invalid, info(opcode).tied_source == kNoTiedSource);
    if (info(opcode).short_form == Opcode::invalid) continue;
    for (const Generation generation : kGenerations) {
      const Opcode narrow = info(opcode, generation).short_form;
      EXPECT_EQ(narrow, info(opcode).short_form);
      if (opcode_encodings(opcode, generation).empty() || opcode_encodings(narrow, generation).empty()) continue;
      ++forms;
      expect_tied(opcode, generation);
      EXPECT_TRUE(has_short_encoding(narrow, generation)) << info(narrow).name;
      EXPECT_FALSE(has_short_encoding(opcode, generation)) << info(opcode).name;
    }
  }
  EXPECT_GT(forms, 0u);
}

/// The name that the opcode would have without its tied source: fmac is fma, mac is mad, addk is add.
std::string name_without_tie(std::string name) {
  for (const auto& [narrow, wide] : {std::pair("v_fmac", "v_fma"), std::pair("v_mac", "v_mad")}) {
    if (name.starts_with(narrow)) return wide + name.substr(std::string(narrow).size());
  }
  if (const size_t at = name.find("k_"); name.starts_with("s_") && at != std::string::npos) return name.erase(at, 1);
  return "";
}

bool is_plain_dword(const OperandSlot& slot) {
  return slot.type == OperandType::f32 || slot.type == OperandType::i32;
}

// No instruction on 32-bit numbers is left out whose short form reads its destination.
TEST(Opcode, ShortFormsAreComplete) {
  unsigned forms = 0;
  for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count); ++i) {
    const auto narrow = static_cast<Opcode>(i);
    if (!info(narrow).has(kDstIsSrc) || info(narrow).dst_count == 0 || !is_plain_dword(info(narrow).dst[0])) continue;
    const Opcode wide = find_opcode(name_without_tie(info(narrow).name));
    if (wide == Opcode::invalid) continue;
    EXPECT_EQ(info(wide).short_form, narrow) << info(wide).name;
    ++forms;
  }
  EXPECT_GE(forms, 4u);
}

TEST(Opcode, FeaturesDecideBetweenOpcodesOfOneNumber) {
  const int number = opcode_number(Opcode::v_mad_mix_f32, Format::vop3p, Generation::gfx9);
  ASSERT_EQ(opcode_number(Opcode::v_fma_mix_f32, Format::vop3p, Generation::gfx9), number);
  const auto at = [&](const char* name) {
    return opcode_at(Format::vop3p, static_cast<uint32_t>(number), *find_target(name));
  };
  EXPECT_EQ(at("gfx900"), Opcode::v_mad_mix_f32);
  EXPECT_EQ(at("gfx90c"), Opcode::v_mad_mix_f32);
  EXPECT_EQ(at("gfx904"), Opcode::v_fma_mix_f32);
  EXPECT_EQ(at("gfx906"), Opcode::v_fma_mix_f32);
}

TEST(Opcode, FactsThatRegisterAllocationRestsOn) {
  const OpcodeInfo& shift = info(Opcode::v_lshlrev_b64);
  EXPECT_EQ(shift.dst[0].type, OperandType::b64);
  EXPECT_EQ(shift.src[0].type, OperandType::u32);
  EXPECT_EQ(shift.src[1].type, OperandType::b64);
  const OpcodeInfo& mad = info(Opcode::v_mad_u64_u32);
  EXPECT_EQ(mad.dst_count, 2);
  EXPECT_EQ(mad.dst[0].type, OperandType::u64);
  EXPECT_EQ(mad.dst[1].role, OperandRole::lane_mask);
  EXPECT_EQ(mad.src[2].type, OperandType::u64);
  EXPECT_TRUE(info(Opcode::v_fmac_f32).has(kDstIsSrc));
  EXPECT_TRUE(info(Opcode::v_writelane_b32).has(kDstIsSrc));
  EXPECT_FALSE(info(Opcode::v_fma_f32).has(kDstIsSrc));
  EXPECT_TRUE(info(Opcode::v_div_fmas_f32).has(kReadsVcc));
  EXPECT_TRUE(info(Opcode::s_addc_u32).has(kReadsScc));
  EXPECT_TRUE(info(Opcode::s_addc_u32).has(kWritesScc));
  EXPECT_FALSE(info(Opcode::s_mul_i32).has(kWritesScc));
  EXPECT_TRUE(info(Opcode::s_and_saveexec_b32).has(kWritesExec));
  EXPECT_TRUE(info(Opcode::v_cmpx_eq_u32).has(kWritesExec));
  EXPECT_EQ(info(Opcode::v_cmpx_eq_u32).dst_count, 0);
}

TEST(Target, MachNumbers) {
  // EF_AMDGPU_MACH: LLVM AMDGPU usage guide, "ELF Code Object".
  const struct {
    const char* name;
    unsigned mach;
  } expected[] = {
      {"gfx900", 0x2c},          {"gfx902", 0x2d},          {"gfx904", 0x2e},        {"gfx906", 0x2f},
      {"gfx909", 0x31},          {"gfx90c", 0x32},          {"gfx1010", 0x33},       {"gfx1011", 0x34},
      {"gfx1012", 0x35},         {"gfx1013", 0x42},         {"gfx1030", 0x36},       {"gfx1031", 0x37},
      {"gfx1032", 0x38},         {"gfx1033", 0x39},         {"gfx1034", 0x3e},       {"gfx1035", 0x3d},
      {"gfx1036", 0x45},         {"gfx1100", 0x41},         {"gfx1101", 0x46},       {"gfx1102", 0x47},
      {"gfx1103", 0x44},         {"gfx1150", 0x43},         {"gfx1151", 0x4a},       {"gfx1152", 0x55},
      {"gfx1153", 0x58},         {"gfx1200", 0x48},         {"gfx1201", 0x4e},       {"gfx9-generic", 0x51},
      {"gfx10-1-generic", 0x52}, {"gfx10-3-generic", 0x53}, {"gfx11-generic", 0x54}, {"gfx12-generic", 0x59}};
  for (const auto& row : expected) {
    const Target* target = find_target(row.name);
    ASSERT_NE(target, nullptr) << row.name;
    EXPECT_EQ(target->elf_mach, row.mach);
  }
  EXPECT_EQ(targets().size(), std::size(expected));
  EXPECT_EQ(find_target("gfx1"), nullptr);
  EXPECT_EQ(find_target("gfx1030")->buffer_resource_word3, 0x31016facu);  // what LLVM puts into its scratch descriptors
}

}  // namespace
}  // namespace spalt::isa
