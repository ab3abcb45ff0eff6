// SPDX-License-Identifier: MIT
// Roots of doubles from seeds that are as wrong as v_rsq_f64 may be. The emulator's seed has more right bits, so that
// no program would notice a step that is missing.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "amdgpu/lower/lower_doubles.h"
#include "ir/builder.h"
#include "ir/evaluate.h"

namespace spalt::lower {
namespace {

using ir::Op;
using ir::Value;

double number(uint64_t bits) {
  return std::bit_cast<double>(bits);
}

/// One block with a root, lowered.
class Root {
 public:
  explicit Root(Op op) : operand_(function_.add_param(ir::kF64)) {
    const ir::BlockId block = function_.create_block();
    function_.edit_layout().push_back(block);
    ir::Builder builder(function_);
    builder.set_end(block);
    const Value root = builder.insert(op, ir::kF64, std::vector<Value>{operand_}, 0, 0);
    builder.insert(Op::ret, ir::kVoid, std::vector<Value>{root}, 0, 0);
    CompileContext context;
    EXPECT_TRUE(lower_doubles(function_, context, {}));
  }

  /// Where seeds are wrong by this relative error.
  double run(double x, double error) {
    std::vector<uint64_t> values(function_.value_capacity());
    for (uint32_t i = 0; i < values.size(); ++i) {
      if (function_.inst(Value(i)).op == Op::constant) values[i] = function_.inst(Value(i)).imm;
    }
    values[operand_.index] = std::bit_cast<uint64_t>(x);
    for (Value value : ir::insts(function_, function_.entry())) {
      const ir::Inst& inst = function_.inst(value);
      std::vector<ir::Type> types;
      std::vector<uint64_t> bits;
      for (Value operand : function_.operands(value)) {
        types.push_back(function_.type(operand));
        bits.push_back(values[operand.index]);
      }
      if (inst.op == Op::ret) return number(bits[0]);
      const auto result = ir::evaluate(inst.op, inst.type, types, bits);
      EXPECT_TRUE(result.has_value()) << ir::info(inst.op).name;
      values[value.index] = result.value_or(0);
      if (inst.op == Op::frsq) {
        values[value.index] = std::bit_cast<uint64_t>(number(values[value.index]) * (1 + error));
      }
    }
    return 0;
  }

 private:
  ir::Function function_;
  Value operand_;
};

/// v_rsq_f64 is right to 2^29 units in the last place (LLVM, AMDGPU): 2^-23.
constexpr double kSeedErrors[] = {0, 0x1p-23, -0x1p-23, 0x1.3p-24, -0x1.7p-25};

double any_number(std::mt19937_64& random) {
  return number(random() & 0x7fefffffffffffff);
}

TEST(Doubles, SquareRootsAreCorrectlyRounded) {
  Root root(Op::fsqrt);
  std::mt19937_64 random(1);
  for (unsigned i = 0; i < 20000; ++i) {
    double x = any_number(random);
    if (i % 4 == 1) x = number(random() >> (12 + random() % 50));  // denormal
    if (i % 4 == 2) x = std::ldexp(1 + static_cast<double>(random() % 16) * 0x1p-52, static_cast<int>(random() % 7));
    if (i % 4 == 3)
      x = std::nextafter(static_cast<double>(random() >> 38) * static_cast<double>(random() >> 38),
                         i % 8 == 3 ? 0 : 1e300);
    for (double error : kSeedErrors)
      EXPECT_EQ(root.run(x, error), std::sqrt(x)) << x << " with a seed off by " << error;
  }
}

TEST(Doubles, InverseRootsAreRightToALastPlace) {
  Root root(Op::frsq);
  std::mt19937_64 random(2);
  for (unsigned i = 0; i < 20000; ++i) {
    const double x = i % 4 == 1 ? number(random() >> (12 + random() % 50)) : any_number(random);
    if (x == 0) continue;
    const long double exact = 1 / std::sqrt(static_cast<long double>(x));
    for (double error : kSeedErrors) {
      const long double off = std::fabs(static_cast<long double>(root.run(x, error)) / exact - 1);
      EXPECT_LT(off, 0x1p-52L) << x << " with a seed off by " << error;
    }
  }
}

TEST(Doubles, RootsOfZerosInfinitiesAndNegativeNumbers) {
  Root root(Op::fsqrt), inverse(Op::frsq);
  const double infinity = std::numeric_limits<double>::infinity();
  for (double error : kSeedErrors) {
    EXPECT_EQ(root.run(infinity, error), infinity);
    EXPECT_EQ(root.run(0, error), 0);
    EXPECT_TRUE(std::signbit(root.run(-0.0, error)));
    EXPECT_TRUE(std::isnan(root.run(-1, error)));
    EXPECT_TRUE(std::isnan(root.run(-infinity, error)));
    EXPECT_EQ(inverse.run(infinity, error), 0);
    EXPECT_EQ(inverse.run(0, error), infinity);
    EXPECT_EQ(inverse.run(-0.0, error), -infinity);
    EXPECT_TRUE(std::isnan(inverse.run(-1, error)));
  }
}

TEST(Doubles, NothingChangesWithoutThem) {
  ir::Function function;
  const Value x = function.add_param(ir::kF32);
  const ir::BlockId block = function.create_block();
  function.edit_layout().push_back(block);
  ir::Builder builder(function);
  builder.set_end(block);
  const Value root = builder.insert(Op::fsqrt, ir::kF32, std::vector<Value>{x}, 0, 0);
  builder.insert(Op::ret, ir::kVoid, std::vector<Value>{root}, 0, 0);
  CompileContext context;
  EXPECT_FALSE(lower_doubles(function, context, {}));
}

}  // namespace
}  // namespace spalt::lower
