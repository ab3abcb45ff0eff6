// SPDX-License-Identifier: MIT
// Typed buffers: every format of every generation, loaded and stored with 32-bit and 16-bit registers. Conversions are
// computed with exact numbers (typed_format.h).
#include <algorithm>
#include <array>
#include <cstring>

#include "memory_buffers.h"
#include "typed_format.h"

namespace spalt::semantics {
namespace {

using isa::Inst;
using isa::Operand;

constexpr unsigned kIndex = 0, kData = 8, kResult = 16, kDescriptor = 24, kRecords = 40;

using N = Number;

// ---- data ----

/// Corners of the channel and random bits; a NaN only where it passes as it is, for its payload is not defined else.
uint32_t sample_channel(Trial& trial, Number number, unsigned bits, bool half) {
  const uint64_t most = (uint64_t{1} << bits) - 1;
  const uint64_t corners[] = {0, 1, most, most >> 1, (most >> 1) + 1, (most >> 1) + 2, most - 1};
  for (;;) {
    const auto raw = static_cast<uint32_t>(
        (trial.random() % 3 == 0 ? corners[trial.random() % std::size(corners)] : trial.random()) & most);
    if (!is_nan_in(number, raw, bits) || bits == (half ? 16u : 32u)) return raw;
  }
}

uint32_t sample_register(Trial& trial, Number number, unsigned bits, bool half) {
  const bool integer = number == N::uint || number == N::sint;
  if (integer) {
    constexpr uint32_t kCorners[] = {0,          1,          0x7f,       0x80,       0xff,      0x100,
                                     0x3ff,      0x400,      0x7fff,     0x8000,     0xffff,    0x10000,
                                     0xffffff80, 0xffff8000, 0x7fffffff, 0x80000000, 0xffffffff};
    const auto value = static_cast<uint32_t>(trial.random() % 2 == 0 ? kCorners[trial.random() % std::size(kCorners)]
                                                                     : trial.random());
    return half ? value & 0xffff : value;
  }
  // Numbers around those that the format has, ties among them, and some that are far out.
  const FloatFormat& format = half ? kF16 : kF32;
  const auto steps = static_cast<int64_t>(uint64_t{1} << (number == N::floating ? 12 : bits));
  switch (trial.random() % 4) {
    case 0: {
      const int64_t numerator = static_cast<int64_t>(trial.random() % static_cast<uint64_t>(4 * steps)) - 2 * steps;
      const int64_t denominator = number == N::uscaled || number == N::sscaled ? 2 : 2 * (steps - 1);
      return static_cast<uint32_t>(
          to_bits(divide(from_integer(numerator), from_integer(denominator)), format, Rounding::nearest_even));
    }
    case 1: {
      constexpr uint32_t kFloats[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x3f000000,
                                      0x7f800000, 0xff800000, 0x00400000, 0x3f7fffff, 0x477fe000,
                                      0x47800000, 0xc7000000, 0x33800000, 0x38800000};
      const Real real = from_bits(kFloats[trial.random() % std::size(kFloats)], kF32);
      return static_cast<uint32_t>(to_bits(real, format, Rounding::nearest_even));
    }
    default:
      for (;;) {
        const auto value = static_cast<uint32_t>(trial.random() & (half ? 0xffff : 0xffffffff));
        const bool passes = number == N::floating && bits == (half ? 16u : 32u);
        if (!format.is_nan(value) || passes || number != N::floating) return value;
      }
  }
}

// ---- instructions ----

struct Shape {
  unsigned results;
  bool half, high, in_instruction;
};

/// A structured buffer of elements at some offset, so that what a lane accesses is in range as a whole or not at all.
struct Scene {
  World world;
  Inst inst;
  std::array<unsigned, 4> select{4, 5, 6, 7};
  std::vector<uint32_t> index;
  unsigned stride = 0, offset = 0;
  /// Byte i of a lane's element, or nullptr.
  uint8_t* at(World& w, unsigned lane, unsigned i) const {
    return index[lane] < kRecords ? &w.memory.at(index[lane] * stride + offset + i) : nullptr;
  }
};

Scene make_scene(Trial& trial, Opcode opcode, const Shape& shape, const TypedFormat& format, bool store) {
  Scene scene{make_world(trial, trial.random), {}, {4, 5, 6, 7}, {}, 0, 0};
  const unsigned bytes = format.layout.total() / 8, alignment = std::min(bytes, 4u);
  scene.stride = 32 + 4 * static_cast<unsigned>(trial.random() % 8);
  scene.offset = static_cast<unsigned>(trial.random() % 5) * alignment;
  Descriptor d;
  d.stride = scene.stride;
  d.num_records = kRecords;
  d.oob = 1;
  if (!shape.in_instruction) {
    d.format = format.code;
    d.dst_sel = 0;
    const bool identity = trial.random() % 3 == 0;
    // For stores a permutation: what else would be stored twice, or not at all.
    if (store) std::shuffle(scene.select.begin(), scene.select.end(), trial.random);
    for (unsigned i = 0; i < 4; ++i) {
      constexpr unsigned kSelects[] = {0, 1, 4, 5, 6, 7};
      if (!store) scene.select[i] = kSelects[trial.random() % 6];
      if (identity) scene.select[i] = 4 + i;
      d.dst_sel |= scene.select[i] << (3 * i);
    }
  }
  set_descriptor(trial.target, scene.world, kDescriptor, d);
  for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
    scene.index.push_back(trial.random() % 8 == 0 ? kRecords + static_cast<uint32_t>(trial.random() % 2) * 0x10000u
                                                  : static_cast<uint32_t>(trial.random() % kRecords));
    scene.world.regs.v[kIndex][lane] = scene.index[lane];
  }
  Inst& inst = scene.inst;
  inst.opcode = opcode;
  inst.format = shape.in_instruction ? Format::mtbuf : Format::mubuf;
  inst.mods.idxen = true;
  inst.mods.offset = static_cast<int32_t>(scene.offset);
  if (shape.in_instruction) inst.mods.format = static_cast<uint8_t>(format.code);
  const unsigned slot = store ? 1 : 0, registers = shape.half ? (shape.results + 1) / 2 : shape.results;
  inst.src[slot] = Operand::of(isa::vgpr(kIndex));
  inst.src[slot + 1] = Operand::of(isa::sgpr(kDescriptor), 4);
  if (trial.target.major < 12) inst.src[slot + 2] = Operand::of_imm(0);
  if (store) {
    inst.src[0] = Operand::of(isa::vgpr(kData), registers);
  } else {
    inst.dst[0] = Operand::of(isa::vgpr(kResult), registers);
  }
  return scene;
}

/// Value i of a lane in a register or half of one.
uint32_t get_value(const World& world, unsigned first, const Shape& shape, unsigned i, unsigned lane) {
  if (!shape.half) return world.regs.v[first + i][lane];
  const bool high = shape.high || i % 2 != 0;
  return world.regs.v[first + i / 2][lane] >> (high ? 16 : 0) & 0xffff;
}
void set_value(World& world, unsigned first, const Shape& shape, unsigned i, unsigned lane, uint32_t value) {
  if (!shape.half) {
    world.regs.v[first + i][lane] = value;
    return;
  }
  const unsigned shift = shape.high || i % 2 != 0 ? 16 : 0;
  uint32_t& reg = world.regs.v[first + i / 2][lane];
  reg = (reg & ~(0xffffu << shift)) | (value & 0xffffu) << shift;
}

void prove_load(Trial& trial, Opcode opcode, const Shape& shape, const TypedFormat& format) {
  Scene scene = make_scene(trial, opcode, shape, format, false);
  const unsigned bytes = format.layout.total() / 8;
  for (unsigned record = 0; record < kRecords; ++record) {
    Element element{};
    for (unsigned c = 0; c < format.layout.channels; ++c) {
      set_bits(element, first_bit(format.layout, c), format.layout.bits[c],
               sample_channel(trial, format.number, format.layout.bits[c], shape.half));
    }
    std::memcpy(&scene.world.memory[record * scene.stride + scene.offset], element.data(), bytes);
  }
  World want = scene.world;
  const bool integer = format.number == N::uint || format.number == N::sint;
  for_active_lanes(scene.world, trial.wave_size, [&](unsigned lane) {
    Element element{};
    bool in_range = true;
    for (unsigned i = 0; i < bytes; ++i) {
      const uint8_t* at = scene.at(scene.world, lane, i);
      in_range = in_range && at != nullptr;
      element[i] = at != nullptr ? *at : 0;
    }
    for (unsigned i = 0; i < shape.results; ++i) {
      const unsigned select = scene.select[i], channel = select - 4;
      uint32_t value = 0;
      // A constant stays what it is, in range or not; channels that the format lacks are 0 (table "Buffer
      // Instructions").
      if (select == 1) value = integer ? 1 : shape.half ? 0x3c00 : 0x3f800000;
      if (select >= 4 && channel < format.layout.channels && in_range) {
        const unsigned bits = format.layout.bits[channel];
        value = loaded(format.number, bits_at(element, first_bit(format.layout, channel), bits), bits, shape.half);
      }
      set_value(want, kResult, shape, i, lane, value);
    }
  });
  check(trial, scene.inst, scene.world, want);
}

void prove_store(Trial& trial, Opcode opcode, const Shape& shape, const TypedFormat& format) {
  Scene scene = make_scene(trial, opcode, shape, format, true);
  const unsigned bytes = format.layout.total() / 8;
  for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
    for (unsigned i = 0; i < shape.results; ++i) {
      const unsigned channel = scene.select[i] - 4;
      const unsigned bits = channel < format.layout.channels ? format.layout.bits[channel] : 8;
      set_value(scene.world, kData, shape, i, lane, sample_register(trial, format.number, bits, shape.half));
    }
  }
  World want = scene.world;
  for_active_lanes(scene.world, trial.wave_size, [&](unsigned lane) {
    Element element{};
    for (unsigned c = 0; c < format.layout.channels; ++c) {
      const auto from =
          static_cast<unsigned>(std::find(scene.select.begin(), scene.select.end(), c + 4) - scene.select.begin());
      uint32_t value = 0;
      const bool given = from < shape.results;
      // What the instruction does not give is 0, on GFX12 x (RDNA 3 and 4, "format mismatches").
      if (given || trial.target.major >= 12) value = get_value(scene.world, kData, shape, given ? from : 0, lane);
      const bool nan = format.number == N::floating && (shape.half ? kF16 : kF32).is_nan(value) &&
                       format.layout.bits[c] != (shape.half ? 16u : 32u);
      // The payload of a NaN that changes its format is not defined; the repeated x may be one here.
      uint64_t raw = stored(format.number, value, format.layout.bits[c], shape.half);
      if (nan) raw = float_of(format.layout.bits[c]).infinity() | float_of(format.layout.bits[c]).quiet_bit();
      set_bits(element, first_bit(format.layout, c), format.layout.bits[c], raw);
    }
    for (unsigned i = 0; i < bytes; ++i) {
      if (uint8_t* at = scene.at(want, lane, i)) *at = element[i];
    }
  });
  check(trial, scene.inst, scene.world, want);
}

/// Reserved formats are an error, an unaligned element is one; the format 0 means that nothing is there.
void prove_limits(Trial& trial, Opcode opcode, const Shape& shape, bool store) {
  const TypedFormat format{{1, {32}}, N::uint, trial.target.major == 9 ? 4u | 4u << 4 : 20u};
  Scene scene = make_scene(trial, opcode, shape, format, store);
  scene.world.regs.set_mask(isa::kExec.number, trial.wave_size, 1);
  scene.world.regs.v[kIndex][0] = scene.index[0] = 1;
  scene.inst.mods.offset |= 2;
  check_fault(trial, scene.inst, scene.world, "a typed access that is unaligned");
  scene.inst.mods.offset &= ~2;
  World unbound = scene.world;
  unbound.regs.s[kDescriptor + 3] &= trial.target.major == 9    ? ~(0x7fu << 12)
                                     : trial.target.major == 10 ? ~(0x7fu << 12)
                                                                : ~(0x3fu << 12);
  if (shape.in_instruction) scene.inst.mods.format = 0;
  World want = unbound;
  for (unsigned i = 0; i < shape.results && !store; ++i) {
    set_value(want, kResult, shape, i, 0, scene.select[i] == 1 ? 1 : 0);
  }
  check(trial, scene.inst, unbound, want);
}

void prove(Trial& trial, Opcode opcode, const Shape& shape, bool store) {
  for (const TypedFormat& format : formats_of(trial.target)) {
    if (store) {
      prove_store(trial, opcode, shape, format);
    } else {
      prove_load(trial, opcode, shape, format);
    }
  }
  prove_limits(trial, opcode, shape, store);
}

}  // namespace

void add_memory_typed(Proofs& proofs) {
  const auto add = [&](const std::string& name, const Shape& shape, bool store) {
    const Opcode opcode = isa::find_opcode(name);
    if (opcode == Opcode::invalid) return;
    proofs.push_back({name, {opcode}, [=](Trial& trial) { prove(trial, opcode, shape, store); }});
  };
  const char* components[] = {"x", "xy", "xyz", "xyzw"};
  for (const bool typed : {false, true}) {
    const std::string prefix = typed ? "tbuffer_" : "buffer_";
    for (const bool store : {false, true}) {
      const std::string verb = prefix + (store ? "store_format_" : "load_format_");
      for (unsigned i = 0; i < 4; ++i) {
        add(verb + components[i], {i + 1, false, false, typed}, store);
        add(verb + "d16_" + components[i], {i + 1, true, false, typed}, store);
      }
      if (!typed) add(verb + "d16_hi_x", {1, true, true, false}, store);
    }
  }
}

}  // namespace spalt::semantics
