// SPDX-License-Identifier: MIT
#pragma once
#include <random>

#include "amdgpu/isa/codec/fields.h"
#include "amdgpu/isa/inst.h"
#include "amdgpu/isa/target.h"

namespace spalt::isa::test {

/// Makes legal instructions: every operand kind its slots take, every modifier its opcode accepts. What it makes is in
/// the decoder's canonical form, so decode(encode(i)) must give back i.
class RandomInst {
 public:
  /// Which instructions name high halves of registers: where LLVM 19 knows them by default (op_sel in VOP3, v_mov_b16),
  /// or all that can.
  enum class HighHalves { some, all };

  RandomInst(const Target& target, unsigned wave_size, uint32_t seed, HighHalves halves)
      : target_(target), wave_size_(wave_size), halves_(halves), random_(seed) {}

  Inst make(Opcode opcode, Format format);

 private:
  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
  bool chance(unsigned one_in) { return below(one_in) == 0; }
  Inst attempt(Opcode opcode, Format format);
  int32_t make_simm16(const Inst& inst);
  void make_modifiers(Inst& inst);
  void make_valu_modifiers(Inst& inst);
  void make_sdwa_modifiers(Inst& inst);
  void make_memory_modifiers(Inst& inst);
  unsigned make_index_key(const OpcodeInfo& facts);
  void make_dpp_modifiers(Inst& inst);
  void make_cache_policy(Inst& inst);
  void make_second_operation(Inst& inst);
  void make_image_modifiers(Inst& inst);
  void make_operands(Inst& inst);
  Operand make_operand(const Inst& inst, const OperandSlot& slot, const Placement& placement, unsigned dwords);
  Operand make_source(const Inst& inst, const OperandSlot& slot, const Placement& placement, unsigned dwords);
  Operand make_constant(OperandType type, unsigned dwords);
  uint32_t make_literal(OperandType type);
  Reg make_vgpr(const Inst& inst, const OperandSlot& slot, unsigned dwords);
  Reg make_scalar(unsigned dwords, bool writable);

  const Target& target_;
  unsigned wave_size_;
  HighHalves halves_;
  std::mt19937 random_;
};

}  // namespace spalt::isa::test
