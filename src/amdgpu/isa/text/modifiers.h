// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include "amdgpu/isa/codec/fields.h"
#include "amdgpu/isa/inst.h"

namespace spalt::isa {

/// How the text writes a modifier.
enum class ModSyntax : uint8_t {
  implied,        ///< not at all: the opcode always has the value `absent`
  flag,           ///< name
  switched,       ///< name:1
  switched_any,   ///< name:1, and name:0 means the same (bound_ctrl before GFX11)
  decimal,        ///< name:5
  signed_hex,     ///< name:-0x8
  hex,            ///< name:0xf
  bits,           ///< name:[0,1]: one bit per source, then the destination's where the opcode has one
  keyword,        ///< name:KEYWORD
  phrase,         ///< KEYWORD, which may hold a colon ("mul:2"), without the name
  dpp_control,    ///< quad_perm:[0,1,2,3], row_shl:1, row_mirror, ...
  dpp_lanes,      ///< dpp8:[0,1,2,3,4,5,6,7]
  swizzle,        ///< offset:swizzle(...) or offset:5
  buffer_format,  ///< format:[BUF_FMT_...] or format:5, on GFX9 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
  byte_select,    ///< byte_sel:2 (kModByteSelect)
  temporal_hint,  ///< th:TH_LOAD_NT; the words depend on the opcode and on scope
};

/// One modifier in the text of a format.
struct ModText {
  Mod mod;
  ModSyntax syntax;
  const char* name = "";
  uint32_t absent = 0;  ///< the value when the text does not name it
  bool always = false;  ///< printed even then
  std::span<const char* const> keywords = {};
  const char* prefix = "";  ///< of each keyword; the parser takes them without it as well
  bool needed = false;      ///< the text must name it
};

/// The modifiers that follow the operands of an opcode in a format, in LLVM's order.
class ModTexts {
 public:
  ModTexts(const OpcodeInfo& info, Opcode opcode, Format format, Generation generation);
  const ModText* begin() const { return texts_.data(); }
  const ModText* end() const { return texts_.data() + texts_.size(); }
  /// Whether this opcode has the modifier at all: some arrays serve several opcodes of a format.
  bool has(const ModText& text) const;

 private:
  std::span<const ModText> texts_;
  ModFields fields_;
  bool fetch_inactive_ = false;
};

/// The value of a modifier as the text counts it: op_sel_hi is one value here and two fields in the encoding.
uint32_t text_value(const Modifiers& mods, Mod mod);
void set_text_value(Modifiers& mods, Mod mod, uint32_t value);

/// ModText::absent for this opcode: bits of sources that it does not have do not count.
uint32_t absent_value(const OpcodeInfo& info, const ModText& text);

/// Which bits of a `bits` modifier stand in its list: `sources` of them, then bit 3 for the destination. The last
/// source may be the old destination, whose bit counts for nothing.
struct BitList {
  unsigned sources;
  bool destination;
  bool accumulates = false;
  bool ignores(unsigned position) const { return accumulates && position + 1 == sources; }
  unsigned count() const { return sources + (destination ? 1 : 0); }
  unsigned bit(unsigned position) const { return position < sources ? position : 3; }
};
BitList bit_list(const OpcodeInfo& info, Format format, Mod mod);

/// DPP16 controls other than quad_perm: `base` plus a lane count between `first` and `last`, or `base` alone. A name
/// may hold a colon.
struct DppControl {
  const char* name;
  uint16_t base;
  bool counts;
  uint8_t first, last;
};
std::span<const DppControl> dpp_controls(Generation generation);

/// Whether 16-bit VGPRs are written as halves (".l", ".h"): where any is a high one.
bool shows_halves(const OpcodeInfo& info, const Modifiers& mods);

/// Whether neg and abs are neg_lo and neg_hi after the operands instead of signs at them: VOP3P but for v_fma_mix.
bool shows_packed_modifiers(const OpcodeInfo& info);

/// Whether a scalar load without offset register writes the offset 0 as null.
bool zero_offset_is_null(Generation generation);

/// Names of buffer formats by number, without "BUF_FMT_"; empty on GFX9, which names data and number format.
std::span<const char* const> buffer_format_names(Generation generation);
std::span<const char* const> data_format_names();    ///< without "BUF_DATA_FORMAT_"
std::span<const char* const> number_format_names();  ///< without "BUF_NUM_FORMAT_"

}  // namespace spalt::isa
