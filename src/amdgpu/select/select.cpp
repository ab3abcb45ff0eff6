// SPDX-License-Identifier: MIT
#include "amdgpu/select/select.h"

#include <utility>

#include "amdgpu/select/selector.h"
#include "base/ice.h"
#include "ir/packed.h"

namespace spalt::select {

Selector::Selector(const ir::Module& module, const analysis::Divergence& divergence, const analysis::Loops& loops,
                   const isa::Target& target, const SelectConfig& config, CompileContext& context)
    : module_(module),
      function_(module.functions[0]),
      loops_(loops),
      target_(target),
      config_(config),
      memory_model_(target, config.wgp_mode),
      facts_(module, divergence, target, context.scratch),
      out_(target, config.wave_size, &context.arena),
      context_(context),
      scratch_(context.scratch),
      locations_(scratch_, function_.value_capacity()),
      partners_(scratch_),
      args_(scratch_, module.args.size()),
      phi_inputs_begin_(scratch_),
      phi_inputs_(scratch_),
      phi_insts_(scratch_),
      block_map_(scratch_, function_.block_capacity()),
      sequence_(scratch_),
      reversed_(scratch_),
      phis_of_block_(scratch_) {
  find_partners();
}

Result<mir::Function> Selector::run() {
  out_.follows_code = config_.follows_code;
  create_blocks();
  const ir::BlockList& layout = function_.layout();
  for (size_t i = layout.size(); i-- > 0;) {
    context_.cancellation.poll();
    select_block(layout[i]);
  }
  for (const PhiInst& phi : phi_insts_) {
    const uint32_t first = phi_inputs_begin_[phi.value];
    out_.set_uses(phi.inst, std::span<const Operand>(phi_inputs_).subspan(first, inst(phi.value).operand_count));
  }
  if (return_block_.valid()) finish_return_block();
  select_entry();
  return std::move(out_);
}

void Selector::create_blocks() {
  const ir::BlockList& layout = function_.layout();
  unsigned returns = 0;
  for (ir::BlockId id : layout) {
    block_map_[id] = out_.create_block();
    out_.layout.push_back(block_map_[id]);
    const Op last = inst(function_.block(id).last).op;
    returns += last == Op::ret || last == Op::unreachable ? 1 : 0;
    for (Value phi : ir::insts(function_, id)) {
      if (inst(phi).op != Op::phi) break;
      if (phi_inputs_.empty()) phi_inputs_begin_.assign(function_.value_capacity(), 0);
      phi_inputs_begin_[phi] = phi_inputs_.size();
      phi_inputs_.resize(phi_inputs_.size() + inst(phi).operand_count);
    }
  }
  if (!phi_inputs_.empty()) edge_slots_.emplace(ir::edge_slots(function_, &scratch_));
  const Op last = inst(function_.block(layout.back()).last).op;
  if (returns != 1 || (last != Op::ret && last != Op::unreachable)) {
    return_block_ = out_.create_block();
    out_.layout.push_back(return_block_);
    const mir::InstId leave = out_.create(M::p_return, {}, {});
    out_.blocks[return_block_].insts.push_back(leave);
  }
  for (ir::BlockId id : layout) {
    mir::Block& block = out_.blocks[block_map_[id]];
    for (ir::BlockId pred : function_.block(id).preds) block.logical_preds.push_back(block_map_[pred]);
    for (ir::BlockId succ : function_.block(id).succs) block.logical_succs.push_back(block_map_[succ]);
    if (return_block_.valid() && function_.block(id).succs.empty())
      out_.add_logical_edge(block_map_[id], return_block_);
  }
  mark_loops();
  const bool scratch = module_.scratch_bytes != 0 || config_.enable_scratch;
  if (scratch) reserve_scratch();
  out_.facts.scratch_bytes = module_.scratch_bytes;
  out_.facts.lds_bytes = module_.shared_bytes;
}

/// Puts the sequence at hand before what the block has so far.
void Selector::flush() {
  for (size_t i = sequence_.size(); i-- > 0;) reversed_.push_back(sequence_[i]);
  sequence_.clear();
}

void Selector::select_block(ir::BlockId id) {
  current_ = id;
  reversed_.clear();
  out_.set_origin(inst(function_.block(id).last).origin);
  select_terminator(id);
  flush();
  select_phi_inputs(id);
  flush();
  for (Value value = inst(function_.block(id).last).prev; value.valid(); value = inst(value).prev) {
    if (inst(value).op == Op::phi) break;
    select_value(value);
    flush();
  }
  out_.set_origin(0);
  copy_exec_for_scans();
  flush();
  select_phis(id);
  std::reverse(reversed_.begin(), reversed_.end());
  out_.blocks[block_map_[id]].insts.assign(reversed_);
}

void Selector::select_value(Value value) {
  if (root(value) != value) return;
  const ir::Inst& what = inst(value);
  out_.set_origin(what.origin);
  const ir::OpInfo& facts = ir::info(what.op);
  if (what.op == Op::extract) return;  // defined with its vector
  if (partner(value).valid()) return select_with_partner(value);
  const bool has_effect =
      facts.has(ir::kWrites | ir::kBarrier) ||
      ((what.op == Op::load || what.op == Op::image_load) && (function_.access(value).flags & ir::kVolatile) != 0);
  if (!has_effect && !locations_[value.index].wanted()) return;
  const bool only_as_mask = place(value) == Place::flag && !locations_[value.index].reg.valid();
  if (what.op != Op::arg && (has_effect || !only_as_mask)) dispatch(value);
  finish_value(value);
}

/// What other instructions want beside the value itself, after its definition.
void Selector::finish_value(Value value) {
  if (std::exchange(in_dwords_, false)) {
    const uint32_t first = locations_[value.index].parts;
    for (uint32_t i = 0; first != Location::kNoneYet && i < 2; ++i) {
      const Location& part = locations_[first + i];
      if (part.scalar.valid()) emit(M::v_readfirstlane_b32, {out_.use(part.scalar)}, {out_.use(part.reg)});
    }
  } else if (locations_[value.index].parts != Location::kNoneYet) {
    take_apart(value.index, function_.type(value), place(value) == Place::vector);
  }
  const Location& location = locations_[value.index];
  if (location.scalar.valid() && place(value) == Place::flag) {
    vector_compare(value, out_.use(location.scalar));
  } else if (location.scalar.valid()) {
    emit(M::v_readfirstlane_b32, {out_.use(location.scalar)}, {reg(value)});
  }
  if (location.pair.valid()) emit(M::p_vec, {out_.use(location.pair)}, {reg(value), address_high()});
}

std::array<Operand, 2> Selector::define_dwords(Value value) {
  const uint32_t first = locations_[value.index].parts;
  const mir::RegClass cls = place(value) == Place::vector ? mir::kV1 : mir::kS1;
  std::array<Operand, 2> parts;
  for (uint32_t i = 0; i < 2; ++i) {
    const bool wanted = first != Location::kNoneYet && locations_[first + i].wanted();
    parts[i] = wanted ? dword(value, i) : temp(cls);
  }
  return parts;
}

void Selector::join_dwords(Value value, const std::array<Operand, 2>& parts) {
  in_dwords_ = true;
  if (locations_[value.index].reg.valid()) emit(M::p_vec, {reg(value)}, {parts[0], parts[1]});
}

/// Defines the parts of what is at `home` that somebody wants, level by level.
void Selector::take_apart(uint32_t home, ir::Type type, bool in_vector) {
  if (locations_[home].parts == Location::kNoneYet) return;
  const Parts level = parts_of(type);
  const uint32_t first = locations_[home].parts, size = dwords_of(level.type);
  const mir::RegClass cls = in_vector ? mir::vgpr_class(size) : mir::sgpr_class(size);
  const Operand whole = home < function_.value_capacity() ? reg(Value(home)) : out_.use(locations_[home].reg);
  SmallVector<Operand, 16> parts;
  bool split = !level.shared;
  for (unsigned i = 0; i < level.count; ++i) {
    Location& part = locations_[first + i];
    if (part.parts != Location::kNoneYet && !part.reg.valid()) part.reg = out_.create_vreg(cls);
    // Where the whole lives on, parts that nobody wants would be copied.
    split &= part.wanted() || (home < function_.value_capacity() && facts_.only_extracted(Value(home)));
    parts.push_back(part.reg.valid() ? out_.use(part.reg) : temp(cls));
  }
  if (split) emit(M::p_split, parts.span(), std::span<const Operand>(&whole, 1));
  for (unsigned i = 0; i < parts.size(); ++i) {
    const Location part = locations_[first + i];
    if (!split && part.wanted()) emit_part(parts[i], whole, level, i, in_vector);
    if (part.scalar.valid()) emit(M::v_readfirstlane_b32, {out_.use(part.scalar)}, {parts[i]});
    take_apart(first + i, level.type, in_vector);
  }
}

/// One part of a tuple, or of a dword; what lies above a part of a dword means nothing.
void Selector::emit_part(Operand part, Operand whole, const Parts& level, unsigned index, bool in_vector) {
  const uint32_t amount = index * level.type.bits();
  if (!level.shared) {
    const unsigned size = dwords_of(level.type);
    if (size == 1) {
      emit(M::p_extract, {part}, {whole, Operand::immediate(index)});
      return;
    }
    SmallVector<Operand, 4> pieces;
    for (unsigned i = 0; i < size; ++i) {
      pieces.push_back(temp(in_vector ? mir::kV1 : mir::kS1));
      emit(M::p_extract, {pieces[i]}, {whole, Operand::immediate(index * size + i)});
    }
    emit(M::p_vec, std::span<const Operand>(&part, 1), pieces.span());
  } else if (amount == 0) {
    emit(M::p_copy, {part}, {whole});
  } else if (in_vector) {
    valu(M::v_lshrrev_b32, part, {Operand::immediate(amount), whole});
  } else {
    salu(M::s_lshr_b32, part, {whole, Operand::immediate(amount)});
  }
}

void Selector::dispatch(Value value) {
  const ir::Type type = function_.type(value);
  const bool on_conditions = type.is_bool();
  if (ir::works_on_pairs(inst(value).op, type)) return select_packed(value);
  // The patterns below are about dwords.
  const bool by_row = type.bits() != 32 && !on_conditions && type != ir::kF16 && type != ir::kF64;
  if (by_row && row_of(inst(value).op).vector32 != M::invalid &&
      ir::group(inst(value).op) != ir::OpGroup::float_convert)
    return select_row(value);
  switch (inst(value).op) {
    case Op::select:
      return select_select(value);
    case Op::vec:
    case Op::pack64:
      return select_vec(value);
    case Op::bitcast:
      return select_copy(value);
    case Op::read_first_lane:
      return select_read_first_lane(value);
    case Op::any_lane:
      return select_any_lane(value);
    case Op::ballot:
      return select_ballot(value);
    case Op::read_lane:
      return select_read_lane(value);
    case Op::shuffle:
      return select_shuffle(value);
    case Op::scan:
      return select_scan(value);
    case Op::bits_below:
      return select_bits_below(value);
    case Op::quad_permute:
      return select_quad_permute(value);
    case Op::image_query_lod:
      return select_sample(value);
    case Op::fetch:
      return select_fetch(value);
    case Op::covered:
      return select_covered(value);
    case Op::interpolate:
      return select_interpolate(value);
    case Op::parameter:
      return select_parameter(value, M::p_parameter);
    case Op::load_parameter:
      return select_parameter(value, M::p_load_parameter);
    case Op::interpolate_quad:
      return select_interpolate_quad(value);
    case Op::pack_export:
      return select_pack_export(value);
    case Op::builtin:
      return select_builtin(value);
    case Op::iadd:
      return select_iadd(value);
    case Op::isub:
      return select_isub(value);
    case Op::imul:
      return select_imul(value);
    case Op::umul_hi:
    case Op::smul_hi:
    case Op::ushr:
    case Op::sshr:
    case Op::bit_reverse:
    case Op::find_lsb:
      return select_row(value);
    case Op::uadd_carry:
    case Op::usub_borrow:
      return select_carry(value);
    case Op::iand:
      return select_iand(value);
    case Op::ior:
      return select_ior(value);
    case Op::ixor:
      return select_ixor(value);
    case Op::inot:
      return on_conditions ? select_condition_not(value) : select_row(value);
    case Op::ishl:
      return select_ishl(value);
    case Op::smin:
      return select_min_max(value, M::v_min3_i32);
    case Op::smax:
      return select_min_max(value, M::v_max3_i32);
    case Op::umin:
      return select_min_max(value, M::v_min3_u32);
    case Op::umax:
      return select_min_max(value, M::v_max3_u32);
    case Op::bit_count:
      return select_bit_count(value);
    case Op::find_msb_u:
      return select_find_msb(value, M::s_flbit_i32_b32, M::v_ffbh_u32);
    case Op::find_msb_s:
      return select_find_msb(value, M::s_flbit_i32, M::v_ffbh_i32);
    case Op::bfe_u:
      return select_bfe(value, M::s_bfe_u32, M::v_bfe_u32);
    case Op::bfe_s:
      return select_bfe(value, M::s_bfe_i32, M::v_bfe_i32);
    case Op::bfi:
      return select_bfi(value);
    case Op::dot4_s:
    case Op::dot4_u:
    case Op::dot4_su:
      return select_dot4(value);
    case Op::ieq:
    case Op::ine:
      if (operand_type(value).is_bool()) return select_condition_equal(value, inst(value).op == Op::ieq);
      return select_compare(value);
    case Op::slt:
    case Op::sle:
    case Op::ult:
    case Op::ule:
      return select_compare(value);
    default:
      return dispatch_float(value);
  }
}

void Selector::dispatch_float(Value value) {
  if (is_scalar(value) && has_scalar_float(inst(value).op, function_.type(value))) return select_scalar_float(value);
  switch (inst(value).op) {
    case Op::fneg:
    case Op::fabs:
      return select_sign_op(value);
    case Op::fmin:
    case Op::fmax:
      return select_float_min_max(value);
    case Op::fdiv:
      return select_double_division(value);
    case Op::foeq:
    case Op::fone:
    case Op::folt:
    case Op::fole:
    case Op::fueq:
    case Op::fune:
    case Op::fult:
    case Op::fule:
    case Op::fordered:
    case Op::funordered:
      return select_float_compare(value);
    case Op::zext:
      return operand_type(value).is_bool() ? select_widen(value, 1) : select_extend(value);
    case Op::sext:
      return operand_type(value).is_bool() ? select_widen(value, 0xffffffffu) : select_extend(value);
    case Op::trunc:
      return select_copy(value);
    case Op::f_to_s:
    case Op::f_to_u:
    case Op::f_to_f:
    case Op::unpack_half_lo:
      return select_conversion(value);
    case Op::s_to_f:
    case Op::u_to_f:
      return select_integer_to_float(value);
    case Op::quantize_f16:
      return select_quantize_f16(value);
    case Op::pack_half:
      return select_pack_half(value);
    case Op::unpack_half_hi:
      return select_unpack_half_hi(value);
    default:
      return ir::info(inst(value).op).has(ir::kReads | ir::kWrites | ir::kBarrier) ? dispatch_memory(value)
                                                                                   : select_float(value);
  }
}

void Selector::dispatch_memory(Value value) {
  switch (inst(value).op) {
    case Op::load:
      return select_ordered(value, &Selector::select_load);
    case Op::store:
      return select_ordered(value, &Selector::select_store);
    case Op::image_load:
    case Op::image_store:
    case Op::image_atomic:
      return select_ordered(value, &Selector::select_image);
    case Op::image_sample:
    case Op::image_gather:
      return select_sample(value);
    case Op::export_to:
      return select_export(value);
    case Op::allocate_exports:
      return select_allocate_exports(value);
    case Op::store_parameter:
      return select_store_parameter(value);
    case Op::hand_over:
      return select_hand_over(value);
    case Op::read_clock:
      return select_read_clock(value);
    case Op::memory_barrier:
    case Op::control_barrier:
      return select_barrier(value);
    default:
      return select_ordered(value, &Selector::select_atomic);
  }
}

Result<mir::Function> select_function(const ir::Module& module, const analysis::Divergence& divergence,
                                      const analysis::Loops& loops, const isa::Target& target,
                                      const SelectConfig& config, CompileContext& context) {
  if (module.stage != ir::Stage::lowered) SPALT_ICE("selection needs a lowered module");
  const ArenaScope scope(context.scratch);
  return Selector(module, divergence, loops, target, config, context).run();
}

}  // namespace spalt::select
