// SPDX-License-Identifier: MIT
#include "vector_row.h"

#include <cstdio>

#include "amdgpu/isa/codec/codec.h"
#include "machine.h"
#include "operand_model.h"
#include "real.h"
#include "values.h"
#include "vector_forms.h"

namespace spalt::semantics {
namespace {

using isa::OperandRole;
using isa::OperandType;

constexpr unsigned kPlainRuns = 5;

/// Runs one form of one row.
class FormRun {
 public:
  FormRun(const Row& row, const isa::Inst& inst, Trial& trial)
      : row_(row), inst_(inst), trial_(trial), info_(isa::info(row.opcode, trial.target.generation)) {
    for (unsigned i = 0; i < info_.dst_count; ++i) {
      if (info_.dst[i].role != OperandRole::lane_mask) result_type_ = info_.dst[i].type;
    }
  }

  void run(Machine& machine) {
    const State before = start();
    State after = before;
    const std::string fault = machine.run(after);
    if (!fault.empty()) return trial_.fail(fault);
    trial_.checked();
    State want = before;
    expect(before, want, after);
    const std::string wrong = difference(after, want, trial_.wave_size);
    if (!wrong.empty()) trial_.fail(machine.text() + ": " + wrong + describe(before, wrong));
  }

 private:
  State start() {
    std::mt19937& random = trial_.random;
    State state = junk_state(trial_.wave_size, random());
    for (unsigned i = 0; i < info_.src_count; ++i) {
      const isa::Operand& operand = inst_.src[i];
      if (!operand.is_reg() || info_.src[i].role == OperandRole::lane_mask) continue;
      const unsigned first = operand.reg.is_vgpr() ? operand.reg.vgpr_index() : operand.reg.number;
      for (unsigned lane = 0; lane < State::kLanes; ++lane) {
        const uint64_t value = input(i);
        for (unsigned d = 0; d < operand.dwords && d < 2; ++d) {
          const auto dword = static_cast<uint32_t>(value >> (32 * d));
          if (operand.reg.is_vgpr()) {
            state.v[first + d][lane] = dword;
          } else if (operand.reg.number < 128) {
            state.s[first + d] = dword;
          }
        }
      }
    }
    if (info_.has(isa::kDstIsSrc)) {
      for (unsigned lane = 0; lane < State::kLanes; ++lane) {
        const uint64_t value = row_.old_input ? row_.old_input(random)
                               : row_.packed  ? sample_half(random) | sample_half(random) << 16
                                              : sample(result_type_, random);
        state.v[kDestinationVgpr][lane] = static_cast<uint32_t>(value);
        if (slot_bits(result_type_) == 64) state.v[kDestinationVgpr + 1][lane] = static_cast<uint32_t>(value >> 32);
      }
    }
    // Rounding, denormals, DX10 clamp and IEEE mode, FP16_OVFL.
    state.mode = random() & ((trial_.target.has_clamp_mode ? 0x3ffu : 0xffu) | 1u << 23);
    if (random() % 2 == 0) state.mode = (state.mode & ~0xfu) | 0xf0;
    const uint64_t lanes = random() | static_cast<uint64_t>(random()) << 32;
    const uint64_t more = random() | static_cast<uint64_t>(random()) << 32;
    if (random() % 2 == 0) state.set_mask(isa::kExec.number, trial_.wave_size, lanes | more);
    return state;
  }

  uint64_t input(unsigned source) {
    if (row_.inputs) return row_.inputs(source, trial_.random);
    if (row_.packed) return sample_half(trial_.random) | sample_half(trial_.random) << 16;
    return sample(info_.src[source].type, trial_.random);
  }

  Lane lane_of(const State& state, unsigned lane) const {
    Lane in;
    uint64_t* const values[] = {&in.a, &in.b, &in.c};
    in.mask = info_.has(isa::kReadsVcc) && (state.mask(isa::kVcc.number, trial_.wave_size) >> lane & 1) != 0;
    for (unsigned i = 0; i < info_.src_count; ++i) {
      if (info_.src[i].role == OperandRole::lane_mask) {
        in.mask = (state.mask(inst_.src[i].reg.number, trial_.wave_size) >> lane & 1) != 0;
      } else if (i < 3) {
        *values[i] = source_value(state, inst_, i, info_.src[i].type, lane, trial_.wave_size);
      }
    }
    if (inst_.src[2].is_reg() && inst_.src[2].dwords == 4) {
      const unsigned third = inst_.src[2].reg.vgpr_index() + 2u;
      in.c_high = state.v[third][lane] | static_cast<uint64_t>(state.v[third + 1][lane]) << 32;
    }
    in.old = state.v[kDestinationVgpr][lane] | static_cast<uint64_t>(state.v[kDestinationVgpr + 1][lane]) << 32;
    in.old = old_half(in.old, inst_, slot_bits(result_type_));
    in.clamp = inst_.mods.clamp;
    in.lane = lane;
    in.wave_size = trial_.wave_size;
    in.mode = state.mode;
    in.inst = &inst_;
    in.target = &trial_.target;
    return in;
  }

  /// Two halves: op_sel and neg_lo say what the low one takes, op_sel_hi and neg_hi what the high one takes.
  Result packed_result(const Lane& in) const {
    Result result;
    const bool vop3p = is_packed(inst_);
    for (unsigned high = 0; high < 2; ++high) {
      const unsigned select = vop3p ? (high != 0 ? inst_.mods.op_sel_hi : inst_.mods.op_sel) : high * 7;
      const unsigned neg = !vop3p ? 0 : high != 0 ? inst_.mods.abs : inst_.mods.neg;
      const auto half = [&](uint64_t value, unsigned index) {
        const uint64_t bits = value >> ((select >> index & 1) * 16) & 0xffff;
        return (neg >> index & 1) != 0 ? bits ^ 0x8000 : bits;
      };
      Lane part = in;
      part.a = half(in.a, 0);
      part.b = half(in.b, 1);
      part.c = half(in.c, 2);
      part.old = in.old >> (16 * high) & 0xffff;
      const Result half_result = row_.reference(part);
      result.value |= (half_result.value & 0xffff) << (16 * high);
      result.unknown = result.unknown || half_result.unknown;
      result.exact |= (half_result.exact & 0xffff) << (16 * high);
    }
    return result;
  }

  uint64_t placed(uint32_t old, uint64_t value, unsigned bits) const {
    if (row_.result_bits != 16) return merged(old, value, inst_, bits, trial_.target);
    const unsigned shift = row_.into_high_half ? 16 : 0;
    return (old & ~(0xffffu << shift)) | (value & 0xffff) << shift;
  }

  void expect(const State& before, State& want, const State& after) {
    const unsigned bits = slot_bits(result_type_);
    const uint64_t exec = before.exec(trial_.wave_size);
    uint64_t mask = 0, open_bits = 0;
    for (unsigned lane = 0; lane < trial_.wave_size; ++lane) {
      if ((exec >> lane & 1) == 0) continue;
      const Lane in = lane_of(before, lane);
      const Result result = row_.packed ? packed_result(in) : row_.reference(in);
      mask |= static_cast<uint64_t>(result.bit) << lane;
      open_bits |= static_cast<uint64_t>(result.unknown_bit) << lane;
      if (result_type_ == OperandType::none || !dpp_writes(before, inst_, lane, trial_.wave_size)) continue;
      auto write = [&](unsigned reg, uint64_t value) {
        want.v[kDestinationVgpr + reg][lane] = static_cast<uint32_t>(value);
      };
      write(0, placed(before.v[kDestinationVgpr][lane], result.value, bits));
      if (bits >= 64) write(1, result.value >> 32);
      if (bits == 128) write(2, result.high), write(3, result.high >> 32);
      // Output modifiers are for floats.
      const bool modified_integer =
          inst_.mods.omod != 0 && !is_float(result_type_) && result_type_ != OperandType::f16x2;
      if (result.unknown || modified_integer) {
        for (unsigned reg = 0; reg < 4; ++reg)
          want.v[kDestinationVgpr + reg][lane] = after.v[kDestinationVgpr + reg][lane];
      }
      const uint64_t exact = result.unknown || modified_integer ? 0 : placed(0, result.exact, bits);
      const uint32_t low = want.v[kDestinationVgpr][lane], high = want.v[kDestinationVgpr + 1][lane];
      forgive(want, after, lane);
      restore(want.v[kDestinationVgpr][lane], low, static_cast<uint32_t>(exact));
      if (bits >= 64) restore(want.v[kDestinationVgpr + 1][lane], high, static_cast<uint32_t>(exact >> 32));
    }
    for (unsigned i = 0; i < info_.dst_count; ++i) {
      if (info_.dst[i].role == OperandRole::lane_mask) {
        const uint64_t got = after.mask(inst_.dst[i].reg.number, trial_.wave_size);
        want.set_mask(inst_.dst[i].reg.number, trial_.wave_size, (mask & ~open_bits) | (got & open_bits));
      }
    }
    if ((info_.flags & isa::kWritesExec) != 0) want.set_mask(isa::kExec.number, trial_.wave_size, mask);
  }

  /// Takes over what the row does not fix: the payload of a NaN, the last places of an approximation.
  void forgive(State& want, const State& after, unsigned lane) const {
    if (row_.match == Match::exact) return;
    uint32_t* const wanted = &want.v[kDestinationVgpr][lane];
    const uint32_t low = after.v[kDestinationVgpr][lane];
    if (slot_bits(result_type_) == 64) {
      uint32_t* const high = &want.v[kDestinationVgpr + 1][lane];
      const uint64_t got = low | static_cast<uint64_t>(after.v[kDestinationVgpr + 1][lane]) << 32;
      if (!close(got, *wanted | static_cast<uint64_t>(*high) << 32, kF64)) return;
      *wanted = low;
      *high = static_cast<uint32_t>(got >> 32);
      return;
    }
    const bool halves =
        row_.packed || row_.result_bits == 16 || slot_bits(result_type_) == 16 || result_type_ == OperandType::f16x2;
    if (!halves) {
      if (close(low, *wanted, kF32)) *wanted = low;
      return;
    }
    for (unsigned shift = 0; shift < 32; shift += 16) {
      const uint32_t field = 0xffffu << shift;
      if (close(low >> shift & 0xffff, *wanted >> shift & 0xffff, kF16)) *wanted = (*wanted & ~field) | (low & field);
    }
  }

  static void restore(uint32_t& want, uint32_t before, uint32_t exact) { want = (want & ~exact) | (before & exact); }

  bool close(uint64_t got, uint64_t want, const FloatFormat& format) const {
    if (format.is_nan(want)) return format.is_nan(got);
    if (row_.match != Match::ulps || format.is_nan(got)) return got == want;
    if ((got ^ want) & format.sign_bit()) return false;
    const uint64_t a = format.magnitude(got), b = format.magnitude(want);
    return (a > b ? a - b : b - a) <= row_.ulps;
  }

  std::string describe(const State& before, const std::string& wrong) const {
    unsigned lane = 0;
    const size_t at = wrong.find("of lane ");
    if (at != std::string::npos) lane = static_cast<unsigned>(std::stoul(wrong.substr(at + 8)));
    const Lane in = lane_of(before, lane);
    char text[200];
    std::snprintf(text, sizeof text, "; sources %llx %llx %llx, old %llx, mask %d, mode %x, exec %llx, wave%u",
                  static_cast<unsigned long long>(in.a), static_cast<unsigned long long>(in.b),
                  static_cast<unsigned long long>(in.c), static_cast<unsigned long long>(in.old), in.mask ? 1 : 0,
                  in.mode, static_cast<unsigned long long>(before.exec(trial_.wave_size)), trial_.wave_size);
    return text;
  }

  const Row& row_;
  const isa::Inst& inst_;
  Trial& trial_;
  const isa::OpcodeInfo& info_;
  OperandType result_type_ = OperandType::none;
};

void prove(const Row& row, Trial& trial) {
  for (const Form& form : vector_forms(row.opcode, trial)) {
    Machine machine(trial.target, trial.wave_size, {&form.inst, 1});
    if (!machine.error().empty()) {
      if (form.plain) trial.fail("cannot be encoded: " + machine.error());
      continue;
    }
    for (unsigned i = 0; i < (form.plain ? kPlainRuns : 1); ++i) FormRun(row, form.inst, trial).run(machine);
  }
}

}  // namespace

Proof vector_proof(Row row) {
  const Opcode opcode = row.opcode;
  return {isa::info(opcode).name, {opcode}, [row = std::move(row)](Trial& trial) { prove(row, trial); }};
}

}  // namespace spalt::semantics
