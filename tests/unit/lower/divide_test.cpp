// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "amdgpu/lower/lower_arithmetic.h"
#include "ir/builder.h"
#include "ir/evaluate.h"

namespace spalt::lower {
namespace {

using ir::Op;
using ir::Value;

/// One block that computes `op` of two operands, lowered; evaluates it with what ir/evaluate says each operation means.
class Expansion {
 public:
  explicit Expansion(Op op) : function_(), x_(function_.add_param(ir::kI32)), y_(function_.add_param(ir::kI32)) {
    build(op, y_);
  }
  Expansion(Op op, uint32_t divisor) : function_(), x_(function_.add_param(ir::kI32)) {
    build(op, function_.constant_i32(divisor));
  }

  uint32_t run(uint32_t x, uint32_t y = 0) {
    std::vector<uint64_t> values(function_.value_capacity());
    for (uint32_t i = 0; i < values.size(); ++i) {
      const ir::Inst& inst = function_.inst(Value(i));
      if (inst.op == Op::constant) values[i] = inst.imm;
    }
    values[x_.index] = x;
    if (y_.valid()) values[y_.index] = y;
    for (Value value : ir::insts(function_, function_.entry())) {
      const ir::Inst& inst = function_.inst(value);
      std::vector<ir::Type> types;
      std::vector<uint64_t> bits;
      for (Value operand : function_.operands(value)) {
        types.push_back(function_.type(operand));
        bits.push_back(values[operand.index]);
      }
      if (inst.op == Op::ret) return static_cast<uint32_t>(bits[0]);
      EXPECT_TRUE(inst.op != Op::udiv && inst.op != Op::sdiv && inst.op != Op::umod && inst.op != Op::srem);
      const auto result = ir::evaluate(inst.op, inst.type, types, bits);
      EXPECT_TRUE(result.has_value()) << ir::info(inst.op).name;
      values[value.index] = result.value_or(0);
    }
    return 0;
  }

 private:
  void build(Op op, Value divisor) {
    const ir::BlockId block = function_.create_block();
    function_.edit_layout().push_back(block);
    ir::Builder builder(function_);
    builder.set_end(block);
    const Value result = builder.insert(op, ir::kI32, std::vector<Value>{x_, divisor}, 0, 0);
    builder.insert(Op::ret, ir::kVoid, std::vector<Value>{result}, 0, 0);
    CompileContext context;
    lower_arithmetic(function_, context, isa::targets().front());
  }

  ir::Function function_;
  Value x_, y_;
};

uint32_t reference(Op op, uint32_t x, uint32_t y) {
  const int64_t a = static_cast<int32_t>(x), b = static_cast<int32_t>(y);
  switch (op) {
    case Op::udiv:
      return x / y;
    case Op::umod:
      return x % y;
    case Op::sdiv:
      return static_cast<uint32_t>(a / b);
    case Op::srem:
      return static_cast<uint32_t>(a % b);
    default: {
      const int64_t remainder = a % b;
      return static_cast<uint32_t>(remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder);
    }
  }
}

std::vector<uint32_t> corner_values() {
  std::vector<uint32_t> values;
  for (uint32_t bit = 0; bit < 32; ++bit) {
    for (int delta = -2; delta <= 2; ++delta) values.push_back((1u << bit) + static_cast<uint32_t>(delta));
  }
  for (uint32_t value : {0u, 3u, 5u, 7u, 10u, 641u, 1000u, 65535u, 0x55555555u, 0xaaaaaaaau, 0xfffffffdu, 6700417u}) {
    values.push_back(value);
    values.push_back(0u - value);
  }
  return values;
}

class DivideByVariable : public testing::TestWithParam<Op> {};

TEST_P(DivideByVariable, AgreesOnCornerValues) {
  Expansion expansion(GetParam());
  for (uint32_t x : corner_values()) {
    for (uint32_t y : corner_values()) {
      if (y == 0) continue;
      ASSERT_EQ(expansion.run(x, y), reference(GetParam(), x, y)) << x << " by " << y;
    }
  }
}

TEST_P(DivideByVariable, AgreesNearMultiples) {
  Expansion expansion(GetParam());
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    const uint32_t y = random() >> (random() % 31) | 1;
    const uint32_t x = y * (static_cast<uint32_t>(random()) >> (random() % 32)) + random() % 3 - 1;
    ASSERT_EQ(expansion.run(x, y), reference(GetParam(), x, y)) << x << " by " << y;
  }
}

TEST_P(DivideByVariable, ConstantDivisorsAgree) {
  for (uint32_t y : corner_values()) {
    if (y == 0) continue;
    Expansion expansion(GetParam(), y);
    std::mt19937 random(y);
    for (uint32_t x : corner_values()) {
      ASSERT_EQ(expansion.run(x), reference(GetParam(), x, y)) << x << " by " << y;
      const uint32_t near = y * static_cast<uint32_t>(random()) + random() % 3 - 1;
      ASSERT_EQ(expansion.run(near), reference(GetParam(), near, y)) << near << " by " << y;
    }
  }
}

std::string op_name(const testing::TestParamInfo<Op>& op) {
  return std::string(ir::info(op.param).name);
}
INSTANTIATE_TEST_SUITE_P(All, DivideByVariable, testing::Values(Op::udiv, Op::umod, Op::sdiv, Op::srem, Op::smod),
                         op_name);

}  // namespace
}  // namespace spalt::lower
