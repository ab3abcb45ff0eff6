// SPDX-License-Identifier: MIT
// Terminators and phis.
#include "amdgpu/select/selector.h"
#include "base/ice.h"
#include "ir/owed_exports.h"

namespace spalt::select {

using mir::kS1;

void Selector::select_terminator(ir::BlockId id) {
  const ir::Block& block = function_.block(id);
  const Value last = block.last;
  switch (inst(last).op) {
    case Op::branch:
      emit(M::p_branch, {}, {Operand::target(block_of(block.succs[0]))});
      return;
    case Op::branch_if: {
      const Value chooser = input(last, 0);
      const Operand yes = Operand::target(block_of(block.succs[0])), no = Operand::target(block_of(block.succs[1]));
      if (facts_.divergent(chooser) || ir::owes_exports(function_, block.succs[0])) {
        emit(M::p_branch_mask, {}, {mask(chooser), yes, no});
        return;
      }
      const bool polarity = condition(chooser);
      emit(M::p_branch_scc, {}, {Operand::physical(isa::kScc), polarity ? yes : no, polarity ? no : yes});
      return;
    }
    case Op::ret:
    case Op::unreachable: {
      const Operand lanes = lanes_handed_over(id);
      if (return_block_.valid()) {
        emit(M::p_branch, {}, {Operand::target(return_block_)});
        if (lanes.kind != Operand::Kind::none) lanes_handed_over_ = lanes;
      } else if (lanes.kind != Operand::Kind::none) {
        emit(M::p_return, {}, {lanes});
      } else {
        emit(M::p_return, {}, {});
      }
      return;
    }
    default:
      SPALT_ICE("selection met a terminator that should have been lowered");
  }
}

/// The lanes that go on in the code that follows; no operand where the block ends otherwise.
Operand Selector::lanes_handed_over(ir::BlockId id) {
  const Value before = inst(function_.block(id).last).prev;
  if (!before.valid() || inst(before).op != Op::hand_over) return Operand();
  const Value lanes = input(before, 0);
  return is_constant(lanes) ? Operand::immediate(constant(lanes) != 0 ? 0xffffffffu : 0) : mask(lanes);
}

/// Blocks that end without an end, and are never reached, have joined the one that hands over.
void Selector::finish_return_block() {
  if (lanes_handed_over_.kind == Operand::Kind::none) return;
  Operand lanes = lanes_handed_over_;
  mir::InstList& insts = out_.blocks[return_block_].insts;
  if (!lanes.is_imm()) {
    const Operand joined = temp(out_.lane_mask_class());
    SmallVector<Operand, 4> inputs;
    for (mir::BlockId pred : out_.blocks[return_block_].logical_preds) {
      const mir::InstList& given = out_.blocks[pred].insts;
      const bool hands = given.size() > 1 && out_.insts[given[given.size() - 2]].opcode == M::p_hand_over;
      inputs.push_back(hands ? lanes : Operand::immediate(0));
    }
    insts.push_back(out_.create(M::p_phi_mask, std::span<const Operand>(&joined, 1), inputs.span()));
    std::swap(insts.front(), insts.back());
    lanes = joined;
  }
  out_.set_uses(insts.back(), std::span<const Operand>(&lanes, 1));
}

/// What the block passes to one phi of a successor, in the register file of the phi. Copies are at the end of the
/// block, before the terminator and what sets scc for it.
Operand Selector::phi_input(Value phi, Value value) {
  value = root(value);
  const bool is_undef = inst(value).op == Op::undef;
  switch (place(phi)) {
    case Place::vector:
      return is_undef ? Operand::undefined(dwords(phi)) : vector(value);
    case Place::scalar:
      return is_undef ? Operand::undefined(dwords(phi)) : scalar_reg(value);
    case Place::flag: {
      if (is_undef) return Operand::undefined(1);
      const Operand in = flag(value);
      if (!in.is_imm()) return in;
      const Operand moved = temp(kS1);
      emit(M::s_mov_b32, {moved}, {in});
      return moved;
    }
    case Place::mask:
      if (is_undef) return Operand::undefined(out_.lane_mask_class().dwords);
      if (is_constant(value)) return Operand::immediate(constant(value) != 0 ? 0xffffffffu : 0);
      return mask(value);
    case Place::none:
      break;
  }
  SPALT_ICE("a phi without a place");
}

void Selector::select_phi_inputs(ir::BlockId id) {
  if (!edge_slots_) return;
  const auto& succs = function_.block(id).succs;
  for (uint32_t i = 0; i < succs.size(); ++i) {
    const uint32_t edge = (*edge_slots_)(id, i);
    for (Value phi : ir::insts(function_, succs[i])) {
      if (inst(phi).op != Op::phi) break;
      phi_inputs_[phi_inputs_begin_[phi] + edge] = phi_input(phi, function_.operand(phi, edge));
    }
  }
}

/// Phis come first, then what makes other forms of them: components, scalar copies.
void Selector::select_phis(ir::BlockId id) {
  mir::InstList& phis = phis_of_block_;
  phis.clear();
  for (Value phi : ir::insts(function_, id)) {
    if (inst(phi).op != Op::phi) break;
    const M opcode = place(phi) == Place::mask ? M::p_phi_mask : M::p_phi;
    const Operand def = define(phi);
    const uint32_t first = phi_inputs_begin_[phi];
    phis.push_back(out_.create(opcode, std::span<const Operand>(&def, 1),
                               std::span<const Operand>(phi_inputs_).subspan(first, inst(phi).operand_count)));
    phi_insts_.push_back({phi, phis.back()});
    finish_value(phi);
  }
  flush();
  for (uint32_t i = phis.size(); i-- > 0;) reversed_.push_back(phis[i]);
}

}  // namespace spalt::select
