// SPDX-License-Identifier: MIT
#include "emu/hazards/export_priority.h"

#include <cstdio>
#include <string>

#include "emu/hazards/steps.h"
#include "emu/wave/wave.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

bool waits_for_exports(const Step& step) {
  return step.inst.opcode == Op::s_waitcnt_expcnt && step.imm == 0;
}

}  // namespace

bool ExportPriority::concerns(const Step& step, const isa::Target& target) {
  return hazard::is_export(step, target) ||
         hazard::is<Op::s_setprio, Op::s_nop, Op::s_waitcnt_expcnt, Op::s_endpgm>(step, target);
}

void ExportPriority::observe(Wave& wave, const Step& step) {
  if (step.inst.opcode == Op::exp) {
    if (priority_ < kRaised) fault(wave, "exports at a priority below 2", "s_setprio 2 before the export");
    phase_ = Phase::exporting;
    export_pc_ = step.pc;
    return;
  }
  if (phase_ == Phase::exporting) return lower(wave, step);
  if (step.inst.opcode == Op::s_setprio) return set_priority(wave, step.imm & 3);
  if (phase_ != Phase::lowered) return;
  if (waits_for_exports(step)) {
    waited_ = true;
    nops_ = 0;
  } else if (step.inst.opcode == Op::s_nop) {
    ++nops_;
  } else if (step.inst.opcode == Op::s_endpgm && nops_ < kNops) {
    fault(wave, "ends too soon after exports", "two s_nop 0 between s_setprio 0 and the end");
  }
}

/// The first instruction after a row of exports.
void ExportPriority::lower(Wave& wave, const Step& step) {
  if (step.inst.opcode != Op::s_setprio || (step.imm & 3) != 0) {
    return fault(wave, "goes on at the priority of exports", "s_setprio 0 right after the last export of a row");
  }
  phase_ = Phase::lowered;
  priority_ = 0;
  waited_ = false;
  nops_ = 0;
}

void ExportPriority::set_priority(Wave& wave, int priority) {
  if (phase_ == Phase::usual && priority < kRaised) {
    fault(wave, "lowers its priority where no exports are before", "a priority of at least 2");
  } else if (phase_ == Phase::lowered && priority >= kRaised) {
    if (!waited_) fault(wave, "raises its priority while exports are under way", "s_waitcnt_expcnt null, 0 before it");
    if (nops_ < kNops) fault(wave, "raises its priority too soon after exports", "two s_nop 0 before s_setprio 2");
    phase_ = Phase::usual;
  }
  priority_ = priority;
}

void ExportPriority::fault(Wave& wave, const char* what, const char* cure) const {
  char first[32] = "";
  if (phase_ != Phase::usual) std::snprintf(first, sizeof first, " (first: pc 0x%06x)", export_pc_);
  wave.fault(FaultKind::hazard, std::string("hazard RequiredExportPriority: ") + what + first + "; needs " + cure);
}

}  // namespace spalt::emu
