// SPDX-License-Identifier: MIT
// Stage objects as bytes, and what linking makes of several.
#include "amdgpu/object/stage_bytes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "amdgpu/object/link.h"
#include "sample.h"

namespace spalt::object {
namespace {

TEST(StageBytes, ReadingGivesTheSameStage) {
  StageObject stage = sample();
  stage.disassembly = "v_mov_b32 v0, 0\n";
  stage.relocations = {{4, abi::HardwareStage::cs, -12}};
  stage.instruction_count = 2;
  stage.spilled_vgprs = 3;
  const Result<StageObject> read = read_stage(write_stage(stage));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_TRUE(*read == stage);
}

TEST(StageBytes, LinkToTheSameBytes) {
  const StageObject stage = sample();
  const Result<StageObject> read = read_stage(write_stage(stage));
  ASSERT_TRUE(read.ok());
  for (MetadataVersion version : {MetadataVersion::v2_6, MetadataVersion::v3_0, MetadataVersion::v3_6}) {
    EXPECT_EQ(written(*read, version), written(stage, version));
  }
}

/// Every member is written: a change of any of them changes the bytes.
TEST(StageBytes, EveryMemberCounts) {
  const std::vector<std::function<void(StageObject&)>> changes = {[](StageObject& s) { s.target_name = "gfx1031"; },
                                                                  [](StageObject& s) { s.code.back() ^= 1; },
                                                                  [](StageObject& s) { s.relocations.push_back({}); },
                                                                  [](StageObject& s) { s.entry_symbol += "x"; },
                                                                  [](StageObject& s) { s.vgpr_count = 3; },
                                                                  [](StageObject& s) { s.threadgroup_dims[1] = 3; },
                                                                  [](StageObject& s) { s.user_data_reg_map[31] = 1; },
                                                                  [](StageObject& s) { s.float_mode = 0; },
                                                                  [](StageObject& s) { s.wgp_mode = !s.wgp_mode; },
                                                                  [](StageObject& s) { s.tgid_y_en = !s.tgid_y_en; },
                                                                  [](StageObject& s) { s.api = "OpenCL"; },
                                                                  [](StageObject& s) { s.pipeline_hash[1] ^= 4; },
                                                                  [](StageObject& s) { s.api_shader_hash[0] ^= 4; },
                                                                  [](StageObject& s) { s.disassembly = "x"; },
                                                                  [](StageObject& s) { s.spilled_vgprs = 77; },
                                                                  [](StageObject& s) { s.excp_en = 5; },
                                                                  [](StageObject& s) { s.uses_append_consume = true; },
                                                                  [](StageObject& s) { s.spill_threshold = 9; }};
  const Bytes plain = write_stage(sample());
  for (size_t i = 0; i < changes.size(); ++i) {
    StageObject changed = sample();
    changes[i](changed);
    EXPECT_NE(write_stage(changed), plain) << i;
  }
}

std::string refusal(const Bytes& bytes) {
  const Result<StageObject> read = read_stage(bytes);
  return read.ok() ? "" : read.error().message;
}

TEST(StageBytes, NamesWhatIsWrong) {
  const Bytes good = write_stage(sample());
  const auto with = [&](size_t at, uint8_t value) {
    Bytes bytes = good;
    bytes[at] = value;
    return refusal(bytes);
  };
  EXPECT_EQ(refusal({}), "the stage object does not begin with SPALTSTG");
  EXPECT_EQ(with(0, 'X'), "the stage object does not begin with SPALTSTG");
  EXPECT_EQ(with(8, 200), "the stage object has version 200, this library reads 2");
  EXPECT_EQ(with(12, static_cast<uint8_t>(good[12] + 1)), "the stage object is not as long as it says");
  EXPECT_EQ(with(16, 9), "the stage object is for an unknown hardware stage");
  Bytes longer = good;
  longer.push_back(0);
  longer[12] = static_cast<uint8_t>(longer[12] + 1);
  EXPECT_EQ(refusal(longer), "the stage object goes on after its last member");
}

/// Each of these would let a loader program a register wrong.
TEST(StageBytes, RefusesImpossibleFacts) {
  const std::vector<std::pair<std::function<void(StageObject&)>, const char*>> cases = {
      {[](StageObject& s) { s.target_name = "gfx9999"; }, "unknown target"},
      {[](StageObject& s) { s.code.clear(); }, "not a non-empty sequence"},
      {[](StageObject& s) { s.code.push_back(0); }, "not a non-empty sequence"},
      {[](StageObject& s) { s.entry_offset = 256; }, "entry point"},
      {[](StageObject& s) { s.entry_symbol.clear(); }, "no name"},
      {[](StageObject& s) { s.wave_size = 16; }, "wave size"},
      {[](StageObject& s) { s.target_name = "gfx900"; }, "waves of 32 lanes"},
      {[](StageObject& s) {
         s.relocations = {{2, abi::HardwareStage::cs, 0}};
       },
       "relocation"},
      {[](StageObject& s) {
         s.relocations = {{8, abi::HardwareStage::cs, 0}};
       },
       "relocation"},
      {[](StageObject& s) { s.vgpr_count = 257; }, "VGPRs"},
      {[](StageObject& s) { s.sgpr_count = 107; }, "SGPRs"},
      {[](StageObject& s) { s.lds_bytes = 1u << 20; }, "LDS"},
      {[](StageObject& s) { s.user_sgprs = 33; }, "user SGPRs"},
      {[](StageObject& s) { s.user_data_limit = 161; }, "user data"},
      {[](StageObject& s) {
         s.threadgroup_dims = {1024, 1024, 1024};
       },
       "workgroup size"},
      {[](StageObject& s) { s.threadgroup_dims[0] = 0; }, "workgroup size"}};
  for (const auto& [change, words] : cases) {
    StageObject stage = sample();
    change(stage);
    const std::string message = refusal(write_stage(stage));
    EXPECT_NE(message.find(words), std::string::npos) << words << ": " << message;
  }
}

/// All prefixes, and every byte changed: an answer each time, and never a stage that does not link.
TEST(StageBytes, SurvivesDamage) {
  const Bytes good = write_stage(sample());
  for (size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(read_stage(std::span(good).first(size)).ok()) << size;
  }
  for (size_t at = 0; at < good.size(); ++at) {
    for (uint8_t value : {0, 1, 0x7f, 0x80, 0xff}) {
      Bytes bytes = good;
      bytes[at] = value;
      const Result<StageObject> read = read_stage(bytes);
      if (read.ok()) {
        EXPECT_TRUE(link_stages({&*read, 1}, MetadataVersion::v3_0).ok()) << at;
      } else {
        EXPECT_FALSE(read.error().message.empty()) << at;
      }
    }
  }
}

TEST(Link, WantsOnePipeline) {
  const StageObject stage = sample();
  const StageObject twice[] = {stage, stage};
  EXPECT_FALSE(link_stages({}, MetadataVersion::v3_0).ok());
  const auto doubled = link_stages(twice, MetadataVersion::v3_0);
  ASSERT_FALSE(doubled.ok());
  EXPECT_EQ(doubled.error().message, "a hardware stage is there twice");
}

/// The second dword becomes the way from itself to the entry point, plus 100.
TEST(Link, ResolvesRelocations) {
  StageObject stage = sample();
  stage.relocations = {{4, abi::HardwareStage::cs, 100}};
  const Result<StageObject> read = read_elf(written(stage, MetadataVersion::v3_0));
  ASSERT_TRUE(read.ok()) << read.error().message;
  uint32_t dword = 0;
  std::memcpy(&dword, read->code.data() + 4, 4);
  EXPECT_EQ(dword, 96u);
}

}  // namespace
}  // namespace spalt::object
