// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "../command.h"
#include "amdgpu/isa/target.h"
#include "amdgpu/object/elf_image.h"
#include "amdgpu/object/metadata.h"
#include "sample.h"

namespace spalt::object {
namespace {

using test::output_of;

/// A register as the tool prints it.
std::string number(uint32_t reg, uint32_t value) {
  return std::to_string(reg) + ":           " + std::to_string(value) + "\n";
}

class Versions : public testing::TestWithParam<MetadataVersion> {};
INSTANTIATE_TEST_SUITE_P(All, Versions,
                         testing::Values(MetadataVersion::v2_6, MetadataVersion::v3_0, MetadataVersion::v3_6));

TEST_P(Versions, ReadsBackWhatWasWritten) {
  const StageObject in = sample();
  const Result<StageObject> out = read_elf(written(in, GetParam()));
  ASSERT_TRUE(out.ok()) << out.error().message;
  EXPECT_EQ(out->target_name, "gfx1030");
  EXPECT_EQ(out->code, in.code);
  EXPECT_EQ(out->entry_symbol, in.entry_symbol);
  EXPECT_EQ(out->wave_size, 32u);
  EXPECT_EQ(out->vgpr_count, 17u);
  EXPECT_EQ(out->sgpr_count, 21u);
  EXPECT_EQ(out->lds_bytes, 1300u);
  EXPECT_EQ(out->scratch_bytes_per_lane, 48u);
  EXPECT_TRUE(out->scratch_en);
  EXPECT_EQ(out->threadgroup_dims, in.threadgroup_dims);
  EXPECT_EQ(out->user_sgprs, 5u);
  EXPECT_EQ(out->user_data_reg_map, in.user_data_reg_map);
  EXPECT_EQ(out->spill_threshold, 7u);
  EXPECT_EQ(out->user_data_limit, 12u);
  EXPECT_EQ(out->float_mode, 0xf5u);
  EXPECT_TRUE(out->dx10_clamp);
  EXPECT_FALSE(out->ieee_mode);
  EXPECT_TRUE(out->wgp_mode);
  EXPECT_TRUE(out->mem_ordered);
  EXPECT_TRUE(out->tgid_x_en);
  EXPECT_TRUE(out->tgid_y_en);
  EXPECT_FALSE(out->tgid_z_en);
  EXPECT_TRUE(out->tg_size_en);
  EXPECT_EQ(out->tidig_comp_cnt, 2u);
  EXPECT_TRUE(out->uses_uavs);
  EXPECT_FALSE(out->writes_uavs);
  EXPECT_EQ(out->pipeline_hash, in.pipeline_hash);
  EXPECT_EQ(out->api_shader_hash, in.api_shader_hash);
}

TEST_P(Versions, EqualFactsGiveEqualBytes) {
  EXPECT_EQ(written(sample(), GetParam()), written(sample(), GetParam()));
}

TEST_P(Versions, EveryShorterFileIsRejectedWithoutCrash) {
  const std::vector<uint8_t> bytes = written(sample(), GetParam());
  for (size_t size = 0; size < bytes.size(); ++size) {
    const std::vector<uint8_t> part(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(size));
    EXPECT_FALSE(read_elf(part).ok()) << size;
  }
}

TEST_P(Versions, CorruptBytesNeverCrash) {
  const std::vector<uint8_t> bytes = written(sample(), GetParam());
  std::mt19937 random(1);
  unsigned accepted = 0;
  for (unsigned round = 0; round < 20000; ++round) {
    std::vector<uint8_t> copy = bytes;
    for (unsigned n = 0; n <= round % 4; ++n) copy[random() % copy.size()] = static_cast<uint8_t>(random());
    accepted += read_elf(copy).ok() ? 1 : 0;
  }
  // Most bytes are code padding or free fields, so some copies stay readable; not all do.
  EXPECT_GT(accepted, 0u);
  EXPECT_LT(accepted, 20000u);
}

TEST(RawRegisters, HaveTheDocumentedBits) {
  // Values computed by hand from the register catalogue of the PAL pipeline ABI.
  const std::string notes = output_of("llvm-readelf-19 --notes", written(sample(), MetadataVersion::v2_6));
  // RSRC1: VGPRS = ceil(17 / 8) - 1 = 2, FLOAT_MODE 0xf5 at 12, DX10_CLAMP 21, WGP_MODE 29, MEM_ORDERED 30.
  EXPECT_NE(notes.find(number(0x2e12, 0x602f5002)), std::string::npos) << notes;
  // RSRC2: SCRATCH_EN, USER_SGPR 5 at 1, TGID_X 7, TGID_Y 8, TG_SIZE 10, TIDIG 2 at 11, LDS ceil(1300 / 512) = 3 at 15.
  EXPECT_NE(notes.find(number(0x2e13, 0x1958b)), std::string::npos) << notes;
  EXPECT_NE(notes.find(number(0x2e07, 8)), std::string::npos) << notes;
  EXPECT_NE(notes.find(number(0x2e08, 4)), std::string::npos) << notes;
  EXPECT_NE(notes.find(number(0x2e09, 2)), std::string::npos) << notes;
  EXPECT_NE(notes.find(number(0x2e40, 0x10000000)), std::string::npos) << notes;
  EXPECT_NE(notes.find(number(0x2e41, 3)), std::string::npos) << notes;
}

TEST(RawRegisters, LeaveOutWhatTheProcessorLacks) {
  StageObject shader = sample();
  shader.target_name = "gfx900";
  shader.wave_size = 64;
  const std::string notes = output_of("llvm-readelf-19 --notes", written(shader, MetadataVersion::v2_6));
  // RSRC1: VGPRS = ceil(17 / 4) - 1 = 4, SGPRS = 2 * (ceil((21 + 6) / 16) - 1) = 2 at 6, FLOAT_MODE 0xf5 at 12,
  // DX10_CLAMP 21; WGP_MODE, MEM_ORDERED and FWD_PROGRESS came with GFX10, COMPUTE_PGM_RSRC3 likewise.
  EXPECT_NE(notes.find(number(0x2e12, 0x2f5084)), std::string::npos) << notes;
  EXPECT_NE(notes.find(number(0x2e13, 0x1958b)), std::string::npos) << notes;
  EXPECT_EQ(notes.find("11816:"), std::string::npos) << notes;  // 0x2e28
  shader.target_name = "gfx1100";
  shader.wave_size = 32;
  const std::string later = output_of("llvm-readelf-19 --notes", written(shader, MetadataVersion::v2_6));
  EXPECT_NE(later.find(number(0x2e12, 0x602f5002)), std::string::npos) << later;
  EXPECT_NE(later.find("11816:"), std::string::npos) << later;
}

TEST(NamedFields, AreThoseOfTheProcessorsLoader) {
  StageObject shader = sample();
  const auto names = [&](const char* target, MetadataVersion version) {
    shader.target_name = target;
    return output_of("llvm-readelf-19 --notes", written(shader, version));
  };
  const std::string gfx11 = names("gfx1100", MetadataVersion::v3_0), gfx12 = names("gfx1200", MetadataVersion::v3_0);
  for (const char* key : {".ieee_mode:", ".mem_ordered:", ".trap_present:", ".entry_point:"}) {
    EXPECT_NE(gfx11.find(key), std::string::npos) << key;
    EXPECT_EQ(gfx12.find(key), std::string::npos) << key;
  }
  EXPECT_EQ(gfx11.find(".wg_round_robin:"), std::string::npos);
  EXPECT_NE(gfx12.find(".wg_round_robin:"), std::string::npos);
  EXPECT_NE(gfx12.find(".entry_point_symbol: _amdgpu_cs_main"), std::string::npos) << gfx12;
  const std::string newest = names("gfx1100", MetadataVersion::v3_6);
  EXPECT_EQ(newest.find(".entry_point:"), std::string::npos) << newest;
  EXPECT_NE(newest.find("- 6"), std::string::npos) << newest;
}

/// Processor and generic version are what LLVM writes for HSA, which has generic targets; xnack and sramecc, which it
/// claims to be "any" there, are not claimed by us.
TEST(Container, FlagsAreThoseOfLlvm) {
  for (const isa::Target& target : isa::targets()) {
    if (std::string_view(target.name) == "gfx1153") continue;  // LLVM 19 does not know it
    StageObject shader = sample();
    shader.target_name = target.name;
    shader.wave_size = 64;
    const std::vector<uint8_t> elf = written(shader, MetadataVersion::v3_0);
    uint32_t flags = 0;
    std::memcpy(&flags, elf.data() + 48, 4);
    const std::string printed = output_of(
        std::string("f() { llvm-mc-19 -triple=amdgcn-amd-amdhsa --amdhsa-code-object-version=6 -filetype=obj -mcpu=") +
            target.name + " -o $1.o $1 && llvm-readelf-19 -h $1.o | grep Flags; rm -f $1.o; }; f",
        {});
    const size_t at = printed.find("0x");
    ASSERT_NE(at, std::string::npos) << target.name << ": " << printed;
    EXPECT_EQ(flags, std::stoul(printed.substr(at), nullptr, 16) & 0xff0000ff) << target.name;
    EXPECT_EQ(read_elf(elf)->target_name, target.name);
  }
}

TEST(NamedFields, AreWhatLlvmShows) {
  const std::string notes = output_of("llvm-readelf-19 --notes", written(sample(), MetadataVersion::v3_0));
  for (const char* text :
       {"AMDGPU", "NT_AMDGPU_METADATA", "amdpal.version:", "- 3\n", ".type:           Cs", ".api:            Vulkan",
        ".entry_point:    _amdgpu_cs_main", ".wavefront_size: 32", ".lds_size:       1300", ".float_mode:     245",
        ".wgp_mode:       true", ".tgid_z_en:      false", ".tg_size_en:     true", ".tidig_comp_cnt: 2",
        ".user_sgprs:     5", ".spill_threshold: 7", ".user_data_limit: 12"}) {
    EXPECT_NE(notes.find(text), std::string::npos) << text << " is missing in\n" << notes;
  }
}

TEST(Container, IsAPalRelocatable) {
  const std::vector<uint8_t> elf = written(sample(), MetadataVersion::v3_0);
  const std::string header = output_of("readelf -hSsW", elf);
  for (const char* text : {"ELF64", "little endian", "REL (Relocatable file)", "AMD GPU", "0x36"}) {
    EXPECT_NE(header.find(text), std::string::npos) << text << " is missing in\n" << header;
  }
  EXPECT_EQ(elf[7], 65);  // OS ABI
  const Result<ElfImage> image = read_elf_image(elf);
  ASSERT_TRUE(image.ok());
  const ElfImage::Section* text = image->find_section(".text");
  ASSERT_NE(text, nullptr);
  EXPECT_EQ(text->header.alignment, 256u);
  EXPECT_EQ(text->header.offset % 256, 0u);
  EXPECT_EQ(text->header.flags, kFlagAlloc | kFlagExec);
  // Padded to a cache line, then three more of s_code_end.
  EXPECT_EQ(text->data.size(), 64u + 192u);
  uint32_t last;
  std::memcpy(&last, text->data.data() + text->data.size() - 4, 4);
  EXPECT_EQ(last, 0xbf9f0000u);
  const ElfImage::Symbol* symbol = image->find_symbol("_amdgpu_cs_main");
  ASSERT_NE(symbol, nullptr);
  EXPECT_EQ(symbol->entry.size, 8u);
  EXPECT_EQ(symbol->entry.info, 1 << 4 | 2);
}

TEST(Container, LlvmDisassemblesIt) {
  const std::string text = output_of("llvm-objdump-19 -d --mcpu=gfx1030", written(sample(), MetadataVersion::v3_0));
  EXPECT_NE(text.find("<_amdgpu_cs_main>"), std::string::npos) << text;
  EXPECT_NE(text.find("s_endpgm"), std::string::npos) << text;
}

TEST(Writer, RejectsWhatCannotBeRight) {
  StageObject shader = sample();
  shader.code.clear();
  EXPECT_FALSE(link_stages({&shader, 1}, MetadataVersion::v3_0).ok());
  shader = sample();
  shader.target_name = "gfx1";
  EXPECT_FALSE(link_stages({&shader, 1}, MetadataVersion::v3_0).ok());
  shader = sample();
  shader.entry_offset = 4;
  EXPECT_FALSE(link_stages({&shader, 1}, MetadataVersion::v3_0).ok());
  shader = sample();
  shader.wave_size = 16;
  EXPECT_FALSE(link_stages({&shader, 1}, MetadataVersion::v3_0).ok());
}

TEST(Reader, NamesWhatIsMissing) {
  const auto message = [](const std::vector<uint8_t>& bytes) {
    const Result<StageObject> result = read_elf(bytes);
    return result.ok() ? std::string() : result.error().message;
  };
  EXPECT_EQ(message({1, 2, 3}), "the file is shorter than an ELF header");
  EXPECT_EQ(message(std::vector<uint8_t>(100, 0)), "the file is not an ELF file");
  std::vector<uint8_t> elf = written(sample(), MetadataVersion::v3_0);
  elf[7] = 64;
  EXPECT_EQ(message(elf), "the ELF file is not a PAL code object (OS ABI is not 65)");
  elf = written(sample(), MetadataVersion::v3_0);
  elf[48] = 0x01;  // e_flags
  EXPECT_EQ(message(elf), "the ELF machine number 1 is no supported processor");
}

TEST(Reader, BoundsWhatAHostileDocumentCanReserve) {
  StageObject shader;
  const isa::Target& target = *isa::find_target("gfx1030");
  // An array that claims 2^32 - 1 elements, and thousands of nested arrays.
  const std::vector<uint8_t> huge = {0xdd, 0xff, 0xff, 0xff, 0xff, 0x01};
  EXPECT_FALSE(read_metadata(huge, target, shader).ok());
  EXPECT_FALSE(read_metadata(std::vector<uint8_t>(100000, 0x91), target, shader).ok());
  EXPECT_FALSE(read_metadata({}, target, shader).ok());
}

}  // namespace
}  // namespace spalt::object
