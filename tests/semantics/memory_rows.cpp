// SPDX-License-Identifier: MIT
// Loads, stores and atomics of GLOBAL, FLAT, SCRATCH, MUBUF and the simple ones of DS, each in every way of addressing
// that its format has.
#include "memory_forms.h"
#include "memory_operations.h"

namespace spalt::semantics {
namespace {

using isa::Inst;
using isa::Operand;

constexpr unsigned kData = 8, kResult = 16, kRounds = 3;

/// How a load fills its registers.
enum class Fill : uint8_t { dwords, zero, sign, low_zero, low_sign, high_zero, high_sign };

uint32_t filled(uint32_t value, unsigned bytes, uint32_t old, Fill fill) {
  const unsigned bits = bytes * 8;
  const bool negative = bits < 32 && (value >> (bits - 1) & 1) != 0;
  const uint32_t extended = negative ? value | ~((1u << bits) - 1) : value;
  switch (fill) {
    case Fill::dwords:
    case Fill::zero:
      return value;
    case Fill::sign:
      return extended;
    case Fill::low_zero:
      return (old & 0xffff0000u) | value;
    case Fill::low_sign:
      return (old & 0xffff0000u) | (extended & 0xffffu);
    case Fill::high_zero:
      return (old & 0xffffu) | value << 16;
    case Fill::high_sign:
      return (old & 0xffffu) | extended << 16;
  }
  return value;
}

uint8_t read(World& world, const Bytes& bytes, unsigned lane, unsigned i) {
  const uint8_t* at = bytes(world, lane, i);
  return at == nullptr ? 0 : *at;
}
void write(World& world, const Bytes& bytes, unsigned lane, unsigned i, uint8_t value) {
  if (uint8_t* at = bytes(world, lane, i)) *at = value;
}

void reference_load(World& world, unsigned wave_size, const Bytes& bytes, const Access& access, Fill fill) {
  for_active_lanes(world, wave_size, [&](unsigned lane) {
    for (unsigned first = 0; first < access.bytes; first += access.unit) {
      uint32_t value = 0;
      for (unsigned i = 0; i < access.unit; ++i) value |= uint32_t{read(world, bytes, lane, first + i)} << (8 * i);
      uint32_t& reg = world.regs.v[kResult + first / 4][lane];
      reg = filled(value, access.unit, reg, fill);
    }
  });
}

void reference_store(World& world, unsigned wave_size, const Bytes& bytes, const Access& access, unsigned shift) {
  for_active_lanes(world, wave_size, [&](unsigned lane) {
    for (unsigned i = 0; i < access.bytes; ++i) {
      const uint32_t data = world.regs.v[kData + i / 4][lane] >> shift;
      write(world, bytes, lane, i, static_cast<uint8_t>(data >> (8 * (i % 4))));
    }
  });
}

uint64_t value_of(const World& world, unsigned reg, unsigned lane, unsigned bytes) {
  const uint64_t high = bytes == 8 ? world.regs.v[reg + 1][lane] : 0;
  return high << 32 | world.regs.v[reg][lane];
}
void set_value(World& world, unsigned reg, unsigned lane, unsigned bytes, uint64_t value) {
  world.regs.v[reg][lane] = static_cast<uint32_t>(value);
  if (bytes == 8) world.regs.v[reg + 1][lane] = static_cast<uint32_t>(value >> 32);
}

using Apply = std::function<uint64_t(uint64_t old, uint64_t data, uint64_t second, unsigned bytes)>;

/// Lanes that meet at one place take turns in their order. `first` and `second` are the data registers.
void reference_atomic(World& world, unsigned wave_size, const Bytes& bytes, unsigned size, const Apply& apply,
                      unsigned first, unsigned second, int result) {
  const World before = world;
  for_active_lanes(world, wave_size, [&](unsigned lane) {
    uint64_t old = 0;
    for (unsigned i = 0; i < size; ++i) old |= uint64_t{read(world, bytes, lane, i)} << (8 * i);
    const uint64_t next = apply(old, value_of(before, first, lane, size), value_of(before, second, lane, size), size);
    for (unsigned i = 0; i < size; ++i) write(world, bytes, lane, i, static_cast<uint8_t>(next >> (8 * i)));
    if (result >= 0) set_value(world, static_cast<unsigned>(result), lane, size, old);
  });
}

/// Half of the values that the lanes meet come from a few corners, in memory and in registers.
void season(Trial& trial, World& world, const Bytes& bytes, unsigned size, unsigned first, unsigned second) {
  for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
    const uint64_t memory = sample_atomic(trial.random, size);
    for (unsigned i = 0; i < size; ++i) write(world, bytes, lane, i, static_cast<uint8_t>(memory >> (8 * i)));
    const uint64_t data = sample_atomic(trial.random, size);
    set_value(world, first, lane, size, trial.random() % 4 == 0 ? memory : data);
    set_value(world, second, lane, size, trial.random() % 2 == 0 ? memory : sample_atomic(trial.random, size));
  }
}

/// Runs `body` for each way of addressing that the opcode has.
template <class F>
void for_each_form(Trial& trial, Format format, F body) {
  for (const AddressForm& form : address_forms()) {
    if (form.format != format || !form.exists(trial.target)) continue;
    for (unsigned round = 0; round < kRounds; ++round) body(form);
  }
}

bool is_buffer(Format format) {
  return format == Format::mubuf;
}

void prove_load(Trial& trial, Opcode opcode, Format format, const Access& access, Fill fill) {
  for_each_form(trial, format, [&](const AddressForm& form) {
    World world = make_world(trial, trial.random);
    Inst inst;
    inst.opcode = opcode;
    inst.format = format;
    inst.dst[0] = Operand::of(isa::vgpr(kResult), (access.bytes + 3) / 4);
    const Bytes bytes = form.prepare(trial, world, inst, access);
    if (!bytes) return;
    World want = world;
    reference_load(want, trial.wave_size, bytes, access, fill);
    check(trial, inst, world, want);
  });
}

void prove_store(Trial& trial, Opcode opcode, Format format, const Access& access, unsigned shift) {
  for_each_form(trial, format, [&](const AddressForm& form) {
    World world = make_world(trial, trial.random);
    Inst inst;
    inst.opcode = opcode;
    inst.format = format;
    inst.src[is_buffer(format) ? 0 : 1] = Operand::of(isa::vgpr(kData), (access.bytes + 3) / 4);
    const Bytes bytes = form.prepare(trial, world, inst, access);
    if (!bytes) return;
    World want = world;
    reference_store(want, trial.wave_size, bytes, access, shift);
    check(trial, inst, world, want);
  });
}

void prove_atomic(Trial& trial, Opcode opcode, Format format, unsigned size, const AtomicOperation& operation) {
  // The guides know csub only with a result.
  const bool must_return = std::string(operation.name) == "csub" && trial.target.major < 12;
  const Access access{Kind::atomic, size, size, size};
  for_each_form(trial, format, [&](const AddressForm& form) {
    const unsigned dwords = size / 4;
    World world = make_world(trial, trial.random);
    Inst inst;
    inst.opcode = opcode;
    inst.format = format;
    const unsigned second = operation.has_second ? kData + dwords : kData;
    inst.src[is_buffer(format) ? 0 : 1] = Operand::of(isa::vgpr(kData), dwords * (operation.has_second ? 2 : 1));
    const bool returns = must_return || trial.random() % 2 == 0;
    // The result of a buffer atomic goes where its data was.
    const unsigned result = is_buffer(format) ? kData : kResult;
    if (returns) {
      set_returns(trial.target, inst);
      inst.dst[0] = Operand::of(isa::vgpr(result), dwords);
    }
    const Bytes bytes = form.prepare(trial, world, inst, access);
    if (!bytes) return;
    season(trial, world, bytes, size, kData, second);
    World want = world;
    reference_atomic(want, trial.wave_size, bytes, size, operation.apply, kData, second,
                     returns ? static_cast<int>(result) : -1);
    check(trial, inst, world, want);
  });
}

struct LoadRow {
  const char* suffix;
  unsigned bytes, unit;
  Fill fill;
};
constexpr LoadRow kLoads[] = {{"ubyte", 1, 1, Fill::zero},         {"sbyte", 1, 1, Fill::sign},
                              {"ushort", 2, 2, Fill::zero},        {"sshort", 2, 2, Fill::sign},
                              {"dword", 4, 4, Fill::dwords},       {"dwordx2", 8, 4, Fill::dwords},
                              {"dwordx3", 12, 4, Fill::dwords},    {"dwordx4", 16, 4, Fill::dwords},
                              {"ubyte_d16", 1, 1, Fill::low_zero}, {"ubyte_d16_hi", 1, 1, Fill::high_zero},
                              {"sbyte_d16", 1, 1, Fill::low_sign}, {"sbyte_d16_hi", 1, 1, Fill::high_sign},
                              {"short_d16", 2, 2, Fill::low_zero}, {"short_d16_hi", 2, 2, Fill::high_zero}};
struct StoreRow {
  const char* suffix;
  unsigned bytes, unit, shift;
};
constexpr StoreRow kStores[] = {{"byte", 1, 1, 0},          {"byte_d16_hi", 1, 1, 16}, {"short", 2, 2, 0},
                                {"short_d16_hi", 2, 2, 16}, {"dword", 4, 4, 0},        {"dwordx2", 8, 4, 0},
                                {"dwordx3", 12, 4, 0},      {"dwordx4", 16, 4, 0}};
struct Segment {
  const char* prefix;
  Format format;
  bool atomics;
};
constexpr Segment kSegments[] = {{"global", Format::global, true},
                                 {"flat", Format::flat, true},
                                 {"scratch", Format::scratch, false},
                                 {"buffer", Format::mubuf, true}};

void add_segment(Proofs& proofs, const Segment& segment) {
  const std::string prefix = segment.prefix;
  const Format format = segment.format;
  for (const LoadRow& row : kLoads) {
    add_proof(proofs, prefix + "_load_" + row.suffix, [=](Trial& trial, Opcode opcode) {
      prove_load(trial, opcode, format, {Kind::load, row.bytes, row.unit, 1}, row.fill);
    });
  }
  for (const StoreRow& row : kStores) {
    add_proof(proofs, prefix + "_store_" + row.suffix, [=](Trial& trial, Opcode opcode) {
      prove_store(trial, opcode, format, {Kind::store, row.bytes, row.unit, 1}, row.shift);
    });
  }
  if (!segment.atomics) return;
  const auto add = [&](const AtomicOperation& operation, unsigned size, const std::string& suffix) {
    add_proof(proofs, prefix + "_atomic_" + operation.name + suffix,
              [=](Trial& trial, Opcode opcode) { prove_atomic(trial, opcode, format, size, operation); });
  };
  for (const AtomicOperation& operation : atomic_operations()) {
    add(operation, 4, "");
    add(operation, 8, "_x2");
  }
  for (const AtomicOperation& operation : single_atomic_operations()) add(operation, 4, "");
}

// ---- DS ----

struct LdsLoadRow {
  const char* name;
  unsigned bytes, unit;
  Fill fill;
};
constexpr LdsLoadRow kLdsLoads[] = {
    {"ds_read_u8", 1, 1, Fill::zero},          {"ds_read_i8", 1, 1, Fill::sign},
    {"ds_read_u16", 2, 2, Fill::zero},         {"ds_read_i16", 2, 2, Fill::sign},
    {"ds_read_u8_d16", 1, 1, Fill::low_zero},  {"ds_read_u8_d16_hi", 1, 1, Fill::high_zero},
    {"ds_read_i8_d16", 1, 1, Fill::low_sign},  {"ds_read_i8_d16_hi", 1, 1, Fill::high_sign},
    {"ds_read_u16_d16", 2, 2, Fill::low_zero}, {"ds_read_u16_d16_hi", 2, 2, Fill::high_zero},
    {"ds_read_b32", 4, 4, Fill::dwords},       {"ds_read_b64", 8, 4, Fill::dwords},
    {"ds_read_b96", 12, 4, Fill::dwords},      {"ds_read_b128", 16, 4, Fill::dwords}};
constexpr StoreRow kLdsStores[] = {{"ds_write_b8", 1, 1, 0},   {"ds_write_b8_d16_hi", 1, 1, 16},
                                   {"ds_write_b16", 2, 2, 0},  {"ds_write_b16_d16_hi", 2, 2, 16},
                                   {"ds_write_b32", 4, 4, 0},  {"ds_write_b64", 8, 4, 0},
                                   {"ds_write_b96", 12, 4, 0}, {"ds_write_b128", 16, 4, 0}};

/// LDS atomics with the place of their operands: the second data register first where `swapped`.
struct LdsAtomicRow {
  const char* name;  ///< with @ where "rtn_" stands
  AtomicFunction apply;
  unsigned size;
  unsigned operands = 1;
  bool swapped = false;
  const FloatFormat* addends = nullptr;  ///< sums of these floats, whose denormals the mode flushes
};

/// Denormals of `parts`, which fill four bytes, become zeros of the same sign.
uint64_t without_denormals(uint64_t parts, const FloatFormat& format) {
  const auto width = static_cast<unsigned>(format.width());
  uint64_t result = 0;
  for (unsigned shift = 0; shift < 32; shift += width) {
    const uint64_t part = parts >> shift & (2 * format.sign_bit() - 1);
    result |= (format.is_denormal(part) ? part & format.sign_bit() : part) << shift;
  }
  return result;
}

/// RDNA 4 guide, section 13.2: the adder of LDS follows the mode for what it takes and for what it gives.
Apply by_mode(const LdsAtomicRow& row, uint32_t mode) {
  const uint32_t field = mode >> (row.addends == &kF32 ? 4 : 6) & 3;
  return [row, field](uint64_t old, uint64_t data, uint64_t second, unsigned bytes) {
    const auto taken = [&](uint64_t x) { return (field & 1) != 0 ? x : without_denormals(x, *row.addends); };
    const uint64_t result = row.apply(taken(old), taken(data), second, bytes);
    return (field & 2) != 0 ? result : without_denormals(result, *row.addends);
  };
}

void prove_lds_atomic(Trial& trial, Opcode opcode, const LdsAtomicRow& row, bool returns) {
  const Access access{Kind::atomic, row.size, row.size, row.size};
  constexpr unsigned kSecond = 12;
  for_each_form(trial, Format::ds, [&](const AddressForm& form) {
    World world = make_world(trial, trial.random);
    Inst inst;
    inst.opcode = opcode;
    inst.format = Format::ds;
    inst.src[1] = Operand::of(isa::vgpr(kData), row.size / 4);
    if (row.operands == 2) inst.src[2] = Operand::of(isa::vgpr(kSecond), row.size / 4);
    if (returns) inst.dst[0] = Operand::of(isa::vgpr(kResult), row.size / 4);
    const Bytes bytes = form.prepare(trial, world, inst, access);
    season(trial, world, bytes, row.size, row.swapped ? kSecond : kData, row.swapped ? kData : kSecond);
    Apply apply = row.apply;
    if (row.addends != nullptr) {
      world.regs.mode = trial.random() & 0xf0;
      apply = by_mode(row, world.regs.mode);
    }
    World want = world;
    reference_atomic(want, trial.wave_size, bytes, row.size, apply, row.swapped ? kSecond : kData,
                     row.swapped ? kData : kSecond, returns ? static_cast<int>(kResult) : -1);
    check(trial, inst, world, want);
  });
}

std::vector<LdsAtomicRow> lds_atomics() {
  std::vector<LdsAtomicRow> rows = {
      {"ds_add_@f32", atomic_fadd, 4, 1, false, &kF32},
      {"ds_pk_add_@f16", atomic_pk_add_f16, 4, 1, false, &kF16},
      {"ds_pk_add_@bf16", atomic_pk_add_bf16, 4, 1, false, &kBfloat16},
      {"ds_wrap_@b32", atomic_wrap, 4, 2},
      {"ds_wrxchg_@b32", atomic_function("swap"), 4},
      {"ds_wrxchg_@b64", atomic_function("swap"), 8},
      {"ds_cond_sub_@u32", atomic_function("cond_sub_u32"), 4},
      {"ds_sub_clamp_@u32", atomic_function("csub"), 4},
  };
  const auto both = [&rows](const char* narrow, const char* wide, AtomicFunction apply, unsigned operands = 1,
                            bool swapped = false) {
    rows.push_back({narrow, apply, 4, operands, swapped});
    rows.push_back({wide, apply, 8, operands, swapped});
  };
  both("ds_add_@u32", "ds_add_@u64", atomic_function("add"));
  both("ds_sub_@u32", "ds_sub_@u64", atomic_function("sub"));
  both("ds_rsub_@u32", "ds_rsub_@u64", atomic_rsub);
  both("ds_inc_@u32", "ds_inc_@u64", atomic_function("inc"));
  both("ds_dec_@u32", "ds_dec_@u64", atomic_function("dec"));
  both("ds_min_@i32", "ds_min_@i64", atomic_function("smin"));
  both("ds_max_@i32", "ds_max_@i64", atomic_function("smax"));
  both("ds_min_@u32", "ds_min_@u64", atomic_function("umin"));
  both("ds_max_@u32", "ds_max_@u64", atomic_function("umax"));
  both("ds_and_@b32", "ds_and_@b64", atomic_function("and"));
  both("ds_or_@b32", "ds_or_@b64", atomic_function("or"));
  both("ds_xor_@b32", "ds_xor_@b64", atomic_function("xor"));
  both("ds_mskor_@b32", "ds_mskor_@b64", atomic_mskor, 2);
  // DATA is what is compared, DATA2 what is stored; since GFX11 the other way round under another name.
  both("ds_cmpst_@b32", "ds_cmpst_@b64", atomic_function("cmpswap"), 2, true);
  both("ds_cmpst_@f32", "ds_cmpst_@f64", atomic_function("fcmpswap"), 2, true);
  both("ds_cmpstore_@b32", "ds_cmpstore_@b64", atomic_function("cmpswap"), 2);
  both("ds_cmpstore_@f32", "ds_cmpstore_@f64", atomic_function("fcmpswap"), 2);
  both("ds_min_@f32", "ds_min_@f64", atomic_function("fmin"));
  both("ds_max_@f32", "ds_max_@f64", atomic_function("fmax"));
  return rows;
}

void add_lds(Proofs& proofs) {
  for (const LdsLoadRow& row : kLdsLoads) {
    add_proof(proofs, row.name, [=](Trial& trial, Opcode opcode) {
      prove_load(trial, opcode, Format::ds, {Kind::load, row.bytes, row.unit, 1}, row.fill);
    });
  }
  for (const StoreRow& row : kLdsStores) {
    add_proof(proofs, row.suffix, [=](Trial& trial, Opcode opcode) {
      prove_store(trial, opcode, Format::ds, {Kind::store, row.bytes, row.unit, 1}, row.shift);
    });
  }
  for (const LdsAtomicRow& row : lds_atomics()) {
    for (const bool returns : {false, true}) {
      std::string name = row.name;
      name.replace(name.find('@'), 1, returns ? "rtn_" : "");
      add_proof(proofs, name, [=](Trial& trial, Opcode opcode) { prove_lds_atomic(trial, opcode, row, returns); });
    }
  }
}

}  // namespace

void add_memory_rows(Proofs& proofs) {
  for (const Segment& segment : kSegments) add_segment(proofs, segment);
  add_lds(proofs);
}

}  // namespace spalt::semantics
