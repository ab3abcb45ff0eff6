// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/codec/fields.h"
#include "amdgpu/isa/codec/operand_codec.h"
#include "amdgpu/isa/opcode_tables.h"
#include "base/vector.h"

namespace spalt::isa {

/// What an opcode has in one format on one target, whatever the instruction.
struct EncodeTemplate {
  const OpcodeInfo* info = nullptr;
  const EncodingTraits* traits = nullptr;
  Format format = Format::invalid;
  bool joins_halves = false;  ///< the halves of registers are in their numbers (join_halves)
  bool has_specials = false;  ///< what no field table says (encode_special)
  bool has_simm16 = false;    ///< the format has a field for Inst::simm16
  bool is_image = false;
  bool is_direct = false;  ///< Encoder::encode_directly may use it
  bool is_last = false;    ///< of the opcode's formats
  /// What all instructions have: marker, number, codes for what is not there. Without literals and further address
  /// registers.
  EncodedInst start{};
  Placements placements;
  ModFields modifiers{nullptr, 0};
};
EncodeTemplate make_template(Opcode opcode, Format format, uint32_t number, const Target& target);

/// The templates of a target's opcodes, each made when it is first asked for. They depend on nothing else, so that they
/// serve one encoder after the other. Running out of memory leaves what there is as it was.
class EncodeTemplates {
 public:
  EncodeTemplates(const Target& target, Arena& arena)
      : target_(target), first_(arena, static_cast<size_t>(Opcode::count), kNone), form_of_(arena), forms_(arena) {}

  const Target& target() const { return target_; }
  /// That of encoding `index` of the opcode (opcode_encodings), which must be there. Valid until the next call.
  const EncodeTemplate& find(Opcode opcode, size_t index) {
    const uint16_t begin = first_[static_cast<size_t>(opcode)];
    const uint16_t place = begin != kNone ? form_of_[begin - 1u + index] : kNone;
    return place != kNone ? forms_[place - 1u] : make(opcode, index);
  }

 private:
  static constexpr uint16_t kNone = 0;

  const EncodeTemplate& make(Opcode opcode, size_t index);

  const Target& target_;
  Vector<uint16_t> first_;    ///< by opcode: one past its first encoding in form_of_
  Vector<uint16_t> form_of_;  ///< by encoding: one past its template
  Vector<EncodeTemplate> forms_;
};

/// Writes the operands of an instruction that some format can express, without checks. `operands` has two functions for
/// what stands in a placement: reg(), a register or kNoReg, and operand(), whatever it is. Returns nullptr, or why this
/// format cannot.
template <class Operands>
const char* encode_operands(const EncodeTemplate& form, const Operands& operands, EncodedInst& out) {
  OperandEncoder encoder{out.words, *form.traits, false};
  for (const Placement& placement : form.placements) {
    if (encoder.encode_register(operands.reg(placement), placement)) continue;
    const Operand operand = operands.operand(placement);
    if (operand.kind == OperandKind::none && !placement.has_code_for_none()) continue;
    encoder.literal_allowed = placement.takes_literal;
    const char* reason = encoder.encode(operand, placement.slot_of(*form.info), placement, operand.dwords);
    if (reason != nullptr) return reason;
  }
  if (encoder.has_literal) out.words[out.count++] = encoder.literal;
  return nullptr;
}

/// Encodes many instructions for one target.
class Encoder {
 public:
  /// `checked`: refuses what no instruction can be, as isa::encode does. Without, it relies on registers being of the
  /// right file and width and on modifiers that the opcode takes; the format is chosen all the same.
  Encoder(EncodeTemplates& templates, bool checked) : templates_(templates), checked_(checked) {}

  /// In the smallest format that can express the instruction. Returns nullptr, or why there is none.
  const char* encode(const Inst& inst, EncodedInst& out) { return encode(inst, inst.mods == kNoModifiers, out); }
  /// `plain`: the caller knows that no modifier differs from its default.
  const char* encode(const Inst& inst, bool plain, EncodedInst& out);

  /// The same without an Inst, for most instructions: unchecked ones that need nothing but fields of a format that is
  /// no question of modifiers. `operands`: as in encode_operands; those of instructions with an immediate before other
  /// operands are not looked at. `mods`: nullptr if plain. False if encode has to be asked. The opcode must exist on
  /// the target.
  template <class Operands>
  bool encode_directly(Opcode opcode, int32_t simm16, const Modifiers* mods, const Operands& operands,
                       EncodedInst& out) {
    if (checked_) return false;
    for (size_t i = 0;; ++i) {
      const EncodeTemplate& form = templates_.find(opcode, i);
      if (!form.is_direct || (mods != nullptr && !form.is_last)) return false;
      out = form.start;
      if (form.has_simm16) out.words[0] |= static_cast<uint32_t>(simm16) & 0xffff;
      if (mods != nullptr && !encode_modifiers(form, *mods, out)) return false;
      if (encode_operands(form, operands, out) == nullptr) return true;
      if (form.is_last) return false;
    }
  }

 private:
  bool encode_modifiers(const EncodeTemplate& form, const Modifiers& mods, EncodedInst& out) const;

  EncodeTemplates& templates_;
  const bool checked_;
};

}  // namespace spalt::isa
