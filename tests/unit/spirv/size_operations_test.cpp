// SPDX-License-Identifier: MIT
// Expected values are those of SPIR-V, section "Arithmetic Instructions" and following, worked out by hand.
#include "spirv/reflect/size_operations.h"

#include <gtest/gtest.h>

#include <spirv/unified1/spirv.hpp>

namespace spalt::spirv {
namespace {

constexpr SizeOperand kTrue = {1, 1}, kFalse = {0, 1};

SizeOperand word(int64_t value) {
  return {static_cast<uint32_t>(value), 32};
}

/// As a word of 32 bits.
int32_t of(uint32_t opcode, std::initializer_list<SizeOperand> operands) {
  return static_cast<int32_t>(size_operation(opcode, {operands.begin(), operands.size()}).value());
}

bool has_none(uint32_t opcode, std::initializer_list<SizeOperand> operands) {
  return !size_operation(opcode, {operands.begin(), operands.size()});
}

TEST(SizeOperations, SignsOfRemaindersAndQuotients) {
  EXPECT_EQ(of(spv::OpSDiv, {word(-7), word(2)}), -3);
  EXPECT_EQ(of(spv::OpUDiv, {word(-7), word(2)}), 0x7ffffffc);
  EXPECT_EQ(of(spv::OpSRem, {word(-7), word(3)}), -1);
  EXPECT_EQ(of(spv::OpSMod, {word(-7), word(3)}), 2);
  EXPECT_EQ(of(spv::OpSMod, {word(7), word(-3)}), -2);
  EXPECT_EQ(of(spv::OpSMod, {word(6), word(-3)}), 0);
  EXPECT_EQ(of(spv::OpUMod, {word(7), word(4)}), 3);
}

TEST(SizeOperations, DivisionsThatHaveNoResult) {
  for (const uint32_t opcode : {spv::OpSDiv, spv::OpUDiv, spv::OpSRem, spv::OpSMod, spv::OpUMod}) {
    EXPECT_TRUE(has_none(opcode, {word(5), word(0)})) << opcode;
  }
  const SizeOperand smallest{uint64_t{1} << 63, 64}, minus_one{~uint64_t{0}, 64};
  EXPECT_EQ(size_operation(spv::OpSDiv, std::initializer_list<SizeOperand>{smallest, minus_one}), uint64_t{1} << 63);
  EXPECT_EQ(size_operation(spv::OpSRem, std::initializer_list<SizeOperand>{smallest, minus_one}), uint64_t{0});
  EXPECT_EQ(size_operation(spv::OpSMod, std::initializer_list<SizeOperand>{smallest, minus_one}), uint64_t{0});
}

TEST(SizeOperations, Bits) {
  EXPECT_EQ(of(spv::OpShiftRightArithmetic, {word(-8), word(1)}), -4);
  EXPECT_EQ(of(spv::OpShiftRightLogical, {word(-8), word(1)}), 0x7ffffffc);
  EXPECT_EQ(of(spv::OpShiftLeftLogical, {word(3), word(4)}), 48);
  EXPECT_EQ(of(spv::OpShiftLeftLogical, {word(3), word(32)}), 0);
  EXPECT_EQ(of(spv::OpBitwiseAnd, {word(12), word(10)}), 8);
  EXPECT_EQ(of(spv::OpBitwiseOr, {word(12), word(10)}), 14);
  EXPECT_EQ(of(spv::OpBitwiseXor, {word(12), word(10)}), 6);
  EXPECT_EQ(of(spv::OpNot, {word(0)}), -1);
  EXPECT_EQ(of(spv::OpSNegate, {word(5)}), -5);
  EXPECT_EQ(of(spv::OpSConvert, {{0xff, 8}}), -1);
  EXPECT_EQ(of(spv::OpUConvert, {{0xff, 8}}), 255);
}

TEST(SizeOperations, ComparisonsAndChoices) {
  EXPECT_EQ(of(spv::OpSLessThan, {word(-1), word(1)}), 1);
  EXPECT_EQ(of(spv::OpULessThan, {word(-1), word(1)}), 0);
  EXPECT_EQ(of(spv::OpSGreaterThan, {word(-1), word(1)}), 0);
  EXPECT_EQ(of(spv::OpUGreaterThan, {word(-1), word(1)}), 1);
  EXPECT_EQ(of(spv::OpSLessThanEqual, {word(4), word(4)}), 1);
  EXPECT_EQ(of(spv::OpSGreaterThanEqual, {word(-4), word(4)}), 0);
  EXPECT_EQ(of(spv::OpULessThanEqual, {word(4), word(3)}), 0);
  EXPECT_EQ(of(spv::OpUGreaterThanEqual, {word(4), word(3)}), 1);
  EXPECT_EQ(of(spv::OpIEqual, {word(4), word(4)}), 1);
  EXPECT_EQ(of(spv::OpINotEqual, {word(4), word(4)}), 0);
  EXPECT_EQ(of(spv::OpLogicalAnd, {kTrue, kFalse}), 0);
  EXPECT_EQ(of(spv::OpLogicalOr, {kTrue, kFalse}), 1);
  EXPECT_EQ(of(spv::OpLogicalEqual, {kFalse, kFalse}), 1);
  EXPECT_EQ(of(spv::OpLogicalNotEqual, {kTrue, kTrue}), 0);
  EXPECT_EQ(of(spv::OpLogicalNot, {kFalse}), 1);
  EXPECT_EQ(of(spv::OpSelect, {kTrue, word(4), word(6)}), 4);
  EXPECT_EQ(of(spv::OpSelect, {kFalse, word(4), word(6)}), 6);
}

TEST(SizeOperations, OthersHaveNoValue) {
  EXPECT_TRUE(has_none(spv::OpFAdd, {word(1), word(2)}));
  EXPECT_TRUE(has_none(spv::OpIAdd, {word(1)}));
  EXPECT_TRUE(has_none(spv::OpIAdd, {word(1), word(2), word(3)}));
  EXPECT_TRUE(has_none(spv::OpSelect, {kTrue, word(2)}));
  EXPECT_TRUE(has_none(spv::OpIAdd, {}));
}

}  // namespace
}  // namespace spalt::spirv
