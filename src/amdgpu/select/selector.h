// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/select: the state of one selection and what all op groups share.
#pragma once
#include <array>
#include <initializer_list>
#include <optional>

#include "amdgpu/select/memory_model.h"
#include "amdgpu/select/parts.h"
#include "amdgpu/select/rows.h"
#include "amdgpu/select/select.h"
#include "amdgpu/select/values.h"
#include "ir/cfg_edit.h"

namespace spalt::isa {
struct Clock;
}

namespace spalt::select {

using ir::Op;
using ir::Value;
using M = mir::Opcode;
using mir::Operand;

/// Instructions between a value and its user from which on computing the two as one may cost a register for that long.
constexpr uint32_t kFar = 64;

/// What a vector float instruction does to its result: first the factor, then the limits 0 and 1.
struct FloatFinish {
  bool clamp = false;
  uint8_t omod = 0;  ///< as isa::Modifiers::omod
  bool operator==(const FloatFinish&) const = default;
};

/// Source and result modifiers of a vector float instruction.
struct FloatMods {
  uint8_t neg = 0, abs = 0;  ///< bit i for source i
  FloatFinish finish;
  bool operator==(const FloatMods&) const = default;
};

/// A float operand with the negations and absolute values that apply to it, or an integer beside such operands.
struct FloatSource {
  Value value;
  bool neg = false, abs = false;
  bool is_integer = false;
};

/// Two halves as a source of one instruction: which half of the operand each of them is.
struct PackedSource {
  Operand operand;
  uint8_t low_half = 0, high_half = 1;
  bool neg_low = false, neg_high = false;
};

/// The parts of a buffer address beside the descriptor.
struct BufferAddress {
  Operand vaddr;  ///< none: no per-lane part
  uint32_t offset = 0;
};

/// The parts of an address in global memory.
struct GlobalAddress {
  Operand vaddr;  ///< the whole address, or with `saddr` a dword to add
  Operand saddr;  ///< none: the address differs between lanes
  uint32_t offset = 0;
};

/// Instructions that load, or store, values of one size each; invalid where there is none.
struct AccessOpcodes {
  M byte = M::invalid, half = M::invalid, x1 = M::invalid, x2 = M::invalid, x3 = M::invalid, x4 = M::invalid;
  M of(ir::Type data) const;
};

/// The operands of an image instruction.
struct ImageParts {
  Operand data, image, sampler;
  SmallVector<Value, 16> address;  ///< a dword each
  Operand tied;                    ///< what the result's register holds before
};

class Selector {
 public:
  Selector(const ir::Module& module, const analysis::Divergence& divergence, const analysis::Loops& loops,
           const isa::Target& target, const SelectConfig& config, CompileContext& context);
  Result<mir::Function> run();

 private:
  using Operands = std::initializer_list<Operand>;

  struct PhiInst {
    Value value;
    mir::InstId inst;
  };
  struct Location {
    mir::VReg reg;              ///< the value itself, in the file of its place
    mir::VReg scalar;           ///< in SGPRs, made after the definition: one dword of a vector value, a flag as a mask
    mir::VReg pair;             ///< pointers: the 64-bit address
    uint32_t parts = kNoneYet;  ///< index of the locations of its parts (parts.h)
    static constexpr uint32_t kNoneYet = 0xffffffffu;
    bool wanted() const { return reg.valid() || scalar.valid() || pair.valid() || parts != kNoneYet; }
  };

  // select.cpp: the walk
  void create_blocks();
  void select_block(ir::BlockId block);
  void select_phis(ir::BlockId block);
  void select_value(Value value);
  void dispatch(Value value);
  void dispatch_float(Value value);
  void dispatch_memory(Value value);
  void finish_value(Value value);
  void take_apart(uint32_t home, ir::Type type, bool in_vector);
  void emit_part(Operand part, Operand whole, const Parts& level, unsigned index, bool in_vector);
  void flush();
  /// The two dwords of a 64-bit value whose operation computes each by itself. `join_dwords` follows.
  std::array<Operand, 2> define_dwords(Value value);
  /// Makes the whole of its dwords, if anybody wants it.
  void join_dwords(Value value, const std::array<Operand, 2>& parts);

  // entry.cpp
  void select_entry();
  void emit_scratch_prolog(Operand table_low, Operand wave_offset);
  void emit_table_address(Operand counter_low);
  void reserve_scratch();
  void mark_loops();

  // operands.cpp: values as operands
  const ir::Inst& inst(Value value) const { return function_.inst(value); }
  Value root(Value value) const { return facts_.root(value); }
  Value input(Value value, unsigned index) const { return facts_.root(function_.operand(value, index)); }
  Place place(Value value) const { return facts_.place(value); }
  bool is_scalar(Value value) const { return place(value) == Place::scalar; }
  bool is_constant(Value value) const { return inst(root(value)).op == Op::constant; }
  /// Of up to 32 bits; `component` gives the dwords of a wider one.
  uint32_t constant(Value value) const { return static_cast<uint32_t>(inst(root(value)).imm); }
  bool is_constant(Value value, uint32_t bits) const { return is_constant(value) && constant(value) == bits; }
  unsigned dwords(Value value) const { return dwords_of(function_.type(value)); }
  /// Of operand 0 as the operation sees it: its root may have another type.
  ir::Type operand_type(Value value) const { return function_.type(function_.operand(value, 0)); }
  mir::RegClass reg_class(Value value) const;
  uint32_t location_of(Value value);
  uint32_t part_location(uint32_t home, ir::Type type, unsigned part);
  uint32_t location_at(Value value, unsigned bit, unsigned bits);
  Operand reg(Value value);     ///< the register of a value that is not a constant
  Operand define(Value value);  ///< its definition
  Operand source(Value value);  ///< any 32-bit source of a vector instruction
  Operand vector(Value value);  ///< a VGPR tuple
  Operand wide_source(Value value, bool in_scalar);
  Operand scalar(Value value);                 ///< an SGPR tuple or a constant
  Operand scalar_reg(Value value);             ///< an SGPR tuple
  Operand dword(Value value, unsigned index);  ///< one of its dwords, wherever it lives
  Operand scalar_dword(Value value, unsigned index);
  Operand temp(mir::RegClass cls) { return out_.def(cls); }
  /// The value is used once, by an instruction of the same block as `user`: it may be computed as part of the user.
  bool fusable(Value value, Value user) const;
  bool keeps_alive(Value value, Value user) const;

  // emit.cpp: instructions
  mir::Inst& emit(M opcode, std::span<const Operand> defs, std::span<const Operand> uses);
  mir::Inst& emit(M opcode, Operands defs, Operands uses) {
    return emit(opcode, std::span<const Operand>(defs.begin(), defs.size()),
                std::span<const Operand>(uses.begin(), uses.size()));
  }
  /// Scalar ALU: adds scc where the opcode says so, and keeps to one literal.
  void salu(M opcode, Operand def, Operands uses);
  void salu_compare(M opcode, Operand a, Operand b) { salu(opcode, Operand(), {a, b}); }
  /// Vector ALU: keeps to the constant bus and swaps operands that would not fit the short encodings.
  void valu(M opcode, Operand def, Operands uses, const FloatMods& mods = {});
  /// Sources of `opcode`. `types`: of the slots of the operands, b32 where it has none.
  void limit_scalar_sources(M opcode, std::span<Operand> uses, bool takes_literal,
                            std::span<const isa::OperandType> types = {});
  Operand literal_in_registers(Operand literal, isa::OperandType type, bool in_scalar);
  bool fits_short(M opcode, std::span<const Operand> uses) const;
  Operand copy_to_vgpr(Operand operand);
  /// Whether the target has the opcode.
  bool exists(M opcode) const;
  Operand exec() const { return Operand::physical(isa::kExec, out_.wave_size / 32); }
  M mask_op(M wave32, M wave64) const { return out_.wave_size == 32 ? wave32 : wave64; }

  // condition.cpp
  bool condition(Value value);  ///< sets scc; returns which value of scc means true
  bool repeats_in_front_of_use(Value value) const;
  bool compare_into_scc(Value value);  ///< returns which value of scc means true
  bool compare_wide_into_scc(Op op, Value a, Value b);
  void order_wide_into_scc(Value a, Value b, bool is_signed);
  void vector_compare(Value value, Operand result);
  bool mask_first_lanes(Value value);
  Operand flag(Value value);         ///< 0 or 1 in an SGPR, or a constant
  Operand mask(Value value);         ///< lane mask
  Operand shared_mask(Value value);  ///< of a comparison with a scalar result
  void select_compare(Value value);
  void select_float_compare(Value value);
  void select_logic(Value value, M flag_op, M mask32, M mask64);
  void select_condition_not(Value value);
  void select_condition_select(Value value);
  void select_condition_equal(Value value, bool equal);

  // integer.cpp
  /// The one instruction that the table has for the operation and its type.
  void select_row(Value value);
  void select_wide_row(Value value);
  void select_by_dword(Value value, M opcode);
  bool select_wide_shift(Value value);
  void select_iadd(Value value);
  void select_isub(Value value);
  void select_iand(Value value);
  void select_ior(Value value);
  void select_ixor(Value value);
  void select_ishl(Value value);
  void select_min_max(Value value, M vector_op3);
  void select_imul(Value value);
  bool fuse_add(Value value);
  bool fuse_scalar_add(Value value, Value a, Value b);
  bool fuse_or(Value value);
  bool fuse_median(Value value);

  // carry.cpp
  void find_partners();
  bool are_partners(Value carry, Value sum) const;
  /// The sum of a carry or the carry of a sum that one instruction makes together with it, if any.
  Value partner(Value value) const { return partners_.empty() ? Value() : partners_[value.index]; }
  void select_with_partner(Value value);
  bool copy_carry(Value value, Value condition);
  void select_wide_sum(Value value);
  void select_carry(Value value);
  void define_sum_and_carry(Value sum, Value carry);

  // patterns.cpp
  /// (high << (32 - down)) | (low >> down)
  struct Funnel {
    Value high, low;
    uint32_t down;
  };
  struct BitChoice {
    Value mask, if_set, if_clear;
  };
  std::optional<Funnel> funnel(Value value) const;
  std::optional<BitChoice> bit_choice(Value value) const;
  std::optional<BitChoice> choice_of_parts(Value value) const;
  std::optional<BitChoice> choice_by_difference(Value value) const;
  bool fuse_rotate(Value value);
  bool fuse_bit_choice(Value value);
  bool fits_signed_24(Value value) const;
  bool fuse_signed_product(Value value);
  bool fuse_ternary(Value value, Op inner_op, M opcode);

  // bits.cpp
  void select_bit_count(Value value);
  void select_find_msb(Value value, M scalar_op, M vector_op);
  Operand whole_mask(Value low, Value high, Value user);
  bool fuse_bit_counts(Value value);
  bool fuse_bit_searches(Value value);
  void select_bfe(Value value, M scalar_op, M vector_op);
  void select_bfi(Value value);
  void select_dot4(Value value);
  void select_bfi_scalar(Value value);

  // packed.cpp
  PackedSource packed_constant(uint32_t bits, ir::Type type);
  PackedSource packed_register(Value pair);
  std::optional<PackedSource> packed_halves(Value low, Value high);
  PackedSource packed_source(Value value);
  void packed_op(M opcode, Operand def, std::span<const PackedSource> sources, bool clamp = false);
  bool fuse_packed_multiply_add(Value value, Operand def, bool clamp);
  bool fuse_packed_integer_multiply_add(Value value, Operand def);
  void packed_value(Value value, Operand def, bool clamp);
  bool fuse_packed_clamp(Value value);
  void select_packed_bits(Value value);
  void select_packed(Value value);

  // float.cpp
  FloatSource float_source(Value value) const;
  /// `type` is that of the sources.
  void float_op(M opcode, ir::Type type, Operand def, std::span<const FloatSource> sources, FloatFinish finish = {});
  void float_value(Value value, Operand def, FloatFinish finish);
  M float_value_opcode(Value value) const;
  bool can_clamp(Value value) const;
  bool can_scale(Value value) const;
  bool fuse_scale(Value value);
  bool fuse_clamp(Value value);
  Operand float_constant(uint64_t bits, ir::Type type);
  bool may_contract(const ir::Inst& inst) const;
  bool can_join(Value product, Value direct, Value sum, bool shared) const;
  int side_of_product(Value sum) const;
  M multiply_add_opcode(ir::Type type) const;
  bool fuse_multiply_add(Value value, Operand def, FloatFinish finish);
  void select_float(Value value);
  void select_sign_op(Value value);
  void select_float_min_max(Value value);

  // double.cpp
  void select_double_sign(Value value);
  void select_double_division(Value value);

  // scalar_float.cpp
  void select_scalar_float(Value value);
  bool fuse_scalar_multiply_add(Value value);
  void scalar_multiply_add(Operand def, Value a, Value b, Value c);

  // narrow.cpp
  Operand scalar_operand(Op op, ir::Type type, Value value);
  Operand scalar_amount(ir::Type shifted, Value amount);
  bool fuse_narrow_multiply_add(Value value);
  void select_extend(Value value);

  // convert.cpp
  void select_widen(Value value, uint32_t if_true);
  void select_conversion(Value value);
  M conversion_opcode(Value value) const;
  struct Byte {
    Value word;
    uint32_t number;
  };
  std::optional<Byte> byte_of(Value value) const;
  void select_integer_to_float(Value value);
  bool fuse_scaled_integer(Value value, Operand def, uint8_t omod);
  void select_pack_half(Value value);
  void select_unpack_half_hi(Value value);
  void select_quantize_f16(Value value);

  // move.cpp
  void select_copy(Value value);
  void select_select(Value value);
  void select_vec(Value value);
  Operand join_halves(Value low, Value high, bool in_scalar);
  void select_builtin(Value value);
  void select_lane_index(Value value);

  // lanes.cpp
  void select_read_first_lane(Value value);
  void select_any_lane(Value value);
  void any_lane_into_scc(Value value);
  Operand running_lanes(Value condition);
  void select_ballot(Value value);
  void select_read_lane(Value value);
  void select_shuffle(Value value);
  void select_scan(Value value);
  Operand whole_wave_room(unsigned which);
  void copy_exec_for_scans();
  void select_bits_below(Value value);

  // clock.cpp
  Operand hardware_register(uint8_t number);
  void select_clock_registers(Value value, const isa::Clock& clock);
  void select_read_clock(Value value);

  // interpolation.cpp
  void select_covered(Value value);
  void emit_whole_quads();
  void emit_parameter(M opcode, Operand def, std::span<const Operand> uses, uint64_t which);
  void select_interpolate(Value value);
  void select_parameter(Value value, M opcode);
  void select_interpolate_quad(Value value);
  void select_pack_export(Value value);

  // memory.cpp, shared.cpp, atomic.cpp, barrier.cpp
  void select_load(Value value);
  void select_store(Value value);
  /// The root of what is stored may have another type.
  ir::Type stored_type(Value store) const { return function_.type(function_.operands(store).back()); }
  void select_scalar_load(Value value);
  void select_constant_load(Value value);
  void select_buffer_load(Value value);
  void select_buffer_store(Value value);
  void select_scratch_load(Value value);
  void select_scratch_store(Value value);
  void select_shared_load(Value value);
  void select_shared_store(Value value);
  void select_atomic(Value value);
  void select_ordered(Value value, void (Selector::*access_itself)(Value));
  void select_buffer_atomic(Value value);
  void select_shared_atomic(Value value);
  void select_barrier(Value value);

  // image.cpp
  void select_image(Value value);
  void select_image_load(Value value);
  void select_image_store(Value value);
  void select_image_atomic(Value value);
  isa::Modifiers image_modifiers(const ir::ImageAccess& access) const;
  SmallVector<Value, 16> image_address(Value value, const ir::ImageOperands& at);
  Operand image_address_part(std::span<const Value> values);
  Operand vector_tuple(std::span<const Operand> parts);
  Operand sparse_start(unsigned dwords);
  mir::Inst& emit_image(M opcode, Operand result, const ImageParts& parts, const isa::Modifiers& mods);
  mir::Inst& emit_texel_buffer(M opcode, Operand result, const ImageParts& parts, const isa::Modifiers& mods);

  // sample.cpp
  void select_sample(Value value);
  bool is_base_level(Value value, const ir::ImageAccess& access, const ir::ImageOperands& at) const;
  M sample_opcode(Value value, const ir::ImageAccess& access, bool base_level) const;
  void select_quad_permute(Value value);

  // export.cpp
  void select_export(Value value);
  void select_allocate_exports(Value value);
  void select_hand_over(Value value);
  Operand lanes_handed_over(ir::BlockId block);
  void finish_return_block();
  void select_fetch(Value value);
  void select_store_parameter(Value value);

  static Reach reach(ir::Scope scope);
  AccessKind access_kind(const ir::MemoryAccess& access) const;
  static isa::Modifiers buffer_modifiers(const BufferAddress& address);
  static void mark_ordered(const ir::MemoryAccess& access, mir::Inst& inst);
  void complete_volatile(const ir::MemoryAccess& access, mir::WaitBit counter);
  void emit_fence(const Fence& fence);
  void emit_order(const FenceStorage& storage);
  void emit_control_barrier();
  BufferAddress buffer_address(Value offset, uint32_t constant_part, uint32_t largest);
  uint32_t largest_buffer_offset() const;
  Operand no_scalar_offset() const;
  void scratch_access(ir::Type type, std::span<const Operand> result, std::span<const Operand> data, Value offset,
                      uint32_t constant_part);
  Operand shared_address(Value offset, uint32_t constant_part, uint32_t& offset_out);
  Operand descriptor(Value value);
  Operand address_pair(Value base);
  Operand table_address();
  Operand constant_base(Value load);
  Operand pc_high();
  Operand address_high();
  Operand scratch_descriptor();
  Operand atomic_data(Value value);

  // global.cpp
  void select_global_load(Value value);
  void select_global_store(Value value);
  void select_global_atomic(Value value, M opcode);
  Operand lane_address(Value base, const Operand& offset);
  GlobalAddress global_address(Value value);
  static isa::Modifiers global_modifiers(const GlobalAddress& address);

  // control.cpp
  void select_terminator(ir::BlockId block);
  void select_phi_inputs(ir::BlockId block);
  Operand phi_input(Value phi, Value value);
  mir::BlockId block_of(ir::BlockId block) const { return block_map_[block]; }

  const ir::Module& module_;
  const ir::Function& function_;
  const analysis::Loops& loops_;
  const isa::Target& target_;
  SelectConfig config_;
  MemoryModel memory_model_;
  ValueFacts facts_;
  mir::Function out_;
  std::optional<ir::EdgeSlots> edge_slots_;  ///< where there are phis

  CompileContext& context_;
  Arena& scratch_;                           ///< has all tables
  Vector<Location> locations_;               ///< by value; those of components follow
  Vector<Value> partners_;                   ///< by value; empty where nothing has a partner
  Vector<mir::VReg> args_;                   ///< by index into Module::args
  IdMap<Value, uint32_t> phi_inputs_begin_;  ///< empty where there are no phis
  Vector<Operand> phi_inputs_;
  Vector<PhiInst> phi_insts_;  ///< their inputs are complete when all blocks are
  IdMap<ir::BlockId, mir::BlockId> block_map_;
  mir::BlockId return_block_;  ///< none when the last block of the layout is the only one that returns
  ir::BlockId current_;
  mir::VReg pc_high_;
  mir::VReg table_address_;
  mir::VReg whole_wave_[2];    ///< linear VGPRs, if there are scans
  Operand exec_copy_;          ///< of the block at hand, if it has scans
  Operand lanes_handed_over_;  ///< where the block that hands over is not the last one
  mir::VReg covered_;          ///< the lanes that ran at the start, if somebody asks

  bool in_dwords_ = false;       ///< the value at hand was defined by its dwords
  mir::InstList sequence_;       ///< instructions of the IR operation at hand, in order
  mir::InstList reversed_;       ///< instructions of the block, last first
  mir::InstList phis_of_block_;  ///< scratch of select_phis
};

/// Encodes in an operand field without a literal dword: -16..64 and a few floats (RDNA 2 ISA guide, "Scalar ALU
/// operands").
bool is_inline_constant(uint32_t bits);

}  // namespace spalt::select
