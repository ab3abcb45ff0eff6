// SPDX-License-Identifier: MIT
// The assembler and disassembler as a caller of the public API uses them.
#include <gtest/gtest.h>
#include <spalt/spalt.h>

#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace {

spalt_assemble_info info_for(const std::string& text) {
  spalt_assemble_info info{};
  info.struct_size = sizeof info;
  info.target = "gfx1030";
  info.text = text.data();
  info.text_size = text.size();
  return info;
}

struct Outcome {
  spalt_result result;
  std::vector<uint8_t> code;
  std::string message;
  uint32_t line = 0, column = 0;
};

Outcome assemble(const spalt_assemble_info& info) {
  spalt_assembly* assembly = nullptr;
  Outcome outcome{spalt_assemble(&info, &assembly), {}, {}};
  size_t size = 0;
  const auto* bytes = static_cast<const uint8_t*>(spalt_assembly_code(assembly, &size));
  if (bytes != nullptr) outcome.code.assign(bytes, bytes + size);
  spalt_diagnostic diagnostic{};
  diagnostic.struct_size = sizeof diagnostic;
  if (spalt_assembly_diagnostic(assembly, &diagnostic) == SPALT_SUCCESS) {
    outcome.message = diagnostic.message;
    outcome.line = diagnostic.source_line;
    outcome.column = diagnostic.source_column;
  }
  spalt_assembly_destroy(assembly);
  return outcome;
}

Outcome assemble(const std::string& text) {
  return assemble(info_for(text));
}

/// The listing of bare code, or of an ELF when `target` is NULL.
std::string disassemble(const std::vector<uint8_t>& code, const char* target, uint32_t wave_size = 0) {
  spalt_disassemble_info info{};
  info.struct_size = sizeof info;
  info.target = target;
  info.code = code.data();
  info.size = code.size();
  info.wave_size = wave_size;
  spalt_text* text = nullptr;
  EXPECT_EQ(spalt_disassemble_code(&info, &text), SPALT_SUCCESS);
  const std::string result = text != nullptr ? spalt_text_string(text) : "";
  spalt_text_destroy(text);
  return result;
}

TEST(AssemblerApi, GivesTheBytesOfInstructionsLabelsAndData) {
  const Outcome outcome = assemble(
      ".text\n.globl main\nmain: s_mov_b32 s0, 0 ; comment\n"
      "loop:\n\ts_add_u32 s0, s0, 1 // comment\n\ts_cbranch_scc0 loop\n\ts_branch end\n"
      "\t.long 0x12345678, -1\nend: last: s_endpgm");
  ASSERT_EQ(outcome.result, SPALT_SUCCESS) << outcome.message;
  // RDNA 2 ISA guide: SOP1 3, SOP2 0, SOPP 4 (-2 dwords), SOPP 2 (+2), the data, SOPP 1.
  const uint32_t expected[] = {0xbe800380, 0x80008100, 0xbf84fffe, 0xbf820002, 0x12345678, 0xffffffff, 0xbf810000};
  ASSERT_EQ(outcome.code.size(), sizeof expected);
  EXPECT_EQ(std::memcmp(outcome.code.data(), expected, sizeof expected), 0);
}

TEST(AssemblerApi, AnEmptyTextIsNoCode) {
  EXPECT_EQ(assemble("").result, SPALT_SUCCESS);
  EXPECT_EQ(assemble(" ; nothing\n\n").result, SPALT_SUCCESS);
  EXPECT_TRUE(assemble("").code.empty());
}

TEST(AssemblerApi, TellsWhereTheTextIsWrong) {
  const Outcome outcome = assemble("s_nop 0\n  v_foo v0\n");
  EXPECT_EQ(outcome.result, SPALT_ERROR_INVALID_INPUT);
  EXPECT_EQ(outcome.message, "'v_foo' is no instruction");
  EXPECT_EQ(outcome.line, 2u);
  EXPECT_EQ(outcome.column, 3u);
  EXPECT_TRUE(outcome.code.empty());
}

TEST(AssemblerApi, TheWaveSizeDecidesTheWidthOfMasks) {
  const std::string text = "v_cmp_lt_f32 vcc, v0, v1";
  spalt_assemble_info info = info_for(text);
  EXPECT_EQ(assemble(info).result, SPALT_ERROR_INVALID_INPUT);
  info.wave_size = 64;
  EXPECT_EQ(assemble(info).result, SPALT_SUCCESS);
  info.wave_size = 16;
  EXPECT_EQ(assemble(info).result, SPALT_ERROR_INVALID_ARGUMENT);
}

TEST(AssemblerApi, RefusesMalformedInfos) {
  spalt_assembly* assembly = nullptr;
  const std::string text = "s_nop 0";
  spalt_assemble_info info = info_for(text);
  EXPECT_EQ(spalt_assemble(nullptr, &assembly), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_assemble(&info, nullptr), SPALT_ERROR_INVALID_ARGUMENT);
  info.format = 7;
  EXPECT_EQ(spalt_assemble(&info, &assembly), SPALT_ERROR_INVALID_ARGUMENT);
  info.format = SPALT_CODE_RAW;
  info.target = nullptr;
  EXPECT_EQ(spalt_assemble(&info, &assembly), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(assembly, nullptr);
  info.target = "gfx1";
  EXPECT_EQ(assemble(info).result, SPALT_ERROR_UNSUPPORTED);
  EXPECT_EQ(assemble(info).message, "the target gfx1 is not supported");
  spalt_assembly_destroy(nullptr);
}

TEST(AssemblerApi, ServesOldHeaders) {
  const std::string text = "s_nop 0";
  spalt_assemble_info info = info_for(text);
  info.struct_size = offsetof(spalt_assemble_info, wave_size);
  info.wave_size = 99;  // not the library's business
  EXPECT_EQ(assemble(info).result, SPALT_SUCCESS);
}

struct Counter {
  size_t limit = SIZE_MAX, total = 0, live = 0;
};

void* counted_allocate(void* user, size_t size, size_t alignment) {
  auto* counter = static_cast<Counter*>(user);
  if (counter->total >= counter->limit) return nullptr;
  ++counter->total;
  ++counter->live;
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void counted_release(void* user, void* memory) {
  --static_cast<Counter*>(user)->live;
  std::free(memory);
}

TEST(AssemblerApi, AllocationsGoThroughTheCallbacks) {
  for (const char* text : {"s_nop 0", "s_bad"}) {
    Counter whole;
    spalt_allocation_callbacks callbacks{sizeof callbacks, &whole, counted_allocate, counted_release};
    const std::string source = text;
    spalt_assemble_info info = info_for(source);
    info.allocation = &callbacks;
    assemble(info);
    EXPECT_EQ(whole.total, 2u);
    EXPECT_EQ(whole.live, 0u);
    for (size_t limit = 0; limit < whole.total; ++limit) {
      Counter counter;
      counter.limit = limit;
      callbacks.user = &counter;
      EXPECT_EQ(assemble(info).result, SPALT_ERROR_OUT_OF_MEMORY);
      EXPECT_EQ(counter.live, 0u);
    }
  }
}

TEST(AssemblerApi, WritesAnElfWithTextAndSymbols) {
  const std::string text = ".globl main\nlocal: s_nop 1\nmain: s_endpgm";
  spalt_assemble_info info = info_for(text);
  info.format = SPALT_CODE_ELF;
  const Outcome elf = assemble(info);
  ASSERT_EQ(elf.result, SPALT_SUCCESS);
  EXPECT_EQ(disassemble(elf.code, nullptr), disassemble(assemble(text).code, "gfx1030"));
  const std::string bytes(elf.code.begin(), elf.code.end());
  EXPECT_NE(bytes.find(std::string("\0local\0main\0", 12)), std::string::npos);
}

TEST(DisassemblerApi, RefusesWhatIsNoCode) {
  spalt_disassemble_info info{};
  info.struct_size = sizeof info;
  info.target = "gfx1030";
  info.code = "abc";
  info.size = 3;
  spalt_text* text = nullptr;
  EXPECT_EQ(spalt_disassemble_code(&info, &text), SPALT_ERROR_INVALID_INPUT);
  EXPECT_STREQ(spalt_text_string(text), "the code is not a whole number of dwords");
  spalt_text_destroy(text);
  info.wave_size = 7;
  EXPECT_EQ(spalt_disassemble_code(&info, &text), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_disassemble_code(nullptr, &text), SPALT_ERROR_INVALID_ARGUMENT);
}

TEST(DisassemblerApi, ShowsNonCanonicalWordsAsData) {
  // s_mov_b32 s0, 0 with the zero as a literal, which the assembler would write as an inline constant.
  const std::vector<uint8_t> code = {0xff, 0x03, 0x80, 0xbe, 0, 0, 0, 0};
  const std::string text = disassemble(code, "gfx1030");
  EXPECT_EQ(text.substr(0, text.find(" //")).substr(0, 29), "\t.long 0xbe8003ff, 0x00000000");
  EXPECT_NE(text.find("s_mov_b32 s0, 0"), std::string::npos);
}

TEST(DisassemblerApi, AnyWordsAssembleAgainToTheSame) {
  std::mt19937 random(3);
  std::vector<uint8_t> code(80000);
  for (size_t i = 0; i < code.size(); ++i) code[i] = static_cast<uint8_t>(random());
  for (uint32_t wave_size : {32u, 64u}) {
    const std::string text = disassemble(code, "gfx1030", wave_size);
    spalt_assemble_info info = info_for(text);
    info.wave_size = wave_size;
    const Outcome outcome = assemble(info);
    ASSERT_EQ(outcome.result, SPALT_SUCCESS) << outcome.line << ": " << outcome.message;
    EXPECT_EQ(outcome.code, code);
  }
}

}  // namespace
