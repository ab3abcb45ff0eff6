// SPDX-License-Identifier: MIT
#include "ir/function.h"

#include <gtest/gtest.h>

#include "ir/parser.h"
#include "ir/printer.h"

namespace spalt::ir {
namespace {

std::vector<uint32_t> operands_of(const Function& f, Value value) {
  std::vector<uint32_t> list;
  for (Value operand : f.operands(value)) list.push_back(operand.index);
  return list;
}

TEST(Function, OperandsComeAndGo) {
  Function f;
  const Value a = f.constant_i32(1), b = f.constant_i32(2), c = f.constant_i32(3);
  const Value two[] = {a, b};
  const Value phi = f.create(Op::phi, kI32, two), other = f.create(Op::phi, kI32, two);
  f.push_operand(other, c);  // at the end of all operands
  f.push_operand(phi, c);    // between others
  f.push_operand(phi, a);
  EXPECT_EQ(operands_of(f, other), (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(operands_of(f, phi), (std::vector<uint32_t>{0, 1, 2, 0}));
  f.erase_operand(phi, 1);
  EXPECT_EQ(operands_of(f, phi), (std::vector<uint32_t>{0, 2, 0}));
  f.erase_operand(phi, 2);
  f.erase_operand(phi, 0);
  EXPECT_EQ(operands_of(f, phi), (std::vector<uint32_t>{2}));
  EXPECT_EQ(operands_of(f, other), (std::vector<uint32_t>{0, 1, 2}));
}

TEST(Function, KnowsWhichOperationsItEverHad) {
  Function f;
  EXPECT_FALSE(f.operations().has(Op::iadd));
  const Value one = f.constant_i32(1);
  const Value both[] = {one, one};
  const Value sum = f.create(Op::iadd, kI32, both);
  EXPECT_TRUE(f.operations().has(Op::iadd));
  f.set_operation(sum, Op::unreachable, kVoid, 0, 0);  // the last row of ops.def
  EXPECT_TRUE(f.operations().has(Op::unreachable));
  EXPECT_TRUE(f.operations().has(Op::iadd)) << "it was one";
  EXPECT_TRUE(f.operations().meets({Op::imul, Op::unreachable}));
  EXPECT_FALSE(f.operations().meets({Op::imul, Op::ret}));
}

/// All tables of a module come from its arena: what is taken from the heap is given back by nobody else.
TEST(Function, HasItsTablesInTheArena) {
  Arena arena;
  Module module(&arena);
  Function& f = module.add_function();
  const size_t before = arena.used_bytes();
  for (uint32_t i = 0; i < 1000; ++i) f.constant_i32(i);
  const BlockId block = f.create_block();
  f.edit_layout().push_back(block);
  for (uint64_t i = 0; i < 1000; ++i) f.edit_block(block).cases.push_back(i);
  f.add_param(kI32);
  EXPECT_EQ(f.params.arena(), &arena);
  EXPECT_EQ(f.layout().arena(), &arena);
  EXPECT_EQ(f.block(block).cases.arena(), &arena);
  // 1000 constants with their table, and 1000 cases.
  EXPECT_GE(arena.used_bytes() - before, 1000 * (sizeof(Inst) + 2 * sizeof(Value) + sizeof(uint64_t)));
}

TEST(EntryArg, NamesAreKeptInPlace) {
  const std::string text(ShortName::kMaxSize, 'n');
  const std::string rest = "\", vgpr 0\nfunc @f() {\nb0:\n  ret\n}\n";
  const Result<Module> fits = parse("stage lowered\narg \"" + text + rest);
  ASSERT_TRUE(fits.ok()) << fits.error().message;
  EXPECT_EQ(fits->args[0].name.view(), text);
  EXPECT_NE(print(*fits).find("arg \"" + text + "\""), std::string::npos);
  const Result<Module> longer = parse("stage lowered\narg \"n" + text + rest);
  ASSERT_FALSE(longer.ok());
  EXPECT_NE(longer.error().message.find("at most 31 characters"), std::string::npos) << longer.error().message;
}

}  // namespace
}  // namespace spalt::ir
