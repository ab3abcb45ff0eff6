// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>

#include "amdgpu/isa/inst.h"

namespace spalt::emu {

class Wave;
struct Step;

/// Executes one instruction on one wave. Failure is reported through Wave::fault.
using Handler = void (*)(Wave&, const Step&);

enum class SourceKind : uint8_t {
  none,
  vgpr,      ///< per lane
  scalar,    ///< scalar register file: SGPRs, vcc, ttmp, m0, null, exec
  constant,  ///< inline constant or literal, already widened to the type of the slot
  special    ///< scc, vccz, execz and the apertures
};

/// A source operand as the handlers want it.
struct Source {
  SourceKind kind = SourceKind::none;
  bool plain = true;         ///< no modifier of any kind: a vgpr may be read in place
  bool neg = false;          ///< on the float of the slot's width
  bool abs = false;          ///< likewise
  bool high_half = false;    ///< op_sel: take bits 31:16
  bool sign_extend = false;  ///< SDWA
  uint8_t sdwa_sel = 6;      ///< SDWA byte or word select; 6 = the whole dword
  uint8_t bits = 32;         ///< width of the slot's type: 16, 32, 64, ...
  uint8_t dwords = 1;
  uint16_t index = 0;  ///< register number within its file
  uint64_t value = 0;  ///< constant
};

/// One contiguous register range that a step reads or writes.
struct RegUse {
  uint16_t first = 0;  ///< isa::Reg number; VGPRs start at 256
  uint8_t count = 0;
  bool write = false;
  bool all_lanes = false;  ///< touches lanes beyond exec
};

/// What an instruction counts as: for statistics, clauses and hazard rules.
enum class StepClass : uint8_t { salu, valu, smem, vmem_load, vmem_store, vmem_atomic, lds, branch, message, other };
constexpr unsigned kStepClassCount = 10;

/// The way that a vector memory access goes. Results of accesses that go the same way arrive in order.
enum class MemoryPath : uint8_t { plain, sampler, either };

/// The part that an instruction has in the rules of hazard_rules.h, bit i for rule i.
struct HazardRoles {
  static constexpr uint64_t kClause = uint64_t{1} << 63;   ///< s_clause
  static constexpr uint64_t kForward = uint64_t{1} << 62;  ///< what PartialForwarding looks at
  static constexpr uint64_t kExports = uint64_t{1} << 61;  ///< what ExportPriority looks at
  static constexpr uint64_t kAnyStep = uint64_t{1} << 60;  ///< what may follow s_clause and exports: everything
  static constexpr uint64_t kNoRules = kClause | kForward | kExports | kAnyStep;
  uint64_t first = 0, second = 0, resolves = 0;
  uint64_t concerned = kAnyStep;  ///< once these rules wait for something, the instruction has to be looked at
  uint8_t wait_states = 1;        ///< that it lasts
  bool vector = false, transcendental = false;
};

/// One pre-decoded instruction.
struct Step {
  Handler handler = nullptr;
  Handler inner = nullptr;  ///< what the DPP wrapper calls
  std::array<Source, 5> src;
  uint8_t src_count = 0;
  uint8_t use_count = 0;
  std::array<RegUse, 18> uses;

  uint16_t dst = 0;  ///< VGPR index or scalar register number of destination 0
  uint8_t dst_dwords = 0;
  bool dst_high_half = false;  ///< op_sel bit 3
  uint16_t dst2 = 0;           ///< scalar register number of the lane-mask destination
  bool has_dst = false, has_dst2 = false;
  uint8_t omod = 0;
  bool clamp = false;
  bool sdwa = false;
  bool packed = false;            ///< VOP3P: op_sel, neg and abs are per half, for the handler to apply
  bool clears_high_half = false;  ///< a 16-bit result sets bits 31:16 to 0
  bool waits = false;             ///< for what is in flight, or ends the wave
  StepClass step_class = StepClass::other;
  MemoryPath path = MemoryPath::plain;
  uint32_t target = 0;  ///< branches: index of the target step; VOPD: index of its operations
  int32_t imm = 0;      ///< simm16 or the memory offset
  uint32_t pc = 0;      ///< byte offset in the code
  uint32_t flags = 0;   ///< isa::OpcodeFlag
  HazardRoles hazards;
  isa::Inst inst;
  const char* reason = nullptr;  ///< why the step cannot be executed
};

}  // namespace spalt::emu
