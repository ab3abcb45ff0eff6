// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "amdgpu/isa/inst.h"
#include "amdgpu/isa/target.h"
#include "amdgpu/mir/opcode.h"
#include "base/id_map.h"
#include "base/ids.h"
#include "base/small_vector.h"

namespace spalt::mir {

using VReg = Id<struct VRegTag>;
using InstId = Id<struct MachineInstTag>;
using BlockId = Id<struct MachineBlockTag>;

enum class RegFile : uint8_t { sgpr, vgpr };  // a bit in Operand

/// File, size and liveness rule of a virtual register.
struct RegClass {
  RegFile file = RegFile::sgpr;
  uint8_t dwords = 1;
  /// Liveness follows the linear graph: every SGPR, and VGPRs whose inactive lanes matter (homes of spilled SGPRs).
  bool linear = true;
  constexpr bool is_vgpr() const { return file == RegFile::vgpr; }
  constexpr bool operator==(const RegClass&) const = default;
};
constexpr RegClass sgpr_class(unsigned dwords) {
  return {RegFile::sgpr, static_cast<uint8_t>(dwords), true};
}
constexpr RegClass vgpr_class(unsigned dwords) {
  return {RegFile::vgpr, static_cast<uint8_t>(dwords), false};
}
constexpr RegClass linear_vgpr_class() {
  return {RegFile::vgpr, 1, true};
}
constexpr RegClass kS1 = sgpr_class(1), kS2 = sgpr_class(2), kS4 = sgpr_class(4), kV1 = vgpr_class(1),
                   kV2 = vgpr_class(2);

struct Operand {
  enum class Kind : uint8_t {
    none,
    vreg,   ///< virtual register `value`; `reg` is a required register before allocation, the assigned one after
    reg,    ///< physical register `reg` (exec, scc, m0, vcc, entry registers)
    imm,    ///< 32-bit pattern `value`
    block,  ///< BlockId `value`
    table,  ///< a literal: the distance from the end of the program's s_getpc_b64 to the constant tables
    undef   ///< any value; only in p_phi, p_vec, p_copy and parallel copies
  };
  Kind kind : 4;
  bool kill : 1;  ///< last use on every path; set by liveness, informational
  bool tied : 1;  ///< use that must get the register of defs[0] (returning atomics)
  // The class of a virtual register, with dwords: passes ask for it more often than for anything else.
  RegFile file : 1;
  bool linear : 1;
  uint8_t dwords = 1;
  isa::Reg reg;
  uint32_t value = 0;

  constexpr Operand() : kind(Kind::none), kill(false), tied(false), file(RegFile::sgpr), linear(false) {}
  static Operand of(VReg vreg, RegClass cls) { return fixed(vreg, cls, isa::kNoReg); }
  static Operand fixed(VReg vreg, RegClass cls, isa::Reg reg) {
    Operand operand = make(Kind::vreg, cls.dwords, reg, vreg.index);
    operand.file = cls.file;
    operand.linear = cls.linear;
    return operand;
  }
  static Operand physical(isa::Reg reg, unsigned dwords = 1) { return make(Kind::reg, dwords, reg, 0); }
  static Operand immediate(uint32_t value) { return make(Kind::imm, 1, isa::kNoReg, value); }
  static Operand target(BlockId block) { return make(Kind::block, 0, isa::kNoReg, block.index); }
  static Operand table_distance() { return make(Kind::table, 1, isa::kNoReg, 0); }
  static Operand undefined(unsigned dwords) { return make(Kind::undef, dwords, isa::kNoReg, 0); }

  bool is_vreg() const { return kind == Kind::vreg; }
  bool is_reg(isa::Reg which) const { return kind == Kind::reg && reg == which; }
  bool is_imm() const { return kind == Kind::imm; }
  /// The same constant, block or register, whatever role it plays.
  bool same_value(const Operand& other) const { return kind == other.kind && value == other.value && reg == other.reg; }
  VReg vreg() const { return VReg(value); }
  /// Of a virtual register, that of VRegInfo.
  RegClass cls() const { return {file, dwords, linear}; }
  bool is_vgpr_value() const { return is_vreg() && file == RegFile::vgpr; }
  BlockId block() const { return BlockId(value); }

 private:
  static Operand make(Kind kind, unsigned dwords, isa::Reg reg, uint32_t value) {
    Operand operand;
    operand.kind = kind;
    operand.dwords = static_cast<uint8_t>(dwords);
    operand.reg = reg;
    operand.value = value;
    return operand;
  }
};
static_assert(sizeof(Operand) == 8);

/// What memory an instruction touches, for ordering by the scheduler and for wait insertion.
enum MemoryBit : uint16_t {
  kReadsBuffer = 1u << 0,  ///< may alias kWritesBuffer
  kWritesBuffer = 1u << 1,
  kReadsShared = 1u << 2,
  kWritesShared = 1u << 3,
  kReadsScratch = 1u << 4,
  kWritesScratch = 1u << 5,
  kReadsConstant = 1u << 6,  ///< never written while the shader runs
  kOrdersMemory = 1u << 7    ///< fence, barrier, wait, atomic with order: nothing in memory moves across
};

/// Immediate of p_wait.
enum WaitBit : uint8_t { kWaitVmLoad = 1u << 0, kWaitVmStore = 1u << 1, kWaitLgkm = 1u << 2 };
constexpr int32_t kAllWaitBits = kWaitVmLoad | kWaitVmStore | kWaitLgkm;

/// Operands follow isa::OpcodeInfo: defs[0 .. dst_count) and uses[0 .. src_count) are those of the assembler text; what
/// follows them are the implicit registers, named explicitly: scc, vcc, m0, exec (exec only where it is data, not as
/// the mask of a vector instruction), and the tied old value.
/// The modifiers are beside the instructions (Function::modifiers), since most have none.
struct Inst {
  Opcode opcode = Opcode::invalid;
  uint16_t def_count = 0;
  uint32_t use_count = 0;      ///< a phi has one per predecessor, and those have no bound
  uint32_t operand_begin = 0;  ///< of the function's operands: definitions, then uses
  uint32_t mods = 0;           ///< 0: none, all fields have their defaults; see Function::modifiers
  int32_t simm16 = 0;          ///< SOPP, SOPK and pseudo immediates
  uint16_t memory = 0;         ///< MemoryBit
  uint16_t pass_flags = 0;     ///< scratch bits for one pass
  bool dual = false;           ///< issues together with the instruction after it, which is not moved away (VOPD)
  uint32_t origin = 0;         ///< as ir::Inst::origin

  bool has_modifiers() const { return mods != 0; }
};
static_assert(sizeof(Inst) <= 32);

using InstList = Vector<InstId>;
using BlockList = Vector<BlockId>;

struct Block {
  explicit Block(Arena* arena = nullptr) : insts(arena) {}

  InstList insts;
  SmallVector<BlockId, 2> logical_preds, logical_succs;  ///< what each lane follows
  SmallVector<BlockId, 2> linear_preds, linear_succs;    ///< what the wave walks; filled by the exec stage
  uint16_t loop_depth = 0;
  bool loop_header = false;  ///< logical loop; its blocks are contiguous in the layout
};

/// Selected: SSA over virtual registers, logical graph only. Masked: exec manipulation explicit, linear graph valid,
/// still SSA. Allocated: every register operand has its register. Final: only encodable instructions and p_jump-free
/// terminators.
enum class Stage : uint8_t { selected, masked, allocated, final };

/// An edge of the logical graph.
struct LogicalEdge {
  BlockId from, to;
  bool operator==(const LogicalEdge&) const = default;
};

struct VRegInfo {
  RegClass cls;
  isa::Reg hint;  ///< preferred register, e.g. vcc for a comparison that feeds one v_cndmask
};

/// Resources that only allocation knows; become metadata.
struct ProgramFacts {
  uint16_t sgpr_count = 0;  ///< highest SGPR + 1, without vcc
  uint16_t vgpr_count = 0;
  bool uses_vcc = false;
  uint32_t spilled_sgprs = 0, spilled_vgprs = 0;
  uint32_t scratch_bytes = 0;  ///< per lane: variables first, spill slots after them
  uint32_t lds_bytes = 0;
};

/// One hardware stage's program. Owns all storage, which is in an arena or, without one, on the heap.
class Function {
 public:
  Function(const isa::Target& for_target, unsigned lanes, Arena* arena = nullptr)
      : target(for_target),
        wave_size(lanes),
        layout(arena),
        blocks(arena),
        vregs(arena),
        insts(arena),
        operands_(arena),
        modifiers_(arena) {}

  const isa::Target& target;
  unsigned wave_size;  ///< 32 or 64
  Stage stage = Stage::selected;
  ProgramFacts facts;
  /// Scratch access on targets without architected flat scratch: four SGPRs with the swizzled scratch V#, its base
  /// moved to the wave's part by the prolog, valid in the whole program and kept out of allocation.
  isa::Reg scratch_descriptor;
  /// A pair of SGPRs that is kept out of allocation for jumps beyond the reach of a branch, in programs that may have
  /// them. It holds nothing anywhere else.
  isa::Reg jump_pair;

  /// Linked after other code of the same wave, which may have used all registers.
  bool follows_code = false;

  BlockList layout;  ///< linear order; entry first; the order of encoding
  IdMap<BlockId, Block> blocks;
  IdMap<VReg, VRegInfo> vregs;
  IdMap<InstId, Inst> insts;

  BlockId create_block() { return blocks.push_back(Block(layout.arena())); }
  VReg create_vreg(RegClass cls) { return vregs.push_back({cls, isa::kNoReg}); }
  Operand def(RegClass cls) { return Operand::of(create_vreg(cls), cls); }
  Operand use(VReg vreg) const { return Operand::of(vreg, vregs[vreg].cls); }
  RegClass lane_mask_class() const { return sgpr_class(wave_size / 32); }

  /// Whether two vector instructions may issue together (VOPD).
  bool has_dual_issue() const { return target.has_dual_issue && wave_size == 32; }

  /// What instructions that are created from now on are for (Inst::origin).
  void set_origin(uint32_t word) { origin_ = word; }
  /// Creates an instruction that is in no block yet.
  InstId create(Opcode opcode, std::span<const Operand> defs, std::span<const Operand> uses);
  /// The same at the end of `block`.
  InstId append(BlockId block, Opcode opcode, std::span<const Operand> defs, std::span<const Operand> uses);
  std::span<Operand> defs(InstId id) { return {operands_.data() + insts[id].operand_begin, insts[id].def_count}; }
  std::span<const Operand> defs(InstId id) const {
    return {operands_.data() + insts[id].operand_begin, insts[id].def_count};
  }
  std::span<Operand> uses(InstId id) {
    return {operands_.data() + insts[id].operand_begin + insts[id].def_count, insts[id].use_count};
  }
  std::span<const Operand> uses(InstId id) const {
    return {operands_.data() + insts[id].operand_begin + insts[id].def_count, insts[id].use_count};
  }
  void set_uses(InstId id, std::span<const Operand> uses);  ///< may grow the list

  /// Operands of all instructions, those that were replaced included: a table by Inst::operand_begin has this size.
  size_t operand_count() const { return operands_.size(); }

  /// The reference holds until modifiers are set.
  const isa::Modifiers& modifiers(const Inst& inst) const {
    return inst.mods == 0 ? isa::kNoModifiers : modifiers_[inst.mods - 1];
  }
  const isa::Modifiers& modifiers(InstId id) const { return modifiers(insts[id]); }
  /// No instruction shares its modifiers with another one.
  void set_modifiers(Inst& inst, const isa::Modifiers& modifiers);
  void set_modifiers(InstId id, const isa::Modifiers& modifiers) { set_modifiers(insts[id], modifiers); }
  /// Calls edit(isa::Modifiers&).
  template <class Edit>
  void edit_modifiers(InstId id, Edit&& edit) {
    isa::Modifiers changed = modifiers(id);
    edit(changed);
    set_modifiers(id, changed);
  }
  void set_offset(Inst& inst, int32_t offset) {
    isa::Modifiers changed = modifiers(inst);
    changed.offset = offset;
    set_modifiers(inst, changed);
  }
  void set_offset(InstId id, int32_t offset) { set_offset(insts[id], offset); }

  void add_logical_edge(BlockId from, BlockId to) {
    blocks[from].logical_succs.push_back(to);
    blocks[to].logical_preds.push_back(from);
  }
  void add_linear_edge(BlockId from, BlockId to) {
    blocks[from].linear_succs.push_back(to);
    blocks[to].linear_preds.push_back(from);
  }

 private:
  uint32_t add_operands(std::span<const Operand> defs, std::span<const Operand> uses);

  Vector<Operand> operands_;
  Vector<isa::Modifiers> modifiers_;
  uint32_t origin_ = 0;
};

}  // namespace spalt::mir
