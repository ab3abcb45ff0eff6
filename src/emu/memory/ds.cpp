// SPDX-License-Identifier: MIT
// DS: local data share (RDNA 2 ISA guide, chapter 10). Lane-crossing instructions are in ds_lane.cpp.
#include <algorithm>
#include <bit>

#include "base/bits.h"
#include "emu/memory/access.h"
#include "emu/memory/vmem.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

constexpr unsigned kNoSlot = 255;

void fill(const Wave& wave, const Step& step, const AccessShape& shape, Transfer& t) {
  t.kind = shape.kind;
  t.op = shape.op;
  t.extend = shape.extend;
  t.component_bytes = shape.component_bytes;
  t.component_stride = shape.component_bytes;
  t.components = shape.components;
  t.has_dst = step.has_dst;
  t.dst = step.dst;
  t.dst_dwords = step.dst_dwords;
  t.lanes = wave.exec();
}

Transfer& begin(Wave& wave, const Step& step, const AccessShape& shape) {
  Transfer& t = wave.waits.issue_lds(wave);
  fill(wave, step, shape, t);
  return t;
}

/// Faults when LDS bytes [offset, offset + bytes) are not all there.
bool inside_lds(Wave& wave, const Transfer& t, unsigned lane, uint32_t offset, uint64_t bytes) {
  const uint64_t size = wave.group().lds.size();
  if (offset <= size && bytes <= size - offset) return true;
  fault_outside_lds(wave, {access_kind(t.kind), offset, bytes, static_cast<int>(lane)});
  return false;
}

/// Points a lane at LDS bytes [offset, offset + bytes), and at second_delta beyond for two-address forms. Addresses are
/// sums modulo 2^32: LLVM gives negative registers with offsets that bring them back (docs/isa-errata.md, "Semantics").
bool place(Wave& wave, Transfer& t, unsigned lane, uint32_t offset, uint64_t bytes) {
  if (!inside_lds(wave, t, lane, offset, bytes)) return false;
  const auto second = static_cast<uint32_t>(offset + static_cast<uint64_t>(t.second_delta));
  if (t.second_from != 255 && !inside_lds(wave, t, lane, second, bytes)) return false;
  if (t.kind == TransferKind::atomic && offset % t.component_bytes != 0) {
    wave.fault(FaultKind::misaligned, "an LDS atomic is unaligned", static_cast<int>(lane));
    return false;
  }
  t.valid[lane] = kAllValid;
  t.host[lane] = wave.group().lds.data() + offset;
  return true;
}

/// The usual case, without a branch that depends on a lane: all lanes run and all their bytes are inside. Otherwise
/// nothing is placed.
bool place_all_inside(Wave& wave, Transfer& t, const uint32_t* address, uint32_t first_offset, uint64_t bytes) {
  const unsigned count = wave.size();
  if (t.lanes != bits_of(~uint64_t{0}, 0, count) || t.kind == TransferKind::atomic) return false;
  uint32_t least = UINT32_MAX, most = 0;
  for (unsigned lane = 0; lane < count; ++lane) {
    const uint32_t offset = address[lane] + first_offset;
    least = std::min(least, offset);
    most = std::max(most, offset);
  }
  std::vector<uint8_t>& lds = wave.group().lds;
  const int64_t delta = t.second_from != 255 ? t.second_delta : 0;
  const int64_t begin = least + std::min<int64_t>(delta, 0);
  const int64_t end = most + std::max<int64_t>(delta, 0) + static_cast<int64_t>(bytes);
  if (begin < 0 || end > static_cast<int64_t>(lds.size())) return false;
  for (unsigned lane = 0; lane < count; ++lane) t.host[lane] = lds.data() + (address[lane] + first_offset);
  t.valid.fill(kAllValid);
  t.all_valid = true;
  t.low = lds.data() + begin;
  t.high = lds.data() + end;
  return true;
}

void place_lanes(Wave& wave, const Step& step, Transfer& t, uint32_t first_offset, uint64_t bytes) {
  const uint32_t* address = wave.vgpr(step.src[0].index);
  if (place_all_inside(wave, t, address, first_offset, bytes)) return wave.waits.issued(t);
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    if ((t.lanes >> lane & 1) == 0) continue;
    if (!place(wave, t, lane, address[lane] + first_offset, bytes)) break;
  }
  end_transfer(wave, t);
}

void copy_data(Wave& wave, Transfer& t, unsigned first, const Source& data, unsigned dwords) {
  for (unsigned i = 0; i < dwords; ++i) {
    const uint32_t* lanes = wave.vgpr(data.index + i);
    std::copy(lanes, lanes + kMaxLanes, t.data[first + i].begin());
  }
}

template <AccessShape Shape>
void ds_access(Wave& wave, const Step& step) {
  Transfer& t = begin(wave, step, Shape);
  if constexpr (Shape.kind == TransferKind::store) {
    copy_data(wave, t, 0, step.src[1], Shape.components);
    if constexpr (Shape.store_high_half) {
      for (uint32_t& lane : t.data[0]) lane >>= 16;
    }
  }
  place_lanes(wave, step, t, static_cast<uint32_t>(step.imm), uint64_t{Shape.component_bytes} * Shape.components);
}

/// Two places per lane; offsets count elements of Dwords dwords, or 64 of them.
template <TransferKind Kind, unsigned Dwords, unsigned Scale>
void ds_two(Wave& wave, const Step& step) {
  constexpr unsigned kUnit = Dwords * 4 * Scale;
  Transfer& t = begin(wave, step, {Kind, 4, 2 * Dwords});
  t.second_from = Dwords;
  const isa::Modifiers& mods = step.inst.mods;
  t.second_delta = (int64_t{mods.offset1} - mods.offset) * kUnit;
  if constexpr (Kind == TransferKind::store) {
    copy_data(wave, t, 0, step.src[1], Dwords);
    copy_data(wave, t, Dwords, step.src[2], Dwords);
  }
  place_lanes(wave, step, t, static_cast<uint32_t>(mods.offset) * kUnit, Dwords * 4);
}

FlushedDenormals flushed_denormals(const Wave& wave, AtomicOp op) {
  const Mode& mode = wave.mode;
  if (op == AtomicOp::fadd) return {!mode.keep_input_denorm32(), !mode.keep_output_denorm32()};
  if (op != AtomicOp::pk_add_f16 && op != AtomicOp::pk_add_bf16) return {};
  return {!mode.keep_input_denorm16_64(), !mode.keep_output_denorm16_64()};
}

/// `First` and `Second` are the source slots of the two data operands in the order that Transfer wants them.
template <AtomicOp O, bool Wide, unsigned First, unsigned Second>
void ds_atomic(Wave& wave, const Step& step) {
  constexpr unsigned kDwords = Wide ? 2 : 1;
  Transfer& t = begin(wave, step, atomic_shape(O, Wide));
  t.flushed = flushed_denormals(wave, O);
  copy_data(wave, t, 0, step.src[First], kDwords);
  if constexpr (Second != kNoSlot) copy_data(wave, t, kDwords, step.src[Second], kDwords);
  place_lanes(wave, step, t, static_cast<uint32_t>(step.imm), kDwords * 4);
}

/// Lane number times four plus M0.
template <AccessShape Shape>
void ds_addtid(Wave& wave, const Step& step) {
  Transfer& t = begin(wave, step, Shape);
  if constexpr (Shape.kind == TransferKind::store) copy_data(wave, t, 0, step.src[0], 1);
  const uint32_t base = (wave.m0() & 0xffffu) + static_cast<uint32_t>(step.imm);
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    if ((t.lanes >> lane & 1) == 0) continue;
    if (!place(wave, t, lane, base + lane * 4u, 4)) break;
  }
  end_transfer(wave, t);
}

// What M0[18:16] says of a direct load (RDNA 3 ISA guide, "LDS direct reads").
struct DirectType {
  uint8_t bytes;
  Extend extend;
};
constexpr DirectType kDirectTypes[8] = {
    {1, Extend::zero}, {2, Extend::zero}, {4, Extend::zero}, {}, {1, Extend::sign}, {2, Extend::sign}, {}, {}};

/// All lanes load from M0[15:0].
void direct_load(Wave& wave, const Step& step) {
  const DirectType type = kDirectTypes[bits_of(wave.m0(), 16, 3)];
  const uint32_t offset = wave.m0() & 0xffffu;
  if (type.bytes == 0 || offset % type.bytes != 0) {
    wave.fault(type.bytes == 0 ? FaultKind::invalid_instruction : FaultKind::misaligned,
               type.bytes == 0 ? "m0 names no data type" : "a direct load from LDS is unaligned");
    return;
  }
  Transfer& t = wave.waits.issue_direct(wave);
  fill(wave, step, load_shape(type.bytes, 1, type.extend), t);
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    if ((t.lanes >> lane & 1) != 0 && !place(wave, t, lane, offset, type.bytes)) break;
  }
  end_transfer(wave, t);
}

/// Exchanges two places; offsets count elements, or 64 of them.
template <bool Wide, unsigned Scale>
void ds_exchange_two(Wave& wave, const Step& step) {
  constexpr unsigned kDwords = Wide ? 2 : 1, kUnit = kDwords * 4 * Scale;
  Transfer& t = begin(wave, step, atomic_shape(AtomicOp::swap, Wide));
  const isa::Modifiers& mods = step.inst.mods;
  t.components = 2;
  t.second_from = 1;
  t.second_delta = (int64_t{mods.offset1} - mods.offset) * kUnit;
  copy_data(wave, t, 0, step.src[1], kDwords);
  copy_data(wave, t, kDwords, step.src[2], kDwords);
  place_lanes(wave, step, t, static_cast<uint32_t>(mods.offset) * kUnit, kDwords * 4);
}

/// The operand lies in LDS, too. B = A + 4 * (offset1[7] ? {A[31], A[31:17]} : {offset1[6], offset1[6:0], offset0}),
/// the braces being signed (Vega ISA guide, 12.13, DS_ADD_SRC2_U32).
template <AtomicOp O, bool Wide>
void ds_from_memory(Wave& wave, const Step& step) {
  // LDS addresses have fewer bits than the distance stands above.
  constexpr unsigned kDistanceBit = 17;
  constexpr uint32_t kAddressMask = (1u << kDistanceBit) - 1, kInAddress = 0x8000;
  Transfer& t = begin(wave, step, atomic_shape(O, Wide));
  t.operand_in_memory = true;
  t.flushed = flushed_denormals(wave, O);
  const auto control = static_cast<uint32_t>(step.imm);
  const uint32_t* address = wave.vgpr(step.src[0].index);
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    if ((t.lanes >> lane & 1) == 0) continue;
    const uint32_t field = (control & kInAddress) != 0 ? address[lane] >> kDistanceBit : control;
    const uint32_t at = address[lane] & kAddressMask;
    const auto distance = static_cast<int32_t>(sign_extend(field & 0x7fffu, 15) * 4);
    t.data[1][lane] = static_cast<uint32_t>(distance);
    const bool inside = inside_lds(wave, t, lane, at + static_cast<uint32_t>(distance), t.component_bytes);
    if (!inside || !place(wave, t, lane, at, t.component_bytes)) break;
  }
  end_transfer(wave, t);
}

/// The number of active lanes is added or subtracted once; all of them get the old value. The guides say "M0.base";
/// LLVM puts the LDS address into m0 as it is.
template <AtomicOp O>
void ds_count(Wave& wave, const Step& step) {
  Transfer& t = begin(wave, step, atomic_shape(O, false));
  t.for_all_lanes = true;
  const auto count = static_cast<uint32_t>(std::popcount(t.lanes));
  const uint32_t at = (wave.m0() & 0xffffu) + static_cast<uint32_t>(step.imm);
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    t.data[0][lane] = count;
    if ((t.lanes >> lane & 1) != 0 && !place(wave, t, lane, at, 4)) break;
  }
  end_transfer(wave, t);
}

void nothing(Wave&, const Step&) {}

constexpr TransferKind kLoad = TransferKind::load, kStore = TransferKind::store;

constexpr HandlerRow kRows[] = {
    {Op::ds_nop, nothing},
    {Op::lds_direct_load, direct_load},
    {Op::ds_read_i8, ds_access<load_shape(1, 1, Extend::sign)>},
    {Op::ds_read_u8, ds_access<load_shape(1, 1)>},
    {Op::ds_read_i16, ds_access<load_shape(2, 1, Extend::sign)>},
    {Op::ds_read_u16, ds_access<load_shape(2, 1)>},
    {Op::ds_read_u8_d16, ds_access<load_shape(1, 1, Extend::low_half_zero)>},
    {Op::ds_read_u8_d16_hi, ds_access<load_shape(1, 1, Extend::high_half_zero)>},
    {Op::ds_read_i8_d16, ds_access<load_shape(1, 1, Extend::low_half_sign)>},
    {Op::ds_read_i8_d16_hi, ds_access<load_shape(1, 1, Extend::high_half_sign)>},
    {Op::ds_read_u16_d16, ds_access<load_shape(2, 1, Extend::low_half_zero)>},
    {Op::ds_read_u16_d16_hi, ds_access<load_shape(2, 1, Extend::high_half_zero)>},
    {Op::ds_read_b32, ds_access<load_shape(4, 1)>},
    {Op::ds_read_b64, ds_access<load_shape(4, 2)>},
    {Op::ds_read_b96, ds_access<load_shape(4, 3)>},
    {Op::ds_read_b128, ds_access<load_shape(4, 4)>},
    {Op::ds_read2_b32, ds_two<kLoad, 1, 1>},
    {Op::ds_read2st64_b32, ds_two<kLoad, 1, 64>},
    {Op::ds_read2_b64, ds_two<kLoad, 2, 1>},
    {Op::ds_read2st64_b64, ds_two<kLoad, 2, 64>},
    {Op::ds_write_b8, ds_access<store_shape(1, 1)>},
    {Op::ds_write_b8_d16_hi, ds_access<store_shape(1, 1, true)>},
    {Op::ds_write_b16, ds_access<store_shape(2, 1)>},
    {Op::ds_write_b16_d16_hi, ds_access<store_shape(2, 1, true)>},
    {Op::ds_write_b32, ds_access<store_shape(4, 1)>},
    {Op::ds_write_b64, ds_access<store_shape(4, 2)>},
    {Op::ds_write_b96, ds_access<store_shape(4, 3)>},
    {Op::ds_write_b128, ds_access<store_shape(4, 4)>},
    {Op::ds_write2_b32, ds_two<kStore, 1, 1>},
    {Op::ds_write2st64_b32, ds_two<kStore, 1, 64>},
    {Op::ds_write2_b64, ds_two<kStore, 2, 1>},
    {Op::ds_write2st64_b64, ds_two<kStore, 2, 64>},
    {Op::ds_read_addtid_b32, ds_addtid<load_shape(4, 1)>},
    {Op::ds_write_addtid_b32, ds_addtid<store_shape(4, 1)>},
    {Op::ds_add_f32, ds_atomic<AtomicOp::fadd, false, 1, kNoSlot>},
    {Op::ds_add_rtn_f32, ds_atomic<AtomicOp::fadd, false, 1, kNoSlot>},
    {Op::ds_pk_add_f16, ds_atomic<AtomicOp::pk_add_f16, false, 1, kNoSlot>},
    {Op::ds_pk_add_rtn_f16, ds_atomic<AtomicOp::pk_add_f16, false, 1, kNoSlot>},
    {Op::ds_pk_add_bf16, ds_atomic<AtomicOp::pk_add_bf16, false, 1, kNoSlot>},
    {Op::ds_pk_add_rtn_bf16, ds_atomic<AtomicOp::pk_add_bf16, false, 1, kNoSlot>},
    {Op::ds_cond_sub_u32, ds_atomic<AtomicOp::cond_sub, false, 1, kNoSlot>},
    {Op::ds_cond_sub_rtn_u32, ds_atomic<AtomicOp::cond_sub, false, 1, kNoSlot>},
    {Op::ds_sub_clamp_u32, ds_atomic<AtomicOp::csub, false, 1, kNoSlot>},
    {Op::ds_sub_clamp_rtn_u32, ds_atomic<AtomicOp::csub, false, 1, kNoSlot>},
    {Op::ds_wrap_rtn_b32, ds_atomic<AtomicOp::wrap, false, 1, 2>},
    {Op::ds_condxchg32_rtn_b64, ds_atomic<AtomicOp::condxchg, true, 1, kNoSlot>},
    {Op::ds_wrxchg_rtn_b32, ds_atomic<AtomicOp::swap, false, 1, kNoSlot>},
    {Op::ds_wrxchg_rtn_b64, ds_atomic<AtomicOp::swap, true, 1, kNoSlot>},
    {Op::ds_wrxchg2_rtn_b32, ds_exchange_two<false, 1>},
    {Op::ds_wrxchg2st64_rtn_b32, ds_exchange_two<false, 64>},
    {Op::ds_wrxchg2_rtn_b64, ds_exchange_two<true, 1>},
    {Op::ds_wrxchg2st64_rtn_b64, ds_exchange_two<true, 64>},
    {Op::ds_append, ds_count<AtomicOp::add>},
    {Op::ds_consume, ds_count<AtomicOp::sub>},
    {Op::ds_add_src2_f32, ds_from_memory<AtomicOp::fadd, false>},
#define SPALT_SRC2(name, type, op)                                          \
  {Op::ds_##name##_src2_##type##32, ds_from_memory<AtomicOp::op, false>}, { \
    Op::ds_##name##_src2_##type##64, ds_from_memory<AtomicOp::op, true>     \
  }
    SPALT_SRC2(add, u, add),
    SPALT_SRC2(sub, u, sub),
    SPALT_SRC2(rsub, u, rsub),
    SPALT_SRC2(inc, u, inc),
    SPALT_SRC2(dec, u, dec),
    SPALT_SRC2(min, i, smin),
    SPALT_SRC2(max, i, smax),
    SPALT_SRC2(min, u, umin),
    SPALT_SRC2(max, u, umax),
    SPALT_SRC2(and, b, and_),
    SPALT_SRC2(or, b, or_),
    SPALT_SRC2(xor, b, xor_),
    SPALT_SRC2(write, b, swap),
    SPALT_SRC2(min, f, fmin),
    SPALT_SRC2(max, f, fmax),
#undef SPALT_SRC2
#define SPALT_DS(name, type, op, first, second)                                        \
  {Op::ds_##name##_##type##32, ds_atomic<AtomicOp::op, false, first, second>},         \
      {Op::ds_##name##_rtn_##type##32, ds_atomic<AtomicOp::op, false, first, second>}, \
      {Op::ds_##name##_##type##64, ds_atomic<AtomicOp::op, true, first, second>}, {    \
    Op::ds_##name##_rtn_##type##64, ds_atomic<AtomicOp::op, true, first, second>       \
  }
    SPALT_DS(add, u, add, 1, kNoSlot),
    SPALT_DS(sub, u, sub, 1, kNoSlot),
    SPALT_DS(rsub, u, rsub, 1, kNoSlot),
    SPALT_DS(inc, u, inc, 1, kNoSlot),
    SPALT_DS(dec, u, dec, 1, kNoSlot),
    SPALT_DS(min, i, smin, 1, kNoSlot),
    SPALT_DS(max, i, smax, 1, kNoSlot),
    SPALT_DS(min, u, umin, 1, kNoSlot),
    SPALT_DS(max, u, umax, 1, kNoSlot),
    SPALT_DS(and, b, and_, 1, kNoSlot),
    SPALT_DS(or, b, or_, 1, kNoSlot),
    SPALT_DS(xor, b, xor_, 1, kNoSlot),
    SPALT_DS(mskor, b, mskor, 1, 2),
    // The first data operand is the compare value.
    SPALT_DS(cmpst, b, cmpswap, 2, 1),
    SPALT_DS(cmpst, f, fcmpswap, 2, 1),
    // GFX11 has it second.
    SPALT_DS(cmpstore, b, cmpswap, 1, 2),
    SPALT_DS(cmpstore, f, fcmpswap, 1, 2),
    SPALT_DS(min, f, fmin, 1, kNoSlot),
    SPALT_DS(max, f, fmax, 1, kNoSlot),
#undef SPALT_DS
};

}  // namespace

void add_ds(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
