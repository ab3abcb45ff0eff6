// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace spalt::isa {

/// One column of the opcode tables.
enum class Generation : uint8_t { gfx9, gfx10_1, gfx10_3, gfx11, gfx11_5, gfx12 };
constexpr unsigned kGenerationCount = 6;

/// Encoding formats. A vector opcode usually exists in several (VOP2 and VOP3, with SDWA and DPP variants).
enum class Format : uint8_t {
  invalid,
  sop1,
  sop2,
  sopk,
  sopc,
  sopp,
  smem,
  vop1,
  vop2,
  vopc,
  vop3,
  vop3p,
  vopd,
  sdwa,
  dpp16,
  dpp8,        ///< VOP1, VOP2 and VOPC with the extra control dword
  vop3_dpp16,  ///< VOP3 and VOP3P with the extra control dword (GFX11)
  vop3_dpp8,
  vintrp,
  vinterp,  ///< interpolation between registers (GFX11)
  ldsdir,   ///< parameter and direct loads from LDS (GFX11)
  ds,
  flat,
  global,
  scratch,
  mubuf,
  mtbuf,
  mimg,
  vimage,   ///< MIMG without a sampler (GFX12)
  vsample,  ///< MIMG with a sampler (GFX12)
  exp,
  count
};

/// Every machine opcode, named by its assembler mnemonic without the encoding suffix (v_add_f32, not v_add_f32_e64).
enum class Opcode : uint16_t {
#define SPALT_OPCODE(name) name,
#include "amdgpu/isa/opcodes.inc"  // generated from tools/gen/isa tables
#undef SPALT_OPCODE
  count,
  invalid = 0xffff
};

/// The type an operand slot reads or writes; decides inline-constant meaning, tuple size and emulation.
enum class OperandType : uint8_t {
  none,
  b1,
  b8,
  b16,
  b32,
  b64,
  b96,
  b128,
  b256,
  b512,
  b1024,
  i16,
  i32,
  i64,
  u16,
  u32,
  u64,
  f16,
  f32,
  f64,
  f16x2,
  i16x2,
  lane_mask,
  w64,  ///< part of a matrix: 64 bits per lane in wave32, half as many in wave64
  w128,
  w256
};

/// Which register files an operand slot accepts.
enum class OperandRole : uint8_t {
  none,
  sdst,       ///< SGPR, vcc, exec, m0, null
  vdst,       ///< VGPR
  ssrc,       ///< SGPR, special, inline constant, literal
  vsrc,       ///< any source incl. VGPR, SGPR, constants (the 9-bit field)
  vgpr,       ///< VGPR only (vsrc1, vaddr, vdata)
  vconst,     ///< VGPR or inline constant
  sreg,       ///< SGPR tuple only (resource descriptors, smem base, saddr)
  lane_mask,  ///< carry / condition: vcc in VOP2/VOPC, any SGPR (pair) in VOP3
  simm16,     ///< SOPP/SOPK immediate, held in Inst::simm16
  label,      ///< branch target, held in Inst::simm16 in dwords
  imm,        ///< small unsigned immediate held in an Operand
  constant    ///< 32-bit constant stored in the instruction (v_fmaak, s_setreg_imm32), held in an Operand as literal
};

/// What only some processors of a generation have; `none` is there everywhere.
enum class Feature : uint8_t {
  none,
  mad_mix,  ///< v_mad_mix (gfx900)
  fma_mix,  ///< v_fma_mix instead (gfx904, gfx906)
  dot,      ///< dot products, v_fmac_f32 and v_xnor_b32 of gfx906; dot products of gfx1011
  ray       ///< ray tracing and image_msaa_load of gfx1013
};

/// One operand slot of an opcode.
struct OperandSlot {
  OperandRole role = OperandRole::none;
  OperandType type = OperandType::none;
};

constexpr uint8_t kNoTiedSource = 0xff;

/// Facts that hold in every encoding of an opcode on a generation.
struct OpcodeInfo {
  const char* name;
  OperandSlot dst[2];
  OperandSlot src[5];
  uint8_t dst_count;
  uint8_t src_count;
  uint32_t flags;       ///< OpcodeFlag bits
  uint16_t image_args;  ///< ImageArg bits, MIMG only
  uint16_t modifiers;   ///< ModifierSupport bits, vector instructions only
  Feature feature;      ///< what the processor must have
  uint8_t tied_source;  ///< where it is the destination, short_form computes the same; or kNoTiedSource
  Opcode short_form;    ///< shorter, with a destination that is also read; or Opcode::invalid
  bool has(uint32_t flag) const { return (flags & flag) != 0; }
};

enum OpcodeFlag : uint32_t {
  kReadsScc = 1u << 0,
  kWritesScc = 1u << 1,
  kReadsVcc = 1u << 2,  ///< implicitly, beyond listed operands (v_div_fmas)
  kWritesVcc = 1u << 3,
  kReadsExec = 1u << 4,  ///< beyond being masked by it
  kWritesExec = 1u << 5,
  kReadsM0 = 1u << 6,
  kWritesM0 = 1u << 7,
  kMayLoad = 1u << 8,
  kMayStore = 1u << 9,
  kAtomic = 1u << 10,
  kReturns = 1u << 11,  ///< atomic whose glc form returns the old value
  kBranch = 1u << 12,
  kTerminator = 1u << 13,   ///< s_endpgm, s_branch, s_setpc_b64
  kSideEffects = 1u << 14,  ///< barriers, messages, waits, mode changes: never removed or reordered freely
  kCommutative = 1u << 15,
  kDstIsSrc = 1u << 16,  ///< the destination is also read (v_fmac, s_cmov, v_writelane, sopk addk)
  kTranscendental = 1u << 17,
  kValu = 1u << 18,
  kSalu = 1u << 19,
  kVmem = 1u << 20,  ///< mubuf, mtbuf, mimg, flat, global, scratch
  kLds = 1u << 21,
  kSmem = 1u << 22,
  kIgnoresExec = 1u << 23,      ///< v_readlane, v_readfirstlane, v_writelane, all scalar
  kTiedData = 1u << 24,         ///< MUBUF and MIMG atomics: with glc, dst[0] starts at the register of src[0]
  kSwapsOperands = 1u << 25,    ///< v_swap, v_swaprel: dst[0] is also read and src[0] also written
  kInterp = 1u << 26,           ///< parameter interpolation: attribute and channel in the modifiers
  kTwoOffsets = 1u << 27,       ///< DS: offset and offset1 are 8 bits each
  kGdsOnly = 1u << 28,          ///< DS: exists only with the gds bit
  kOneScalarSource = 1u << 29,  ///< reads at most one scalar value, whatever Target::constant_bus_limit says
  kLoadsToLds = 1u << 30,       ///< has a form with the lds bit that writes LDS instead of a register
  kNoAddress = 1u << 31         ///< DS: source 0 is data
};

/// Scalar values that a vector instruction may read on a target with this Target::constant_bus_limit.
inline unsigned scalar_source_limit(const OpcodeInfo& info, unsigned constant_bus_limit) {
  return info.has(kOneScalarSource) ? 1 : constant_bus_limit;
}

/// Which modifiers the VOP3 or VOP3P form accepts.
enum ModifierSupport : uint16_t {
  kModSources = 0x7,  ///< neg and abs, bit i for source i
  kModClamp = 1u << 3,
  kModOmod = 1u << 4,
  kModPacked = 1u << 5,      ///< VOP3P: has op_sel_hi
  kModHalves = 1u << 6,      ///< a VGPR in a 16-bit slot is one of its halves (is_half_slot), op_sel says which
  kModByteSelect = 1u << 7,  ///< op_sel is a byte number: bits 1 and 0 of it for a source, bits 2 and 3 for the result
  kModIndexKey = 1u << 12,   ///< op_sel is the part of the index register that counts
  kModNoHigh = 1u << 13,     ///< packed, without neg_hi
  kModNamedHalves = 1u << 14,  ///< the text names low halves, too
  kModOpSel = 0xf00,           ///< bit 8 + i for source i, bit 11 for the destination
  kModOpSelShift = 8
};

/// Address components of an image instruction beyond the coordinates that its dimension asks for.
enum ImageArg : uint16_t {
  kImageOffset = 1u << 0,
  kImageBias = 1u << 1,
  kImageCompare = 1u << 2,
  kImageGradients = 1u << 3,
  kImageHalfGradients = 1u << 4,  ///< 16-bit gradients, two in one dword
  kImageLod = 1u << 5,            ///< level of detail, clamp or mip
  kImageGather = 1u << 6,         ///< four components in the destination, whatever dmask says
  kImageOnlyLod = 1u << 7,        ///< the level is the whole address
  kImageRay = 1u << 8             ///< node, extent, origin, direction, inverse direction
};

/// OpcodeInfo::flags of each opcode under its own name: one load, for loops over all instructions.
extern const std::array<uint32_t, static_cast<unsigned>(Opcode::count)> kOpcodeFlags;
/// OpcodeInfo::tied_source likewise.
extern const std::array<uint8_t, static_cast<unsigned>(Opcode::count)> kTiedSources;

/// The facts under the opcode's own name: those of gfx10.3 where it exists there, else of a generation that has it.
const OpcodeInfo& info(Opcode opcode);
/// The facts on one generation; `name` is the mnemonic there.
const OpcodeInfo& info(Opcode opcode, Generation generation);
/// The opcode with this name (its enumerator), or Opcode::invalid.
Opcode find_opcode(std::string_view name);
/// The opcode with this mnemonic on a generation, or Opcode::invalid.
Opcode find_opcode(std::string_view mnemonic, Generation generation);
/// The number in the opcode field of `format` on `generation`, or -1 when that encoding does not exist there.
int opcode_number(Opcode opcode, Format format, Generation generation);
/// The same as half of a VOPD instruction: one load, for passes that look for pairs.
extern const std::array<std::array<int8_t, static_cast<unsigned>(Opcode::count)>, kGenerationCount> kVopdNumbers;
inline int vopd_number(Opcode opcode, Generation generation) {
  return kVopdNumbers[static_cast<unsigned>(generation)][static_cast<unsigned>(opcode)];
}

}  // namespace spalt::isa
