// SPDX-License-Identifier: MIT
// Float arithmetic. Negations and absolute values of operands become source modifiers, clamping to [0, 1] becomes the
// clamp modifier of the instruction that computes the value, a product with 2, 4 or 1/2 its output modifier, and
// products join the additions that use them.
#include <bit>
#include <iterator>

#include "amdgpu/select/selector.h"
#include "base/half.h"
#include "base/ice.h"

namespace spalt::select {
namespace {

uint32_t one(ir::Type type) {
  return type == ir::kF16 ? 0x3c00 : 0x3f800000;
}
uint64_t sign_bit(ir::Type type) {
  return uint64_t{1} << (type.scalar_bits() - 1);
}

/// The vector opcode of an operation that maps to one instruction for operands of this type, or invalid.
M float_opcode(Op op, ir::Type operands) {
  return ir::group(op) == ir::OpGroup::floating ? row_of(op).vector(operands) : M::invalid;
}

uint64_t with_modifiers(uint64_t bits, ir::Type type, const FloatSource& source) {
  if (source.abs) bits &= ~sign_bit(type);
  return source.neg ? bits ^ sign_bit(type) : bits;
}

float constant_value(uint32_t bits, ir::Type type) {
  return type == ir::kF16 ? half_to_float(bits) : std::bit_cast<float>(bits);
}

}  // namespace

FloatSource Selector::float_source(Value value) const {
  FloatSource source{root(value)};
  for (;;) {
    const Op op = inst(source.value).op;
    if (op == Op::fneg) {
      if (!source.abs) source.neg = !source.neg;
    } else if (op == Op::fabs) {
      source.abs = true;
    } else {
      return source;
    }
    source.value = input(source.value, 0);
  }
}

/// An immediate, which of an f64 is the upper half, or registers where the lower half is not 0.
Operand Selector::float_constant(uint64_t bits, ir::Type type) {
  const auto low = static_cast<uint32_t>(bits), high = static_cast<uint32_t>(bits >> 32);
  if (type != ir::kF64) return Operand::immediate(low);
  if (low == 0) return Operand::immediate(high);
  const Operand pair = temp(mir::kS2);
  emit(M::p_vec, {pair}, {Operand::immediate(low), Operand::immediate(high)});
  return pair;
}

void Selector::float_op(M opcode, ir::Type type, Operand def, std::span<const FloatSource> sources,
                        FloatFinish finish) {
  FloatMods mods;
  mods.finish = finish;
  Operand in[3];
  for (unsigned i = 0; i < sources.size(); ++i) {
    if (is_constant(sources[i].value)) {
      const uint64_t bits = inst(root(sources[i].value)).imm;
      in[i] = sources[i].is_integer ? Operand::immediate(static_cast<uint32_t>(bits))
                                    : float_constant(with_modifiers(bits, type, sources[i]), type);
      continue;
    }
    in[i] = source(sources[i].value);
    mods.neg = static_cast<uint8_t>(mods.neg | (sources[i].neg ? 1u << i : 0));
    mods.abs = static_cast<uint8_t>(mods.abs | (sources[i].abs ? 1u << i : 0));
  }
  switch (sources.size()) {
    case 1:
      return valu(opcode, def, {in[0]}, mods);
    case 2:
      return valu(opcode, def, {in[0], in[1]}, mods);
    default:
      return valu(opcode, def, {in[0], in[1], in[2]}, mods);
  }
}

bool Selector::may_contract(const ir::Inst& inst) const {
  return (ir::fast_math(module_.float_controls(), inst.type, inst.flags) & ir::kAllowContraction) != 0;
}

/// SPIR-V lets a fused multiply-add round twice. v_mad_f32 flushes denormals whatever the mode says (Vega ISA guide).
M Selector::multiply_add_opcode(ir::Type type) const {
  if (type != ir::kF32) return row_of(Op::ffma).vector(type);
  constexpr unsigned kDenormals32 = 0x30;
  return target_.prefers_mad && (module_.float_mode & kDenormals32) == 0 ? M::v_mad_f32 : M::v_fma_f32;
}

/// A product of which this sum is the only user needs no instruction of its own, nor does one that only sums use, as
/// x * y in x * y + z * w and x * y - z * w. Of two such products a sum takes one; the other one is computed then, and
/// its other sums have gained nothing and lost nothing.
bool Selector::can_join(Value product, Value direct, Value sum, bool shared) const {
  if (!shared) {
    // The product may be negated on its way here, if the negation is used only here as well.
    return fusable(product, sum) && (direct == product || fusable(direct, sum));
  }
  return direct == product && facts_.only_summed(product) && inst(product).block == inst(sum).block &&
         !keeps_alive(product, sum);
}

/// The operand of a sum that is the product of a multiply-add, where SPIR-V allows to round once. Negative: none.
int Selector::side_of_product(Value sum) const {
  if (!may_contract(inst(sum))) return -1;
  for (const bool shared : {false, true}) {
    for (int side = 0; side < 2; ++side) {
      const Value direct = input(sum, static_cast<unsigned>(side));
      const FloatSource product = float_source(direct);
      const ir::Inst& multiply = inst(product.value);
      if (multiply.op != Op::fmul || product.abs || !may_contract(multiply)) continue;
      if (can_join(product.value, direct, sum, shared)) return side;
    }
  }
  return -1;
}

/// a * b + c
bool Selector::fuse_multiply_add(Value value, Operand def, FloatFinish finish) {
  const ir::Inst& sum = inst(value);
  if (sum.op != Op::fadd && sum.op != Op::fsub) return false;
  const int side = side_of_product(value);
  if (side < 0) return false;
  FloatSource product = float_source(input(value, side == 0 ? 0 : 1));
  FloatSource other = float_source(input(value, side == 0 ? 1 : 0));
  if (sum.op == Op::fsub) (side == 1 ? product : other).neg ^= true;
  FloatSource a = float_source(input(product.value, 0));
  const FloatSource b = float_source(input(product.value, 1));
  a.neg ^= product.neg;
  const FloatSource sources[] = {a, b, other};
  float_op(multiply_add_opcode(sum.type), sum.type, def, sources, finish);
  return true;
}

M Selector::float_value_opcode(Value value) const {
  const ir::Type type = operand_type(value);
  return inst(value).op == Op::ffma ? multiply_add_opcode(type) : float_opcode(inst(value).op, type);
}

void Selector::float_value(Value value, Operand def, FloatFinish finish) {
  if (fuse_multiply_add(value, def, finish)) return;
  const ir::Type type = operand_type(value);
  const M opcode = float_value_opcode(value);
  if (opcode == M::invalid) SPALT_ICE("selection met a float operation that lowering should have removed");
  const unsigned count = inst(value).operand_count;
  FloatSource sources[3];
  for (unsigned i = 0; i < count; ++i) {
    const Value operand = input(value, i);
    sources[i] = function_.type(operand).is_float() || inst(operand).op == Op::fneg || inst(operand).op == Op::fabs
                     ? float_source(operand)
                     : FloatSource{.value = operand, .is_integer = true};
  }
  if (opcode == M::v_add_f64 && inst(value).op == Op::fsub) sources[1].neg ^= true;
  float_op(opcode, type, def, {sources, count}, finish);
}

bool Selector::can_clamp(Value value) const {
  if (ir::group(inst(value).op) != ir::OpGroup::floating) return false;
  return float_opcode(inst(value).op, operand_type(value)) != M::invalid && inst(value).op != Op::frexp_exponent;
}

/// min(max(x, 0), 1) on the instruction that computes x. With DX10_CLAMP set the modifier turns NaN into 0, as max does
/// here; in the other nesting NaN would become 1, so that one needs the promise of the minimum that there is none: the
/// maximum gets none either way.
bool Selector::fuse_clamp(Value value) {
  const Op outer = inst(value).op;
  if (outer != Op::fmin && outer != Op::fmax) return false;
  const ir::Type type = inst(value).type;
  if (type == ir::kF64) return false;
  const uint32_t outer_bound = outer == Op::fmin ? one(type) : 0, inner_bound = outer == Op::fmin ? 0 : one(type);
  for (unsigned side = 0; side < 2; ++side) {
    const Value inner = input(value, side);
    if (!is_constant(input(value, 1 - side), outer_bound)) continue;
    if (inst(inner).op != (outer == Op::fmin ? Op::fmax : Op::fmin) || !fusable(inner, value)) continue;
    if (outer == Op::fmax && (inst(inner).flags & ir::kNoNaN) == 0) continue;
    for (unsigned inner_side = 0; inner_side < 2; ++inner_side) {
      if (!is_constant(input(inner, 1 - inner_side), inner_bound)) continue;
      const Value x = input(inner, inner_side);
      if (is_constant(x)) continue;
      if (can_clamp(x) && fusable(x, inner)) {
        float_value(x, define(value), {.clamp = true});
      } else {
        const FloatSource sources[] = {float_source(x), float_source(x)};
        float_op(row_of(Op::fmax).vector(type), type, define(value), sources, {.clamp = true});
      }
      return true;
    }
  }
  return false;
}

/// Minima and maxima have forms of their own.
bool Selector::can_scale(Value value) const {
  const Op op = inst(value).op;
  if (is_scalar(value) || !can_clamp(value) || op == Op::fmin || op == Op::fmax) return false;
  return (isa::info(mir::to_isa(float_value_opcode(value))).modifiers & isa::kModOmod) != 0;
}

/// A product with 2, 4 or 1/2 on the instruction that computes the other factor. Output modifiers are ignored where
/// denormal results are kept, and make a negative zero positive (docs/isa-errata.md, "Output modifiers").
bool Selector::fuse_scale(Value value) {
  static constexpr uint32_t kFactors[] = {0x40000000, 0x40800000, 0x3f000000};  // 2, 4, 1/2: omod 1, 2, 3
  constexpr unsigned kDenormals32 = 0x30;
  const ir::Inst& product = inst(value);
  if (product.op != Op::fmul || product.type != ir::kF32 || (module_.float_mode & kDenormals32) != 0) return false;
  const bool may_lose_sign =
      (ir::fast_math(module_.float_controls(), product.type, product.flags) & ir::kNoSignedZeros) != 0;
  for (unsigned side = 0; side < 2; ++side) {
    const Value x = input(value, side);
    if (is_constant(x) || !fusable(x, value)) continue;
    const Value factor = input(value, 1 - side);
    for (unsigned i = 0; i < std::size(kFactors); ++i) {
      if (!is_constant(factor, kFactors[i])) continue;
      const auto omod = static_cast<uint8_t>(i + 1);
      if (fuse_scaled_integer(x, define(value), omod)) return true;  // no integer is a negative zero
      if (!may_lose_sign || !can_scale(x)) break;
      float_value(x, define(value), {.omod = omod});
      return true;
    }
  }
  return false;
}

void Selector::select_float(Value value) {
  if (!fuse_scale(value)) float_value(value, define(value), {});
}

void Selector::select_float_min_max(Value value) {
  if (fuse_clamp(value)) return;
  const ir::Type type = inst(value).type;
  const bool is_min = inst(value).op == Op::fmin, half = type == ir::kF16;
  // Of doubles there are neither medians nor minima of three.
  for (unsigned side = 0; side < 2 && type != ir::kF64; ++side) {
    const Value inner = input(value, side), other = input(value, 1 - side);
    if (!fusable(inner, value)) continue;
    if (inst(inner).op == inst(value).op) {
      const FloatSource sources[] = {float_source(input(inner, 0)), float_source(input(inner, 1)), float_source(other)};
      const M of_half = is_min ? M::v_min3_f16 : M::v_max3_f16, of_single = is_min ? M::v_min3_f32 : M::v_max3_f32;
      return float_op(half ? of_half : of_single, type, define(value), sources);
    }
    // min(max(x, low), high): the median also gives low for NaN.
    if (!is_min || inst(inner).op != Op::fmax || !is_constant(other)) continue;
    for (unsigned inner_side = 0; inner_side < 2; ++inner_side) {
      const Value low = input(inner, 1 - inner_side);
      if (!is_constant(low)) continue;
      if (!(constant_value(constant(low), type) <= constant_value(constant(other), type))) continue;
      const FloatSource sources[] = {float_source(input(inner, inner_side)), {low}, {other}};
      return float_op(half ? M::v_med3_f16 : M::v_med3_f32, type, define(value), sources);
    }
  }
  const FloatSource sources[] = {float_source(input(value, 0)), float_source(input(value, 1))};
  float_op(row_of(inst(value).op).vector(type), type, define(value), sources);
}

/// A negation or absolute value that somebody needs as a value of its own, not as a modifier.
void Selector::select_sign_op(Value value) {
  if (inst(value).type == ir::kF64) return select_double_sign(value);
  const Value a = input(value, 0);
  const bool negate = inst(value).op == Op::fneg;
  const auto sign = static_cast<uint32_t>(sign_bit(inst(value).type));
  const Operand bits = Operand::immediate(negate ? sign : sign - 1);
  if (is_scalar(value)) {
    salu(negate ? M::s_xor_b32 : M::s_and_b32, define(value), {scalar(a), bits});
  } else {
    valu(negate ? M::v_xor_b32 : M::v_and_b32, define(value), {bits, source(a)});
  }
}

}  // namespace spalt::select
