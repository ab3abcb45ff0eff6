// SPDX-License-Identifier: MIT
#include "emu/hazards/hazards.h"

#include <bit>
#include <cstdio>
#include <string>

#include "emu/hazards/steps.h"
#include "emu/launch/program.h"
#include "emu/wave/wave.h"

namespace spalt::emu {
namespace {

constexpr uint64_t bit(unsigned rule) {
  return uint64_t{1} << rule;
}

constexpr uint64_t kRuleBits = ~HazardRoles::kNoRules;
constexpr RegRange kAnyRegister{0, UINT16_MAX};

const RegRange* find_overlap(const RegList& list, const RegRange& range) {
  for (const RegRange& candidate : list) {
    if (candidate.overlaps(range)) return &candidate;
  }
  return nullptr;
}

/// The register by which the step meets the rule's second instruction; nullptr: not at all.
const RegRange* touched(const HazardRule& rule, const Step& step, const RegRange& range, RegList& list) {
  if (rule.second_registers == nullptr) return &kAnyRegister;
  rule.second_registers(step, list);
  return find_overlap(list, range);
}

std::string message(const HazardRule& rule, uint32_t first_pc) {
  char pc[16];
  std::snprintf(pc, sizeof pc, "0x%06x", first_pc);
  return std::string("hazard ") + rule.name + ": " + rule.what + " (first: pc " + pc + "); needs " + rule.cure;
}

}  // namespace

void Hazards::reset() {
  waiting_ = timed_ = 0;
  clause_ = Clause();
  forwarding_ = PartialForwarding();
  exports_ = ExportPriority();
  pending_.clear();
}

void Hazards::look(Wave& wave, const Step& step) {
  if (clause_.open()) clause_.check(wave, step);
  if (hazard::jumps_to_register(step)) {
    forwarding_ = PartialForwarding();
  } else if ((step.hazards.first & HazardRoles::kForward) != 0) {
    forwarding_.observe(wave, step);
  }
  if (exports_.in_row() || (step.hazards.first & HazardRoles::kExports) != 0) exports_.observe(wave, step);
  led_on_.clear();
  if ((waiting_ & step.hazards.second) != 0) check(wave, step);
  if (((waiting_ & step.hazards.resolves) | timed_) != 0) pass(step);
  for (const Pending& pending : led_on_) add(pending);
  if (step.hazards.first != 0) arm(step);
  waiting_ = clause_.open() || exports_.in_row() ? waiting_ | HazardRoles::kAnyStep : waiting_ & ~HazardRoles::kAnyStep;
}

void Hazards::check(Wave& wave, const Step& step) {
  for (const Pending& pending : pending_) {
    if ((step.hazards.second & bit(pending.rule)) == 0) continue;
    const HazardRule& rule = hazard_rule(pending.rule);
    RegList list;
    const RegRange* const range = touched(rule, step, pending.registers, list);
    if (range == nullptr) continue;
    if (rule.leads_on) {
      const RegRange& next = rule.second_registers == nullptr ? pending.registers : *range;
      const auto following = static_cast<uint8_t>(pending.rule + 1);
      led_on_.push_back({following, hazard_rule(following).wait_states, 0, next, step.pc});
      continue;
    }
    const int passed = pending.transcendentals == 0 ? rule.wait_states - pending.left : 0;
    if (rule.tolerates != nullptr && rule.tolerates(step) <= passed) continue;
    wave.fault(FaultKind::hazard, message(rule, pending.pc));
    return;
  }
}

/// Ends what the step resolves, and lets its time pass.
void Hazards::pass(const Step& step) {
  const HazardRoles& roles = step.hazards;
  waiting_ = timed_ = 0;
  size_t kept = 0;
  for (Pending pending : pending_) {
    if ((roles.resolves & bit(pending.rule)) != 0) continue;
    const HazardRule& rule = hazard_rule(pending.rule);
    if (rule.wait_states != 0) {
      const unsigned passed = rule.passing == Passing::instructions ? roles.wait_states : roles.vector ? 1 : 0;
      if (passed >= pending.left) continue;
      pending.left = static_cast<uint8_t>(pending.left - passed);
      if (roles.transcendental && ++pending.transcendentals == rule.transcendentals) continue;
      timed_ |= bit(pending.rule);
    }
    waiting_ |= bit(pending.rule);
    pending_[kept++] = pending;
  }
  pending_.resize(kept);
}

void Hazards::arm(const Step& step) {
  if (step.inst.opcode == isa::Opcode::s_clause) clause_.start(step);
  for (uint64_t left = step.hazards.first & kRuleBits; left != 0; left &= left - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(left));
    const HazardRule& rule = hazard_rule(i);
    Pending pending{static_cast<uint8_t>(i), rule.wait_states, 0, kAnyRegister, step.pc};
    if (rule.tolerates != nullptr && step.hazards.transcendental) pending.transcendentals = 1;
    if (rule.first_registers == nullptr) {
      add(pending);
      continue;
    }
    RegList list;
    rule.first_registers(step, list);
    for (const RegRange& range : list) {
      pending.registers = range;
      add(pending);
    }
  }
}

/// At most one entry for one rule and the same registers, so that their number is bounded by the code.
void Hazards::add(const Pending& pending) {
  waiting_ |= bit(pending.rule);
  if (pending.left != 0) timed_ |= bit(pending.rule);
  for (Pending& old : pending_) {
    if (old.rule == pending.rule && old.registers.first == pending.registers.first &&
        old.registers.count == pending.registers.count) {
      old = pending;
      return;
    }
  }
  pending_.push_back(pending);
}

}  // namespace spalt::emu
