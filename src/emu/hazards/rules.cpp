// SPDX-License-Identifier: MIT
#include "emu/hazards/rules.h"

#include "emu/hazards/export_priority.h"
#include "emu/hazards/partial_forwarding.h"
#include "emu/hazards/steps.h"
#include "emu/hazards/tables.h"
#include "emu/wave/handlers.h"

namespace spalt::emu {
namespace {

constexpr uint64_t bit(unsigned rule) {
  return uint64_t{1} << rule;
}

HazardRoles roles_of(const Step& step, const isa::Target& target, unsigned wave_size) {
  HazardRoles roles;
  if (step.inst.opcode == isa::Opcode::s_nop) roles.wait_states = static_cast<uint8_t>((step.imm & 15) + 1);
  roles.vector = hazard::is_vector(step, target);
  roles.transcendental = roles.vector && (step.flags & isa::kTranscendental) != 0;
  for (unsigned i = 0; i < hazard_rule_count(); ++i) {
    const HazardRule& rule = hazard_rule(i);
    if (!rule.exists(target) || (rule.wave64 && wave_size != 64)) continue;
    if (rule.first != nullptr && rule.first(step, target)) roles.first |= bit(i);
    if (rule.second(step, target)) roles.second |= bit(i);
    if (rule.resolved_by != nullptr && rule.resolved_by(step, target)) roles.resolves |= bit(i);
  }
  if (step.inst.opcode == isa::Opcode::s_clause) roles.first |= HazardRoles::kClause;
  if (target.has(isa::Hazard::valu_partial_forwarding) && wave_size == 64 &&
      PartialForwarding::concerns(step, target)) {
    roles.first |= HazardRoles::kForward;
  }
  if (target.has(isa::Hazard::export_priority) && ExportPriority::concerns(step, target)) {
    roles.first |= HazardRoles::kExports;
  }
  if (hazard::jumps_to_register(step)) {
    roles.resolves = ~HazardRoles::kNoRules;
    roles.first |= HazardRoles::kForward;
  }
  return roles;
}

void check_single_rules(Step& step, const Step* before, const isa::Target& target) {
  for (const SingleRule& rule : single_rules()) {
    if (step.reason != nullptr || !rule.exists(target) || !rule.breaks(step, before, target)) continue;
    step.reason = rule.sentence;
    step.handler = execute_unsupported;
  }
}

/// Rules that can be broken by code in which these steps play the first and the second part.
uint64_t breakable(uint64_t first, uint64_t second) {
  uint64_t rules = HazardRoles::kNoRules;
  for (unsigned i = 0; i < hazard_rule_count(); ++i) {
    const bool begins = hazard_rule(i).first != nullptr;
    const bool reached = begins ? (first & bit(i)) != 0 : (rules & bit(i - 1)) != 0;
    if (reached && (second & bit(i)) != 0) rules |= bit(i);
  }
  return rules;
}

}  // namespace

unsigned hazard_rule_count() {
  return static_cast<unsigned>(vega_rules().size() + rdna_rules().size());
}

const HazardRule& hazard_rule(unsigned index) {
  const std::span<const HazardRule> vega = vega_rules();
  return index < vega.size() ? vega[index] : rdna_rules()[index - vega.size()];
}

void assign_hazards(std::vector<Step>& steps, const isa::Target& target, unsigned wave_size) {
  uint64_t first = 0, second = 0;
  bool scalar_writes_exec = false, exports = false;
  const Step* before = nullptr;
  for (Step& step : steps) {
    step.hazards = roles_of(step, target, wave_size);
    first |= step.hazards.first;
    second |= step.hazards.second;
    scalar_writes_exec |= hazard::is_scalar(step, target) && hazard::writes_scalar(step, isa::kExec.number, 2);
    exports |= hazard::is_export(step, target);
    check_single_rules(step, before, target);
    before = &step;
  }
  uint64_t rules = breakable(first, second);
  if (!scalar_writes_exec) rules &= ~HazardRoles::kForward;
  if (!exports) rules &= ~HazardRoles::kExports;
  for (Step& step : steps) {
    HazardRoles& roles = step.hazards;
    roles.first &= rules;
    roles.second &= rules;
    roles.resolves &= rules;
    roles.concerned = roles.second | roles.resolves | HazardRoles::kAnyStep;
  }
}

}  // namespace spalt::emu
