// SPDX-License-Identifier: MIT
// Printer and parser together; single messages and forms are golden tests.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

#include "ir/names.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/verifier.h"

namespace spalt::ir {
namespace {

constexpr std::string_view kLoop = R"(workgroup_size 64, 1, 1
binding 0, 0, storage

func @main() {
b0:
  %0: i32 = builtin global_invocation_id.x
  %1: resource = resource 0, 0
  branch b1
b1: loop merge b3, continue b2
  %2: i32 = phi [b0 0], [b2 %5]
  %3: f32 = load.storage %1, %2, offset 16, align 4
  %4: i1 = folt %3, 0.5
  branch_if %4, b2, b3
b2:
  %5: i32 = iadd %2, 4 {no_unsigned_wrap}
  branch b1
b3:
  store.storage %1, %0, %3, align 4
  ret
}
)";

Module parsed(std::string_view text) {
  Result<Module> module = parse(text);
  EXPECT_TRUE(module.ok()) << (module ? "" : module.error().message);
  return module ? std::move(*module) : Module();
}

TEST(Text, ConstantsOfAllTypesReadBackExactly) {
  std::mt19937_64 random(7);
  for (const Type type : {kBool, kI8, kI16, kI32, kI64, kF16, kF32, kF64}) {
    const uint64_t mask = type.scalar_bits() == 64 ? ~uint64_t{0} : (uint64_t{1} << type.scalar_bits()) - 1;
    const int rounds = type == kF16 ? 65536 : 20000;
    for (int i = 0; i < rounds; ++i) {
      const uint64_t bits = (type == kF16 ? static_cast<uint64_t>(i) : random() >> (random() % 64)) & mask;
      const std::string text = print_constant(type, bits);
      uint64_t back = ~bits;
      ASSERT_TRUE(parse_constant(type, text, back)) << type_name(type) << " " << text;
      ASSERT_EQ(back, bits) << type_name(type) << " " << text;
    }
  }
}

TEST(Text, FloatsAreDecimalAndShort) {
  EXPECT_EQ(print_constant(kF32, std::bit_cast<uint32_t>(0.1f)), "0.1");
  EXPECT_EQ(print_constant(kF32, std::bit_cast<uint32_t>(1.0f)), "1.0");
  EXPECT_EQ(print_constant(kF32, std::bit_cast<uint32_t>(-0.0f)), "-0.0");
  EXPECT_EQ(print_constant(kF32, 1), "1e-45");
  EXPECT_EQ(print_constant(kF32, 0x7f800000), "0x7f800000");
  EXPECT_EQ(print_constant(kF16, 0x2e66), "0.1");
  EXPECT_EQ(print_constant(kF64, std::bit_cast<uint64_t>(0.1)), "0.1");
}

TEST(Text, TypeNamesReadBack) {
  for (unsigned scalar = 1; scalar <= static_cast<unsigned>(Scalar::f64); ++scalar) {
    for (unsigned components = 1; components <= 16; ++components) {
      const Type type = Type{static_cast<Scalar>(scalar)}.vector(components);
      EXPECT_EQ(find_type(type_name(type)), type);
    }
  }
  for (const std::string_view word : {"void", "i2", "i32x", "i32x1", "i32x17", "i32x-2", "resourcex2", "x", ""}) {
    EXPECT_FALSE(find_type(word).has_value()) << word;
  }
}

TEST(Text, MapPointsAtEveryEntity) {
  const Module module = parsed(kLoop);
  const Function& function = module.functions[0];
  TextMap map;
  const std::string text = print(function, &map);
  const auto part = [&](TextRange range) { return text.substr(range.begin, range.end - range.begin); };
  const BlockId body = function.layout()[1];
  EXPECT_EQ(part(map.blocks[body]), "b1: loop merge b3, continue b2");
  const Value phi = function.block(body).first;
  EXPECT_EQ(part(map.insts[phi]), "%2: i32 = phi [b0 0], [b2 %5]");
  EXPECT_EQ(part(map.operands[function.inst(phi).operand_begin]), "0");
  EXPECT_EQ(part(map.operands[function.inst(phi).operand_begin + 1]), "%5");
  const Value load = function.inst(phi).next;
  EXPECT_EQ(print(function, load), part(map.insts[load]));
}

TEST(Text, PhiEntriesFollowTheOrderOfPredecessors) {
  Module module = parsed(kLoop);
  Function& function = module.functions[0];
  Block& header = function.edit_block(function.layout()[1]);
  const Value phi = header.first;
  // Another order of the same edges must print as the same text.
  std::swap(header.preds[0], header.preds[1]);
  const Value first = function.operand(phi, 0);
  function.set_operand(phi, 0, function.operand(phi, 1));
  function.set_operand(phi, 1, first);
  EXPECT_EQ(print(module), kLoop);
}

/// What was not made for an instruction of a module, or nobody asked about, prints as ever.
TEST(Text, OriginsFollowTheInstruction) {
  std::string text(kLoop);
  text.replace(text.find("  %5: i32"), 42, "  %5: i32 = iadd %2, 4 {no_unsigned_wrap} @4294967295\n");
  text.replace(text.find("  ret\n"), 6, "  ret @37\n");
  const Module module = parsed(text);
  const Function& function = module.functions[0];
  EXPECT_EQ(function.inst(function.terminator(function.layout().back())).origin, 37u);
  EXPECT_EQ(function.inst(function.block(function.entry()).first).origin, 0u);
  EXPECT_EQ(print(module), text);
  for (const std::string_view bad : {"ret @x", "ret @4294967296", "ret @1x", "ret @-1"}) {
    std::string wrong(kLoop);
    wrong.replace(wrong.find("  ret\n"), 5, "  " + std::string(bad));
    EXPECT_FALSE(parse(wrong).ok()) << bad;
  }
}

TEST(Text, NamesWithAnyBytesStayParsable) {
  Module module = parsed("func @x() {\nb0:\n  ret\n}\n");
  module.functions[0].name = "a b;\n\"\xff{";
  const std::string text = print(module);
  EXPECT_EQ(print(parsed(text)), text);
  module.functions[0].name.clear();
  EXPECT_EQ(print(parsed(print(module))), print(module));
}

/// Any damage to valid text gives a module or an error; what parses prints to something that parses to the same text.
TEST(Text, DamagedTextNeverCrashes) {
  std::mt19937 random(3);
  constexpr std::string_view kPieces[] = {"%0",
                                          "b1",
                                          "phi",
                                          "[",
                                          "]",
                                          ",",
                                          "i32",
                                          "f16x4",
                                          "loop",
                                          "merge",
                                          ":",
                                          "=",
                                          "\n",
                                          "{",
                                          "}",
                                          "-1",
                                          "1e9",
                                          "true",
                                          "undef",
                                          "func @f() {",
                                          "load.shared",
                                          "offset",
                                          "switch_on",
                                          "0x",
                                          "\"",
                                          ";",
                                          "align 99999999999999999999",
                                          "continue",
                                          "@"};
  int accepted = 0;
  for (int round = 0; round < 30000; ++round) {
    std::string text(kLoop);
    const int edits = 1 + static_cast<int>(random() % 4);
    for (int i = 0; i < edits; ++i) {
      const size_t at = random() % text.size();
      const size_t length = random() % 6;
      switch (random() % 3) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, kPieces[random() % std::size(kPieces)]);
          break;
        default:
          text[at] = static_cast<char>(random());
          break;
      }
    }
    Result<Module> module = parse(text);
    if (!module) {
      EXPECT_FALSE(module.error().message.empty());
      continue;
    }
    ++accepted;
    const std::string printed = print(*module);
    const Result<Module> again = parse(printed);
    ASSERT_TRUE(again.ok()) << again.error().message << "\n" << printed;
    ASSERT_EQ(print(*again), printed);
    (void)verify(*module);
  }
  EXPECT_GT(accepted, 100);  // some damage is harmless; otherwise the second half of this test would not run
}

TEST(Text, AModuleIsAComputeShaderUnlessItSaysOtherwise) {
  const Module module = parsed("shader compute\nworkgroup_size 4, 2, 1\n\nfunc @main() {\nb0:\n  ret\n}\n");
  EXPECT_EQ(module.shader_stage(), ShaderStage::compute);
  EXPECT_EQ(module.compute().invocations(), 8u);
  EXPECT_EQ(print(module), "workgroup_size 4, 2, 1\n\nfunc @main() {\nb0:\n  ret\n}\n");
  const Result<Module> unknown = parse("shader tessellation\nfunc @main() {\nb0:\n  ret\n}\n");
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().message.find("expected 'compute'"), std::string::npos) << unknown.error().message;
}

TEST(Text, LongFunctionsAreLinear) {
  std::string text = "func @main() {\nb0:\n";
  constexpr int kCount = 200000;
  for (int i = 0; i < kCount; ++i) text += "  %" + std::to_string(i) + ": i32 = iadd 1, 2\n";
  text += "  ret\n}\n";
  EXPECT_EQ(print(parsed(text)), text);
}

TEST(Text, ManyBlocksNeedNoRecursion) {
  std::string text = "func @main(%0: i1) {\n";
  constexpr int kCount = 50000;
  for (int i = 0; i < kCount; ++i) {
    text += "b" + std::to_string(i) + ":\n  branch_if %0, b" + std::to_string(i + 1) + ", b" + std::to_string(kCount) +
            "\n";
  }
  text += "b" + std::to_string(kCount) + ":\n  ret\n}\n";
  const Module module = parsed(text);
  EXPECT_EQ(print(module), text);
  EXPECT_TRUE(verify(module).ok());
}

/// The fenced examples of docs/ir.md marked `spalt` are whole modules in the form that the printer writes.
TEST(Text, ExamplesInTheDocumentationAreCurrent) {
  std::ifstream stream(SPALT_DOCS_DIR "/ir.md");
  ASSERT_TRUE(stream.good());
  std::string line, example;
  bool inside = false;
  int examples = 0;
  while (std::getline(stream, line)) {
    if (line == "```spalt") {
      inside = true;
      example.clear();
    } else if (inside && line == "```") {
      inside = false;
      ++examples;
      const Module module = parsed(example);
      EXPECT_EQ(print(module), example);
      const Result<void> verdict = verify(module);
      EXPECT_TRUE(verdict.ok()) << verdict.error().message;
    } else if (inside) {
      example += line + "\n";
    }
  }
  EXPECT_GE(examples, 5);
}

/// docs/ir.md names every operation of ops.def.
TEST(Text, DocumentationNamesEveryOperation) {
  std::ifstream stream(SPALT_DOCS_DIR "/ir.md");
  std::stringstream all;
  all << stream.rdbuf();
  const std::string text = all.str();
  for (unsigned i = 0; i < static_cast<unsigned>(Op::count); ++i) {
    const std::string quoted = "`" + std::string(info(static_cast<Op>(i)).name) + "`";
    EXPECT_NE(text.find(quoted), std::string::npos) << quoted;
  }
}

}  // namespace
}  // namespace spalt::ir
