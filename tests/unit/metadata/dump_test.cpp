// SPDX-License-Identifier: MIT
#include "amdgpu/metadata/dump.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "../command.h"
#include "amdgpu/metadata/inspect.h"
#include "amdgpu/object/link.h"
#include "document.h"

namespace spalt::metadata::test {
namespace {

using V = Value;

/// Numbers as numbers, whatever their base.
std::string normal(std::string text) {
  char* end = nullptr;
  const unsigned long long number = std::strtoull(text.c_str(), &end, 0);
  return !text.empty() && *end == '\0' ? std::to_string(number) : text;
}

/// The scalars of an indented tree by their paths.
std::map<std::string, std::string> scalars_of(const std::string& tree) {
  std::map<std::string, std::string> scalars;
  std::map<std::string, unsigned> counts;
  struct Level {
    size_t indent;
    std::string path;
  };
  std::vector<Level> levels;
  size_t begin = 0;
  while (begin < tree.size()) {
    size_t end = tree.find('\n', begin);
    if (end == std::string::npos) end = tree.size();
    std::string line = tree.substr(begin, end - begin);
    begin = end + 1;
    line = line.substr(0, line.find("  #"));
    size_t indent = line.find_first_not_of(' ');
    if (indent == std::string::npos) continue;
    while (!levels.empty() && levels.back().indent >= indent) levels.pop_back();
    std::string path = levels.empty() ? "" : levels.back().path;
    line = line.substr(indent);
    while (line.substr(0, 2) == "- ") {
      path += "[" + std::to_string(counts[path]++) + "]";
      levels.push_back({indent, path});
      line = line.substr(2);
      indent += 2;
    }
    const size_t colon = line.find(':');
    if (colon == std::string::npos) {
      scalars[path] = normal(line);
      continue;
    }
    path += "/" + normal(line.substr(0, colon));
    const size_t value = line.find_first_not_of(' ', colon + 1);
    if (value == std::string::npos) {
      levels.push_back({indent, path});
    } else {
      scalars[path] = normal(line.substr(value));
    }
  }
  return scalars;
}

object::StageObject sample(const char* target, uint32_t wave_size) {
  object::StageObject shader;
  shader.target_name = target;
  const uint32_t words[] = {0x7e000280, 0xbf810000};
  shader.code.resize(sizeof words);
  std::memcpy(shader.code.data(), words, sizeof words);
  shader.wave_size = wave_size;
  shader.vgpr_count = 33;
  shader.sgpr_count = 21;
  shader.lds_bytes = 1300;
  shader.threadgroup_dims = {8, 4, 2};
  shader.user_sgprs = 16;
  shader.user_data_reg_map[0] = abi::kGlobalTable;
  shader.user_data_reg_map[1] = 3;
  shader.user_data_limit = 4;
  shader.pipeline_hash = {0x123456789abcdef0u, 0x0fedcba987654321u};
  return shader;
}

struct Written {
  const char* target;
  uint32_t wave_size;
  object::MetadataVersion version;
};
class WrittenMetadata : public testing::TestWithParam<Written> {};
using enum object::MetadataVersion;
INSTANTIATE_TEST_SUITE_P(All, WrittenMetadata,
                         testing::Values(Written{"gfx900", 64, v2_6}, Written{"gfx9-generic", 64, v2_6},
                                         Written{"gfx1010", 32, v2_6}, Written{"gfx1030", 32, v3_0},
                                         Written{"gfx1030", 64, v3_6}, Written{"gfx1100", 32, v2_6},
                                         Written{"gfx11-generic", 32, v3_0}, Written{"gfx1152", 64, v3_0},
                                         Written{"gfx1200", 32, v3_0}, Written{"gfx12-generic", 64, v3_6}));

TEST_P(WrittenMetadata, IsValidAndWhatLlvmShows) {
  const object::StageObject stage = sample(GetParam().target, GetParam().wave_size);
  const auto elf = object::link_stages({&stage, 1}, GetParam().version);
  ASSERT_TRUE(elf.ok());
  const auto inspection = inspect_elf(*elf);
  ASSERT_TRUE(inspection.ok()) << inspection.error().message;
  EXPECT_EQ(findings_text(inspection->report), "");
  std::string notes = spalt::test::output_of("llvm-readelf-19 --notes", *elf);
  const size_t start = notes.find("---\n"), end = notes.find("\n...");
  ASSERT_NE(start, std::string::npos) << notes;
  ASSERT_NE(end, std::string::npos) << notes;
  const auto theirs = scalars_of(notes.substr(start + 4, end - start - 4)), ours = scalars_of(inspection->text);
  EXPECT_GT(theirs.size(), 25u);
  EXPECT_EQ(ours, theirs) << inspection->text;
}

/// Fields by hand from the register catalogue: on GFX9 bit 21 is DX10_CLAMP, on GFX12 WG_RR_EN.
TEST(Dump, ExplainsRegistersByGeneration) {
  V root = V::map({});
  root["amdpal.version"] = V::array({2, 6});
  V pipeline = V::map({});
  pipeline[".registers"] = V::map({{0x2e12, 0x602f5084}, {0x2e28, 0xff2}, {0x2e40, 0x10000000}, {0x1234, 7}});
  root["amdpal.pipelines"] = V::array({pipeline});
  const auto text = [&](const char* target) {
    return inspect_document(root.packed(), *isa::find_target(target))->text;
  };
  EXPECT_EQ(
      text("gfx1100"),
      "amdpal.version:\n  - 2\n  - 6\namdpal.pipelines:\n  - .registers:\n"
      "      0x2e12: 0x602f5084  # COMPUTE_PGM_RSRC1: VGPRS 4, SGPRS 2, FLOAT_MODE 0xf5, DX10_CLAMP 1, WGP_MODE 1, "
      "MEM_ORDERED 1\n"
      "      0x2e28: 0xff2  # COMPUTE_PGM_RSRC3: SHARED_VGPR_CNT 2, INST_PREF_SIZE 0x3f, TRAP_ON_START 1, "
      "TRAP_ON_END 1\n"
      "      0x2e40: 0x10000000  # user data 0 of .cs: GlobalTable\n"
      "      0x1234: 0x7\n");
  EXPECT_NE(text("gfx1200").find("FLOAT_MODE 0xf5, WG_RR_EN 1,"), std::string::npos);
  EXPECT_NE(text("gfx1200").find("SHARED_VGPR_CNT 2, INST_PREF_SIZE 0xff\n"), std::string::npos) << text("gfx1200");
  EXPECT_NE(text("gfx900").find("DX10_CLAMP 1\n"), std::string::npos) << text("gfx900");
}

TEST(Dump, ShowsEveryKindOfValue) {
  V root = V::map({});
  root["a b"] = "x\n\xff";
  root["list"] = V::array({V::array({1, -2}), V::map({{"k", 0.5}}), V(), V::map({}), V::array({})});
  root["blob"] = V::blob(std::string("\x01\xfe", 2));
  root["flag"] = true;
  const auto inspection = inspect_document(root.packed(), *isa::find_target("gfx1030"));
  ASSERT_TRUE(inspection.ok());
  EXPECT_EQ(inspection->text,
            "\"a b\": \"x\\u000a\\u00ff\"\nlist:\n  -\n    - 1\n    - -2\n  - k: 0.5\n  - nil\n  - {}\n  - []\n"
            "blob: blob 01fe\nflag: true\n");
  const auto json = nlohmann::json::parse(inspection->json);
  EXPECT_EQ(json["target"], "gfx1030");
  EXPECT_EQ(json["valid"], false);
  EXPECT_EQ(json["metadata"]["list"], nlohmann::json::parse("[[1, -2], {\"k\": 0.5}, null, {}, []]"));
  EXPECT_EQ(json["findings"].size(), inspection->report.findings().size());
}

TEST(Dump, JsonHasDecodedRegisters) {
  const object::StageObject stage = sample("gfx1030", 32);
  const auto elf = object::link_stages({&stage, 1}, v2_6);
  const auto json = nlohmann::json::parse(inspect_elf(*elf)->json);
  EXPECT_EQ(json["valid"], true);
  EXPECT_EQ(json["registers"]["0x2e12"]["name"], "COMPUTE_PGM_RSRC1");
  EXPECT_EQ(json["registers"]["0x2e12"]["fields"]["VGPRS"], 4);  // ceil(33 / 8) - 1
  EXPECT_EQ(json["registers"]["0x2e41"]["content"], "entry 3");
}

}  // namespace
}  // namespace spalt::metadata::test
