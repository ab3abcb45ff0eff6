// SPDX-License-Identifier: MIT
#include "spirv/reflect/float_modes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "assemble.h"

namespace spalt::spirv {
namespace {

std::vector<uint32_t> module_with(const std::string& mode) {
  return assemble(
      "OpCapability Shader\nOpCapability DenormPreserve\nOpCapability RoundingModeRTZ\n"
      "OpCapability SignedZeroInfNanPreserve\nOpExtension \"SPV_KHR_float_controls\"\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint Vertex %main \"main\"\n" +
      mode +
      "%void = OpTypeVoid\n%function = OpTypeFunction %void\n%main = OpFunction %void None %function\n"
      "%entry = OpLabel\nOpReturn\nOpFunctionEnd\n");
}

TEST(FloatModes, AreThoseOfExecutionModes) {
  EXPECT_FALSE(declares_float_modes(module_with("")));
  for (const char* mode : {"DenormPreserve", "RoundingModeRTZ", "SignedZeroInfNanPreserve"}) {
    EXPECT_TRUE(declares_float_modes(module_with(std::string("OpExecutionMode %main ") + mode + " 32\n"))) << mode;
  }
}

TEST(FloatModes, OfBrokenWordsAreNone) {
  EXPECT_FALSE(declares_float_modes({}));
  const std::vector<uint32_t> words = module_with("OpExecutionMode %main DenormPreserve 32\n");
  for (size_t end = 0; end < words.size(); ++end) {
    std::vector<uint32_t> cut(words.begin(), words.begin() + static_cast<ptrdiff_t>(end));
    declares_float_modes(cut);
    if (end > 5) cut[5] = 0;
    EXPECT_FALSE(declares_float_modes(cut));
  }
}

}  // namespace
}  // namespace spalt::spirv
