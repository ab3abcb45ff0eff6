// SPDX-License-Identifier: MIT
// Loads, stores and atomics of texels: image instructions, and for texel buffers typed buffer instructions.
#include <bit>

#include "amdgpu/isa/codec/image_address.h"
#include "amdgpu/isa/opcode_tables.h"
#include "amdgpu/select/selector.h"
#include "base/ice.h"

namespace spalt::select {

using ir::ImageAccess;
using ir::ImageDim;
using ir::ImageOperands;

namespace {

struct TexelAtomic {
  M image, buffer, wide_buffer;  ///< image instructions know the width by their mask
};

TexelAtomic texel_atomic(ir::AtomicKind kind) {
  switch (kind) {
    case ir::AtomicKind::exchange:
      return {M::image_atomic_swap, M::buffer_atomic_swap, M::buffer_atomic_swap_x2};
    case ir::AtomicKind::compare_exchange:
      return {M::image_atomic_cmpswap, M::buffer_atomic_cmpswap, M::buffer_atomic_cmpswap_x2};
    case ir::AtomicKind::add:
      return {M::image_atomic_add, M::buffer_atomic_add, M::buffer_atomic_add_x2};
    case ir::AtomicKind::sub:
      return {M::image_atomic_sub, M::buffer_atomic_sub, M::buffer_atomic_sub_x2};
    case ir::AtomicKind::smin:
      return {M::image_atomic_smin, M::buffer_atomic_smin, M::buffer_atomic_smin_x2};
    case ir::AtomicKind::smax:
      return {M::image_atomic_smax, M::buffer_atomic_smax, M::buffer_atomic_smax_x2};
    case ir::AtomicKind::umin:
      return {M::image_atomic_umin, M::buffer_atomic_umin, M::buffer_atomic_umin_x2};
    case ir::AtomicKind::umax:
      return {M::image_atomic_umax, M::buffer_atomic_umax, M::buffer_atomic_umax_x2};
    case ir::AtomicKind::bit_and:
      return {M::image_atomic_and, M::buffer_atomic_and, M::buffer_atomic_and_x2};
    case ir::AtomicKind::bit_or:
      return {M::image_atomic_or, M::buffer_atomic_or, M::buffer_atomic_or_x2};
    case ir::AtomicKind::bit_xor:
      return {M::image_atomic_xor, M::buffer_atomic_xor, M::buffer_atomic_xor_x2};
    // lower_float_atomics has left those that the target has; of 64 bits there are none.
    case ir::AtomicKind::fadd:
      return {M::image_atomic_add_flt, M::buffer_atomic_add_f32, M::buffer_atomic_add_f32};
    case ir::AtomicKind::fmin:
      return {M::image_atomic_fmin, M::buffer_atomic_fmin, M::buffer_atomic_fmin};
    case ir::AtomicKind::fmax:
      return {M::image_atomic_fmax, M::buffer_atomic_fmax, M::buffer_atomic_fmax};
  }
  SPALT_ICE("selection met an unknown atomic operation on texels");
}

/// Values of the dimension field (RDNA 2 ISA guide, "Image instructions", DIM).
uint8_t dimension_code(const ImageAccess& access) {
  switch (access.dim) {
    case ImageDim::d1:
      return access.arrayed() ? 4 : 0;
    case ImageDim::d2:
      return static_cast<uint8_t>(access.multisampled() ? (access.arrayed() ? 7 : 6) : (access.arrayed() ? 5 : 1));
    case ImageDim::d3:
      return 2;
    case ImageDim::face:
      return 3;
    default:
      SPALT_ICE("selection met an image that lowering should have changed");
  }
}

/// x, xy, xyz, xyzw: opcodes in this order.
M by_components(unsigned mask, M x, M xy, M xyz, M xyzw) {
  const M opcodes[] = {x, xy, xyz, xyzw};
  return opcodes[std::bit_width(mask) - 1];
}

uint16_t load_memory(const ImageAccess& access) {
  return (access.flags & ir::kReadOnly) != 0 ? mir::kReadsConstant : mir::kReadsBuffer;
}

}  // namespace

/// What the instruction says of its image, beside components and caches.
isa::Modifiers Selector::image_modifiers(const ImageAccess& access) const {
  isa::Modifiers mods;
  mods.tfe = access.sparse();
  if (access.dim == ImageDim::buffer) {
    mods.idxen = true;
    return mods;
  }
  mods.dmask = access.mask;
  mods.a16 = access.half_address();
  mods.d16 = access.half_texel();
  if (target_.has_image_dim) {
    mods.dim = dimension_code(access);
  } else {
    mods.declare_array = access.arrayed() || access.dim == ImageDim::face;
  }
  return mods;
}

/// The address operands of the IR operation, one dword each.
SmallVector<Value, 16> Selector::image_address(Value value, const ImageOperands& at) {
  SmallVector<Value, 16> address;
  for (unsigned i = 0; i < at.address_count(); ++i) address.push_back(input(value, at.address + i));
  return address;
}

/// One register, or a tuple of registers and constants that come together in it.
Operand Selector::image_address_part(std::span<const Value> values) {
  if (values.size() == 1) return vector(values[0]);
  SmallVector<Operand, 16> parts;
  for (const Value value : values) parts.push_back(source(value));
  return vector_tuple(parts.span());
}

Operand Selector::vector_tuple(std::span<const Operand> parts) {
  if (parts.size() == 1) return parts[0];
  const Operand tuple = temp(mir::vgpr_class(static_cast<unsigned>(parts.size())));
  emit(M::p_vec, std::span<const Operand>(&tuple, 1), parts);
  return tuple;
}

/// An image instruction. Its address is a list of registers where the target has such and takes it that long; else it
/// is one tuple. `data` and `sampler` may be none. `tied` has the first content of the result where that matters.
mir::Inst& Selector::emit_image(M opcode, Operand result, const ImageParts& parts, const isa::Modifiers& mods) {
  const isa::OpcodeInfo& info = isa::info(mir::to_isa(opcode));
  const auto encodings = isa::opcode_encodings(mir::to_isa(opcode), target_.generation);
  if (encodings.empty()) SPALT_ICE("selection met an image instruction that the target lacks");
  isa::ImageAddressList list;
  if (parts.address.size() <= target_.listed_image_addresses) {
    list = isa::image_address_list(info, mods, encodings[0].format, target_.generation);
  }
  const unsigned count = list.count > 1 ? list.count : 1;
  const std::span<const Value> address = parts.address.span();
  const Operand first = image_address_part(count == 1 ? address : address.first(1));
  SmallVector<Operand, 16> uses;
  if (parts.data.kind != Operand::Kind::none) uses.push_back(parts.data);
  uses.push_back(first);
  uses.push_back(parts.image);
  if (parts.sampler.kind != Operand::Kind::none) uses.push_back(parts.sampler);
  for (unsigned i = 1, at = 1; i < count; at += list.widths[i++]) {
    uses.push_back(image_address_part(address.subspan(at, list.widths[i])));
  }
  if (parts.tied.kind != Operand::Kind::none) uses.push_back(parts.tied);
  const bool has_result = result.kind != Operand::Kind::none;
  mir::Inst& inst = emit(opcode, std::span<const Operand>(&result, has_result ? 1 : 0), uses.span());
  out_.set_modifiers(inst, mods);
  return inst;
}

/// A sparse access writes its status only where a texel is missing, and then no texel: all begins as zero.
Operand Selector::sparse_start(unsigned dwords) {
  const SmallVector<Operand, 8> zeros = [&] {
    SmallVector<Operand, 8> list;
    list.resize(dwords, Operand::immediate(0));
    return list;
  }();
  Operand start = temp(mir::vgpr_class(dwords));
  emit(M::p_vec, std::span<const Operand>(&start, 1), zeros.span());
  start.tied = true;
  return start;
}

void Selector::select_image(Value value) {
  switch (inst(value).op) {
    case Op::image_load:
      return select_image_load(value);
    case Op::image_store:
      return select_image_store(value);
    default:
      return select_image_atomic(value);
  }
}

void Selector::select_image_load(Value value) {
  const ImageAccess access = function_.image_access(value);
  const ImageOperands at = ir::image_operands(Op::image_load, access);
  ImageParts parts;
  parts.image = descriptor(input(value, 0));
  parts.address = image_address(value, at);
  if (access.sparse()) parts.tied = sparse_start(dwords(value));
  isa::Modifiers mods = image_modifiers(access);
  memory_model_.set_load_bits(mods, access_kind(function_.access(value)));
  mir::Inst* load = nullptr;
  if (access.dim == ImageDim::buffer) {
    const M opcode = by_components(access.mask, M::buffer_load_format_x, M::buffer_load_format_xy,
                                   M::buffer_load_format_xyz, M::buffer_load_format_xyzw);
    load = &emit_texel_buffer(opcode, define(value), parts, mods);
  } else {
    mods.unorm = target_.has_image_unorm;
    load = &emit_image(access.has(ir::kImageLod) ? M::image_load_mip : M::image_load, define(value), parts, mods);
  }
  load->memory = load_memory(access);
  mark_ordered(function_.access(value), *load);
  complete_volatile(function_.access(value), mir::kWaitVmLoad);
}

void Selector::select_image_store(Value value) {
  const ImageAccess access = function_.image_access(value);
  const ImageOperands at = ir::image_operands(Op::image_store, access);
  ImageParts parts;
  parts.data = vector(input(value, at.data));
  parts.image = descriptor(input(value, 0));
  parts.address = image_address(value, at);
  isa::Modifiers mods = image_modifiers(access);
  memory_model_.set_store_bits(mods, access_kind(function_.access(value)));
  mir::Inst* store = nullptr;
  if (access.dim == ImageDim::buffer) {
    const M opcode = by_components(access.mask, M::buffer_store_format_x, M::buffer_store_format_xy,
                                   M::buffer_store_format_xyz, M::buffer_store_format_xyzw);
    store = &emit_texel_buffer(opcode, Operand(), parts, mods);
  } else {
    mods.unorm = target_.has_image_unorm;
    store = &emit_image(access.has(ir::kImageLod) ? M::image_store_mip : M::image_store, Operand(), parts, mods);
  }
  store->memory = mir::kWritesBuffer;
  mark_ordered(function_.access(value), *store);
  complete_volatile(function_.access(value), mir::kWaitVmStore);
}

/// As select_buffer_atomic: the data register is also the result, and compare-and-swap takes two values and returns
/// one.
void Selector::select_image_atomic(Value value) {
  const ImageAccess access = function_.image_access(value);
  const ImageOperands at = ir::image_operands(Op::image_atomic, access);
  const bool returns = locations_[value.index].wanted();
  const bool compares = at.data_count == 2;
  SmallVector<Operand, 2> data;
  for (unsigned i = 0; i < at.data_count; ++i) data.push_back(vector(input(value, at.data + i)));
  const unsigned size = dwords(value);
  ImageParts parts;
  parts.data = data[0];
  if (compares) {
    parts.data = temp(mir::vgpr_class(2 * size));
    emit(M::p_vec, std::span<const Operand>(&parts.data, 1), data.span());
  }
  parts.data.tied = returns;
  parts.image = descriptor(input(value, 0));
  parts.address = image_address(value, at);
  isa::Modifiers mods = image_modifiers(access);
  memory_model_.set_atomic_bits(mods, access_kind(function_.access(value)), returns);
  Operand old;
  if (returns) old = compares ? temp(mir::vgpr_class(2 * size)) : define(value);
  const TexelAtomic opcodes = texel_atomic(access.atomic);
  mir::Inst* atomic = nullptr;
  if (access.dim == ImageDim::buffer) {
    atomic = &emit_texel_buffer(size == 2 ? opcodes.wide_buffer : opcodes.buffer, old, parts, mods);
  } else {
    mods.dmask = static_cast<uint8_t>((1u << (compares ? 2 * size : size)) - 1);
    mods.unorm = target_.has_image_unorm;
    atomic = &emit_image(opcodes.image, old, parts, mods);
  }
  atomic->memory = mir::kReadsBuffer | mir::kWritesBuffer;
  mark_ordered(function_.access(value), *atomic);
  if (returns && compares) emit(M::p_split, {define(value), temp(mir::vgpr_class(size))}, {old});
}

/// A buffer instruction whose address is the number of a texel.
mir::Inst& Selector::emit_texel_buffer(M opcode, Operand result, const ImageParts& parts, const isa::Modifiers& mods) {
  SmallVector<Operand, 8> uses;
  if (parts.data.kind != Operand::Kind::none) uses.push_back(parts.data);
  uses.push_back(vector(parts.address[0]));
  uses.push_back(parts.image);
  uses.push_back(no_scalar_offset());
  if (parts.tied.kind != Operand::Kind::none) uses.push_back(parts.tied);
  const bool has_result = result.kind != Operand::Kind::none;
  mir::Inst& inst = emit(opcode, std::span<const Operand>(&result, has_result ? 1 : 0), uses.span());
  out_.set_modifiers(inst, mods);
  return inst;
}

}  // namespace spalt::select
