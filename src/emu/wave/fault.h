// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <string>

namespace spalt::emu {

/// What a wave did wrong. The public header has the same list (spalt_fault_kind).
enum class FaultKind : uint8_t {
  none,
  unmapped,             ///< an access that does not lie in one mapping
  read_only,            ///< a store or an atomic to a mapping that only loads may touch
  misaligned,           ///< an access at an address that its kind cannot have
  scratch_bounds,       ///< an access to the scratch memory of another wave
  lds_bounds,           ///< an access outside the LDS of the workgroup; addresses are offsets into it
  invalid_instruction,  ///< no instruction, one that is not executed, or operands that it cannot have
  invalid_jump,         ///< the program counter leaves the code or points into an instruction
  register_bounds,      ///< an index leads to a register that the wave does not have
  missing_wait,         ///< a register is touched before what was loaded into it has arrived
  hazard,               ///< a rule for software is broken: wait states, clauses
  barrier,              ///< a barrier used in a way that cannot complete
  never_ends,           ///< the step limit, or an instruction that halts the wave for ever
  graphics,             ///< a rule of exports, attributes and their messages
  stopped,              ///< no fault: an observer ended the dispatch
  cancelled,            ///< no fault: another thread did
};

/// Whether it is something that the program did.
constexpr bool is_fault(FaultKind kind) {
  return kind != FaultKind::none && kind != FaultKind::stopped && kind != FaultKind::cancelled;
}

enum class AccessKind : uint8_t { none, load, store, atomic };

/// Everything known about a fault, as data. What does not apply is 0 or empty.
struct Fault {
  static constexpr int kNoLane = -1;

  FaultKind kind = FaultKind::none;
  AccessKind access = AccessKind::none;
  uint64_t address = 0;  ///< first byte of the access
  uint64_t bytes = 0;    ///< of the access
  int lane = kNoLane;
  /// The mapping that the access is in or nearest to.
  std::string mapping;
  uint64_t mapping_base = 0, mapping_bytes = 0;

  const char* stage = nullptr;  ///< of a draw; nullptr: of a dispatch
  uint32_t draw = 0;
  std::array<uint32_t, 3> workgroup{};  ///< of a draw: number of the wave, or of the group of waves
  uint32_t wave = 0;                    ///< within the workgroup
  uint32_t pc = 0;                      ///< byte offset of the instruction in the code
  uint64_t code = 0;                    ///< its address
  std::string assembly;                 ///< its text
  std::string violation;                ///< what it did: the predicate of a sentence

  /// "pc 0x000028: s_load_dword s0, s[2:3], 0x0: loads 4 bytes at 0x10, outside any mapping (lane 3)".
  std::string instruction_message() const;
  /// The same with workgroup and wave, or draw, stage and wave.
  std::string message() const;
};

/// What there is to say when another thread has ended everything.
Fault cancelled_fault();

}  // namespace spalt::emu
