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

/// Encodes many instructions for one target.
class Encoder {
 public:
  /// `checked`: refuses what no instruction can be, as isa::encode does. Without, it relies on registers being of the
  /// right file and width and on modifiers that the opcode takes; the format is chosen all the same. `scratch` has the
  /// tables.
  Encoder(const Target& target, bool checked, Arena& scratch)
      : target_(target),
        checked_(checked),
        first_(scratch, static_cast<size_t>(Opcode::count), kNone),
        form_of_(scratch),
        forms_(scratch) {}

  /// In the smallest format that can express the instruction. Returns nullptr, or why there is none.
  const char* encode(const Inst& inst, EncodedInst& out) { return encode(inst, inst.mods == kNoModifiers, out); }
  /// `plain`: the caller knows that no modifier differs from its default.
  const char* encode(const Inst& inst, bool plain, EncodedInst& out);

 private:
  static constexpr uint16_t kNone = 0;

  const Target& target_;
  const bool checked_;
  const EncodeTemplate& form(Opcode opcode, NumberEntry entry, uint16_t& place);

  Vector<uint16_t> first_;    ///< by opcode: one past its first encoding in form_of_
  Vector<uint16_t> form_of_;  ///< by encoding: one past its template
  Vector<EncodeTemplate> forms_;
};

}  // namespace spalt::isa
