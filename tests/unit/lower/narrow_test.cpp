// SPDX-License-Identifier: MIT
// Quotients of 16-bit integers by way of floats, with reciprocals as far off as the hardware's may be.
#include <gtest/gtest.h>

#include <vector>

#include "amdgpu/lower/lower_narrow.h"
#include "ir/builder.h"
#include "ir/evaluate.h"

namespace spalt::lower {
namespace {

using ir::Op;
using ir::Value;

/// One block that computes `op` of two i16, lowered.
class Expansion {
 public:
  explicit Expansion(Op op) : x_(function_.add_param(ir::kI16)), y_(function_.add_param(ir::kI16)) {
    const ir::BlockId block = function_.create_block();
    function_.edit_layout().push_back(block);
    ir::Builder builder(function_);
    builder.set_end(block);
    const Value result = builder.insert(op, ir::kI16, std::vector<Value>{x_, y_}, 0, 0);
    builder.insert(Op::ret, ir::kVoid, std::vector<Value>{result}, 0, 0);
    CompileContext context;
    lower_narrow(function_, context);
    values_.resize(function_.value_capacity());
    for (uint32_t i = 0; i < values_.size(); ++i) values_[i] = function_.inst(Value(i)).imm;
  }

  /// The reciprocal is off by this many units in its last place.
  uint16_t run(uint16_t x, uint16_t y, int error) {
    values_[x_.index] = x;
    values_[y_.index] = y;
    for (Value value : ir::insts(function_, function_.entry())) {
      const ir::Inst& inst = function_.inst(value);
      ir::Type types[3];
      uint64_t bits[3] = {};
      const auto operands = function_.operands(value);
      for (size_t i = 0; i < operands.size(); ++i) {
        types[i] = function_.type(operands[i]);
        bits[i] = values_[operands[i].index];
      }
      if (inst.op == Op::ret) return static_cast<uint16_t>(bits[0]);
      const auto result = ir::evaluate(inst.op, inst.type, {types, operands.size()}, {bits, operands.size()});
      EXPECT_TRUE(result.has_value() && inst.op != Op::udiv && inst.op != Op::sdiv) << ir::info(inst.op).name;
      const int moved = inst.op == Op::frcp ? error : 0;
      values_[value.index] = result.value_or(0) + static_cast<uint64_t>(static_cast<int64_t>(moved));
    }
    return 0;
  }

 private:
  ir::Function function_;
  Value x_, y_;
  std::vector<uint64_t> values_;
};

uint16_t reference(Op op, uint16_t x, uint16_t y) {
  const int a = static_cast<int16_t>(x), b = static_cast<int16_t>(y);
  const int remainder = a % b;
  switch (op) {
    case Op::udiv:
      return static_cast<uint16_t>(x / y);
    case Op::umod:
      return static_cast<uint16_t>(x % y);
    case Op::sdiv:
      return static_cast<uint16_t>(a / b);
    case Op::srem:
      return static_cast<uint16_t>(remainder);
    default:
      return static_cast<uint16_t>(remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder);
  }
}

class NarrowDivision : public testing::TestWithParam<Op> {};

/// Dividends at, right before and right after multiples of the divisor are where an error would show.
TEST_P(NarrowDivision, AgreesNearMultiples) {
  Expansion expansion(GetParam());
  for (uint32_t y = 1; y < 0x10000; y += y < 0x100 ? 1 : 37) {
    for (uint32_t part = 1; part <= 5; ++part) {
      const uint32_t multiple = 0xffff * part / 5 / y * y;
      for (uint32_t x = multiple == 0 ? 0 : multiple - 1; x <= multiple + 1 && x < 0x10000; ++x) {
        for (int error = -1; error <= 1; ++error) {
          const auto dividend = static_cast<uint16_t>(x), divisor = static_cast<uint16_t>(y);
          ASSERT_EQ(expansion.run(dividend, divisor, error), reference(GetParam(), dividend, divisor))
              << x << " by " << y << ", reciprocal off by " << error;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, NarrowDivision, testing::Values(Op::udiv, Op::umod, Op::sdiv, Op::srem, Op::smod),
                         [](const auto& test) { return std::string(ir::info(test.param).name); });

}  // namespace
}  // namespace spalt::lower
