// SPDX-License-Identifier: MIT
// The public API as a driver uses it: wrong structs, hostile words, allocation callbacks, old headers.
#include <gtest/gtest.h>

#include <cfenv>
#include <cstdlib>
#include <cstring>
#include <spalt/spalt.hpp>
#include <thread>

#include "../spirv/assemble.h"

namespace {

using spalt_api::Compilation;
using spalt_api::Compiler;
namespace spirv = spalt::spirv;

/// void main() {} with local size 1, assembled by hand (SPIR-V specification, section 3).
const std::vector<uint32_t> kEmptyShader = {
    0x07230203,
    0x00010000,
    0,
    6,
    0,
    2u << 16 | 17,
    1,  // OpCapability Shader
    3u << 16 | 14,
    0,
    1,  // OpMemoryModel Logical GLSL450
    5u << 16 | 15,
    5,
    1,
    0x6e69616d,
    0,  // OpEntryPoint GLCompute %1 "main"
    6u << 16 | 16,
    1,
    17,
    1,
    1,
    1,  // OpExecutionMode %1 LocalSize 1 1 1
    2u << 16 | 19,
    2,  // %2 = OpTypeVoid
    3u << 16 | 33,
    3,
    2,  // %3 = OpTypeFunction %2
    5u << 16 | 54,
    2,
    1,
    0,
    3,  // %1 = OpFunction
    2u << 16 | 248,
    4,  // %4 = OpLabel
    1u << 16 | 253,
    1u << 16 | 56,  // OpReturn, OpFunctionEnd
};

TEST(Api, CompilesTheEmptyShader) {
  const Compiler compiler("gfx1030");
  ASSERT_TRUE(compiler.ok());
  const Compilation compilation = compiler.compile(Compiler::info(kEmptyShader));
  ASSERT_TRUE(compilation.ok()) << compilation.message();
  EXPECT_EQ(std::memcmp(compilation.elf().first,
                        "\x7f"
                        "ELF",
                        4),
            0);
  EXPECT_EQ(compilation.statistics().instructions, 1u);  // s_endpgm
  EXPECT_EQ(compilation.statistics().wave_size, 32u);
}

TEST(Api, SameInputSameBytesFromManyThreads) {
  const Compiler compiler("gfx1030");
  std::vector<std::string> elfs(4);
  std::vector<std::thread> threads;
  for (std::string& elf : elfs) {
    threads.emplace_back([&compiler, &elf] {
      const Compilation compilation = compiler.compile(Compiler::info(kEmptyShader));
      const auto [bytes, size] = compilation.elf();
      elf.assign(reinterpret_cast<const char*>(bytes), size);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(elfs[0].empty());
  for (const std::string& elf : elfs) EXPECT_EQ(elf, elfs[0]);
}

/// A third, folded: a quotient that is not exact.
std::vector<uint32_t> inexact_quotient() {
  return spirv::assemble(spirv::shader("%f3 = OpConstant %float 3", R"(
%third = OpFDiv %float %f1 %f3
%bits = OpBitcast %uint %third
%at = OpAccessChain %element %buffer %u0 %u0
OpStore %at %bits
OpReturn
)"));
}

TEST(Api, TheCallersRoundingModeChangesNothing) {
  const std::vector<uint32_t> words = inexact_quotient();
  const Compiler compiler("gfx1030");
  const auto compile = [&] {
    const Compilation compilation = compiler.compile(Compiler::info(words));
    EXPECT_TRUE(compilation.ok()) << compilation.message();
    const auto [bytes, size] = compilation.elf();
    return std::string(reinterpret_cast<const char*>(bytes), size);
  };
  const std::string to_nearest = compile();
  EXPECT_NE(to_nearest.find("\xab\xaa\xaa\x3e"), std::string::npos) << "1/3 was not folded: the test shows nothing";
  ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
  const std::string upward = compile();
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  ASSERT_EQ(std::fesetround(FE_TOWARDZERO), 0);
  const std::string towards_zero = compile();
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(upward, to_nearest);
  EXPECT_EQ(towards_zero, to_nearest);
}

TEST(Api, TheCallersExceptionFlagsStayAsTheyAre) {
  const std::vector<uint32_t> words = inexact_quotient();
  const Compiler compiler("gfx1030");
  for (const int flags : {0, FE_DIVBYZERO, FE_INEXACT | FE_OVERFLOW}) {
    for (const int rounding : {FE_TONEAREST, FE_UPWARD}) {
      std::feclearexcept(FE_ALL_EXCEPT);
      std::feraiseexcept(flags);
      std::fesetround(rounding);
      const Compilation compilation = compiler.compile(Compiler::info(words));
      const int after = std::fetestexcept(FE_ALL_EXCEPT);
      std::fesetround(FE_TONEAREST);
      EXPECT_TRUE(compilation.ok()) << compilation.message();
      EXPECT_EQ(after, flags) << "rounding mode " << rounding;
    }
  }
  std::feclearexcept(FE_ALL_EXCEPT);
}

TEST(Api, RefusesUnknownTargetsAndNullPointers) {
  EXPECT_EQ(Compiler("gfx1").result(), SPALT_ERROR_UNSUPPORTED);
  EXPECT_EQ(spalt_compiler_create(nullptr, nullptr), SPALT_ERROR_INVALID_ARGUMENT);
  const Compiler compiler("gfx1030");
  EXPECT_EQ(spalt_compile(compiler.handle(), nullptr, nullptr), SPALT_ERROR_INVALID_ARGUMENT);
  spalt_compiler_destroy(nullptr);
  spalt_compilation_destroy(nullptr);
}

TEST(Api, NamesWhatIsWrongAndWhere) {
  const Compiler compiler("gfx1030");
  std::vector<uint32_t> words = kEmptyShader;
  words[6] = 4444;  // no such capability
  const Compilation compilation = compiler.compile(Compiler::info(words));
  EXPECT_FALSE(compilation.ok());
  spalt_diagnostic diagnostic{};
  diagnostic.struct_size = sizeof diagnostic;
  ASSERT_EQ(spalt_compilation_diagnostic(compilation.handle(), 0, &diagnostic), SPALT_SUCCESS);
  EXPECT_EQ(diagnostic.word_offset, 5u);
  EXPECT_NE(std::string(diagnostic.message).find("apability"), std::string::npos) << diagnostic.message;
}

TEST(Api, RefusesContradictoryOptions) {
  const Compiler compiler("gfx1030");
  spalt_compile_info info = Compiler::info(kEmptyShader);
  info.wave_size = 48;
  EXPECT_EQ(compiler.compile(info).result(), SPALT_ERROR_INVALID_ARGUMENT);
  info = Compiler::info(kEmptyShader);
  info.stop_after = "no_such_pass";
  EXPECT_EQ(compiler.compile(info).result(), SPALT_ERROR_INVALID_ARGUMENT);
  info.stop_after = "simplify";
  EXPECT_EQ(compiler.compile(info).result(), SPALT_STOPPED);
}

TEST(Api, AnOlderAndSmallerStructIsEnough) {
  const Compiler compiler("gfx1030");
  spalt_compile_info info = Compiler::info(kEmptyShader);
  info.struct_size = offsetof(spalt_compile_info, entry_point);
  info.entry_point = reinterpret_cast<const char*>(1);  // past the end of the older struct: must not be read
  EXPECT_TRUE(compiler.compile(info).ok());
}

struct Counter {
  size_t live = 0, total = 0, limit = SIZE_MAX;
};
void* counted_allocate(void* user, size_t size, size_t) {
  auto* counter = static_cast<Counter*>(user);
  if (counter->total >= counter->limit) return nullptr;
  ++counter->live;
  ++counter->total;
  return std::malloc(size);
}
void counted_release(void* user, void* memory) {
  --static_cast<Counter*>(user)->live;
  std::free(memory);
}

/// Creates, compiles and destroys with callbacks; what is handed out must come back.
spalt_result compile_counted(Counter& counter) {
  spalt_allocation_callbacks callbacks{sizeof callbacks, &counter, counted_allocate, counted_release};
  spalt_compiler_create_info create{sizeof create, "gfx1030", &callbacks};
  spalt_compiler* compiler = nullptr;
  spalt_result result = spalt_compiler_create(&create, &compiler);
  if (result != SPALT_SUCCESS) return result;
  const spalt_compile_info info = Compiler::info(kEmptyShader);
  spalt_compilation* compilation = nullptr;
  result = spalt_compile(compiler, &info, &compilation);
  spalt_compilation_destroy(compilation);
  spalt_compiler_destroy(compiler);
  return result;
}

TEST(Api, AllocationCallbacksGetEverythingBack) {
  Counter counter;
  EXPECT_EQ(compile_counted(counter), SPALT_SUCCESS);
  EXPECT_GT(counter.total, 2u);
  EXPECT_EQ(counter.live, 0u);
}

TEST(Api, EveryFailingAllocationIsAResultCode) {
  Counter whole;
  ASSERT_EQ(compile_counted(whole), SPALT_SUCCESS);
  for (size_t limit = 0; limit < whole.total; ++limit) {
    Counter counter;
    counter.limit = limit;
    EXPECT_EQ(compile_counted(counter), SPALT_ERROR_OUT_OF_MEMORY) << limit;
    EXPECT_EQ(counter.live, 0u);
  }
}

TEST(Api, DisassemblesItsOwnElfAndRefusesOthers) {
  const Compiler compiler("gfx1030");
  const Compilation compilation = compiler.compile(Compiler::info(kEmptyShader));
  const auto [bytes, size] = compilation.elf();
  spalt_text* text = nullptr;
  ASSERT_EQ(spalt_disassemble(bytes, size, &text), SPALT_SUCCESS);
  EXPECT_NE(std::string(spalt_text_string(text)).find("s_endpgm"), std::string::npos);
  spalt_text_destroy(text);
  text = nullptr;
  EXPECT_EQ(spalt_disassemble("not an elf", 10, &text), SPALT_ERROR_INVALID_INPUT);
  EXPECT_GT(std::strlen(spalt_text_string(text)), 0u);
  spalt_text_destroy(text);
}

/// PAL pipeline ABI, section 0: gfx9 loaders know version 2, gfx12 loaders version 3, the others both.
TEST(Api, RefusesMetadataThatNoLoaderReads) {
  const auto outcome = [](const char* target, uint32_t major, uint32_t minor) {
    const Compiler compiler(target);
    spalt_compile_info info = Compiler::info(kEmptyShader);
    info.pal_abi_major = major;
    info.pal_abi_minor = minor;
    const Compilation compilation = compiler.compile(info);
    return compilation.ok() ? std::string("ok") : compilation.message();
  };
  EXPECT_EQ(outcome("gfx900", 2, 6), "ok");
  EXPECT_EQ(outcome("gfx900", 3, 0),
            "loaders for gfx900 read metadata version 2.6 only: version 3 came with gfx10 (asked for 3.0)");
  EXPECT_EQ(outcome("gfx1200", 2, 6), "loaders for gfx1200 read no metadata version 2.6: gfx12 needs version 3");
  EXPECT_EQ(outcome("gfx12-generic", 2, 6),
            "loaders for gfx12-generic read no metadata version 2.6: gfx12 needs version 3");
  EXPECT_EQ(outcome("gfx1200", 3, 6), "ok");
  EXPECT_EQ(outcome("gfx9-generic", 3, 6),
            "loaders for gfx9-generic read metadata version 2.6 only: version 3 came with gfx10 (asked for 3.6)");
  EXPECT_EQ(outcome("gfx1030", 2, 6), "ok");
  EXPECT_EQ(outcome("gfx1100", 2, 6), "ok");
  EXPECT_EQ(outcome("gfx1030", 3, 6), "ok");
  EXPECT_EQ(outcome("gfx1030", 2, 7), "metadata version must be 2.6, 3.0 or 3.6, or 0.0 for the target's default");
}

TEST(Api, ReadsMetadata) {
  const Compiler compiler("gfx1030");
  const Compilation compilation = compiler.compile(Compiler::info(kEmptyShader));
  const auto [bytes, size] = compilation.elf();
  spalt_metadata* metadata = nullptr;
  ASSERT_EQ(spalt_metadata_read(bytes, size, &metadata), SPALT_SUCCESS);
  EXPECT_EQ(spalt_metadata_finding_count(metadata), 0u);
  EXPECT_NE(std::strstr(spalt_metadata_text(metadata), ".entry_point: _amdgpu_cs_main"), nullptr);
  EXPECT_NE(std::strstr(spalt_metadata_json(metadata), "\"target\": \"gfx1030\""), nullptr);
  spalt_metadata_destroy(metadata);
  // No ELF at all: a handle with the reason.
  ASSERT_EQ(spalt_metadata_read("x", 1, &metadata), SPALT_ERROR_INVALID_INPUT);
  EXPECT_EQ(spalt_metadata_text(metadata), nullptr);
  spalt_metadata_finding finding{};
  finding.struct_size = sizeof finding;
  ASSERT_EQ(spalt_metadata_get_finding(metadata, 0, &finding), SPALT_SUCCESS);
  EXPECT_EQ(finding.is_error, 1u);
  EXPECT_STREQ(finding.message, "the file is shorter than an ELF header");
  EXPECT_EQ(spalt_metadata_get_finding(metadata, 1, &finding), SPALT_ERROR_INVALID_ARGUMENT);
  spalt_metadata_destroy(metadata);
  EXPECT_EQ(spalt_metadata_read(nullptr, 1, &metadata), SPALT_ERROR_INVALID_ARGUMENT);
}

}  // namespace
