// SPDX-License-Identifier: MIT
// Buffer instructions that convert: MTBUF, whose format is in the instruction, and the format instructions of MUBUF,
// which take format and channel order from the descriptor (section "Buffer Data" of each ISA guide).
#include <algorithm>

#include "emu/launch/program.h"
#include "emu/memory/buffer_address.h"
#include "emu/memory/format_convert.h"
#include "emu/memory/vmem.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;
using Width = Conversion::Width;

constexpr std::array<uint8_t, 4> kIdentity = BufferDescriptor().dst_sel;

/// What an instruction and its descriptor say about the element.
struct Element {
  const isa::BufferFormat* format = nullptr;
  std::array<uint8_t, 4> select{};
};

/// Format 0 stands for an unbound buffer: nothing is in range.
Element read_element(Wave& wave, const Step& step, BufferDescriptor& descriptor) {
  const bool in_instruction = step.inst.format == isa::Format::mtbuf;
  const unsigned code = in_instruction ? step.inst.mods.format : descriptor.format;
  static constexpr isa::BufferFormat kNothing{isa::NumberFormat::uint, 1, 4, {32}, {0}};
  const isa::Target& target = wave.program().target();
  Element element{isa::buffer_format(target.generation, code), in_instruction ? kIdentity : descriptor.dst_sel};
  if (element.format == nullptr) {
    const bool split = target.buffer_layout == isa::BufferLayout::split_format;
    if ((split ? code % 16 : code) != 0)
      wave.fault(FaultKind::invalid_instruction, "names a buffer format that does not exist");
    element.format = &kNothing;
    descriptor.format = 0;
    descriptor.add_tid = false;
  }
  return element;
}

/// Elements move as dwords, shorter ones as a whole.
AccessShape shape_of(TransferKind kind, const isa::BufferFormat& format) {
  const unsigned bytes = std::min<unsigned>(format.bytes, 4);
  return {kind, static_cast<uint8_t>(bytes), static_cast<uint8_t>(format.bytes / bytes)};
}

template <unsigned Results, Width W>
void typed_load(Wave& wave, const Step& step) {
  BufferAccess access = read_buffer_access(wave, step, 0, true);
  const Element element = read_element(wave, step, access.descriptor);
  Transfer& transfer = begin_transfer(wave, step, shape_of(TransferKind::load, *element.format));
  transfer.conversion = {element.format, element.select, Results, W};
  place_in_buffer(wave, access, transfer);
}

/// The 32-bit values of one lane.
template <unsigned Inputs, Width W>
std::array<uint32_t, 4> inputs_of(const Wave& wave, const isa::BufferFormat& format, unsigned data, unsigned lane) {
  std::array<uint32_t, 4> values{};
  for (unsigned i = 0; i < Inputs; ++i) {
    if (W == Width::dword) {
      values[i] = wave.vgpr(data + i)[lane];
    } else {
      const unsigned shift = i % 2 != 0 || W == Width::high_half ? 16 : 0;
      values[i] = widen16(format, wave.vgpr(data + i / 2)[lane] >> shift);
    }
  }
  return values;
}

/// Which input goes into each channel in memory; Inputs where there is none.
template <unsigned Inputs>
std::array<unsigned, 4> inputs_of_channels(const std::array<uint8_t, 4>& select) {
  std::array<unsigned, 4> from{};
  for (unsigned channel = 0; channel < 4; ++channel) {
    unsigned input = 0;
    while (input < Inputs && select[input] != BufferDescriptor::kSelectX + channel) ++input;
    from[channel] = input;
  }
  return from;
}

template <unsigned Inputs, Width W>
void typed_store(Wave& wave, const Step& step) {
  BufferAccess access = read_buffer_access(wave, step, 1, true);
  const Element element = read_element(wave, step, access.descriptor);
  Transfer& transfer = begin_transfer(wave, step, shape_of(TransferKind::store, *element.format));
  const std::array<unsigned, 4> from = inputs_of_channels<Inputs>(element.select);
  const bool repeats = wave.program().target().format_store_repeats_x;
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    const auto values = inputs_of<Inputs, W>(wave, *element.format, step.src[0].index, lane);
    std::array<uint32_t, 4> channels{};
    for (unsigned c = 0; c < 4; ++c) channels[c] = from[c] < Inputs ? values[from[c]] : repeats ? values[0] : 0;
    const ElementBytes bytes = encode_element(*element.format, channels);
    for (unsigned c = 0; c < transfer.components; ++c) {
      uint32_t& data = transfer.data[c][lane] = 0;
      for (unsigned i = 0; i < transfer.component_bytes; ++i) {
        data |= static_cast<uint32_t>(bytes[c * transfer.component_bytes + i]) << (8 * i);
      }
    }
  }
  place_in_buffer(wave, access, transfer);
}

#define SPALT_TYPED(load, store, n, width)   \
  {Op::load, typed_load<n, Width::width>}, { \
    Op::store, typed_store<n, Width::width>  \
  }
constexpr HandlerRow kRows[] = {
    SPALT_TYPED(buffer_load_format_x, buffer_store_format_x, 1, dword),
    SPALT_TYPED(buffer_load_format_xy, buffer_store_format_xy, 2, dword),
    SPALT_TYPED(buffer_load_format_xyz, buffer_store_format_xyz, 3, dword),
    SPALT_TYPED(buffer_load_format_xyzw, buffer_store_format_xyzw, 4, dword),
    SPALT_TYPED(buffer_load_format_d16_x, buffer_store_format_d16_x, 1, half),
    SPALT_TYPED(buffer_load_format_d16_xy, buffer_store_format_d16_xy, 2, half),
    SPALT_TYPED(buffer_load_format_d16_xyz, buffer_store_format_d16_xyz, 3, half),
    SPALT_TYPED(buffer_load_format_d16_xyzw, buffer_store_format_d16_xyzw, 4, half),
    SPALT_TYPED(buffer_load_format_d16_hi_x, buffer_store_format_d16_hi_x, 1, high_half),
    SPALT_TYPED(tbuffer_load_format_x, tbuffer_store_format_x, 1, dword),
    SPALT_TYPED(tbuffer_load_format_xy, tbuffer_store_format_xy, 2, dword),
    SPALT_TYPED(tbuffer_load_format_xyz, tbuffer_store_format_xyz, 3, dword),
    SPALT_TYPED(tbuffer_load_format_xyzw, tbuffer_store_format_xyzw, 4, dword),
    SPALT_TYPED(tbuffer_load_format_d16_x, tbuffer_store_format_d16_x, 1, half),
    SPALT_TYPED(tbuffer_load_format_d16_xy, tbuffer_store_format_d16_xy, 2, half),
    SPALT_TYPED(tbuffer_load_format_d16_xyz, tbuffer_store_format_d16_xyz, 3, half),
    SPALT_TYPED(tbuffer_load_format_d16_xyzw, tbuffer_store_format_d16_xyzw, 4, half),
    {Op::buffer_load_lds_format_x, typed_load<1, Width::dword>},
};
#undef SPALT_TYPED

}  // namespace

void add_typed_buffer(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
