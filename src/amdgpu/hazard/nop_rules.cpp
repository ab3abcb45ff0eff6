// SPDX-License-Identifier: MIT
#include "amdgpu/hazard/nop_rules.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace spalt::hazard {
namespace {

using isa::Hazard;
using isa::OperandType;
using mir::Opcode;
using mir::Operand;

/// The only place of events that are not about a register.
constexpr unsigned kHere = 0;

unsigned hardware_register(const Instruction& inst) {
  return isa::kHwregId.of(inst.simm16());
}

// ---- first instructions ----

void scalars_written_by_valu(const Instruction& inst, Vgprs& places) {
  for (const Operand& def : inst.defs()) {
    if (Instruction::is_scalar(def)) places.add(def.reg.number, def.dwords);
  }
  if (inst.has(isa::kWritesExec)) places.add(isa::kExec.number, 2);
}

void vgprs_written(const Instruction& inst, Vgprs& places) {
  places |= inst.vgprs_written();
}

void m0_written(const Instruction& inst, Vgprs& places) {
  for (const Operand& def : inst.defs()) {
    if (def.is_reg(isa::kM0)) places.add(kHere);
  }
}

bool is_setreg(const Instruction& inst) {
  return inst.is(Opcode::s_setreg_b32) || inst.is(Opcode::s_setreg_imm32_b32);
}

void hardware_register_set(const Instruction& inst, Vgprs& places) {
  if (is_setreg(inst)) places.add(hardware_register(inst));
}

/// The data of a store that takes more than one cycle to read. A buffer instruction with a register as its scalar
/// offset reads its data in time; so does an image instruction with a resource of 256 bits.
void wide_store_data(const Instruction& inst, Vgprs& places) {
  const auto uses = inst.uses();
  const auto wide = [&](size_t data) {
    if (data < uses.size() && uses[data].dwords > 2) places |= Instruction::vgprs(uses.subspan(data, 1));
  };
  if (inst.has_format(isa::Format::mubuf) || inst.has_format(isa::Format::mtbuf)) {
    const bool register_offset = uses.size() > 3 && uses[3].reg.valid();
    if (!register_offset) wide(0);
  } else if (inst.has_format(isa::Format::mimg)) {
    if (inst.mods().r128) wide(0);
  } else {
    wide(1);
  }
}

bool is_float(OperandType type) {
  return type == OperandType::f16 || type == OperandType::f32 || type == OperandType::f64 || type == OperandType::f16x2;
}

/// The result says the type: the data of a compare and swap is a pair without one.
void float_atomic(const Instruction& inst, Vgprs& places) {
  const isa::OpcodeInfo& info = inst.info();
  if (inst.is_vmem() && info.dst_count != 0 && is_float(info.dst[0].type)) places.add(kHere);
}

void lane_written(const Instruction& inst, Vgprs& places) {
  if (inst.is(Opcode::v_writelane_b32)) places.add(kHere);
}

void exec_written(const Instruction& inst, Vgprs& places) {
  if (inst.writes_exec()) places.add(kHere);
}

bool never(const Instruction&) {
  return false;
}

/// A vector instruction waits for the atomic to have read its mode; so does any wait for a memory counter.
bool is_vector_or_wait(const Instruction& inst) {
  return inst.is_valu() || inst.is(Opcode::s_waitcnt) || inst.is(Opcode::s_waitcnt_vmcnt) ||
         inst.is(Opcode::s_waitcnt_vscnt) || inst.is(Opcode::s_waitcnt_expcnt) || inst.is(Opcode::s_waitcnt_lgkmcnt);
}

// ---- second instructions: the places that they touch ----

/// LLVM counts exec, which masks them, too.
void scalars_of_vmem(const Instruction& inst, Vgprs& places) {
  for (const Operand& use : inst.uses()) {
    if (Instruction::is_scalar(use)) places.add(use.reg.number, use.dwords);
  }
  places.add(isa::kExec.number, 2);
}

void vcc_of_div_fmas(const Instruction& inst, Vgprs& places) {
  if (inst.is(Opcode::v_div_fmas_f32) || inst.is(Opcode::v_div_fmas_f64)) places.add(isa::kVcc.number, 2);
}

void lane_select(const Instruction& inst, Vgprs& places) {
  if (!inst.is(Opcode::v_readlane_b32) && !inst.is(Opcode::v_writelane_b32)) return;
  const Operand& lane = inst.uses()[1];
  if (Instruction::is_scalar(lane)) places.add(lane.reg.number);
}

void exec_of_dpp(const Instruction& inst, Vgprs& places) {
  if (inst.is_dpp()) places.add(isa::kExec.number, 2);
}

void vgprs_of_dpp(const Instruction& inst, Vgprs& places) {
  if (inst.is_dpp()) places |= inst.vgprs_read();
}

/// Branches on vccz and execz name vcc and exec, and are checked by the hardware.
void vccz_execz(const Instruction& inst, Vgprs& places) {
  for (const Operand& use : inst.uses()) {
    if (use.is_reg(isa::kVccz)) places.add(isa::kVcc.number, 2);
    if (use.is_reg(isa::kExecz)) places.add(isa::kExec.number, 2);
  }
}

void hardware_register_of_getreg(const Instruction& inst, Vgprs& places) {
  if (inst.is(Opcode::s_getreg_b32)) places.add(hardware_register(inst));
}

void m0_of_message(const Instruction& inst, Vgprs& places) {
  const bool message = inst.is(Opcode::s_sendmsg) || inst.is(Opcode::s_sendmsghalt) || inst.is(Opcode::s_ttracedata);
  if (message || inst.mods().gds || inst.has(isa::kGdsOnly)) places.add(kHere);
}

void m0_of_movrel(const Instruction& inst, Vgprs& places) {
  if (inst.is_salu() && inst.has(isa::kReadsM0) && inst.has_format(isa::Format::sop1)) places.add(kHere);
}

void m0_of_lds(const Instruction& inst, Vgprs& places) {
  const bool direct = std::any_of(inst.uses().begin(), inst.uses().end(),
                                  [](const Operand& use) { return use.is_reg(isa::kLdsDirect); });
  const bool add_tid = inst.is(Opcode::ds_read_addtid_b32) || inst.is(Opcode::ds_write_addtid_b32);
  if (direct || add_tid || inst.mods().lds || inst.has(isa::kInterp)) places.add(kHere);
}

void denorm_mode(const Instruction& inst, Vgprs& places) {
  if (inst.is(Opcode::s_denorm_mode)) places.add(kHere);
}

void address_list(const Instruction& inst, Vgprs& places) {
  if (inst.further_addresses() != 0) places.add(kHere);
}

/// Of more than one dword.
void long_address_list(const Instruction& inst, Vgprs& places) {
  constexpr unsigned kPerDword = 4;
  if (inst.further_addresses() > kPerDword) places.add(kHere);
}

// ---- the tables ----

enum Event : uint8_t {
  kValuScalar,
  kVgpr,
  kM0,
  kHardwareRegister,
  kWideStore,
  kFloatAtomic,
  kWriteLane,
  kSaluExec,
  kEvents
};

struct EventInfo {
  uint8_t slot;    ///< of age 0
  uint8_t window;  ///< most wait states that a rule needs
  uint32_t flags;  ///< any of isa::OpcodeFlag; 0 for all instructions
  void (*happens)(const Instruction&, Vgprs&);
  bool (*ends)(const Instruction&);  ///< nothing is left of it
};

constexpr EventInfo kEventInfos[kEvents] = {
    {0, 5, isa::kValu, scalars_written_by_valu, never},      // kValuScalar
    {5, 2, 0, vgprs_written, never},                         // kVgpr
    {7, 1, isa::kSalu, m0_written, never},                   // kM0
    {8, 2, isa::kSalu, hardware_register_set, never},        // kHardwareRegister
    {10, 1, isa::kMayStore, wide_store_data, never},         // kWideStore
    {11, 3, isa::kAtomic, float_atomic, is_vector_or_wait},  // kFloatAtomic
    {14, 1, isa::kValu, lane_written, never},                // kWriteLane
    {15, 1, isa::kSalu, exec_written, never},                // kSaluExec
};

struct NopRule {
  Hazard hazard;
  Event event;
  uint8_t wait_states;
  uint32_t flags;  ///< of the second instruction, as in EventInfo
  void (*touches)(const Instruction&, Vgprs&);
};

constexpr uint32_t kAny = 0;
constexpr NopRule kRules[] = {
    {Hazard::valu_sgpr_to_vmem, kValuScalar, 5, isa::kVmem, scalars_of_vmem},
    {Hazard::valu_vcc_to_div_fmas, kValuScalar, 4, isa::kValu, vcc_of_div_fmas},
    {Hazard::valu_sgpr_to_lane_select, kValuScalar, 4, isa::kValu, lane_select},
    {Hazard::valu_exec_to_dpp, kValuScalar, 5, isa::kValu, exec_of_dpp},
    {Hazard::valu_mask_to_vccz_execz, kValuScalar, 5, isa::kValu | isa::kSalu, vccz_execz},
    {Hazard::vgpr_to_dpp, kVgpr, 2, isa::kValu, vgprs_of_dpp},
    {Hazard::setreg_to_getreg, kHardwareRegister, 2, isa::kSalu, hardware_register_of_getreg},
    {Hazard::setreg_to_setreg, kHardwareRegister, 2, isa::kSalu, hardware_register_set},
    {Hazard::salu_m0_to_message, kM0, 1, kAny, m0_of_message},
    {Hazard::salu_m0_to_movrel, kM0, 1, isa::kSalu, m0_of_movrel},
    {Hazard::salu_m0_to_lds, kM0, 1, kAny, m0_of_lds},
    {Hazard::wide_store_data, kWideStore, 1, isa::kValu, vgprs_written},
    {Hazard::float_atomic_to_denorm_mode, kFloatAtomic, 3, isa::kSalu, denorm_mode},
    {Hazard::writelane_to_nsa, kWriteLane, 1, isa::kVmem, address_list},
    {Hazard::salu_exec_to_nsa, kSaluExec, 1, isa::kVmem, long_address_list},
};

/// `there`: an instruction, or the contents of a program.
template <class There>
bool concerns(uint32_t flags, const There& there) {
  return flags == kAny || there.has(flags);
}

/// What concerns any of these rules.
uint32_t flags_of(uint32_t rules) {
  uint32_t flags = 0;
  for (uint32_t left = rules; left != 0; left &= left - 1) {
    const uint32_t of_rule = kRules[std::countr_zero(left)].flags;
    if (of_rule == kAny) return kAny;
    flags |= of_rule;
  }
  return flags;
}

Vgprs touched(const NopRule& rule, const Instruction& inst) {
  Vgprs places;
  if (concerns(rule.flags, inst)) rule.touches(inst, places);
  return places;
}

void elapse(NopRules::State& state, unsigned wait_states) {
  if (state.live == 0) return;
  for (const EventInfo& event : kEventInfos) {
    const unsigned first = event.slot, end = event.slot + event.window;
    if ((state.live >> first & ((1u << event.window) - 1)) == 0) continue;
    for (unsigned i = end; i-- > first;) {
      const bool kept = i >= first + wait_states;
      state.ago[i] = kept ? state.ago[i - wait_states] : Vgprs();
      state.live = static_cast<uint16_t>(state.live & ~(1u << i));
      if (state.ago[i].any()) state.live = static_cast<uint16_t>(state.live | 1u << i);
    }
  }
}

void forget(NopRules::State& state, const EventInfo& event) {
  for (unsigned i = event.slot; i < event.slot + event.window; ++i) {
    state.ago[i] = Vgprs();
    state.live = static_cast<uint16_t>(state.live & ~(1u << i));
  }
}

}  // namespace

bool NopRules::State::join(const State& other) {
  const State before = *this;
  for (unsigned i = 0; i < kSlots; ++i) ago[i] |= other.ago[i];
  live = static_cast<uint16_t>(live | other.live);
  return *this != before;
}

NopRules::NopRules(const mir::Function& function, const Contents& program) {
  static_assert(kEventInfos[kEvents - 1].slot + kEventInfos[kEvents - 1].window == kSlots);
  uint32_t missing = 0;
  for (unsigned i = 0; i < std::size(kRules); ++i) {
    const NopRule& rule = kRules[i];
    const bool can_be = concerns(rule.flags, program) && concerns(kEventInfos[rule.event].flags, program);
    if (can_be && function.target.has(rule.hazard)) missing |= 1u << i;
  }
  if (is_followed(function)) {
    active_ = missing;
    for (uint32_t left = missing; left != 0; left &= left - 1)
      active_events_ |= 1u << kRules[std::countr_zero(left)].event;
    return;
  }
  const uint32_t concerned = flags_of(missing);
  for (mir::BlockId block : function.layout) {
    if (missing == 0) break;
    for (mir::InstId id : function.blocks[block].insts) {
      const Instruction inst(function, id);
      if (!concerns(concerned, inst)) continue;
      for (uint32_t left = missing; left != 0; left &= left - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(left));
        if (!concerns(kRules[i].flags, inst) || !touched(kRules[i], inst).any()) continue;
        active_ |= 1u << i;
        active_events_ |= 1u << kRules[i].event;
        missing &= ~(1u << i);
      }
    }
  }
}

Cures NopRules::cures(const Instruction& inst, const State& state) const {
  Cures cures;
  if (state.live == 0) return cures;
  for (uint32_t left = active_; left != 0; left &= left - 1) {
    const NopRule& rule = kRules[std::countr_zero(left)];
    const unsigned slot = kEventInfos[rule.event].slot;
    if ((state.live >> slot & ((1u << rule.wait_states) - 1)) == 0) continue;
    const bool any_place = inst.is_end_of_code();
    const Vgprs places = any_place ? Vgprs() : touched(rule, inst);
    for (unsigned age = 0; age + cures.wait_states < rule.wait_states; ++age) {
      if (!(any_place ? state.ago[slot + age].any() : state.ago[slot + age].overlaps(places))) continue;
      cures.wait_states = static_cast<uint8_t>(rule.wait_states - age);
    }
  }
  return cures;
}

void NopRules::advance(const Instruction& inst, State& state) const {
  elapse(state, inst.wait_states());
  for (uint32_t left = active_events_; left != 0; left &= left - 1) {
    const EventInfo& event = kEventInfos[std::countr_zero(left)];
    if (event.ends(inst)) forget(state, event);
    if (!concerns(event.flags, inst)) continue;
    Vgprs& now = state.ago[event.slot];
    event.happens(inst, now);
    if (now.any()) state.live = static_cast<uint16_t>(state.live | 1u << event.slot);
  }
}

}  // namespace spalt::hazard
