// SPDX-License-Identifier: MIT
// Division by constants: the expansion must agree with C++ division for every divisor and dividend tried.
#include <gtest/gtest.h>

#include "interp/interpreter.h"
#include "passes/registry.h"
#include "passes/simplify/simplify.h"

namespace spalt {
namespace {

using ir::Op;

/// op(x & mask, divisor)
bool simplify(ir::Module& module) {
  CompileContext context;
  analysis::AnalysisCache analyses(module.functions[0]);
  return passes::simplify(module.functions[0], analyses, context);
}

ir::Module division(Op op, uint32_t divisor, uint32_t mask = 0xffffffff) {
  ir::Module module;
  ir::Function& f = module.add_function();
  f.name.push_back('f');
  f.return_type = ir::kI32;
  const ir::BlockId block = f.create_block();
  f.edit_layout().push_back(block);
  ir::Value operands[] = {f.add_param(ir::kI32), f.constant_i32(mask)};
  if (mask != 0xffffffff) {
    operands[0] = f.create(Op::iand, ir::kI32, operands);
    f.append(block, operands[0]);
  }
  operands[1] = f.constant_i32(divisor);
  const ir::Value result = f.create(op, ir::kI32, operands);
  f.append(block, result);
  f.append(block, f.create(Op::ret, ir::kVoid, {&result, 1}));
  return module;
}

uint32_t reference(Op op, uint32_t x, uint32_t d) {
  const int64_t sx = static_cast<int32_t>(x), sd = static_cast<int32_t>(d);
  switch (op) {
    case Op::udiv:
      return x / d;
    case Op::umod:
      return x % d;
    case Op::sdiv:
      return static_cast<uint32_t>(sx / sd);
    case Op::srem:
      return static_cast<uint32_t>(sx % sd);
    default:
      return static_cast<uint32_t>((sx % sd + sd) % sd);
  }
}

TEST(Division, ByConstantsMatchesCpp) {
  std::vector<uint32_t> divisors, dividends;
  for (uint32_t d = 1; d <= 130; ++d) divisors.push_back(d);
  for (uint32_t d :
       {641u, 1000u, 65535u, 65537u, 1000003u, 0x7fffffffu, 0x80000000u, 0x80000001u, 0xfffffffeu, 0xffffffffu}) {
    divisors.push_back(d);
  }
  for (uint32_t d = 2; d < 30; d += 3) divisors.push_back(0 - d);
  for (unsigned bit = 0; bit < 32; ++bit) {
    for (int delta = -2; delta <= 2; ++delta) dividends.push_back((1u << bit) + static_cast<uint32_t>(delta));
  }
  for (Op op : {Op::udiv, Op::umod, Op::sdiv, Op::srem, Op::smod}) {
    for (uint32_t d : divisors) {
      ir::Module module = division(op, d);
      ASSERT_TRUE(simplify(module) || d == 0x80000000u) << d;
      std::vector<uint32_t> tried = dividends;
      for (uint32_t k : {1u, 3u, 1000u, 0xffffffffu / d}) {  // around multiples, where rounding matters
        for (uint32_t delta : {0u, 1u, 0xffffffffu}) tried.push_back(k * d + delta);
      }
      for (uint32_t x : tried) {
        const uint64_t argument = x;
        const auto result = interp::call(module, module.functions[0], {&argument, 1});
        ASSERT_TRUE(result.ok()) << result.error().message;
        ASSERT_EQ(*result, reference(op, x, d)) << ir::info(op).name << " " << x << ", " << d;
      }
    }
  }
}

/// Where the dividend is bounded, shorter multiplications suffice; they must not be too short.
TEST(Division, OfBoundedValuesMatchesCpp) {
  std::vector<uint32_t> divisors;
  for (uint32_t d = 1; d <= 260; ++d) divisors.push_back(d);
  for (uint32_t d : {641u, 1000u, 65535u, 65537u, 1000003u, 0x3fffffffu, 0x7fffffffu, 0xfffffffeu})
    divisors.push_back(d);
  for (uint32_t mask : {0xfffffffeu, 0x7fffffffu, 0x3ffffffu, 0xffffffu, 0xffffu, 0xffu}) {
    for (Op op : {Op::udiv, Op::umod}) {
      for (uint32_t d : divisors) {
        ir::Module module = division(op, d, mask);
        simplify(module);
        const uint32_t last = mask / d * d;  // the largest multiple, where an error shows first
        for (uint32_t x : {0u, 1u, d - 1, d, d + 1, 7 * d - 1, 7 * d, last - d - 1, last - 1, last, mask - 1, mask}) {
          const uint64_t argument = x;
          const auto result = interp::call(module, module.functions[0], {&argument, 1});
          ASSERT_TRUE(result.ok()) << result.error().message;
          ASSERT_EQ(*result, reference(op, x & mask, d)) << ir::info(op).name << " " << (x & mask) << ", " << d;
        }
      }
    }
  }
}

TEST(Registry, SortedAndFindable) {
  const auto all = passes::all_passes();
  for (size_t i = 0; i < all.size(); ++i) {
    if (i > 0) {
      EXPECT_LT(all[i - 1].name, all[i].name);
    }
    EXPECT_EQ(passes::find_pass(all[i].name), &all[i]);
  }
  EXPECT_EQ(passes::find_pass("no_such_pass"), nullptr);
}

}  // namespace
}  // namespace spalt
