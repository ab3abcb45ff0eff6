// SPDX-License-Identifier: MIT
#include "amdgpu/mir/dual_candidate.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "amdgpu/isa/codec/constants.h"
#include "amdgpu/isa/codec/vopd.h"
#include "amdgpu/isa/opcode.h"

namespace spalt::mir {
namespace {

bool is_literal(const Operand& operand, isa::OperandType type) {
  return operand.is_imm() && isa::inline_constant_code(operand.value, type) < 0;
}

bool reads_scalar(const DualCandidate& candidate, uint32_t number) {
  const auto end = candidate.scalars + candidate.scalar_count;
  return std::find(candidate.scalars, end, number) != end;
}

/// The functions that add something return false where the instruction cannot be a half with it.
bool add_scalar(DualCandidate& candidate, const Operand& operand) {
  const uint32_t number = operand.reg.valid() ? operand.reg.number | DualCandidate::kRegister : operand.value;
  if (reads_scalar(candidate, number)) return true;
  if (candidate.scalar_count == std::size(candidate.scalars)) return false;
  candidate.scalars[candidate.scalar_count++] = number;
  return true;
}

void add_literal(DualCandidate& candidate, const Operand& operand) {
  candidate.has_literal = true;
  candidate.literal = operand.value;
}

/// Sources but the first have room for a VGPR only.
bool add_source(DualCandidate& candidate, unsigned position, const Operand& operand, isa::OperandType type) {
  if (operand.is_vgpr_value()) {
    candidate.sources[position] = operand.vreg();
    return true;
  }
  if (position != 0) return false;
  if (is_literal(operand, type)) add_literal(candidate, operand);
  if (operand.is_imm()) return true;
  const bool is_scalar = operand.is_vreg() || (operand.reg.valid() && !operand.reg.is_vgpr());
  return is_scalar && add_scalar(candidate, operand);
}

/// Its field is always vcc.
bool add_lane_mask(const Function& function, DualCandidate& candidate, Operand mask) {
  if (mask.is_vreg() && !mask.reg.valid()) mask.reg = function.vregs[mask.vreg()].hint;
  return mask.reg == isa::kVcc && add_scalar(candidate, mask);
}

/// v_fma_f32 in the form that opt::shrink_encodings gives it. v_fmamk_f32, for a constant factor and an addend that
/// lives on, is left out.
bool add_multiply_add(const Function& function, InstId id, DualCandidate& candidate) {
  const auto uses = function.uses(id);
  Operand a = uses[0], b = uses[1];
  const Operand c = uses[2];
  constexpr auto kType = isa::OperandType::f32;
  if (!b.is_vgpr_value()) std::swap(a, b);
  if (!b.is_vgpr_value() || !add_source(candidate, 0, a, kType)) return false;
  candidate.sources[1] = b.vreg();
  candidate.commutes = candidate.sources[0].valid();
  if (c.is_vgpr_value()) {
    candidate.sources[2] = c.vreg();
    return true;
  }
  if (candidate.has_literal || !is_literal(c, kType)) return false;
  add_literal(candidate, c);
  return true;
}

bool add_sources(const Function& function, InstId id, DualCandidate& candidate) {
  const isa::Opcode opcode = to_isa(function.insts[id].opcode);
  const isa::OpcodeInfo& info = isa::info(opcode);
  const auto uses = function.uses(id);
  if (uses.size() < info.src_count || info.src_count > std::size(candidate.sources)) return false;
  for (unsigned i = 0; i < info.src_count; ++i) {
    const bool is_mask = info.src[i].role == isa::OperandRole::lane_mask;
    if (!(is_mask ? add_lane_mask(function, candidate, uses[i])
                  : add_source(candidate, i, uses[i], info.src[i].type))) {
      return false;
    }
  }
  candidate.commutes = candidate.sources[0].valid() && candidate.sources[1].valid() &&
                       isa::with_sources_exchanged(opcode, function.target.generation) != isa::Opcode::invalid;
  return true;
}

/// Whether sources 0 and 1 of two operations can be read at once.
bool sources_differ(VReg a0, VReg a1, VReg b0, VReg b1) {
  return (a0 != b0 || !a0.valid()) && (a1 != b1 || !a1.valid());
}

}  // namespace

DualCandidate dual_candidate(const Function& function, InstId id) {
  const Inst& inst = function.insts[id];
  const isa::Target& target = function.target;
  const bool multiply_add = inst.opcode == Opcode::v_fma_f32;
  const isa::Opcode form = dual_form(inst.opcode);
  if (inst.has_modifiers() || inst.def_count != 1) return {};
  const Operand& result = function.defs(id)[0];
  if (!target.has(isa::info(form, target.generation).feature) || !result.is_vgpr_value()) return {};
  DualCandidate candidate;
  if (!(multiply_add ? add_multiply_add(function, id, candidate) : add_sources(function, id, candidate))) return {};
  candidate.result = result.vreg();
  candidate.first = isa::can_be_vopd_x(isa::vopd_number(form, target.generation));
  candidate.second = true;
  return candidate;
}

bool may_pair(const DualCandidate& a, const DualCandidate& b, const isa::Target& target) {
  if (!a.second || !b.second || !(a.first || b.first)) return false;
  if (a.has_literal && b.has_literal && a.literal != b.literal) return false;
  unsigned count = a.scalar_count + (a.has_literal || b.has_literal ? 1u : 0u);
  for (unsigned i = 0; i < b.scalar_count; ++i) count += reads_scalar(a, b.scalars[i]) ? 0 : 1;
  if (count > 2 || (a.sources[2].valid() && a.sources[2] == b.sources[2])) return false;
  const VReg *x = a.sources, *y = b.sources;
  return target.dual_sources_may_be_one || sources_differ(x[0], x[1], y[0], y[1]) ||
         ((a.commutes || b.commutes) && sources_differ(x[0], x[1], y[1], y[0]));
}

}  // namespace spalt::mir
