// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "amdgpu/isa/codec/fields.h"
#include "amdgpu/isa/inst.h"

namespace spalt::isa {

/// What stands at one place of an operand list. The printer and the parser walk the same list.
enum class TextItemKind : uint8_t {
  dst,            ///< destination `slot`
  src,            ///< source `slot`
  valu_source,    ///< source `slot` with neg, abs and sext around it
  address,        ///< source `slot`, "off" when the instruction has none
  constant,       ///< source `slot`, a 32-bit constant in hexadecimal
  number,         ///< source `slot`, a small immediate
  message,        ///< source `slot`, an immediate that is a message
  gpr_index,      ///< source `slot`, an immediate that says which operands are relative
  parameter,      ///< source `slot`: which vertex parameter v_interp_mov reads
  attribute,      ///< interp_attribute and interp_channel
  simm16,         ///< Inst::simm16 in the syntax of its opcode
  scalar_offset,  ///< SMEM: source `slot`, or the immediate offset when there is none
  offset,         ///< SMEM prefetch: the immediate offset
  image_address,  ///< source `slot` and the NSA registers
  export_target,  ///< not followed by a comma
  export_source   ///< component `slot`, "off" when it is not enabled
};

struct TextItem {
  TextItemKind kind = TextItemKind::src;
  uint8_t slot = 0;
};

struct TextItems {
  TextItem items[8];
  unsigned count = 0;
  const TextItem* begin() const { return items; }
  const TextItem* end() const { return items + count; }
};

/// The operand list of an opcode in a format, in the order of the text. A destination that the modifiers exclude (see
/// slot_present) has no text.
TextItems text_items(const OpcodeInfo& info, Format format);

}  // namespace spalt::isa
