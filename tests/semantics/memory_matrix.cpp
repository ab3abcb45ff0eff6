// SPDX-License-Identifier: MIT
// Loads and stores of blocks of registers, and loads that transpose a matrix (RDNA 4 ISA guide, sections 11.5, 11.6 and
// 7.12).
#include <bit>

#include "memory_forms.h"

namespace spalt::semantics {
namespace {

using isa::Inst;
using isa::Operand;
using Op = Opcode;

constexpr unsigned kData = 8, kRounds = 6;

// ---- blocks ----

/// Registers that m0 chooses, from `first` on; in scratch, no more than a lane has.
uint32_t choose_registers(Trial& trial, Format format) {
  const unsigned most = format == Format::scratch ? 12 : 32;
  const unsigned count = 1 + static_cast<unsigned>(trial.random()) % most, first = trial.random() % (33 - count);
  const uint32_t window = (count == 32 ? ~0u : (1u << count) - 1) << first;
  return trial.random() % 4 == 0 ? window : window & static_cast<uint32_t>(trial.random());
}

/// The place of each register counts from the address, whether it is moved or not.
void prove_block(Trial& trial, Opcode opcode, Format format, Kind kind) {
  for (const AddressForm& form : address_forms()) {
    if (form.format != format || !form.exists(trial.target)) continue;
    for (unsigned round = 0; round < kRounds; ++round) {
      World world = make_world(trial, trial.random);
      const uint32_t mask = choose_registers(trial, format);
      world.regs.s[isa::kM0.number] = mask;
      const auto first = mask == 0 ? 0u : static_cast<unsigned>(std::countr_zero(mask));
      const auto count = std::max(1u, static_cast<unsigned>(std::bit_width(mask >> first)));
      Inst inst;
      inst.opcode = opcode;
      inst.format = format;
      (kind == Kind::load ? inst.dst[0] : inst.src[1]) = Operand::of(isa::vgpr(kData), 32);
      const Bytes bytes = form.prepare(trial, world, inst, {kind, 4 * count, 4, 1});
      const auto distance = static_cast<int32_t>(4 * first);
      if (inst.mods.offset < trial.target.global_offset_min + distance) continue;
      inst.mods.offset -= distance;
      World want = world;
      for_active_lanes(world, trial.wave_size, [&](unsigned lane) {
        for (unsigned n = 0; n < 32; ++n) {
          if ((mask >> n & 1) == 0) continue;
          uint32_t& reg = want.regs.v[kData + n][lane];
          if (kind == Kind::load) reg = 0;
          for (unsigned i = 0; i < 4; ++i) {
            uint8_t& at = *bytes(want, lane, 4 * (n - first) + i);
            if (kind == Kind::load) {
              reg |= uint32_t{at} << (8 * i);
            } else {
              at = static_cast<uint8_t>(reg >> (8 * i));
            }
          }
        }
      });
      check(trial, inst, world, want);
    }
  }
}

// ---- matrices ----

/// Where a lane's elements lie in the 16x16 matrix that memory holds column by column, and where they arrive.
struct Layout {
  unsigned element_bytes, wave_size;

  /// Eight elements of a lane have the index k and go from m on. Halves: 8 lanes load 8x8 elements. Bytes: as measured
  /// (docs/isa-errata.md, "Transposing loads").
  unsigned loaded_k(unsigned lane) const {
    const unsigned in_half = element_bytes == 2 ? lane % 8 : lane % 16 / 8 * 4 + lane % 4;
    return lane / 16 * 8 + in_half;
  }
  unsigned loaded_m(unsigned lane) const { return (element_bytes == 2 ? lane / 8 : lane / 4) % 2 * 8; }

  /// Section 7.12.2: a lane has row lane % 16 and these k, in rising order; in wave64 the parts are permuted.
  unsigned count() const { return 256 / wave_size; }
  unsigned result_k(unsigned lane, unsigned index) const {
    constexpr unsigned kFirst[] = {0, 8, 4, 12};
    return kFirst[lane / 16] + index;
  }
};

void prove_transpose(Trial& trial, Opcode opcode, unsigned element_bytes) {
  const Layout layout{element_bytes, trial.wave_size};
  for (const AddressForm& form : address_forms()) {
    if (form.format != Format::global) continue;
    for (unsigned round = 0; round < kRounds; ++round) {
      World world = make_world(trial, trial.random);
      if (round == 0) {
        world.regs.set_mask(isa::kExec.number, trial.wave_size, 0);
      } else if (round > 1) {
        world.regs.set_mask(isa::kExec.number, trial.wave_size, ~uint64_t{0});
      }
      Inst inst;
      inst.opcode = opcode;
      inst.format = Format::global;
      inst.dst[0] = Operand::of(isa::vgpr(kData), layout.count() * element_bytes / 4);
      const Bytes bytes = form.prepare(trial, world, inst, {Kind::load, 8 * element_bytes, 4, 1});
      const uint64_t all = trial.wave_size == 32 ? 0xffffffffu : ~uint64_t{0}, exec = world.exec(trial.wave_size);
      if (exec != 0 && exec != all) {
        check_fault(trial, inst, world, "is undefined with some lanes inactive");
        continue;
      }
      World want = world;
      uint32_t matrix[16][16] = {};
      for (unsigned lane = 0; lane < 32; ++lane) {
        for (unsigned e = 0; e < 8; ++e) {
          for (unsigned i = 0; i < element_bytes; ++i) {
            matrix[layout.loaded_m(lane) + e][layout.loaded_k(lane)] |=
                uint32_t{*bytes(want, lane, e * element_bytes + i)} << (8 * i);
          }
        }
      }
      const unsigned per_register = 4 / element_bytes, bits = 8 * element_bytes;
      for_active_lanes(world, trial.wave_size, [&](unsigned lane) {
        for (unsigned e = 0; e < layout.count(); ++e) {
          uint32_t& reg = want.regs.v[kData + e / per_register][lane];
          if (e % per_register == 0) reg = 0;
          reg |= matrix[lane % 16][layout.result_k(lane, e)] << (e % per_register * bits);
        }
      });
      check(trial, inst, world, want);
    }
  }
}

}  // namespace

void add_memory_matrix(Proofs& proofs) {
  const auto block = [&proofs](Op opcode, Format format, Kind kind) {
    proofs.push_back(
        {isa::info(opcode).name, {opcode}, [=](Trial& trial) { prove_block(trial, opcode, format, kind); }});
  };
  block(Op::global_load_block, Format::global, Kind::load);
  block(Op::global_store_block, Format::global, Kind::store);
  block(Op::scratch_load_block, Format::scratch, Kind::load);
  block(Op::scratch_store_block, Format::scratch, Kind::store);
  const auto transpose = [&proofs](Op opcode, unsigned element_bytes) {
    proofs.push_back(
        {isa::info(opcode).name, {opcode}, [=](Trial& trial) { prove_transpose(trial, opcode, element_bytes); }});
  };
  transpose(Op::global_load_tr_b64, 1);
  transpose(Op::global_load_tr_b128, 2);
}

}  // namespace spalt::semantics
