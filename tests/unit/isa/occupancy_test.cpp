// SPDX-License-Identifier: MIT
//
// Waves per SIMD against LLVM's "Occupancy" of kernels that use given registers, LDS and workgroup sizes.
#include "amdgpu/isa/occupancy.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../command.h"

namespace spalt::isa {
namespace {

std::string kernel(const WaveResources& resources, size_t index) {
  const std::string number = std::to_string(index), size = std::to_string(resources.invocations);
  const std::string lds = "@lds" + number;
  std::string text;
  if (resources.lds_bytes != 0) {
    text += lds + " = internal addrspace(3) global [" + std::to_string(resources.lds_bytes) + " x i8] undef\n";
  }
  text += "define amdgpu_kernel void @k" + number + "() #" + number + " {\n";
  text += "  call void asm sideeffect \"\", \"~{v" + std::to_string(resources.vgprs - 1) + "},~{s" +
          std::to_string(resources.sgprs - 1) + "}\"()\n";
  if (resources.lds_bytes != 0) text += "  store volatile i8 0, ptr addrspace(3) " + lds + "\n";
  text += "  ret void\n}\nattributes #" + number + " = { \"amdgpu-flat-work-group-size\"=\"" + size + "," + size +
          "\" \"amdgpu-waves-per-eu\"=\"1\" }\n";
  return text;
}

/// The numbers of all lines such as "; Occupancy: 8", one for each kernel.
std::vector<uint32_t> values_of(const std::string& listing, const std::string& key) {
  const std::string start = "\n; " + key + ": ";
  std::vector<uint32_t> values;
  for (size_t at = listing.find(start); at != std::string::npos; at = listing.find(start, at + 1)) {
    values.push_back(static_cast<uint32_t>(std::atoi(listing.c_str() + at + start.size())));
  }
  return values;
}

struct Configuration {
  const char* target;
  unsigned wave_size;
};
class Occupancy : public testing::TestWithParam<Configuration> {};

TEST_P(Occupancy, IsThatOfLlvm) {
  const Target& target = *find_target(GetParam().target);
  const unsigned wave_size = GetParam().wave_size;
  if (test::output_of("llc-19 --version #", {}).find("LLVM") == std::string::npos) {
    GTEST_SKIP() << "llc-19 is not installed (Debian package llvm-19)";
  }
  std::vector<WaveResources> list;
  for (const uint32_t vgprs : {4u, 24u, 25u, 40u, 65u, 96u, 129u, 256u})
    list.push_back({wave_size, false, 8, vgprs, 0, 64});
  for (const uint32_t sgprs : {74u, 75u, 91u, 100u}) list.push_back({wave_size, false, sgprs, 4, 0, 64});
  for (const uint32_t lds : {512u, 4096u, 10240u, 33280u, 65536u}) {
    for (const uint32_t group : {32u, 96u, 256u, 1024u}) list.push_back({wave_size, false, 8, 4, lds, group});
  }
  std::string text;
  for (size_t i = 0; i < list.size(); ++i) text += kernel(list[i], i);
  const std::string mode = target.has_wave32 ? " -mattr=+cumode,+wavefrontsize" + std::to_string(wave_size) : "";
  const std::string listing =
      test::output_of(std::string("llc-19 -mtriple=amdgcn-amd-amdhsa -o - -mcpu=") + target.name + mode,
                      {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  const std::vector<uint32_t> vgprs = values_of(listing, "NumVgprs"), sgprs = values_of(listing, "NumSgprs"),
                              waves = values_of(listing, "Occupancy");
  ASSERT_EQ(waves.size(), list.size()) << listing;
  ASSERT_EQ(vgprs.size(), list.size());
  ASSERT_EQ(sgprs.size(), list.size());
  for (size_t i = 0; i < list.size(); ++i) {
    EXPECT_EQ(vgprs[i], list[i].vgprs);
    // LLVM's number includes what it allocates after the program's own, which depends on what the kernel uses.
    ASSERT_GE(sgprs[i], target.extra_sgprs);
    list[i].sgprs = sgprs[i] - target.extra_sgprs;
    EXPECT_EQ(waves_per_simd(target, list[i]), waves[i])
        << list[i].vgprs << " VGPRs, " << list[i].sgprs << " SGPRs, " << list[i].lds_bytes << " bytes of LDS, "
        << list[i].invocations << " invocations";
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Occupancy,
                         testing::Values(Configuration{"gfx900", 64}, Configuration{"gfx1010", 32},
                                         Configuration{"gfx1010", 64}, Configuration{"gfx1030", 32},
                                         Configuration{"gfx1030", 64}, Configuration{"gfx1100", 32},
                                         Configuration{"gfx1102", 64}, Configuration{"gfx1150", 32},
                                         Configuration{"gfx1200", 32}, Configuration{"gfx1200", 64}),
                         [](const auto& param) {
                           return std::string(param.param.target) + "_wave" + std::to_string(param.param.wave_size);
                         });

/// A work-group processor has twice the SIMDs and twice the LDS: 40 KiB for each workgroup of four waves leave three of
/// them on its four SIMDs, and one on the two of a compute unit.
TEST(Occupancy, CountsBothUnitsOfAWorkGroupProcessor) {
  const Target& target = *find_target("gfx1030");
  EXPECT_EQ(waves_per_simd(target, {32, true, 8, 4, 40960, 128}), 3u);
  EXPECT_EQ(waves_per_simd(target, {32, false, 8, 4, 40960, 128}), 2u);
}

}  // namespace
}  // namespace spalt::isa
