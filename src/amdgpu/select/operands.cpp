// SPDX-License-Identifier: MIT
#include "amdgpu/select/selector.h"
#include "base/ice.h"

namespace spalt::select {

using mir::kS1;
using mir::kV1;

mir::RegClass Selector::reg_class(Value value) const {
  switch (place(value)) {
    case Place::vector:
      return mir::vgpr_class(dwords(value));
    case Place::scalar:
      return mir::sgpr_class(dwords(value));
    case Place::flag:
      return kS1;
    case Place::mask:
      return out_.lane_mask_class();
    case Place::none:
      break;
  }
  SPALT_ICE("a value without a place has no register");
}

uint32_t Selector::part_location(uint32_t home, ir::Type type, unsigned part) {
  if (locations_[home].parts == Location::kNoneYet) {
    const uint32_t first = static_cast<uint32_t>(locations_.size());
    locations_.resize(first + parts_of(type).count);
    locations_[home].parts = first;
  }
  return locations_[home].parts + part;
}

/// The location of these bits of a value, which are one of its parts or a part of one.
uint32_t Selector::location_at(Value value, unsigned bit, unsigned bits) {
  uint32_t home = location_of(value);
  for (ir::Type type = function_.type(value); type.bits() > bits;) {
    const ir::Type part = parts_of(type).type;
    home = part_location(home, type, bit / part.bits());
    bit %= part.bits();
    type = part;
  }
  return home;
}

/// Where the state of a value is kept: its own entry, or the entry of the vector component that it names.
uint32_t Selector::location_of(Value value) {
  const ir::Inst& what = inst(value);
  if (what.op != Op::extract) return value.index;
  // An extract of an extract does not exist: components are scalars.
  const unsigned bits = what.type.bits();
  return location_at(input(value, 0), static_cast<unsigned>(what.imm) * bits, bits);
}

Operand Selector::reg(Value value) {
  value = root(value);
  const ir::Inst& what = inst(value);
  if (what.op == Op::arg) {
    mir::VReg& arg = args_[what.imm];
    if (!arg.valid()) arg = out_.create_vreg(reg_class(value));
    return out_.use(arg);
  }
  const uint32_t at = location_of(value);
  if (!locations_[at].reg.valid()) {
    locations_[at].reg = out_.create_vreg(reg_class(value));
    // The short encodings of comparisons write vcc and those of selects read it.
    if (place(value) == Place::mask && facts_.use_count(value) == 1) {
      out_.vregs[locations_[at].reg].hint = isa::kVcc;
    }
  }
  return out_.use(locations_[at].reg);
}

Operand Selector::define(Value value) {
  return reg(value);
}

Operand Selector::source(Value value) {
  value = root(value);
  switch (inst(value).op) {
    case Op::constant:
      return Operand::immediate(constant(value));
    case Op::undef:
      return Operand::immediate(0);
    default:
      return reg(value);
  }
}

Operand Selector::dword(Value value, unsigned index) {
  value = root(value);
  const ir::Inst& what = inst(value);
  if (what.op == Op::constant) return Operand::immediate(static_cast<uint32_t>(what.imm >> (32 * index)));
  if (dwords(value) == 1 || what.op == Op::undef) return source(value);
  if (what.op == Op::pack64) return dword(function_.operand(value, index), 0);
  if (what.op == Op::vec && what.type.scalar_bits() >= 32) {
    const unsigned each = what.type.scalar_bits() / 32;
    return dword(function_.operand(value, index / each), index % each);
  }
  const uint32_t at = location_at(value, index * 32, 32);
  if (!locations_[at].reg.valid()) {
    locations_[at].reg = out_.create_vreg(place(value) == Place::vector ? kV1 : kS1);
  }
  return out_.use(locations_[at].reg);
}

Operand Selector::scalar_dword(Value value, unsigned index) {
  value = root(value);
  const Operand part = dword(value, index);
  if (part.is_imm() || !part.cls().is_vgpr()) return part;
  const ir::Inst& what = inst(value);
  if (what.op == Op::pack64) return scalar(function_.operand(value, index));
  if (what.op == Op::vec && what.type.scalar_bits() >= 32) {
    const unsigned each = what.type.scalar_bits() / 32;
    const Value component = function_.operand(value, index / each);
    return each == 1 ? scalar(component) : scalar_dword(component, index % each);
  }
  const uint32_t at = location_at(value, index * 32, 32);
  if (!locations_[at].scalar.valid()) locations_[at].scalar = out_.create_vreg(kS1);
  return out_.use(locations_[at].scalar);
}

/// A 64-bit source: the registers of the value in either file, or an inline constant, which has 64 bits there.
Operand Selector::wide_source(Value value, bool in_scalar) {
  value = root(value);
  if (is_constant(value) && function_.type(value).is_integer()) {
    const uint64_t bits = inst(value).imm;
    const auto low = static_cast<uint32_t>(bits);
    const bool is_small = static_cast<int64_t>(bits) == static_cast<int32_t>(low) && static_cast<int32_t>(low) >= -16 &&
                          static_cast<int32_t>(low) <= 64;
    if (is_small) return Operand::immediate(low);
  }
  if (in_scalar) return scalar_reg(value);
  return place(value) == Place::none ? vector(value) : reg(value);
}

Operand Selector::vector(Value value) {
  value = root(value);
  if (place(value) == Place::vector) return reg(value);
  const unsigned size = dwords(value);
  if (size == 1) return copy_to_vgpr(source(value));
  const Operand tuple = temp(mir::vgpr_class(size));
  if (inst(value).op == Op::vec || inst(value).op == Op::pack64 || place(value) == Place::none) {
    SmallVector<Operand, 16> parts;
    for (unsigned i = 0; i < size; ++i) parts.push_back(dword(value, i));
    emit(M::p_vec, std::span<const Operand>(&tuple, 1), parts.span());
  } else {
    emit(M::p_copy, {tuple}, {reg(value)});
  }
  return tuple;
}

Operand Selector::scalar(Value value) {
  value = root(value);
  if (place(value) != Place::vector) {
    return dwords(value) == 1 || is_scalar(value) ? source(value) : scalar_reg(value);
  }
  const unsigned size = dwords(value);
  if (size == 1) {
    if (inst(value).op == Op::arg) {
      const Operand moved = temp(kS1);
      emit(M::v_readfirstlane_b32, {moved}, {reg(value)});
      return moved;
    }
    reg(value);
    const uint32_t at = location_of(value);
    if (!locations_[at].scalar.valid()) locations_[at].scalar = out_.create_vreg(kS1);
    return out_.use(locations_[at].scalar);
  }
  const Operand tuple = temp(mir::sgpr_class(size));
  SmallVector<Operand, 16> parts;
  for (unsigned i = 0; i < size; ++i) parts.push_back(scalar_dword(value, i));
  emit(M::p_vec, std::span<const Operand>(&tuple, 1), parts.span());
  return tuple;
}

Operand Selector::scalar_reg(Value value) {
  value = root(value);
  const unsigned size = dwords(value);
  if (place(value) == Place::none && size > 1) {
    const Operand tuple = temp(mir::sgpr_class(size));
    SmallVector<Operand, 16> parts;
    for (unsigned i = 0; i < size; ++i) parts.push_back(dword(value, i));
    emit(M::p_vec, std::span<const Operand>(&tuple, 1), parts.span());
    return tuple;
  }
  const Operand operand = scalar(value);
  if (!operand.is_imm()) return operand;
  const Operand moved = temp(kS1);
  emit(M::s_mov_b32, {moved}, {operand});
  return moved;
}

bool Selector::fusable(Value value, Value user) const {
  return facts_.use_count(value) == 1 && inst(value).block.valid() && inst(value).block == inst(user).block &&
         !keeps_alive(value, user);
}

/// Two registers would wait for a far user where one could.
bool Selector::keeps_alive(Value value, Value user) const {
  if (facts_.position(user) - facts_.position(value) <= kFar) return false;
  unsigned registers = 0;
  for (unsigned i = 0; i < inst(value).operand_count; ++i) registers += is_constant(input(value, i)) ? 0 : 1;
  return registers > 1;
}

}  // namespace spalt::select
