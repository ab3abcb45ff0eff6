// SPDX-License-Identifier: MIT
#include "amdgpu/hazard/gfx11_rules.h"

#include <algorithm>

namespace spalt::hazard {
namespace {

using isa::Hazard;

/// Partial forwarding: a result at most this old is forwarded, another at most so much older.
constexpr unsigned kYoungerAge = 4, kAgeDifference = 3;

/// They issue only when all vector results are written.
bool waits_for_vector_results(const Instruction& inst) {
  return inst.is_vmem() || inst.is_lds() || depctr_waits(inst, kDepctrVaVdst);
}

bool writes_exec_scalar(const Instruction& inst) {
  return inst.is_salu() && inst.writes_exec();
}

template <class Sets>
void age(Sets& sets) {
  for (size_t i = sets.size(); i-- > 1;) sets[i] = sets[i - 1];
  sets[0] = Vgprs();
}

}  // namespace

bool Gfx11Rules::State::join(const State& other) {
  const State before = *this;
  for (unsigned passed = 0; passed < kTransPassed; ++passed) {
    for (unsigned i = 0; i < kTransWindow; ++i) transcendental[passed][i] |= other.transcendental[passed][i];
  }
  for (unsigned i = 0; i < kForwardWindow; ++i) written[i] |= other.written[i];
  exec_written = static_cast<uint16_t>(exec_written | other.exec_written);
  return *this != before;
}

Gfx11Rules::Gfx11Rules(const mir::Function& function) {
  const bool forwarding = function.target.has(Hazard::valu_partial_forwarding) && function.wave_size == 64;
  const bool transcendental = function.target.has(Hazard::valu_trans_use);
  if (!forwarding && !transcendental) return;
  for (mir::BlockId block : function.layout) {
    for (mir::InstId id : function.blocks[block].insts) {
      const Instruction inst(function, id);
      if (transcendental && inst.has(isa::kTranscendental)) trans_use_ = true;
      if (forwarding && writes_exec_scalar(inst)) partial_forwarding_ = true;
    }
  }
}

Cures Gfx11Rules::cures(const Instruction& inst, const State& state) const {
  Cures cures;
  if (!inst.is_valu()) return cures;
  const Vgprs read = inst.vgprs_read();
  if (!read.any()) return cures;
  bool hazard = false;
  if (trans_use_) {
    for (const auto& ages : state.transcendental) {
      for (const Vgprs& results : ages) hazard |= results.overlaps(read);
    }
  }
  if (hazard || (partial_forwarding_ && forwards_partially(read, state))) cures.depctr = kDepctrVaVdst;
  return cures;
}

/// Two registers, and exec was written between their results.
bool Gfx11Rules::forwards_partially(const Vgprs& read, const State& state) const {
  if (state.exec_written == 0 || read.count() < 2) return false;
  for (unsigned younger = 0; younger <= kYoungerAge; ++younger) {
    if (!state.written[younger].overlaps(read)) continue;
    for (unsigned older = younger + 1; older <= younger + kAgeDifference && older < kForwardWindow; ++older) {
      const unsigned between = ((2u << older) - 1) & ~((2u << younger) - 1);
      if ((state.exec_written & between) != 0 && state.written[older].overlaps(read)) return true;
    }
  }
  return false;
}

void Gfx11Rules::advance(const Instruction& inst, State& state) const {
  if (waits_for_vector_results(inst)) {
    state = State();
    return;
  }
  if (partial_forwarding_ && writes_exec_scalar(inst)) state.exec_written |= 1;
  if (!inst.is_valu()) return;
  const Vgprs written = inst.vgprs_written();
  if (partial_forwarding_) {
    if (!inst.is_second_half()) {
      age(state.written);
      state.exec_written = static_cast<uint16_t>(state.exec_written << 1 & ((1u << kForwardWindow) - 1));
    }
    for (Vgprs& older : state.written) older.remove(written);
    state.written[0] |= written;
  }
  if (trans_use_ && !inst.is_second_half()) {  // which is never transcendental
    for (auto& ages : state.transcendental) age(ages);
    if (inst.has(isa::kTranscendental)) {
      state.transcendental[1] = state.transcendental[0];
      state.transcendental[0] = {};
      state.transcendental[0][0] = written;
    }
  }
}

}  // namespace spalt::hazard
