// SPDX-License-Identifier: MIT
// Roots begin with the seed of v_rsq_f64, which has some 23 right bits, and are refined by fused multiply-adds; where
// the operand is 0 or infinite, and its steps would subtract infinities, a select has the result. Results of f16 are
// rounded once: f32 in between is rounded to odd, so that no bit that decides is lost (2 * 11 + 2 bits would do).
#include "amdgpu/lower/lower_doubles.h"

#include <bit>

#include "amdgpu/lower/inserter.h"

namespace spalt::lower {

using ir::Op;
using ir::Value;

namespace {

Value number(Inserter& insert, double value) {
  return insert.function().constant(ir::kF64, std::bit_cast<uint64_t>(value));
}
/// An operation on and to f64.
Value f64(Inserter& insert, Op op, std::initializer_list<Value> operands) {
  return insert.op(op, ir::kF64, operands);
}
Value negated(Inserter& insert, Value x) {
  return f64(insert, Op::fneg, {x});
}

/// Zeros of both signs and infinity: a root's operands whose seed is infinite or 0.
Value is_extreme(Inserter& insert, Value x) {
  const Value zero = insert.compare(Op::foeq, x, number(insert, 0));
  const Value infinite = insert.compare(Op::foeq, x, insert.function().constant(ir::kF64, 0x7ff0000000000000));
  return insert.op(Op::ior, ir::kBool, {zero, infinite});
}

/// Goldschmidt's iteration: g goes to sqrt(x) and h to 1 / (2 sqrt(x)), each step doubling the right bits. Two more
/// steps take what x has beyond g * g into account exactly, which rounds the root correctly (Markstein, "IA-64 and
/// elementary functions", 2000, chapter 9). Below 2^-767 the square of an error would vanish; such an x is taken 2^256
/// times.
Value lower_sqrt(Inserter& insert, Value x) {
  const Value small = insert.compare(Op::folt, x, number(insert, 0x1p-767));
  const Value up = insert.i(Op::select, {small, insert.constant(256), insert.constant(0)});
  const Value scaled = f64(insert, Op::fldexp, {x, up});
  const Value seed = f64(insert, Op::frsq, {scaled});
  const Value half = number(insert, 0.5);
  const Value g0 = f64(insert, Op::fmul, {scaled, seed});
  const Value h0 = f64(insert, Op::fmul, {seed, half});
  const Value error = f64(insert, Op::ffma, {negated(insert, h0), g0, half});
  const Value h = f64(insert, Op::ffma, {h0, error, h0});
  Value g = f64(insert, Op::ffma, {g0, error, g0});
  for (unsigned step = 0; step < 2; ++step) {
    const Value rest = f64(insert, Op::ffma, {negated(insert, g), g, scaled});
    g = f64(insert, Op::ffma, {rest, h, g});
  }
  const Value down = insert.i(Op::select, {small, insert.constant(static_cast<uint32_t>(-128)), insert.constant(0)});
  const Value root = f64(insert, Op::fldexp, {g, down});
  return f64(insert, Op::select, {is_extreme(insert, scaled), scaled, root});
}

/// y + y * (e / 2 + 3 / 8 * e^2) with e = 1 - x * y^2: the series of 1 / sqrt(1 - e), whose next member is below 2^-66.
Value lower_inverse_sqrt(Inserter& insert, Value x) {
  const Value seed = f64(insert, Op::frsq, {x});
  const Value product = f64(insert, Op::fmul, {x, seed});
  const Value error = f64(insert, Op::ffma, {negated(insert, product), seed, number(insert, 1)});
  const Value part = f64(insert, Op::fmul, {seed, error});
  const Value series = f64(insert, Op::ffma, {error, number(insert, 0.375), number(insert, 0.5)});
  const Value refined = f64(insert, Op::ffma, {series, part, seed});
  return f64(insert, Op::select, {is_extreme(insert, x), seed, refined});
}

Value lower_remainder(Inserter& insert, Value x, Value y, Op rounding) {
  const Value ratio = f64(insert, Op::fdiv, {x, y});
  const Value whole = f64(insert, rounding, {ratio});
  return f64(insert, Op::ffma, {negated(insert, whole), y, x});
}

/// To odd: the nearest f32 goes back by one unit where it is further from zero than x, and its last bit is set where it
/// is not x.
Value to_half(Inserter& insert, Value x) {
  const Value nearest = insert.op(Op::f_to_f, ir::kF32, {x});
  const Value back = f64(insert, Op::f_to_f, {nearest});
  const Value magnitude = f64(insert, Op::fabs, {x});
  const Value away = insert.compare(Op::folt, magnitude, f64(insert, Op::fabs, {back}));
  const Value inexact = insert.compare(Op::fone, back, x);
  const Value bits = insert.op(Op::bitcast, ir::kI32, {nearest});
  const Value step = insert.i(Op::select, {away, insert.constant(1), insert.constant(0)});
  const Value sticky = insert.i(Op::select, {inexact, insert.constant(1), insert.constant(0)});
  const Value odd = insert.i(Op::ior, {insert.i(Op::isub, {bits, step}), sticky});
  const Value single = insert.op(Op::bitcast, ir::kF32, {odd});
  return insert.op(Op::f_to_f, ir::kF16, {single});
}

/// Moves of bits, done by integers of the same width.
Value as_integers(Inserter& insert, const ir::Inst& inst, std::span<const Value> in, bool has_data) {
  const ir::Type integers = ir::kI64.vector(inst.type.components);
  SmallVector<Value, 4> operands(in);
  if (has_data) operands[0] = insert.op(Op::bitcast, integers, {operands[0]});
  const Value moved = insert.op(inst.op, integers, operands, inst.imm);
  return insert.op(Op::bitcast, inst.type, {moved});
}

/// The value that replaces one of f64, or none if it stays.
Value lower_result(Inserter& insert, Value value, const ir::Inst& inst, std::span<const Value> in) {
  switch (inst.op) {
    case Op::fsqrt:
      return lower_sqrt(insert, in[0]);
    case Op::frsq:
      return lower_inverse_sqrt(insert, in[0]);
    case Op::frem:
      return lower_remainder(insert, in[0], in[1], Op::ftrunc);
    case Op::fmod:
      return lower_remainder(insert, in[0], in[1], Op::ffloor);
    case Op::f_to_f:
      if (insert.function().type(in[0]) != ir::kF16) return Value();
      return f64(insert, Op::f_to_f, {insert.f(Op::f_to_f, {in[0]})});
    case Op::read_first_lane:
    case Op::read_lane:
      return as_integers(insert, inst, in, true);
    case Op::load:
      if (insert.function().access(value).storage != ir::StorageClass::push) return Value();
      return as_integers(insert, inst, in, false);
    default:
      return Value();
  }
}

Value lower_one(Inserter& insert, Value value) {
  ir::Function& function = insert.function();
  const ir::Inst inst = function.inst(value);
  const bool result = inst.type.scalar == ir::Scalar::f64;
  const bool to_f16 = inst.op == Op::f_to_f && inst.type == ir::kF16;
  if (!result && !(to_f16 && function.type(function.operand(value, 0)) == ir::kF64)) return Value();
  SmallVector<Value, 4> in;
  for (Value operand : function.operands(value)) in.push_back(insert.current(operand));
  insert.before(value, inst.flags);
  return result ? lower_result(insert, value, inst, in.span()) : to_half(insert, in[0]);
}

}  // namespace

bool lower_doubles(ir::Function& function, CompileContext& context, ir::FloatControls float_controls) {
  if (!function.has_results_of(ir::Scalar::f64)) return false;
  const ArenaScope scope(context.scratch);
  Inserter insert(function, context.scratch, float_controls);
  return insert.replace_each([&](Value value) { return lower_one(insert, value); });
}

}  // namespace spalt::lower
