// SPDX-License-Identifier: MIT
// One shader for every target that the library names: what the ELF says of the processor, its user SGPRs and modes.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <spalt/spalt.hpp>

#include "../command.h"
#include "../spirv/assemble.h"

namespace {

using nlohmann::json;
using spalt::test::output_of;
using spalt_api::Compilation;
using spalt_api::Compiler;

/// buffer[work-group id x] = local id x.
const std::vector<uint32_t>& words() {
  static const std::vector<uint32_t> words = [] {
    std::string text = spalt::spirv::shader(R"(
%v3_in = OpTypePointer Input %v3uint
%group = OpVariable %v3_in Input
%local = OpVariable %v3_in Input
)",
                                            R"(
%groups = OpLoad %v3uint %group
%locals = OpLoad %v3uint %local
%g = OpCompositeExtract %uint %groups 0
%l = OpCompositeExtract %uint %locals 0
%at = OpAccessChain %element %buffer %u0 %g
OpStore %at %l
OpReturn
)");
    const auto replace = [&](const std::string& from, const std::string& to) {
      text.replace(text.find(from), from.size(), to);
    };
    replace("\"main\" %buffer", "\"main\" %buffer %group %local");
    replace("LocalSize 1 1 1", "LocalSize 64 1 1");
    replace("OpDecorate %words",
            "OpDecorate %group BuiltIn WorkgroupId\nOpDecorate %local BuiltIn LocalInvocationId\nOpDecorate %words");
    return spalt::spirv::assemble(text);
  }();
  return words;
}

struct Mode {
  std::string target;
  uint32_t wave_size;
  bool wgp;
};

void PrintTo(const Mode& mode, std::ostream* out) {
  *out << mode.target << " wave" << mode.wave_size << (mode.wgp ? " WGP" : " CU");
}

std::vector<Mode> modes() {
  std::vector<Mode> all;
  for (size_t i = 0; i < spalt_target_count(); ++i) {
    for (uint32_t wave_size : {32u, 64u}) {
      for (bool wgp : {false, true}) {
        const char* name = spalt_target_name(i);
        if (spalt_target_supports(name, wave_size, wgp ? 1 : 0) != 0) all.push_back({name, wave_size, wgp});
      }
    }
  }
  return all;
}

class Targets : public testing::TestWithParam<Mode> {
 protected:
  void SetUp() override {
    const Compiler compiler(GetParam().target.c_str());
    spalt_compile_info info = Compiler::info(words());
    info.wave_size = GetParam().wave_size;
    info.wgp_mode = GetParam().wgp ? 1 : 0;
    const Compilation compilation = compiler.compile(info);
    ASSERT_TRUE(compilation.ok()) << compilation.message();
    const auto [bytes, size] = compilation.elf();
    elf.assign(bytes, bytes + size);
    spalt_metadata* raw = nullptr;
    ASSERT_EQ(spalt_metadata_read(bytes, size, &raw), SPALT_SUCCESS);
    EXPECT_EQ(spalt_metadata_finding_count(raw), 0u);
    document = json::parse(spalt_metadata_json(raw));
    spalt_metadata_destroy(raw);
  }
  const json& pipeline() { return document["metadata"]["amdpal.pipelines"][0]; }
  const json& stage() { return pipeline()[".hardware_stages"][".cs"]; }
  bool is_gfx9() { return GetParam().target.starts_with("gfx9"); }
  bool is_gfx12() { return GetParam().target.starts_with("gfx12"); }

  std::vector<uint8_t> elf;
  json document;
};

TEST(TargetList, HasEveryProcessorOfTheCompiler) {
  std::set<std::string> names;
  for (size_t i = 0; i < spalt_target_count(); ++i) names.insert(spalt_target_name(i));
  for (const char* name :
       {"gfx900",          "gfx902",          "gfx904",        "gfx906",       "gfx909",  "gfx90c",  "gfx1010",
        "gfx1011",         "gfx1012",         "gfx1013",       "gfx1030",      "gfx1031", "gfx1032", "gfx1033",
        "gfx1034",         "gfx1035",         "gfx1036",       "gfx1100",      "gfx1101", "gfx1102", "gfx1103",
        "gfx1150",         "gfx1151",         "gfx1152",       "gfx1153",      "gfx1200", "gfx1201", "gfx9-generic",
        "gfx10-1-generic", "gfx10-3-generic", "gfx11-generic", "gfx12-generic"}) {
    EXPECT_EQ(names.count(name), 1u) << name;
    const bool gfx9 = std::string(name).starts_with("gfx9");
    EXPECT_EQ(spalt_target_supports(name, 64, 0), 1) << name;
    EXPECT_EQ(spalt_target_supports(name, 32, 0), gfx9 ? 0 : 1) << name;
    EXPECT_EQ(spalt_target_supports(name, 64, 1), gfx9 ? 0 : 1) << name;
  }
}

TEST_P(Targets, LlvmKnowsTheProcessorAndEveryInstruction) {
  const std::string header = output_of("llvm-readelf-19 -h", elf);
  if (GetParam().target == "gfx1153") {  // which LLVM 19 does not know
    EXPECT_NE(header.find("Flags:                             0x58"), std::string::npos) << header;
    return;
  }
  EXPECT_NE(header.find(", " + GetParam().target + "\n"), std::string::npos) << header;
  const std::string code = output_of("llvm-objdump-19 -d --mattr=+wavefrontsize" +
                                         std::to_string(GetParam().wave_size) + " --mcpu=" + GetParam().target,
                                     elf);
  EXPECT_NE(code.find("s_endpgm"), std::string::npos) << code;
  EXPECT_EQ(code.find("<unknown>"), std::string::npos) << code;
  EXPECT_EQ(code.find(".long"), std::string::npos) << code;
}

/// docs/abi/pal.md#metadata-versions: the default is the newest version that every loader of the processor reads.
TEST_P(Targets, MetadataHasTheVersionOfTheProcessor) {
  EXPECT_EQ(document["target"], GetParam().target);
  EXPECT_EQ(document["metadata"]["amdpal.version"], json::array({is_gfx9() ? 2 : 3, is_gfx9() ? 6 : 0}));
  EXPECT_EQ(stage()[".wavefront_size"], GetParam().wave_size);
  if (is_gfx9()) {
    EXPECT_EQ(document["registers"]["0x2e13"]["fields"]["TGID_X_EN"], 1);
    return;
  }
  EXPECT_EQ(stage()[".wgp_mode"], GetParam().wgp);
  EXPECT_EQ(stage().contains(".mem_ordered"), !is_gfx12());
}

/// docs/abi/pal.md#scratch: wave32 compute shaders of gfx1100 and gfx1102 set at least 16, whatever they use, and so do
/// those for all of GFX11. Others set what they use: the global table and the address of the set. Which work-group ids
/// are wanted stands beside, on GFX12 too, where they lie in ttmp registers.
TEST_P(Targets, UserSgprsArePaddedAroundTheBugAlone) {
  const std::set<std::string> kWithBug = {"gfx1100", "gfx1102", "gfx11-generic"};
  const bool padded = GetParam().wave_size == 32 && kWithBug.count(GetParam().target) != 0;
  const uint32_t used = 2;
  if (is_gfx9()) {
    EXPECT_EQ(document["registers"]["0x2e13"]["fields"]["USER_SGPR"], used);
    return;
  }
  EXPECT_EQ(stage()[".user_sgprs"], padded ? 16u : used);
  const json& map = stage()[".user_data_reg_map"];
  ASSERT_EQ(map.size(), 32u);
  EXPECT_EQ(std::count(map.begin(), map.end(), json(0xffffffffu)), 30) << map;
  EXPECT_EQ(map[0], 0x10000000);
  EXPECT_EQ(map[1], 0);
  EXPECT_EQ(pipeline()[".compute_registers"][".tgid_x_en"], true);
  EXPECT_EQ(pipeline()[".compute_registers"][".tgid_y_en"], false);
}

/// Without it the code asks for its own address.
TEST(AddressHigh, IsMovedBesideTheLowerHalf) {
  for (const char* target : {"gfx900", "gfx1030", "gfx1201"}) {
    const Compiler compiler(target);
    spalt_compile_info info = Compiler::info(words());
    info.want_assembly = 1;
    const Compilation asks = compiler.compile(info);
    ASSERT_TRUE(asks.ok()) << asks.message();
    EXPECT_NE(asks.assembly().find("s_getpc_b64"), std::string::npos) << asks.assembly();
    info.has_address_high = 1;
    info.address_high = 0xffff8000;
    const Compilation knows = compiler.compile(info);
    ASSERT_TRUE(knows.ok()) << knows.message();
    EXPECT_EQ(knows.assembly().find("s_getpc_b64"), std::string::npos) << knows.assembly();
    EXPECT_NE(knows.assembly().find("s_movk_i32 s3, 0x8000"), std::string::npos) << knows.assembly();
  }
}

INSTANTIATE_TEST_SUITE_P(All, Targets, testing::ValuesIn(modes()), [](const auto& param) {
  std::string name = param.param.target;
  std::replace(name.begin(), name.end(), '-', '_');
  return name + "_wave" + std::to_string(param.param.wave_size) + (param.param.wgp ? "_wgp" : "_cu");
});

}  // namespace
