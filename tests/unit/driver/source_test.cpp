// SPDX-License-Identifier: MIT
// Which instructions of a module code is made for.
#include <gtest/gtest.h>
#include <spalt/source.h>

#include <set>
#include <spalt/spalt.hpp>

#include "../spirv/assemble.h"

namespace {

using spalt_api::Compilation;
using spalt_api::Compiler;

/// Loads, calls a function that multiplies, in a loop that is unrolled, and stores; line 10 * n for each step.
std::vector<uint32_t> module() {
  return spalt::spirv::assemble(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 64 1 1
%file = OpString "steps.comp"
OpDecorate %id BuiltIn LocalInvocationIndex
OpDecorate %array ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%bool = OpTypeBool
%unary = OpTypeFunction %uint %uint
%input = OpTypePointer Input %uint
%id = OpVariable %input Input
%array = OpTypeRuntimeArray %uint
%block = OpTypeStruct %array
%buffer = OpTypePointer StorageBuffer %block
%element = OpTypePointer StorageBuffer %uint
%data = OpVariable %buffer StorageBuffer
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u3 = OpConstant %uint 3
%u77 = OpConstant %uint 77
%main = OpFunction %void None %function
%entry = OpLabel
OpLine %file 10 1
%index = OpLoad %uint %id
%place = OpAccessChain %element %data %u0 %index
%loaded = OpLoad %uint %place
OpBranch %header
%header = OpLabel
%value = OpPhi %uint %loaded %entry %scaled %continue
%count = OpPhi %uint %u0 %entry %next %continue
OpLoopMerge %exit %continue None
OpBranch %test
%test = OpLabel
%more = OpULessThan %bool %count %u3
OpBranchConditional %more %body %exit
%body = OpLabel
OpLine %file 20 1
%scaled = OpFunctionCall %uint %scale %value
OpBranch %continue
%continue = OpLabel
%next = OpIAdd %uint %count %u1
OpBranch %header
%exit = OpLabel
OpLine %file 40 1
OpStore %place %value
OpReturn
OpFunctionEnd
%scale = OpFunction %uint None %unary
%parameter = OpFunctionParameter %uint
%start = OpLabel
OpLine %file 30 1
%product = OpIMul %uint %parameter %u77
OpReturnValue %product
OpFunctionEnd
)");
}

struct Lines {
  explicit Lines(const std::vector<uint32_t>& words) { spalt_source_create(words.data(), words.size(), &source); }
  ~Lines() { spalt_source_destroy(source); }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  uint32_t at(uint32_t word) const {
    size_t count = 0;
    const spalt_source_line* lines = spalt_source_lines(source, &count);
    uint32_t line = 0;
    for (size_t i = 0; i < count && lines[i].word <= word; ++i) line = lines[i].line;
    return line;
  }

  spalt_source* source = nullptr;
};

TEST(Origins, TellTheLineOfEachInstruction) {
  const std::vector<uint32_t> words = module();
  const Lines lines(words);
  for (const char* target : {"gfx900", "gfx1030", "gfx1100", "gfx1200"}) {
    const Compiler compiler(target);
    spalt_compile_info info = Compiler::info(words);
    info.want_assembly = info.verify = 1;
    const Compilation plain = compiler.compile(info);
    info.want_origins = 1;
    const Compilation compilation = compiler.compile(info);
    ASSERT_TRUE(compilation.ok()) << compilation.message();
    EXPECT_EQ(compilation.assembly(), plain.assembly());

    size_t count = 0;
    EXPECT_EQ(spalt_compilation_origins(plain.handle(), &count), nullptr);
    EXPECT_EQ(count, 0u);
    const spalt_code_origin* origins = spalt_compilation_origins(compilation.handle(), &count);
    ASSERT_GT(count, 0u);
    EXPECT_EQ(origins[0].code_offset, 0u);
    std::set<uint32_t> found;
    for (size_t i = 0; i < count; ++i) {
      EXPECT_TRUE(i == 0 || origins[i].code_offset > origins[i - 1].code_offset);
      EXPECT_LT(origins[i].code_offset, compilation.statistics().code_bytes);
      found.insert(lines.at(origins[i].word));
    }
    for (const uint32_t line : {10u, 30u, 40u}) EXPECT_TRUE(found.count(line)) << target << ", line " << line;
    // The store comes last but for the end of the program.
    EXPECT_EQ(lines.at(origins[count - 1].word), 40u) << target;
  }
}

TEST(Origins, AreInDumps) {
  const std::vector<uint32_t> words = module();
  spalt_compile_info info = Compiler::info(words);
  std::string text;
  info.dump_after = "select";
  info.stop_after = "select";
  info.dump_user = &text;
  info.dump = [](void* user, const char*, const char* dump) { *static_cast<std::string*>(user) = dump; };
  const Compiler compiler("gfx1030");
  (void)compiler.compile(info);
  EXPECT_EQ(text.find("origin="), std::string::npos);
  info.want_origins = 1;
  (void)compiler.compile(info);
  EXPECT_NE(text.find("v_mul_lo_u32"), std::string::npos);
  const size_t multiply = text.find("v_mul_lo_u32");
  EXPECT_LT(text.find(" origin=", multiply), text.find('\n', multiply)) << text;
}

TEST(Source, TellsItsFiles) {
  const std::vector<uint32_t> words = module();
  const Lines lines(words);
  ASSERT_EQ(spalt_source_file_count(lines.source), 1u);
  spalt_source_file file{};
  file.struct_size = sizeof file;
  ASSERT_EQ(spalt_source_get_file(lines.source, 0, &file), SPALT_SUCCESS);
  EXPECT_STREQ(file.name, "steps.comp");
  EXPECT_EQ(file.text, nullptr);
  EXPECT_EQ(spalt_source_get_file(lines.source, 1, &file), SPALT_ERROR_INVALID_ARGUMENT);
}

TEST(Source, ArgumentsAreChecked) {
  spalt_source* source = nullptr;
  const std::vector<uint32_t> words = module(), other(16, 7);
  EXPECT_EQ(spalt_source_create(words.data(), words.size(), nullptr), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_source_create(nullptr, 4, &source), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_source_create(other.data(), other.size(), &source), SPALT_ERROR_INVALID_INPUT);
  EXPECT_EQ(source, nullptr);
  EXPECT_EQ(spalt_source_file_count(nullptr), 0u);
  size_t count = 1;
  EXPECT_EQ(spalt_source_lines(nullptr, &count), nullptr);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(spalt_compilation_origins(nullptr, &count), nullptr);
}

}  // namespace
