// SPDX-License-Identifier: MIT
// Arithmetic on two numbers of 16 bits in one dword (lower/pack_halves makes it). For each half of its result an
// instruction chooses a half of each source (op_sel, op_sel_hi) and may negate it (neg_lo, neg_hi; floats only), so
// that a vector of two halves of one register is that register.
#include "ir/packed.h"

#include <optional>

#include "amdgpu/isa/codec/constants.h"
#include "amdgpu/select/selector.h"
#include "base/ice.h"

namespace spalt::select {
namespace {

constexpr uint32_t kSigns = 0x80008000u, kOnes = 0x3c003c00u;

}  // namespace

PackedSource Selector::packed_constant(uint32_t bits, ir::Type type) {
  const bool is_integer = type.is_integer();
  const isa::OperandType slot = is_integer ? isa::OperandType::i16x2 : isa::OperandType::f16x2;
  // Inline integers are sign-extended to the dword, of which both halves read the lower one.
  const uint32_t low = bits & 0xffff, number = is_integer ? (low ^ 0x8000) - 0x8000 : low;
  const bool same = low == bits >> 16, is_inline = isa::inline_constant_code(number, slot) >= 0;
  if (same && is_inline) return {.operand = Operand::immediate(number), .high_half = 0};
  return {.operand = Operand::immediate(bits)};
}

/// The register of a pair; a dword that is read as one is in the register of the dword.
PackedSource Selector::packed_register(Value pair) {
  const ir::Inst& what = inst(pair);
  if (what.op == Op::bitcast && operand_type(pair) == ir::kI32) {
    const Value word = input(pair, 0);
    return is_constant(word) ? packed_constant(constant(word), what.type) : PackedSource{.operand = source(word)};
  }
  return {.operand = source(pair)};
}

/// Two halves as one source, if they lie in one register.
std::optional<PackedSource> Selector::packed_halves(Value low, Value high) {
  const FloatSource halves[] = {float_source(low), float_source(high)};
  Value home[2];
  uint8_t at[2];
  for (unsigned i = 0; i < 2; ++i) {
    const Value half = halves[i].value;
    if (halves[i].abs || is_constant(half)) return std::nullopt;
    const bool taken = inst(half).op == Op::extract && ir::is_pair(operand_type(half));
    home[i] = taken ? input(half, 0) : half;
    at[i] = taken && inst(half).imm == 1 ? 1 : 0;
  }
  if (home[0] != home[1]) return std::nullopt;
  PackedSource result =
      ir::is_pair(function_.type(home[0])) ? packed_register(home[0]) : PackedSource{.operand = source(home[0])};
  if (result.operand.is_imm()) return std::nullopt;
  result.low_half = at[0];
  result.high_half = at[1];
  result.neg_low = halves[0].neg;
  result.neg_high = halves[1].neg;
  return result;
}

PackedSource Selector::packed_source(Value value) {
  bool neg = false;
  value = root(value);
  for (; inst(value).op == Op::fneg; value = input(value, 0)) neg = !neg;
  PackedSource result;
  std::optional<PackedSource> halves;
  if (inst(value).op == Op::vec) halves = packed_halves(input(value, 0), input(value, 1));
  result = halves ? *halves : packed_register(value);
  result.neg_low ^= neg;
  result.neg_high ^= neg;
  return result;
}

void Selector::packed_op(M opcode, Operand def, std::span<const PackedSource> sources, bool clamp) {
  const isa::OpcodeInfo& info = isa::info(mir::to_isa(opcode));
  isa::Modifiers mods;
  mods.clamp = clamp;
  SmallVector<Operand, 3> in;
  SmallVector<isa::OperandType, 3> types;
  for (unsigned i = 0; i < sources.size(); ++i) {
    in.push_back(sources[i].operand);
    types.push_back(info.src[i].type);
    mods.op_sel = static_cast<uint8_t>(mods.op_sel | sources[i].low_half << i);
    mods.op_sel_hi = static_cast<uint8_t>(mods.op_sel_hi | sources[i].high_half << i);
    mods.neg = static_cast<uint8_t>(mods.neg | (sources[i].neg_low ? 1u << i : 0u));
    mods.abs = static_cast<uint8_t>(mods.abs | (sources[i].neg_high ? 1u << i : 0u));
  }
  limit_scalar_sources(opcode, in.span(), target_.vop3_literal, types.span());
  mir::Inst& packed = emit(opcode, std::span<const Operand>(&def, 1), in.span());
  out_.set_modifiers(packed, mods);
}

/// a * b + c of both halves, as fuse_multiply_add does it for one.
bool Selector::fuse_packed_multiply_add(Value value, Operand def, bool clamp) {
  const ir::Inst& sum = inst(value);
  if ((sum.op != Op::fadd && sum.op != Op::fsub) || !may_contract(sum)) return false;
  for (unsigned side = 0; side < 2; ++side) {
    const Value product = input(value, side);
    const ir::Inst& multiply = inst(product);
    if (multiply.op != Op::fmul || !may_contract(multiply) || !fusable(product, value)) continue;
    PackedSource sources[] = {packed_source(input(product, 0)), packed_source(input(product, 1)),
                              packed_source(input(value, 1 - side))};
    if (sum.op == Op::fsub) {
      PackedSource& subtracted = sources[side == 1 ? 0 : 2];
      subtracted.neg_low = !subtracted.neg_low;
      subtracted.neg_high = !subtracted.neg_high;
    }
    packed_op(row_of(Op::ffma).vector(sum.type), def, sources, clamp);
    return true;
  }
  return false;
}

bool Selector::fuse_packed_integer_multiply_add(Value value, Operand def) {
  if (inst(value).op != Op::iadd) return false;
  for (unsigned side = 0; side < 2; ++side) {
    const Value product = input(value, side);
    if (inst(product).op != Op::imul || !fusable(product, value)) continue;
    const PackedSource sources[] = {packed_source(input(product, 0)), packed_source(input(product, 1)),
                                    packed_source(input(value, 1 - side))};
    packed_op(M::v_pk_mad_u16, def, sources);
    return true;
  }
  return false;
}

void Selector::packed_value(Value value, Operand def, bool clamp) {
  if (fuse_packed_multiply_add(value, def, clamp) || fuse_packed_integer_multiply_add(value, def)) return;
  const Op op = inst(value).op;
  const M opcode = row_of(op == Op::fsub ? Op::fadd : op).vector(inst(value).type);
  if (opcode == M::invalid || !exists(opcode)) SPALT_ICE("selection met an operation on pairs that has no instruction");
  SmallVector<PackedSource, 3> sources;
  for (unsigned i = 0; i < inst(value).operand_count; ++i) sources.push_back(packed_source(input(value, i)));
  if (op == Op::fsub) {
    sources[1].neg_low = !sources[1].neg_low;
    sources[1].neg_high = !sources[1].neg_high;
  }
  if (ir::kPackedShift.has(op)) std::swap(sources[0], sources[1]);  // the amount comes first
  packed_op(opcode, def, sources.span(), clamp);
}

/// min(max(x, 0), 1) of both halves, as fuse_clamp does it for one.
bool Selector::fuse_packed_clamp(Value value) {
  const Op outer = inst(value).op;
  if (outer != Op::fmin && outer != Op::fmax) return false;
  const auto is_bound = [&](Value operand, bool is_upper) {
    const Value pair = root(operand);
    if (inst(pair).op != Op::bitcast || operand_type(pair) != ir::kI32) return false;
    return is_constant(input(pair, 0), is_upper ? kOnes : 0);
  };
  for (unsigned side = 0; side < 2; ++side) {
    const Value inner = input(value, side);
    if (!is_bound(input(value, 1 - side), outer == Op::fmin)) continue;
    if (inst(inner).op != (outer == Op::fmin ? Op::fmax : Op::fmin) || !fusable(inner, value)) continue;
    if (outer == Op::fmax && (inst(inner).flags & ir::kNoNaN) == 0) continue;
    for (unsigned inner_side = 0; inner_side < 2; ++inner_side) {
      if (!is_bound(input(inner, 1 - inner_side), outer == Op::fmax)) continue;
      const Value x = input(inner, inner_side);
      if (ir::works_on_pairs(inst(x).op, inst(x).type) && inst(x).op != Op::fneg && fusable(x, inner)) {
        packed_value(x, define(value), true);
      } else {
        const PackedSource source = packed_source(x);
        const PackedSource both[] = {source, source};
        packed_op(row_of(Op::fmax).vector(inst(value).type), define(value), both, true);
      }
      return true;
    }
  }
  return false;
}

/// The halves of bits are where they are: no instruction chooses among them.
void Selector::select_packed_bits(Value value) {
  const M opcode = row_of(inst(value).op).vector32;
  const auto word = [&](Value operand) {
    const Value pair = root(operand);
    const bool is_known = inst(pair).op == Op::bitcast && is_constant(input(pair, 0));
    return is_known ? Operand::immediate(constant(input(pair, 0))) : source(operand);
  };
  const Operand left = word(input(value, 0));
  if (inst(value).operand_count == 1) return valu(opcode, define(value), {left});
  const Operand right = word(input(value, 1));
  valu(opcode, define(value), {left, right});
}

void Selector::select_packed(Value value) {
  const Op op = inst(value).op;
  if (op == Op::fneg) return valu(M::v_xor_b32, define(value), {Operand::immediate(kSigns), source(input(value, 0))});
  if (ir::kPackedBits.has(op)) return select_packed_bits(value);
  if (fuse_packed_clamp(value)) return;
  packed_value(value, define(value), false);
}

}  // namespace spalt::select
