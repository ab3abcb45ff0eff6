// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <optional>

#include "emu/image/address_operands.h"
#include "emu/image/image_descriptor.h"
#include "emu/image/surface.h"
#include "emu/memory/vmem.h"

namespace spalt::emu {

/// The source slot of the resource; a sampler follows it.
inline unsigned resource_slot(const Step& step) {
  return (step.flags & isa::kMayStore) != 0 ? 2 : 1;
}
ImageDescriptor read_resource(Wave& wave, const Step& step);

/// The texel that the integer coordinates of a load, store or atomic name; nullopt: it is out of range.
std::optional<TexelPlace> named_texel(const ImageDescriptor& image, const AddressOperands& address, unsigned lane);

/// Starts the transfer of an instruction that reads texels. The lanes get their taps in order, first to last.
Transfer& begin_texel_read(Wave& wave, const Step& step, const ImageDescriptor& image, TexelRead::Kind kind);
/// The taps that follow are of this lane.
void begin_lane(Transfer& transfer, unsigned lane);
/// A texel that counts as much as `weight` says. False, and a fault, where the wave must not read it.
bool add_texel(Wave& wave, Transfer& transfer, const ImageDescriptor& image, const TexelPlace& at, unsigned lane,
               double weight = 1);
/// A border texel, or zeros.
void add_tap(Transfer& transfer, Tap::Kind kind, unsigned lane, double weight = 1);

/// Starts the transfer of an instruction whose results are known at once; they arrive like those of loads. Of each
/// lane, set_results takes all four components.
Transfer& begin_query(Wave& wave, const Step& step, texel::Number number);
void set_results(Transfer& transfer, unsigned lane, unsigned dmask, const texel::Texel& components);

template <class Body>
void for_each_lane(uint64_t lanes, Body body) {
  for (uint64_t rest = lanes; rest != 0; rest &= rest - 1) body(static_cast<unsigned>(std::countr_zero(rest)));
}

}  // namespace spalt::emu
