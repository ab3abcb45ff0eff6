// SPDX-License-Identifier: MIT
// The formulas of operations against ir/evaluate.h, which was written without them: on constants both give one number.
#include "prove/formula.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "ir/evaluate.h"

namespace spalt::prove {
namespace {

using ir::Op;
using ir::Type;

constexpr Type kTypes[] = {ir::kBool, ir::kI8, ir::kI16, ir::kI32, ir::kI64, ir::kF16, ir::kF32, ir::kF64};

/// Ends of ranges, small numbers and special floats as often as any others.
uint64_t random_word(uint64_t random, Type type) {
  const unsigned width = type.scalar_bits();
  const uint64_t mask = ~uint64_t{0} >> (64 - width), raw = random >> 3;
  constexpr uint64_t kFloats[] = {0x3f800000, 0x80000000, 0x7f800000, 0x7fc00001, 0x00000001, 0x4f000000, 0xbf000000};
  switch (random & 7) {
    case 0:
      return raw % 5 & mask;
    case 1:
      return (uint64_t{1} << (width - 1)) - (raw & 1);
    case 2:
      return mask - raw % 3;
    case 3:
      return width == 32 ? kFloats[raw % std::size(kFloats)] : (mask >> 1) - (mask >> 5);
    default:
      return (raw * 0x9e3779b97f4a7c15u) & mask;
  }
}

class FormulaTest : public testing::Test {
 protected:
  /// How many results of the operation were compared.
  void check(Op op, Type result, const std::vector<Type>& types, const ir::FloatControls& controls) {
    const ir::Evaluator evaluator = ir::find_evaluator(op, result, types, controls);
    if (evaluator == nullptr || ir::group(op) == ir::OpGroup::move || ir::group(op) == ir::OpGroup::subgroup) return;
    for (int i = 0; i < 24; ++i) {
      std::vector<uint64_t> words;
      Formulas operands;
      for (const Type type : types) {
        words.push_back(random_word(random_.next(), type));
        operands.push_back(number(context_, words.back(), type.scalar_bits()));
      }
      const Semantics semantics{Floats::exact, Open::evaluator, controls};
      const z3::expr formula = operation_formula(op, result, types, operands, semantics).simplify();
      if (!formula.is_numeral()) return;  // an unknown function
      ++compared_[static_cast<size_t>(op)];
      std::string text(ir::info(op).name);
      for (const uint64_t word : words) text += " " + std::to_string(word);
      ASSERT_EQ(formula.get_numeral_uint64(), evaluator(words.data())) << text << " width " << types[0].scalar_bits();
    }
  }

  void check_all(const ir::FloatControls& controls) {
    for (unsigned i = 0; i < static_cast<unsigned>(Op::count); ++i) {
      const Op op = static_cast<Op>(i);
      const unsigned count = ir::info(op).operand_count;
      if (count == 0 || count > 4) continue;
      for (const Type first : kTypes) {
        std::vector<Type> types(count, first);
        const bool is_field = op == Op::bfe_u || op == Op::bfe_s || op == Op::bfi;
        for (unsigned k = op == Op::bfi ? 2 : 1; is_field && k < count; ++k) types[k] = ir::kI32;
        if (op == Op::fldexp) types[1] = ir::kI32;
        const ir::ResultRule rule = ir::info(op).result;
        const bool fits = ir::group(op) == ir::OpGroup::integer || ir::group(op) == ir::OpGroup::integer_compare ||
                                  ir::group(op) == ir::OpGroup::integer_convert || op == Op::s_to_f || op == Op::u_to_f
                              ? first.is_integer()
                              : first.is_float();
        if (!fits) continue;
        if (rule == ir::ResultRule::boolean) check(op, ir::kBool, types, controls);
        if (rule == ir::ResultRule::same) check(op, first, types, controls);
        if (rule != ir::ResultRule::stated) continue;
        for (const Type result : kTypes) {
          const bool widens = op == Op::zext || op == Op::sext;
          if (ir::group(op) == ir::OpGroup::integer_convert &&
              (!result.is_integer() || (result.scalar_bits() > first.scalar_bits()) != widens)) {
            continue;
          }
          const bool to_integer = op == Op::f_to_s || op == Op::f_to_u;
          if (ir::group(op) == ir::OpGroup::float_convert && result.is_integer() != to_integer) continue;
          check(op, result, types, controls);
        }
      }
    }
  }

  z3::context context_;
  Random random_{1};
  std::vector<unsigned> compared_ = std::vector<unsigned>(static_cast<size_t>(Op::count));
};

TEST_F(FormulaTest, AgreesWithTheEvaluator) {
  check_all({});
  for (const Op op :
       {Op::iadd, Op::smul_hi, Op::smod, Op::sshr, Op::find_msb_s, Op::bfe_s, Op::bfi, Op::dot4_su, Op::sle, Op::fadd,
        Op::ffma, Op::fdiv, Op::fmin, Op::ffloor, Op::fule, Op::sext, Op::f_to_s, Op::u_to_f, Op::f_to_f}) {
    EXPECT_GT(compared_[static_cast<size_t>(op)], 20u) << ir::info(op).name;
  }
}

TEST_F(FormulaTest, AgreesWhereDenormalsAreFlushed) {
  ir::FloatControls controls;
  controls.f16.flush = controls.f32.flush = controls.f64.flush = true;
  check_all(controls);
}

TEST_F(FormulaTest, AgreesTowardZero) {
  ir::FloatControls controls;
  controls.f16.toward_zero = controls.f32.toward_zero = true;
  check_all(controls);
}

}  // namespace
}  // namespace spalt::prove
