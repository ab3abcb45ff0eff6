// SPDX-License-Identifier: MIT
// Our own graphics pipelines: the checks, whose tables were written for any compiler's objects, find nothing, and the
// fields by name say what the raw registers say.
#include <gtest/gtest.h>

#include <algorithm>

#include "../object/sample.h"
#include "amdgpu/isa/target.h"
#include "amdgpu/metadata/inspect.h"

namespace spalt::metadata::test {
namespace {

using namespace object;

constexpr MetadataVersion kVersions[] = {MetadataVersion::v2_6, MetadataVersion::v3_0, MetadataVersion::v3_6};

bool reads(const isa::Target& target, MetadataVersion version) {
  const unsigned major = version == MetadataVersion::v2_6 ? 2 : 3;
  return major >= target.min_metadata_major && major <= target.max_metadata_major;
}

void expect_clean(const std::vector<uint8_t>& elf, const std::string& name) {
  const Result<Inspection> inspection = inspect_elf(elf);
  ASSERT_TRUE(inspection.ok()) << name;
  for (const Finding& finding : inspection->report.findings()) {
    ADD_FAILURE() << name << ": " << finding.rule << " " << finding.path << ": " << finding.message;
  }
}

TEST(GraphicsElfs, AreClean) {
  for (const isa::Target& target : isa::targets()) {
    for (uint32_t wave_size : {32u, 64u}) {
      if (wave_size == 32 && !target.has_wave32) continue;
      const StageObject stages[] = {sample_vertex(target.name, wave_size), sample_pixel(target.name, wave_size)};
      for (MetadataVersion version : kVersions) {
        if (!reads(target, version)) continue;
        const std::string name = std::string(target.name) + " " + std::to_string(static_cast<int>(version));
        expect_clean(linked(stages, version), name);
        expect_clean(linked({&stages[0], 1}, version), name + " vertex alone");
        expect_clean(linked({&stages[1], 1}, version), name + " pixel alone");
      }
    }
  }
}

/// GFX10.3 runs primitive shaders too.
TEST(GraphicsElfs, WithPrimitiveShadersOnGfx10AreClean) {
  StageObject stages[] = {sample_vertex("gfx1030", 32), sample_pixel("gfx1030", 32)};
  stages[0].hardware_stage = abi::HardwareStage::gs;
  stages[0].entry_symbol = entry_symbol_of(abi::HardwareStage::gs);
  for (MetadataVersion version : kVersions) expect_clean(linked(stages, version), "gfx1030");
}

/// The rules read raw registers as well: a parameter from a slot too far.
TEST(GraphicsElfs, RulesReadRawRegisters) {
  StageObject stages[] = {sample_vertex("gfx1010", 64), sample_pixel("gfx1010", 64)};
  std::vector<uint8_t> elf = linked(stages, MetadataVersion::v2_6);
  const uint8_t key_and_value[] = {0xcd, 0xa1, 0x92, 1};  // SPI_PS_INPUT_CNTL_1: slot 1
  const auto at = std::search(elf.begin(), elf.end(), std::begin(key_and_value), std::end(key_and_value));
  ASSERT_NE(at, elf.end());
  at[3] = 7;
  const Result<Inspection> inspection = inspect_elf(elf);
  ASSERT_TRUE(inspection.ok());
  ASSERT_EQ(inspection->report.findings().size(), 1u);
  EXPECT_EQ(inspection->report.findings()[0].message, "parameter 1 comes from slot 7, but the vertex stage writes 2");
}

}  // namespace
}  // namespace spalt::metadata::test
