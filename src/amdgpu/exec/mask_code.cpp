// SPDX-License-Identifier: MIT
#include "amdgpu/exec/mask_code.h"

namespace spalt::exec {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;

InstId MaskCode::emit(Opcode opcode, std::initializer_list<Operand> defs, std::initializer_list<Operand> uses) {
  const InstId id = function_.create(opcode, std::span<const Operand>(defs.begin(), defs.size()),
                                     std::span<const Operand>(uses.begin(), uses.size()));
  out_->push_back(id);
  return id;
}

InstId MaskCode::emit_phi(const Operand& result, std::span<const Operand> operands) {
  const InstId id = function_.create(Opcode::p_phi, {&result, 1}, operands);
  out_->push_back(id);
  return id;
}

Operand MaskCode::emit_mask(Opcode opcode, const Operand& a, const Operand& b) {
  const Operand result = mask_def();
  emit(opcode, {result, scc()}, {a, b});
  return result;
}

Operand MaskCode::copy_of_exec() {
  const Operand copy = mask_def();
  emit(ops.mov, {copy}, {exec()});
  return copy;
}

Operand MaskCode::mask_of(LeavingLanes& lanes) {
  if (lanes.mask.kind == Operand::Kind::none) {
    lanes.mask = lanes.opcode == Opcode::invalid ? lanes.all : emit_mask(lanes.opcode, lanes.all, lanes.by);
  }
  return lanes.mask;
}

void MaskCode::note(InstId inst, BlockId block) {
  if (made_in_.empty()) made_in_.resize(function_.vregs.size());
  const auto defs = function_.defs(inst);
  if (!defs.empty() && defs[0].is_vreg() && makes_zeros_elsewhere(inst, block)) made_in_[defs[0].value] = block;
}

/// Comparisons write zeros for lanes that do not run (ISA guides, "Vector compare").
bool MaskCode::makes_zeros_elsewhere(InstId inst, BlockId block) const {
  const Opcode opcode = function_.insts[inst].opcode;
  const auto uses = function_.uses(inst);
  if (opcode == ops.and_) return is_zero_elsewhere(uses[0], block) || is_zero_elsewhere(uses[1], block);
  if (opcode == ops.or_) return is_zero_elsewhere(uses[0], block) && is_zero_elsewhere(uses[1], block);
  if (mir::is_pseudo(opcode) || !mir::has_flag(opcode, isa::kValu)) return false;
  return isa::info(mir::to_isa(opcode)).dst[0].type == isa::OperandType::lane_mask;
}

bool MaskCode::is_zero_elsewhere(const Operand& mask, BlockId block) const {
  return mask.is_vreg() && mask.value < made_in_.size() && made_in_[mask.value] == block;
}

Operand MaskCode::join(const Operand& before, const Operand& base, const Operand& value, BlockId from,
                       LeavingLanes& lanes) {
  if (value.kind == Operand::Kind::undef || value.same_value(base)) return before;
  if (is_never(value)) return emit_mask(ops.andn2, before, mask_of(lanes));
  if (is_always(value)) return is_never(before) ? own(mask_of(lanes)) : emit_mask(ops.or_, before, mask_of(lanes));
  if (is_always(base)) {
    const Operand bits = emit_mask(ops.orn2, value, mask_of(lanes));
    return is_always(before) ? bits : emit_mask(ops.and_, before, bits);
  }
  const Operand bits = bits_of(value, from, lanes);
  if (is_never(before)) return bits;
  return emit_mask(ops.or_, is_never(base) ? before : emit_mask(ops.andn2, before, mask_of(lanes)), bits);
}

/// Those of `value` for `lanes`, zero for all others.
Operand MaskCode::bits_of(const Operand& value, BlockId from, LeavingLanes& lanes) {
  if (!is_zero_elsewhere(value, from)) return emit_mask(ops.and_, value, mask_of(lanes));
  return lanes.opcode == Opcode::invalid ? value : emit_mask(lanes.opcode, value, lanes.by);
}

/// exec changes: a mask that is to last is another register.
Operand MaskCode::own(const Operand& mask) {
  return mask.is_reg(isa::kExec) ? copy_of_exec() : mask;
}

}  // namespace spalt::exec
