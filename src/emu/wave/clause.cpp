// SPDX-License-Identifier: MIT
#include "emu/wave/clause.h"

#include "base/bits.h"
#include "emu/launch/program.h"
#include "emu/wave/wave.h"

namespace spalt::emu {
namespace {

using isa::Format;
using Op = isa::Opcode;

/// Executed without leaving the clause, though not as its first instruction. s_delay_alu is another one in the RDNA 4
/// guide, which forbids it in a clause on the page of s_delay_alu itself.
bool is_internal(Op opcode) {
  switch (opcode) {
    case Op::s_nop:
    case Op::s_wait_loadcnt:
    case Op::s_wait_storecnt:
    case Op::s_wait_samplecnt:
    case Op::s_wait_bvhcnt:
    case Op::s_wait_expcnt:
    case Op::s_wait_dscnt:
    case Op::s_wait_kmcnt:
    case Op::s_wait_loadcnt_dscnt:
    case Op::s_wait_storecnt_dscnt:
      return true;
    default:
      return false;
  }
}

ClauseKind memory_kind(const Step& step, ClauseKind load, ClauseKind store, ClauseKind atomic) {
  if ((step.flags & isa::kAtomic) != 0) return atomic;
  return (step.flags & isa::kMayStore) != 0 ? store : load;
}

ClauseKind kind_of(const Step& step, const isa::Target& target) {
  const bool split = target.clause_splits_access;
  switch (step.inst.format) {
    case Format::smem:
      return ClauseKind::scalar_memory;
    case Format::ds:
      return step.inst.mods.gds || (step.flags & isa::kGdsOnly) != 0 ? ClauseKind::none : ClauseKind::lds;
    case Format::flat:
      if (!split) return ClauseKind::flat_load;
      return memory_kind(step, ClauseKind::flat_load, ClauseKind::flat_store, ClauseKind::flat_atomic);
    case Format::global:
    case Format::scratch:
    case Format::mubuf:
    case Format::mtbuf:
      if (!split) return ClauseKind::load;
      return memory_kind(step, ClauseKind::load, ClauseKind::store, ClauseKind::atomic);
    case Format::vsample:
      return ClauseKind::image_sample;
    case Format::mimg:
    case Format::vimage:
      if (!split) return ClauseKind::load;
      if (step.path != MemoryPath::plain) return ClauseKind::image_sample;
      return memory_kind(step, ClauseKind::image_load, ClauseKind::image_store, ClauseKind::image_atomic);
    case Format::ldsdir:
    case Format::vinterp:
    case Format::vintrp:
      return ClauseKind::none;
    default:
      return (step.flags & isa::kValu) != 0 ? ClauseKind::vector : ClauseKind::none;
  }
}

}  // namespace

void Clause::start(const Step& step) {
  left_ = static_cast<uint8_t>(bits_of(static_cast<uint32_t>(step.imm), 0, 6) + 1);
  kind_ = ClauseKind::none;
}

void Clause::check(Wave& wave, const Step& step) {
  const isa::Target& target = wave.program().target();
  const bool first = kind_ == ClauseKind::none;
  --left_;
  if (!first && is_internal(step.inst.opcode)) return;
  const ClauseKind kind = kind_of(step, target);
  if (kind == ClauseKind::none) {
    wave.fault(FaultKind::hazard,
               first ? "hazard ClauseContents: begins a clause, but is neither a memory nor a vector instruction"
                     : "hazard ClauseContents: breaks a clause; only s_nop may stand between its memory or vector "
                       "instructions");
    return;
  }
  if (target.has(isa::Hazard::nsa_clause) && step.inst.nsa.count != 0) {
    wave.fault(FaultKind::hazard,
               "hazard NSAClause: an image instruction with a list of addresses cannot stand in a clause");
    return;
  }
  if (first) {
    kind_ = kind;
  } else if (kind_ != kind) {
    wave.fault(FaultKind::hazard, "hazard ClauseContents: breaks a clause; its instructions must be of one kind");
  }
}

}  // namespace spalt::emu
