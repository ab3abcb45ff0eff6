// SPDX-License-Identifier: MIT
// image_atomic_*: a texel of 32 or 64 bits for each lane, whatever its format makes of the bits. dmask says how many
// registers of data there are, and so how wide the texel is.
#include <bit>

#include "emu/image/image_access.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

constexpr bool compares(AtomicOp op) {
  return op == AtomicOp::cmpswap || op == AtomicOp::fcmpswap;
}

template <AtomicOp O>
void image_atomic(Wave& wave, const Step& step) {
  const ImageDescriptor image = read_resource(wave, step);
  const AddressOperands address = read_address(wave, step, image);
  const unsigned registers = static_cast<unsigned>(std::popcount(step.inst.mods.dmask)) / (compares(O) ? 2 : 1);
  if (registers != 1 && registers != 2) {
    wave.fault(FaultKind::invalid_instruction, "has a dmask that no atomic has");
  } else if (image.bound && image.texel_bytes() != registers * 4) {
    wave.fault(FaultKind::invalid_instruction, "updates texels of another size than its data");
  }
  if (wave.state() == WaveState::faulted) return;
  const AccessShape shape = atomic_shape(O, registers == 2);
  Transfer& transfer = begin_transfer(wave, step, shape);
  set_store_data(wave, transfer, shape, step.src[0].index);
  for_each_lane(transfer.lanes, [&](unsigned lane) {
    if (wave.state() == WaveState::faulted) return;
    const auto place = named_texel(image, address, lane);
    place_lane(wave, transfer, lane, place ? texel_address(image, *place) : 0, place ? kAllValid : uint8_t{0});
  });
  end_transfer(wave, transfer);
}

constexpr HandlerRow kRows[] = {
    {Op::image_atomic_swap, image_atomic<AtomicOp::swap>},
    {Op::image_atomic_cmpswap, image_atomic<AtomicOp::cmpswap>},
    {Op::image_atomic_add, image_atomic<AtomicOp::add>},
    {Op::image_atomic_sub, image_atomic<AtomicOp::sub>},
    {Op::image_atomic_smin, image_atomic<AtomicOp::smin>},
    {Op::image_atomic_umin, image_atomic<AtomicOp::umin>},
    {Op::image_atomic_smax, image_atomic<AtomicOp::smax>},
    {Op::image_atomic_umax, image_atomic<AtomicOp::umax>},
    {Op::image_atomic_and, image_atomic<AtomicOp::and_>},
    {Op::image_atomic_or, image_atomic<AtomicOp::or_>},
    {Op::image_atomic_xor, image_atomic<AtomicOp::xor_>},
    {Op::image_atomic_inc, image_atomic<AtomicOp::inc>},
    {Op::image_atomic_dec, image_atomic<AtomicOp::dec>},
    {Op::image_atomic_fcmpswap, image_atomic<AtomicOp::fcmpswap>},
    {Op::image_atomic_fmin, image_atomic<AtomicOp::fmin>},
    {Op::image_atomic_fmax, image_atomic<AtomicOp::fmax>},
    {Op::image_atomic_add_flt, image_atomic<AtomicOp::fadd>},
    {Op::image_atomic_pk_add_f16, image_atomic<AtomicOp::pk_add_f16>},
    {Op::image_atomic_pk_add_bf16, image_atomic<AtomicOp::pk_add_bf16>},
};

}  // namespace

void add_image_atomics(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
