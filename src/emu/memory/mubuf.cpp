// SPDX-License-Identifier: MIT
// MUBUF without conversion: buffer loads, stores and atomics (RDNA 2 ISA guide, section 8.1 "Vector memory buffer
// instructions"). Those that convert are in typed_buffer.cpp.
#include "emu/memory/buffer_address.h"
#include "emu/memory/vmem.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

template <AccessShape Shape, unsigned VaddrSlot>
void buffer_access(Wave& wave, const Step& step) {
  const BufferAccess access = read_buffer_access(wave, step, VaddrSlot, false);
  Transfer& transfer = begin_transfer(wave, step, Shape);
  if constexpr (VaddrSlot == 1) set_store_data(wave, transfer, Shape, step.src[0].index);
  place_in_buffer(wave, access, transfer);
}

template <unsigned Bytes, unsigned Components, Extend E = Extend::zero>
constexpr Handler kLoad = buffer_access<load_shape(Bytes, Components, E), 0>;
template <unsigned Bytes, unsigned Components, bool High = false>
constexpr Handler kStore = buffer_access<store_shape(Bytes, Components, High), 1>;
template <AtomicOp O, bool Wide>
constexpr Handler kAtomic = buffer_access<atomic_shape(O, Wide), 1>;

constexpr HandlerRow kRows[] = {
    {Op::buffer_load_ubyte, kLoad<1, 1>},
    {Op::buffer_load_sbyte, kLoad<1, 1, Extend::sign>},
    {Op::buffer_load_ushort, kLoad<2, 1>},
    {Op::buffer_load_sshort, kLoad<2, 1, Extend::sign>},
    {Op::buffer_load_dword, kLoad<4, 1>},
    {Op::buffer_load_dwordx2, kLoad<4, 2>},
    {Op::buffer_load_dwordx3, kLoad<4, 3>},
    {Op::buffer_load_dwordx4, kLoad<4, 4>},
    {Op::buffer_load_ubyte_d16, kLoad<1, 1, Extend::low_half_zero>},
    {Op::buffer_load_ubyte_d16_hi, kLoad<1, 1, Extend::high_half_zero>},
    {Op::buffer_load_sbyte_d16, kLoad<1, 1, Extend::low_half_sign>},
    {Op::buffer_load_sbyte_d16_hi, kLoad<1, 1, Extend::high_half_sign>},
    {Op::buffer_load_short_d16, kLoad<2, 1, Extend::low_half_zero>},
    {Op::buffer_load_short_d16_hi, kLoad<2, 1, Extend::high_half_zero>},
    {Op::buffer_store_byte, kStore<1, 1>},
    {Op::buffer_store_byte_d16_hi, kStore<1, 1, true>},
    {Op::buffer_store_short, kStore<2, 1>},
    {Op::buffer_store_short_d16_hi, kStore<2, 1, true>},
    {Op::buffer_store_dword, kStore<4, 1>},
    {Op::buffer_store_dwordx2, kStore<4, 2>},
    {Op::buffer_store_dwordx3, kStore<4, 3>},
    {Op::buffer_store_dwordx4, kStore<4, 4>},
    {Op::buffer_gl0_inv, control_caches},
    {Op::buffer_wbinvl1, control_caches},
    {Op::buffer_wbinvl1_vol, control_caches},
    {Op::buffer_gl1_inv, control_caches},
    {Op::buffer_load_lds_u8, kLoad<1, 1>},
    {Op::buffer_load_lds_i8, kLoad<1, 1, Extend::sign>},
    {Op::buffer_load_lds_u16, kLoad<2, 1>},
    {Op::buffer_load_lds_i16, kLoad<2, 1, Extend::sign>},
    {Op::buffer_load_lds_b32, kLoad<4, 1>},
#define SPALT_ATOMIC(name, op)                                 \
  {Op::buffer_atomic_##name, kAtomic<AtomicOp::op, false>}, {  \
    Op::buffer_atomic_##name##_x2, kAtomic<AtomicOp::op, true> \
  }
    SPALT_ATOMIC(swap, swap),
    SPALT_ATOMIC(cmpswap, cmpswap),
    SPALT_ATOMIC(add, add),
    SPALT_ATOMIC(sub, sub),
    SPALT_ATOMIC(smin, smin),
    SPALT_ATOMIC(umin, umin),
    SPALT_ATOMIC(smax, smax),
    SPALT_ATOMIC(umax, umax),
    SPALT_ATOMIC(and, and_),
    SPALT_ATOMIC(or, or_),
    SPALT_ATOMIC(xor, xor_),
    SPALT_ATOMIC(inc, inc),
    SPALT_ATOMIC(dec, dec),
    SPALT_ATOMIC(fcmpswap, fcmpswap),
    SPALT_ATOMIC(fmin, fmin),
    SPALT_ATOMIC(fmax, fmax),
    {Op::buffer_atomic_pk_add_f16, kAtomic<AtomicOp::pk_add_f16, false>},
    {Op::buffer_atomic_pk_add_bf16, kAtomic<AtomicOp::pk_add_bf16, false>},
    {Op::buffer_atomic_add_f32, kAtomic<AtomicOp::fadd, false>},
    {Op::buffer_atomic_cond_sub_u32, kAtomic<AtomicOp::cond_sub, false>},
    {Op::buffer_atomic_csub, kAtomic<AtomicOp::csub, false>},
#undef SPALT_ATOMIC
};

}  // namespace

void add_mubuf(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
