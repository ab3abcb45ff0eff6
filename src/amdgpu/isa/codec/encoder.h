// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/codec/fields.h"
#include "amdgpu/isa/opcode_tables.h"
#include "base/vector.h"

namespace spalt::isa {

/// What an opcode has in one format on one target, whatever the instruction.
struct EncodeTemplate {
  const OpcodeInfo* info = nullptr;
  const EncodingTraits* traits = nullptr;
  Format format = Format::invalid;
  uint8_t dwords = 0;            ///< without literals and further address registers
  uint8_t literal_operands = 0;  ///< bit i: placement i may be a literal
  bool joins_halves = false;     ///< the halves of registers are in their numbers (join_halves)
  bool has_specials = false;     ///< what no field table says (encode_special)
  bool is_image = false;
  uint32_t words[3] = {};  ///< marker and number; nothing else
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
  /// That of encoding `index` of the opcode (opcode_encodings). Valid until the next call.
  const EncodeTemplate& find(Opcode opcode, std::span<const NumberEntry> encodings, size_t index);

 private:
  static constexpr uint16_t kNone = 0;

  const Target& target_;
  Vector<uint16_t> first_;    ///< by opcode: one past its first encoding in form_of_
  Vector<uint16_t> form_of_;  ///< by encoding: one past its template
  Vector<EncodeTemplate> forms_;
};

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

 private:
  EncodeTemplates& templates_;
  const bool checked_;
};

}  // namespace spalt::isa
