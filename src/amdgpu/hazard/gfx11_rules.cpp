// SPDX-License-Identifier: MIT
#include "amdgpu/hazard/gfx11_rules.h"

#include <algorithm>

#include "base/bits.h"

namespace spalt::hazard {
namespace {

using isa::Hazard;

constexpr unsigned kTransWindow = 6;    ///< vector instructions between a transcendental and its use
constexpr unsigned kTransPassed = 2;    ///< transcendental ones between them
constexpr unsigned kForwardWindow = 8;  ///< the older of two results that are used together
/// Partial forwarding: a result at most this old is forwarded, another at most so much older.
constexpr unsigned kYoungerAge = 4, kAgeDifference = 3;

/// They issue only when all vector results are written.
bool waits_for_vector_results(const Instruction& inst) {
  return inst.is_vmem() || inst.is_lds() || depctr_waits(inst, kDepctrVaVdst);
}

/// The registers that a vector instruction reads.
struct Read {
  uint8_t written = 0;          ///< ages of their results
  uint16_t transcendental = 0;  ///< and of transcendental ones
  bool several = false;         ///< more than one register
};

Read read_by(const Instruction& inst, const Gfx11Rules::State& state) {
  Read read;
  int first = -1;
  inst.for_each_vgpr_read([&](unsigned vgpr) {
    read.written |= state.written[vgpr];
    read.transcendental |= state.transcendental[vgpr];
    read.several |= first >= 0 && static_cast<unsigned>(first) != vgpr;
    first = static_cast<int>(vgpr);
  });
  return read;
}

/// Two registers, and exec was written between their results.
bool forwards_partially(const Read& read, uint16_t exec_written) {
  if (!read.several) return false;
  for (unsigned younger = 0; younger <= kYoungerAge; ++younger) {
    if ((read.written >> younger & 1) == 0) continue;
    for (unsigned older = younger + 1; older <= younger + kAgeDifference && older < kForwardWindow; ++older) {
      const unsigned between = ((2u << older) - 1) & ~((2u << younger) - 1);
      if ((exec_written & between) != 0 && (read.written >> older & 1) != 0) return true;
    }
  }
  return false;
}

}  // namespace

bool Gfx11Rules::State::join(const State& other) {
  const State before = *this;
  for (unsigned i = 0; i < kVgprs; ++i) written[i] = static_cast<uint8_t>(written[i] | other.written[i]);
  for (unsigned i = 0; i < kVgprs; ++i) {
    transcendental[i] = static_cast<uint16_t>(transcendental[i] | other.transcendental[i]);
  }
  transcendental_left = std::max(transcendental_left, other.transcendental_left);
  exec_written = static_cast<uint16_t>(exec_written | other.exec_written);
  return *this != before;
}

Gfx11Rules::Gfx11Rules(const mir::Function& function, const Contents& program) {
  trans_use_ = program.has(isa::kTranscendental) && function.target.has(Hazard::valu_trans_use);
  partial_forwarding_ =
      program.scalar_exec && function.wave_size == 64 && function.target.has(Hazard::valu_partial_forwarding);
  if (!any()) return;
  for (mir::BlockId block : function.layout) {
    for (mir::InstId id : function.blocks[block].insts) {
      const Instruction inst(function, id);
      if (inst.is_valu()) inst.for_each_vgpr_written([&](unsigned vgpr) { vgprs_ = std::max(vgprs_, vgpr + 1); });
    }
  }
  // Whole vectors of the host: the loops over registers have no rest.
  constexpr unsigned kHostVector = 16;
  vgprs_ = static_cast<unsigned>(align_up(vgprs_, kHostVector));
}

/// Whether any instructions that follow could read a result too early.
bool Gfx11Rules::may_forward_wrongly(const State& state) const {
  const auto any = [](const auto& ages) {
    return std::any_of(ages.begin(), ages.end(), [](auto age) { return age != 0; });
  };
  return (trans_use_ && state.transcendental_left != 0) || (partial_forwarding_ && any(state.written));
}

Cures Gfx11Rules::cures(const Instruction& inst, const State& state) const {
  Cures cures;
  if (inst.is_end_of_code() && may_forward_wrongly(state)) cures.depctr = kDepctrVaVdst;
  if (!inst.is_valu() || (state.transcendental_left == 0 && state.exec_written == 0)) return cures;
  const Read read = read_by(inst, state);
  if (read.transcendental != 0 || forwards_partially(read, state.exec_written)) cures.depctr = kDepctrVaVdst;
  return cures;
}

void Gfx11Rules::advance(const Instruction& inst, State& state) const {
  if (waits_for_vector_results(inst)) {
    forget_all(state);
    return;
  }
  if (partial_forwarding_ && inst.is_salu() && inst.writes_exec()) state.exec_written |= 1;
  if (!inst.is_valu()) return;
  if (!inst.is_second_half()) pass_vector_instruction(state);
  add_results(inst, state);
}

void Gfx11Rules::forget_all(State& state) const {
  if (partial_forwarding_) std::fill_n(state.written.begin(), vgprs_, uint8_t{0});
  if (state.transcendental_left != 0) std::fill_n(state.transcendental.begin(), vgprs_, uint16_t{0});
  state.transcendental_left = 0;
  state.exec_written = 0;
}

/// All results are one instruction older.
void Gfx11Rules::pass_vector_instruction(State& state) const {
  if (partial_forwarding_) {
    for (unsigned i = 0; i < vgprs_; ++i) state.written[i] = static_cast<uint8_t>(state.written[i] << 1);
    state.exec_written = static_cast<uint16_t>(state.exec_written << 1 & ((1u << kForwardWindow) - 1));
  }
  if (state.transcendental_left == 0) return;
  --state.transcendental_left;
  constexpr unsigned kYoungest = 1u | 1u << kTransWindow, kAll = (1u << kTransPassed * kTransWindow) - 1;
  for (unsigned i = 0; i < vgprs_; ++i) {
    state.transcendental[i] = static_cast<uint16_t>(state.transcendental[i] << 1 & (kAll & ~kYoungest));
  }
}

void Gfx11Rules::add_results(const Instruction& inst, State& state) const {
  static_assert(kForwardWindow == 8);  // bits of an element
  if (partial_forwarding_) inst.for_each_vgpr_written([&](unsigned vgpr) { state.written[vgpr] = 1; });
  if (!trans_use_ || !inst.has(isa::kTranscendental)) return;  // a second half is never transcendental
  if (state.transcendental_left != 0) {
    constexpr unsigned kFirst = (1u << kTransWindow) - 1;
    for (unsigned i = 0; i < vgprs_; ++i) {
      state.transcendental[i] = static_cast<uint16_t>((state.transcendental[i] & kFirst) << kTransWindow);
    }
  }
  inst.for_each_vgpr_written([&](unsigned vgpr) { state.transcendental[vgpr] |= 1; });
  state.transcendental_left = kTransWindow;
}

}  // namespace spalt::hazard
