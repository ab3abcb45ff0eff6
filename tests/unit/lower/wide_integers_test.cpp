// SPDX-License-Identifier: MIT
// Expansions of 64-bit operations beside what ir/evaluate says of the operations themselves.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "amdgpu/lower/lower_wide_integers.h"
#include "ir/builder.h"
#include "ir/evaluate.h"

namespace spalt::lower {
namespace {

using ir::Op;
using ir::Value;

/// Vectors of two words are their 64 bits.
uint64_t computed(const ir::Inst& inst, std::span<const ir::Type> types, std::span<const uint64_t> bits) {
  if (inst.op == Op::bitcast && inst.type.is_vector()) return bits[0];
  if (inst.op == Op::extract) return bits[0] >> (32 * inst.imm) & 0xffffffff;
  const auto result = ir::evaluate(inst.op, inst.type, types, bits);
  EXPECT_TRUE(result.has_value()) << ir::info(inst.op).name;
  return result.value_or(0);
}

bool is_left(Op op) {
  constexpr ir::OpSet kExpanded = {
      Op::imul,      Op::umul_hi,     Op::smul_hi,    Op::udiv,       Op::sdiv, Op::umod, Op::srem,  Op::smod,
      Op::smin,      Op::smax,        Op::umin,       Op::umax,       Op::zext, Op::sext, Op::bfe_u, Op::bfe_s,
      Op::bit_count, Op::bit_reverse, Op::find_msb_u, Op::find_msb_s, Op::bfi,  Op::trunc};
  return !kExpanded.has(op);
}

/// One block that computes an operation, lowered.
class Expansion {
 public:
  /// Operand 1 is a constant where `second` is given.
  Expansion(Op op, ir::Type result, std::span<const ir::Type> types, const uint64_t* second = nullptr) {
    for (ir::Type type : types) operands_.push_back(function_.add_param(type));
    if (second != nullptr) operands_[1] = function_.constant(types[1], *second);
    const ir::BlockId block = function_.create_block();
    function_.edit_layout().push_back(block);
    ir::Builder builder(function_);
    builder.set_end(block);
    // The pass asks for results of 64 bits, which conversions from them have for operands.
    const Value before = builder.insert(Op::bitcast, types[0], std::vector<Value>{operands_[0]}, 0, 0);
    std::vector<Value> in = operands_;
    in[0] = before;
    const Value value = builder.insert(op, result, in, 0, 0);
    builder.insert(Op::ret, ir::kVoid, std::vector<Value>{value}, 0, 0);
    CompileContext context;
    EXPECT_TRUE(lower_wide_integers(function_, context));
  }

  uint64_t run(std::span<const uint64_t> given) {
    std::vector<uint64_t> values(function_.value_capacity());
    for (uint32_t i = 0; i < values.size(); ++i) {
      if (function_.inst(Value(i)).op == Op::constant) values[i] = function_.inst(Value(i)).imm;
    }
    for (size_t i = 0; i < given.size(); ++i) {
      if (!function_.is_constant(operands_[i])) values[operands_[i].index] = given[i];
    }
    for (Value value : ir::insts(function_, function_.entry())) {
      const ir::Inst& inst = function_.inst(value);
      std::vector<ir::Type> types;
      std::vector<uint64_t> bits;
      for (Value operand : function_.operands(value)) {
        types.push_back(function_.type(operand));
        bits.push_back(values[operand.index]);
      }
      if (inst.op == Op::ret) return bits[0];
      EXPECT_TRUE(inst.type != ir::kI64 || is_left(inst.op)) << ir::info(inst.op).name;
      values[value.index] = computed(inst, types, bits);
    }
    return 0;
  }

 private:
  ir::Function function_;
  std::vector<Value> operands_;
};

std::vector<uint64_t> corner_values() {
  std::vector<uint64_t> values;
  for (uint32_t bit = 0; bit < 64; ++bit) {
    for (uint64_t delta : {~uint64_t{0}, uint64_t{0}, uint64_t{1}}) values.push_back((uint64_t{1} << bit) + delta);
  }
  for (uint64_t value :
       {uint64_t{0}, uint64_t{3}, uint64_t{10}, uint64_t{641}, uint64_t{1000000007}, uint64_t{0x55555555},
        uint64_t{0xfffffffeffffffff}, uint64_t{0x5555555555555555}, uint64_t{0xaaaaaaaaaaaaaaaa},
        uint64_t{6148914691236517206}, uint64_t{0x7fffff7fffffffff}, uint64_t{0x8000008000000001}}) {
    values.push_back(value);
    values.push_back(0 - value);
  }
  return values;
}

uint64_t sized(std::mt19937_64& random) {
  return random() >> (random() % 64);
}

bool is_division(Op op) {
  return op == Op::udiv || op == Op::sdiv || op == Op::umod || op == Op::srem || op == Op::smod;
}

void expect_same(Expansion& expansion, Op op, ir::Type result, std::span<const ir::Type> types,
                 std::span<const uint64_t> values) {
  if (is_division(op) && values.back() == 0) return;
  const auto wanted = ir::evaluate(op, result, types, values);
  ASSERT_TRUE(wanted.has_value());
  ASSERT_EQ(expansion.run(values), *wanted) << ir::info(op).name << " of " << values[0] << ", " << values.back();
}

class OfTwoNumbers : public testing::TestWithParam<Op> {
 protected:
  static constexpr ir::Type kTypes[] = {ir::kI64, ir::kI64};
};

TEST_P(OfTwoNumbers, AgreesOnCornerValues) {
  Expansion expansion(GetParam(), ir::kI64, kTypes);
  for (uint64_t x : corner_values()) {
    for (uint64_t y : corner_values()) {
      const uint64_t values[] = {x, y};
      expect_same(expansion, GetParam(), ir::kI64, kTypes, values);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(OfTwoNumbers, AgreesNearMultiples) {
  Expansion expansion(GetParam(), ir::kI64, kTypes);
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000 && !HasFatalFailure(); ++i) {
    const uint64_t y = sized(random) | 1, x = y * sized(random) + random() % 3 - 1;
    const uint64_t values[] = {x, y};
    expect_same(expansion, GetParam(), ir::kI64, kTypes, values);
  }
}

TEST_P(OfTwoNumbers, ConstantsAgree) {
  std::mt19937_64 random(2);
  for (uint64_t y : corner_values()) {
    if (is_division(GetParam()) && y == 0) continue;
    Expansion expansion(GetParam(), ir::kI64, kTypes, &y);
    for (int i = 0; i < 100 && !HasFatalFailure(); ++i) {
      const uint64_t values[] = {y * random() + random() % 3 - 1, y};
      expect_same(expansion, GetParam(), ir::kI64, kTypes, values);
    }
  }
}

std::string op_name(const testing::TestParamInfo<Op>& op) {
  return std::string(ir::info(op.param).name);
}
INSTANTIATE_TEST_SUITE_P(All, OfTwoNumbers,
                         testing::Values(Op::imul, Op::umul_hi, Op::smul_hi, Op::udiv, Op::umod, Op::sdiv, Op::srem,
                                         Op::smod, Op::smin, Op::smax, Op::umin, Op::umax),
                         op_name);

class OfOneNumber : public testing::TestWithParam<Op> {};

TEST_P(OfOneNumber, Agrees) {
  const ir::Type types[] = {ir::kI64};
  Expansion expansion(GetParam(), ir::kI64, types);
  std::mt19937_64 random(3);
  std::vector<uint64_t> numbers = corner_values();
  for (int i = 0; i < 1000; ++i) numbers.push_back(sized(random));
  for (uint64_t x : numbers) {
    expect_same(expansion, GetParam(), ir::kI64, types, {&x, 1});
    if (HasFatalFailure()) return;
  }
}
INSTANTIATE_TEST_SUITE_P(All, OfOneNumber,
                         testing::Values(Op::bit_count, Op::bit_reverse, Op::find_lsb, Op::find_msb_u, Op::find_msb_s),
                         op_name);

TEST(WideFields, Agree) {
  std::mt19937_64 random(4);
  for (Op op : {Op::bfe_u, Op::bfe_s, Op::bfi}) {
    const bool inserts = op == Op::bfi;
    const std::vector<ir::Type> types = inserts ? std::vector<ir::Type>{ir::kI64, ir::kI64, ir::kI32, ir::kI32}
                                                : std::vector<ir::Type>{ir::kI64, ir::kI32, ir::kI32};
    Expansion expansion(op, ir::kI64, types);
    for (uint64_t offset = 0; offset < 64; ++offset) {
      for (uint64_t count = 0; offset + count <= 64 && !HasFatalFailure(); ++count) {
        std::vector<uint64_t> values = {random()};
        if (inserts) values.push_back(random());
        values.insert(values.end(), {offset, count});
        expect_same(expansion, op, ir::kI64, types, values);
      }
    }
  }
}

TEST(WideConversions, ToFloatRoundOnce) {
  const ir::Type types[] = {ir::kI64};
  std::mt19937_64 random(5);
  std::vector<uint64_t> numbers = corner_values();
  for (int i = 0; i < 20000; ++i) {
    // Half way between two floats, and one to each side.
    const uint64_t half = ((random() | uint64_t{1} << 63) >> 39 << 1 | 1) << 38;
    numbers.push_back((half + random() % 3 - 1) >> (random() % 40));
    numbers.push_back(sized(random));
  }
  for (Op op : {Op::u_to_f, Op::s_to_f}) {
    Expansion expansion(op, ir::kF32, types);
    for (uint64_t x : numbers) {
      expect_same(expansion, op, ir::kF32, types, {&x, 1});
      if (HasFatalFailure()) return;
    }
  }
}

TEST(WideConversions, FromFloatTruncate) {
  const ir::Type types[] = {ir::kF32};
  std::mt19937_64 random(6);
  for (Op op : {Op::f_to_u, Op::f_to_s}) {
    Expansion expansion(op, ir::kI64, types);
    const uint32_t most = op == Op::f_to_u ? 0x5f7fffff : 0x5effffff;  // the greatest floats in range
    for (int i = 0; i < 20000 && !HasFatalFailure(); ++i) {
      uint64_t bits = i == 0 ? 0x7fc00000 : i == 1 ? most : random() % (uint64_t{most} + 1);
      if (op == Op::f_to_s && i % 2 == 0) bits |= 0x80000000;
      expect_same(expansion, op, ir::kI64, types, {&bits, 1});
    }
  }
}

TEST(WideShifts, ByConstantsAgree) {
  const ir::Type types[] = {ir::kI64, ir::kI32};
  std::mt19937_64 random(7);
  for (Op op : {Op::ishl, Op::ushr, Op::sshr}) {
    for (uint64_t amount = 32; amount < 64; ++amount) {
      Expansion expansion(op, ir::kI64, types, &amount);
      const uint64_t values[] = {random(), amount};
      expect_same(expansion, op, ir::kI64, types, values);
    }
  }
}

}  // namespace
}  // namespace spalt::lower
