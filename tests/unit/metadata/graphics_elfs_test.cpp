// SPDX-License-Identifier: MIT
// Our own graphics pipelines: the checks, whose tables were written for any compiler's objects, find nothing, and the
// fields by name say what the raw registers say.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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

}  // namespace
}  // namespace spalt::metadata::test
