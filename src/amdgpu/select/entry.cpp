// SPDX-License-Identifier: MIT
// What runs before the first instruction of the shader.
#include "amdgpu/select/selector.h"

namespace spalt::select {

using mir::kS1;
using mir::kS2;

void Selector::mark_loops() {
  for (ir::BlockId id : function_.layout()) {
    mir::Block& block = out_.blocks[block_map_[id]];
    block.loop_depth = static_cast<uint16_t>(loops_.depth(id));
    const uint32_t loop = loops_.loop_of(id);
    block.loop_header = loop != analysis::kNoLoop && loops_[loop].header == id;
  }
}

/// The highest aligned quad holds the scratch descriptor for the whole program, where there is one. That costs nothing
/// where waves always get all SGPRs (GFX10 and later).
void Selector::reserve_scratch() {
  if (target_.architected_flat_scratch) return;
  out_.scratch_descriptor = isa::sgpr((target_.sgpr_count - 4u) & ~3u);
}

/// Loads the scratch descriptor from where the interface says and moves its base to the wave's part.
void Selector::emit_scratch_prolog(Operand table_low, Operand wave_offset) {
  const Operand table = temp(kS2), resource = scratch_descriptor();
  emit(M::p_vec, {table}, {table_low, address_high()});
  mir::Inst& load = emit(M::s_load_dwordx4, {resource}, {table, Operand()});
  out_.set_offset(load, static_cast<int32_t>(config_.scratch.offset));
  load.memory = mir::kReadsConstant;
  const Operand low = Operand::physical(out_.scratch_descriptor);
  const Operand high = Operand::physical(out_.scratch_descriptor.offset(1));
  salu(M::s_add_u32, low, {low, wave_offset});
  // The upper half of word 1 holds other fields; a 48-bit address does not carry into them.
  salu(M::s_addc_u32, high, {high, Operand::immediate(0)});
  if (out_.wave_size == 32) {
    // The driver fills in the index stride of 64 lanes; clearing bit 21 of word 3 makes it 32.
    const Operand word = Operand::physical(out_.scratch_descriptor.offset(3));
    salu(M::s_and_b32, word, {word, Operand::immediate(~(1u << 21))});
  }
}

/// The address of the constant tables, which lie at a distance from the program counter that linking knows.
void Selector::emit_table_address(Operand counter_low) {
  const Operand low = temp(kS1), high = temp(kS1);
  salu(M::s_add_u32, low, {counter_low, Operand::table_distance()});
  salu(M::s_addc_u32, high, {pc_high(), Operand::immediate(0)});
  emit(M::p_vec, {out_.use(table_address_)}, {low, high});
}

/// p_start with every entry register that something wants and copies of trap registers, all lanes where exec does not
/// say who runs, those that complete quads, then the scratch descriptor, the high half of the program counter, which
/// completes 32-bit pointers where nobody says what does, and the address of the constant tables.
void Selector::select_entry() {
  SmallVector<Operand, 16> starts;
  for (size_t i = 0; i < args_.size(); ++i) {
    if (!args_[i].valid()) continue;
    const ir::EntryArg& arg = module_.args[i];
    const isa::Reg where = arg.file == ir::EntryArg::File::vgpr ? isa::vgpr(arg.reg) : isa::sgpr(arg.reg);
    if (isa::is_ttmp(where)) {
      emit(M::s_mov_b32, {out_.use(args_[i])}, {Operand::physical(where)});
      continue;
    }
    starts.push_back(Operand::fixed(args_[i], out_.vregs[args_[i]].cls, where));
  }
  if (out_.scratch_descriptor.valid()) {
    const mir::VReg table = out_.create_vreg(kS1), wave_offset = out_.create_vreg(kS1);
    starts.push_back(Operand::fixed(table, kS1, config_.scratch.table));
    starts.push_back(Operand::fixed(wave_offset, kS1, config_.scratch.wave_offset));
    emit_scratch_prolog(out_.use(table), out_.use(wave_offset));
  }
  mir::InstList prolog(scratch_);
  prolog.swap(sequence_);
  emit(M::p_start, starts.span(), {});
  const auto* vertex = std::get_if<ir::VertexFacts>(&module_.shader);
  if (vertex != nullptr && vertex->all_lanes) {
    emit(mask_op(M::s_mov_b32, M::s_mov_b64), {exec()}, {Operand::immediate(0xffffffffu)});
  }
  const auto* fragment = std::get_if<ir::FragmentFacts>(&module_.shader);
  if (fragment != nullptr && fragment->whole_quads) emit_whole_quads();
  if (pc_high_.valid()) {
    const Operand counter = temp(kS2);
    emit(M::s_getpc_b64, {counter}, {});
    const Operand high = target_.getpc_zero_extends ? temp(kS1) : out_.use(pc_high_);
    const Operand low = temp(kS1);
    emit(M::p_split, {low, high}, {counter});
    // Addresses have 48 bits.
    if (target_.getpc_zero_extends) emit(M::s_sext_i32_i16, {out_.use(pc_high_)}, {high});
    if (table_address_.valid()) emit_table_address(low);
  }
  for (const mir::VReg room : whole_wave_) {
    if (room.valid()) emit(M::p_linear_vgpr, {out_.use(room)}, {});
  }
  sequence_.append(prolog);
  mir::InstList& insts = out_.blocks[out_.layout.front()].insts;
  insts.insert(insts.begin(), sequence_);
  sequence_.clear();
}

}  // namespace spalt::select
