// SPDX-License-Identifier: MIT
//
// What shaders print comes as messages, with the line that it is from.
#include <algorithm>

#include "command_fixture.h"

namespace spalt::icd::test {
namespace {

/// The variable is there before the instance is made.
struct PrintfSetting {
  Environment variable{"SPALT_ICD_PRINTF", "1"};
};

class PrintfTest : private PrintfSetting, public CommandTest {
 protected:
  std::vector<std::string> printed() {
    std::vector<std::string> lines;
    for (const Message& message : gpu.messages()) {
      if (message.id == "spalt-printf") lines.push_back(message.text);
    }
    return lines;
  }
  void dispatch(const Kernel& kernel, const TestBuffer& words, uint32_t groups) {
    VkCommandBuffer commands = begin();
    bind(commands, kernel, set(kernel, {&words}));
    entry::CmdDispatch(commands, groups, 1, 1);
    EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  }
};

TEST_F(PrintfTest, ArgumentsOfAllKinds) {
  const TestBuffer& words = buffer({7, 0xffff'fffe, 0x3fc0'0000, 3});
  const Kernel print = kernel(
      "#extension GL_EXT_debug_printf : require\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
      "layout(local_size_x = 1) in; layout(binding = 0) buffer B { uint x[]; };"
      "void main() { float f = uintBitsToFloat(x[2]);"
      " debugPrintfEXT(\"%d %i %u|%5.2f|%e\", x[0], int(x[1]), x[1], f, f);"
      " debugPrintfEXT(\"%v3f %v2d 100%% %x\", vec3(f, 2.0 * f, -f), ivec2(int(x[0]), int(x[1])), x[3] * 80u);"
      " uint64_t w = uint64_t(x[3]) << 40; debugPrintfEXT(\"%lu %ul %lx %f %f %u\", w, w, w, double(f), float16_t(f),"
      " uint16_t(x[1])); debugPrintfEXT(\"%d and nothing %d\", x[0] > 3u); }");
  dispatch(print, words, 1);
  EXPECT_EQ(printed(), (std::vector<std::string>{
                           "7 -2 4294967294| 1.50|1.500000e+00", "1.500000, 3.000000, -1.500000 7, -2 100% f0",
                           "3298534883328 3298534883328 30000000000 1.500000 1.500000 65534", "1 and nothing %d"}));
}

TEST_F(PrintfTest, EachInvocationPrintsForItself) {
  const TestBuffer& words = buffer({5, 6});
  const Kernel print = kernel(
      "#extension GL_EXT_debug_printf : require\nlayout(local_size_x = 40) in; layout(binding = 0) buffer B { uint "
      "x[]; };"
      "void main() { if (gl_LocalInvocationIndex % 3u == 0u) debugPrintfEXT(\"%u in %u\", gl_LocalInvocationIndex, "
      "gl_WorkGroupID.x); }");
  dispatch(print, words, 3);
  std::vector<std::string> lines = printed();
  std::sort(lines.begin(), lines.end());
  std::vector<std::string> wanted;
  for (uint32_t group = 0; group < 3; ++group) {
    for (uint32_t i = 0; i < 40; i += 3) wanted.push_back(std::to_string(i) + " in " + std::to_string(group));
  }
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(lines, wanted);
  dispatch(print, words, 1);
  EXPECT_EQ(printed().size(), wanted.size() + 14) << "the buffer was emptied";
}

TEST_F(PrintfTest, SaysWhatHadNoRoom) {
  const TestBuffer& words = buffer({5, 6});
  const Kernel print = kernel(
      "#extension GL_EXT_debug_printf : require\nlayout(local_size_x = 64) in; layout(binding = 0) buffer B { uint "
      "x[]; };"
      "void main() { for (uint i = 0u; i < 64u; ++i) debugPrintfEXT(\"%v4u\", uvec4(i)); }");
  dispatch(print, words, 12);  // 7 dwords each
  const std::vector<std::string> lines = printed();
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.back(), "shaders printed " + std::to_string(4 * (12 * 64 * 64 * 7 - ((1 << 18) - 1))) +
                              " bytes more than there is room for");
}

}  // namespace
}  // namespace spalt::icd::test
