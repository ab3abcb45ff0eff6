// SPDX-License-Identifier: MIT
// What graphics stages exchange with the fixed functions: exports, parameters in memory, and the elements of vertex
// buffers.
#include "ir/export.h"

#include "amdgpu/isa/simm16.h"
#include "amdgpu/select/selector.h"

namespace spalt::select {
namespace {

/// s_sendmsg GS_ALLOC_REQ (RDNA 2 ISA guide, "Messages").
constexpr int16_t kAllocateMessage = 9;

/// Loads of one to four components.
constexpr M kUntyped[] = {M::buffer_load_dword, M::buffer_load_dwordx2, M::buffer_load_dwordx3, M::buffer_load_dwordx4};
constexpr M kTyped[] = {M::tbuffer_load_format_x, M::tbuffer_load_format_xy, M::tbuffer_load_format_xyz,
                        M::tbuffer_load_format_xyzw};

}  // namespace

/// The four operands are those of the instruction's fields; a field without a channel has none.
void Selector::select_export(Value value) {
  const ir::ExportAccess access = ir::ExportAccess::unpack(inst(value).imm);
  std::array<Operand, 4> channels;
  unsigned next = 0;
  for (unsigned i = 0; i < channels.size(); ++i) {
    const unsigned used = access.compressed ? (i < 2 ? access.mask >> 2 * i & 3u : 0) : access.mask >> i & 1u;
    if (used != 0) channels[i] = vector(input(value, next++));
  }
  mir::Inst& exp = emit(M::exp, {}, channels);
  isa::Modifiers mods;
  mods.export_target = access.target;
  mods.export_enable = access.mask;
  mods.export_done = access.done;
  mods.export_compressed = access.compressed;
  mods.export_valid_mask = access.valid_mask;
  out_.set_modifiers(exp, mods);
}

void Selector::select_allocate_exports(Value value) {
  emit(M::s_mov_b32, {Operand::physical(isa::kM0)}, {scalar(input(value, 0))});
  mir::Inst& message = emit(M::s_sendmsg, {}, {Operand::physical(isa::kM0)});
  message.simm16 = kAllocateMessage;
}

/// Each value in its register; none that are anything.
void Selector::select_hand_over(Value value) {
  SmallVector<Operand, 64> operands;
  for (size_t i = 0; i < module_.handed.size(); ++i) {
    const ir::HandedRegister& handed = module_.handed[i];
    const Value given = root(input(value, static_cast<unsigned>(i) + 1));
    if (inst(given).op == Op::undef) continue;
    const bool in_vector = handed.file == ir::EntryArg::File::vgpr;
    Operand operand = in_vector ? vector(given) : scalar_reg(given);
    if (!operand.is_vreg()) {
      const Operand moved = temp(in_vector ? mir::kV1 : mir::kS1);
      emit(M::p_copy, {moved}, {operand});
      operand = moved;
    }
    operand.reg = in_vector ? isa::vgpr(handed.reg) : isa::sgpr(handed.reg);
    operands.push_back(operand);
  }
  emit(M::p_hand_over, {}, operands.span());
}

void Selector::select_fetch(Value value) {
  const ir::FetchAccess access = ir::FetchAccess::unpack(inst(value).imm);
  const unsigned components = function_.type(value).components;
  const Operand index = vector(input(value, 1));
  isa::Modifiers mods;
  mods.idxen = true;
  mods.format = access.format;
  mods.offset = static_cast<int32_t>(access.offset);
  const M opcode = (access.format == 0 ? kUntyped : kTyped)[components - 1];
  mir::Inst& load = emit(opcode, {define(value)}, {index, descriptor(input(value, 0)), no_scalar_offset()});
  out_.set_modifiers(load, mods);
  load.memory = mir::kReadsConstant;
}

/// Pixels of other compute units read it.
void Selector::select_store_parameter(Value value) {
  constexpr int32_t kParameterBytes = 16;
  const Operand data = vector(input(value, 3)), index = vector(input(value, 1));
  mir::Inst& store =
      emit(M::buffer_store_dwordx4, {}, {data, index, descriptor(input(value, 0)), scalar_reg(input(value, 2))});
  isa::Modifiers mods;
  mods.idxen = true;
  mods.offset = static_cast<int32_t>(inst(value).imm) * kParameterBytes;
  memory_model_.set_store_bits(mods, {.reach = reach(ir::Scope::device)});
  out_.set_modifiers(store, mods);
  store.memory = mir::kWritesBuffer;
}

}  // namespace spalt::select
