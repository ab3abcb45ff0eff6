// SPDX-License-Identifier: MIT
// Integer arithmetic and logic, with the fused forms of the vector unit.
#include <bit>
#include <utility>

#include "amdgpu/select/selector.h"
#include "base/ice.h"

namespace spalt::select {

void Selector::select_row(Value value) {
  const Row& row = row_of(inst(value).op);
  const ir::Type type = function_.type(value);
  const M opcode = is_scalar(value) ? row.scalar(type) : row.vector(type);
  if (row.form == RowForm::bitwise && type.bits() == 64 && !is_scalar(value)) {
    return select_by_dword(value, row.vector32);
  }
  const bool available = opcode != M::invalid && (type.bits() == 32 || exists(opcode));
  const Op op = inst(value).op;
  if (!available && type == ir::kI64 && (op == Op::iadd || op == Op::isub)) return select_wide_sum(value);
  if (!available) SPALT_ICE("the target has no instruction for what lowering left");
  if (dwords(value) != 1) return select_wide_row(value);
  if (type == ir::kI16 && fuse_narrow_multiply_add(value)) return;
  const Value a = input(value, 0);
  if (inst(value).operand_count == 1) {
    if (is_scalar(value)) return salu(opcode, define(value), {scalar(a)});
    return valu(opcode, define(value), {source(a)});
  }
  const Value b = input(value, 1);
  if (is_scalar(value)) {
    const Operand left = scalar_operand(op, type, a);
    const Operand right = row.form == RowForm::shift ? scalar_amount(type, b) : scalar_operand(op, type, b);
    return salu(opcode, define(value), {left, right});
  }
  if (row.form == RowForm::shift) return valu(opcode, define(value), {dword(b, 0), source(a)});
  valu(opcode, define(value), {source(a), source(b)});
}

/// The vector unit computes each dword by itself.
void Selector::select_by_dword(Value value, M opcode) {
  const std::array<Operand, 2> parts = define_dwords(value);
  for (unsigned i = 0; i < 2; ++i) {
    const Operand a = dword(input(value, 0), i);
    if (inst(value).operand_count == 1) {
      valu(opcode, parts[i], {a});
    } else {
      const Operand b = dword(input(value, 1), i);
      valu(opcode, parts[i], {a, b});
    }
  }
  join_dwords(value, parts);
}

/// By less than a word: of each half one instruction at full rate, which moves no pair together.
bool Selector::select_wide_shift(Value value) {
  const Value amount = input(value, 1);
  if (is_scalar(value) || !is_constant(amount)) return false;
  const uint32_t by = constant(amount) & 63;
  if (by == 0 || by > 31) return false;
  const Op op = inst(value).op;
  const Operand low = dword(input(value, 0), 0), high = dword(input(value, 0), 1);
  const std::array<Operand, 2> parts = define_dwords(value);
  if (op == Op::ishl) {
    valu(M::v_lshlrev_b32, parts[0], {Operand::immediate(by), low});
    valu(M::v_alignbit_b32, parts[1], {high, low, Operand::immediate(32 - by)});
  } else {
    valu(M::v_alignbit_b32, parts[0], {high, low, Operand::immediate(by)});
    valu(op == Op::ushr ? M::v_lshrrev_b32 : M::v_ashrrev_i32, parts[1], {Operand::immediate(by), high});
  }
  join_dwords(value, parts);
  return true;
}

void Selector::select_wide_row(Value value) {
  const Row& row = row_of(inst(value).op);
  const bool in_scalar = is_scalar(value), shift = row.form == RowForm::shift;
  if (shift && select_wide_shift(value)) return;
  SmallVector<Operand, 4> in;
  for (unsigned i = 0; i < inst(value).operand_count; ++i) {
    const Value operand = input(value, i);
    if (shift && i == 1) {  // of any width; the low bits count
      in.push_back(in_scalar ? scalar_dword(operand, 0) : dword(operand, 0));
    } else if (dwords(operand) == 1) {
      in.push_back(in_scalar ? scalar(operand) : source(operand));
    } else {
      in.push_back(wide_source(operand, in_scalar));
    }
  }
  const Operand def = define(value);
  if (in_scalar) {
    const M opcode = row.scalar(function_.type(value));
    return in.size() == 1 ? salu(opcode, def, {in[0]}) : salu(opcode, def, {in[0], in[1]});
  }
  if (shift) std::swap(in[0], in[1]);
  const M opcode = row.vector(function_.type(value));
  limit_scalar_sources(opcode, in.span(), target_.vop3_literal);
  emit(opcode, std::span<const Operand>(&def, 1), in.span());
}

/// Whether the value is that of its lower 24 bits with their sign: parts of words, as products of bytes have them.
bool Selector::fits_signed_24(Value value) const {
  value = root(value);
  const ir::Inst& part = inst(value);
  const auto count_at = [&](unsigned operand) {
    const Value count = input(value, operand);
    return is_constant(count) ? constant(count) : 0xffffffffu;
  };
  switch (part.op) {
    case Op::constant:
      return constant(value) + 0x800000u < 0x1000000u;
    case Op::bfe_s:
      return count_at(2) <= 24;
    case Op::bfe_u:
      return count_at(2) <= 23;
    case Op::iand:
      return count_at(1) <= 0x7fffff;
    case Op::sshr:
      return is_constant(input(value, 1)) && (constant(input(value, 1)) & 31) >= 8;
    case Op::ushr:
      return is_constant(input(value, 1)) && (constant(input(value, 1)) & 31) >= 9;
    default:
      return false;
  }
}

/// A product of signed factors of 24 bits, with the addition.
bool Selector::fuse_signed_product(Value value) {
  for (unsigned side = 0; side < 2; ++side) {
    const Value inner = input(value, side), other = input(value, 1 - side);
    if (inst(inner).op != Op::imul || (inst(inner).flags & ir::kFits24) != 0 || !fusable(inner, value)) continue;
    const Value a = input(inner, 0), b = input(inner, 1);
    if (!fits_signed_24(a) || !fits_signed_24(b)) continue;
    valu(M::v_mad_i32_i24, define(value), {source(a), source(b), source(other)});
    return true;
  }
  return false;
}

bool Selector::fuse_add(Value value) {
  if (fuse_rotate(value) || fuse_bit_choice(value)) return true;
  for (unsigned side = 0; side < 2; ++side) {
    const Value inner = input(value, side), other = input(value, 1 - side);
    if (inst(inner).op != Op::bit_count || place(inner) != Place::vector || !fusable(inner, value)) continue;
    valu(M::v_bcnt_u32_b32, define(value), {source(input(inner, 0)), source(other)});
    return true;
  }
  return fuse_ternary(value, Op::ishl, M::v_lshl_add_u32) || fuse_ternary(value, Op::imul, M::v_mad_u32_u24) ||
         fuse_signed_product(value) || fuse_ternary(value, Op::ixor, M::v_xad_u32) ||
         fuse_ternary(value, Op::iadd, M::v_add3_u32);
}

/// s_lshl1_add_u32 and relatives: (a << n) + b.
bool Selector::fuse_scalar_add(Value value, Value a, Value b) {
  static constexpr M kOpcodes[] = {M::s_lshl1_add_u32, M::s_lshl2_add_u32, M::s_lshl3_add_u32, M::s_lshl4_add_u32};
  for (unsigned side = 0; side < 2; ++side, std::swap(a, b)) {
    if (inst(a).op != Op::ishl || !is_scalar(a) || !fusable(a, value)) continue;
    const Value amount = input(a, 1);
    if (!is_constant(amount) || constant(amount) < 1 || constant(amount) > 4) continue;
    const Operand shifted = scalar(input(a, 0));
    const Operand other = scalar(b);
    salu(kOpcodes[constant(amount) - 1], define(value), {shifted, other});
    return true;
  }
  return false;
}

void Selector::select_iadd(Value value) {
  if (is_scalar(value) && (fuse_bit_counts(value) || fuse_scalar_add(value, input(value, 0), input(value, 1)))) return;
  if (place(value) == Place::vector && fuse_add(value)) return;
  select_row(value);
}

void Selector::select_isub(Value value) {
  const Value b = input(value, 1);
  if (is_constant(b) && !is_inline_constant(constant(b)) && is_inline_constant(0u - constant(b))) {
    const Operand minus = Operand::immediate(0u - constant(b));
    if (is_scalar(value)) {
      salu(M::s_add_i32, define(value), {scalar(input(value, 0)), minus});
    } else {
      valu(M::v_add_nc_u32, define(value), {source(input(value, 0)), minus});
    }
    return;
  }
  select_row(value);
}

/// 24-bit multiplication has full rate. x * (2^n + 1) = (x << n) + x.
void Selector::select_imul(Value value) {
  const Value a = input(value, 0), b = input(value, 1);
  if (place(value) == Place::vector) {
    if ((inst(value).flags & ir::kFits24) != 0) {
      return valu(M::v_mul_u32_u24, define(value), {source(a), source(b)});
    }
    if (fits_signed_24(a) && fits_signed_24(b)) {
      return valu(M::v_mul_i32_i24, define(value), {source(a), source(b)});
    }
    if (is_constant(b) && constant(b) > 1 && std::has_single_bit(constant(b) - 1)) {
      const auto amount = static_cast<uint32_t>(std::countr_zero(constant(b) - 1));
      return valu(M::v_lshl_add_u32, define(value), {source(a), Operand::immediate(amount), source(a)});
    }
  }
  select_row(value);
}

void Selector::select_iand(Value value) {
  if (function_.type(value).is_bool()) return select_logic(value, M::s_and_b32, M::s_and_b32, M::s_and_b64);
  for (unsigned side = 0; side < 2; ++side) {
    const Value inner = input(value, side), other = input(value, 1 - side);
    // a & ~b
    if (inst(inner).op == Op::inot && fusable(inner, value)) {
      const Value inverted = input(inner, 0);
      if (is_scalar(value)) {
        const Operand kept = scalar(other);
        const Operand removed = scalar(inverted);
        salu(M::s_andn2_b32, define(value), {kept, removed});
      } else {
        valu(M::v_bfi_b32, define(value), {source(inverted), Operand::immediate(0), source(other)});
      }
      return;
    }
    // (a >> n) & low mask
    if (inst(inner).op == Op::ushr && fusable(inner, value) && is_constant(other) && is_constant(input(inner, 1)) &&
        place(value) == Place::vector) {
      const uint32_t low = constant(other), amount = constant(input(inner, 1)) & 31;
      if (low == 0 || (low & (low + 1)) != 0) continue;
      const uint32_t width = static_cast<uint32_t>(std::popcount(low));
      if (width > 31) continue;
      valu(M::v_bfe_u32, define(value),
           {source(input(inner, 0)), Operand::immediate(amount), Operand::immediate(width)});
      return;
    }
  }
  select_row(value);
}

bool Selector::fuse_or(Value value) {
  return fuse_rotate(value) || fuse_bit_choice(value) || fuse_ternary(value, Op::ishl, M::v_lshl_or_b32) ||
         fuse_ternary(value, Op::iand, M::v_and_or_b32) || fuse_ternary(value, Op::ior, M::v_or3_b32);
}

void Selector::select_ior(Value value) {
  if (function_.type(value).is_bool()) return select_logic(value, M::s_or_b32, M::s_or_b32, M::s_or_b64);
  if (place(value) == Place::vector && fuse_or(value)) return;
  select_row(value);
}

void Selector::select_ixor(Value value) {
  if (function_.type(value).is_bool()) return select_logic(value, M::s_xor_b32, M::s_xor_b32, M::s_xor_b64);
  if (place(value) == Place::vector &&
      (fuse_rotate(value) || fuse_bit_choice(value) || fuse_ternary(value, Op::ixor, M::v_xor3_b32))) {
    return;
  }
  select_row(value);
}

/// (a + b) << c
void Selector::select_ishl(Value value) {
  const Value inner = input(value, 0);
  if (place(value) == Place::vector && inst(inner).op == Op::iadd && fusable(inner, value)) {
    valu(M::v_add_lshl_u32, define(value), {source(input(inner, 0)), source(input(inner, 1)), source(input(value, 1))});
    return;
  }
  select_row(value);
}

/// min(max(x, low), high) with constants low <= high.
bool Selector::fuse_median(Value value) {
  const bool is_signed = inst(value).op == Op::smin;
  const Op inner_op = is_signed ? Op::smax : Op::umax;
  if (inst(value).op != Op::smin && inst(value).op != Op::umin) return false;
  for (unsigned side = 0; side < 2; ++side) {
    const Value inner = input(value, side), high = input(value, 1 - side);
    if (inst(inner).op != inner_op || !fusable(inner, value) || !is_constant(high)) continue;
    for (unsigned inner_side = 0; inner_side < 2; ++inner_side) {
      const Value x = input(inner, inner_side), low = input(inner, 1 - inner_side);
      if (!is_constant(low)) continue;
      const bool ordered = is_signed ? static_cast<int32_t>(constant(low)) <= static_cast<int32_t>(constant(high))
                                     : constant(low) <= constant(high);
      if (!ordered) continue;
      valu(is_signed ? M::v_med3_i32 : M::v_med3_u32, define(value), {source(x), source(low), source(high)});
      return true;
    }
  }
  return false;
}

void Selector::select_min_max(Value value, M vector_op3) {
  if (place(value) == Place::vector && (fuse_median(value) || fuse_ternary(value, inst(value).op, vector_op3))) return;
  if (is_scalar(value) && fuse_bit_searches(value)) return;
  select_row(value);
}

}  // namespace spalt::select
