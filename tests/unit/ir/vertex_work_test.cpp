// SPDX-License-Identifier: MIT
#include "ir/vertex_work.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ir/parser.h"
#include "ir/printer.h"

namespace spalt::ir {
namespace {

Function work_of(const std::string& body) {
  Result<Module> module = parse(
      "shader fragment\nfunc @main() {\nb0:\n  ret\n}\nvertex_work func @vertex_work() {\nb0:\n" + body + "  ret\n}\n");
  EXPECT_TRUE(module.ok()) << module.error().message;
  return std::move(module->vertex_work);
}

const char* const kWork = R"(  %0: f32 = input location.3.x
  %1: f32 = input location.4.y
  %2: f32 = fsub %0, %1 {precise, no_nan}
  %3: f32 = ffma %2, 0.5, 0.5
  %4: i32 = input location.5.z
  %5: i1 = slt %4, -7
  %6: f32 = select %5, %3, 1.0
  output location.0.x, %6
  output location.0.y, %0
)";

std::vector<uint32_t> words_of(const std::string& body) {
  const VertexWorkWords words = pack_vertex_work(work_of(body));
  return {words.begin(), words.end()};
}

TEST(VertexWork, ComesBackAsItWas) {
  const Function work = work_of(kWork);
  const Result<Function> back = unpack_vertex_work(pack_vertex_work(work));
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(print(*back), print(work));
}

TEST(VertexWork, NoneHasNoWords) {
  EXPECT_TRUE(pack_vertex_work(Function()).empty());
}

std::string error_of(std::vector<uint32_t> words) {
  const Result<Function> work = unpack_vertex_work(words);
  if (work.ok()) return {};
  EXPECT_EQ(work.error().status, Status::invalid_input);
  return work.error().message;
}

/// One instruction of the words.
std::vector<uint32_t> inst(Op op, Type type, uint64_t imm = 0, std::vector<uint32_t> operands = {}) {
  std::vector<uint32_t> words = {static_cast<uint32_t>(op) | static_cast<uint32_t>(type.scalar) << 16 |
                                     static_cast<uint32_t>(operands.size()) << 24,
                                 0, static_cast<uint32_t>(imm), static_cast<uint32_t>(imm >> 32)};
  words.insert(words.end(), operands.begin(), operands.end());
  return words;
}

TEST(VertexWork, RefusesWhatItCannotRun) {
  EXPECT_EQ(error_of({1, 2}), "the work for the vertices ends within an instruction");
  EXPECT_EQ(error_of(inst(Op::fneg, kF32, 0, {0})), "the work for the vertices takes an operand from nowhere");
  EXPECT_EQ(error_of(inst(static_cast<Op>(0xffff), kF32)), "the work for the vertices has an unknown operation");
  EXPECT_EQ(error_of(inst(Op::undef, kF32)), "the work for the vertices has an unknown operation");
  EXPECT_EQ(error_of(inst(Op::constant, kF64)), "the work for the vertices has a constant that it cannot have");
  EXPECT_EQ(error_of(inst(Op::builtin, kI32)),
            "the work for the vertices has an operation that it cannot have, builtin");
  EXPECT_EQ(error_of(inst(Op::input, kF64)), "the work for the vertices exchanges what is no component of a location");
  std::vector<uint32_t> long_work;
  for (unsigned i = 0; i <= kMaxVertexWork; ++i) {
    const std::vector<uint32_t> one = inst(Op::constant, kI32, i);
    long_work.insert(long_work.end(), one.begin(), one.end());
  }
  EXPECT_EQ(error_of(long_work), "the work for the vertices is too long");
  std::vector<uint32_t> wrong = inst(Op::constant, kI32, 1);
  const std::vector<uint32_t> root = inst(Op::fsqrt, kF32, 0, {0});
  wrong.insert(wrong.end(), root.begin(), root.end());
  EXPECT_NE(error_of(wrong).find("has type f32, expected i32"), std::string::npos) << error_of(wrong);
}

/// Every word set to a few values: what is read can be printed, or is refused with a sentence.
TEST(VertexWork, SurvivesAnyWords) {
  const std::vector<uint32_t> words = words_of(kWork);
  for (size_t i = 0; i < words.size(); ++i) {
    for (const uint32_t value : {0u, 1u, 7u, 0xffffu, 0x01000000u, 0xffffffffu, words[i] ^ 0x10000u, words[i] + 1}) {
      std::vector<uint32_t> changed = words;
      changed[i] = value;
      const Result<Function> work = unpack_vertex_work(changed);
      if (work.ok()) {
        EXPECT_FALSE(print(*work).empty());
      } else {
        EXPECT_FALSE(work.error().message.empty());
      }
    }
  }
}

}  // namespace
}  // namespace spalt::ir
