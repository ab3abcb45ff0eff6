// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/regalloc/liveness.h"
#include "base/compile_context.h"

namespace spalt::regalloc {

/// What spilling decided about the values of one register file, by virtual register. Later rounds add to it.
struct SpillState {
  /// `arena` has it. It must not be given back between rounds.
  explicit SpillState(Arena& arena) : fate(arena), constant(arena), temporary(arena), slot(arena), homes(arena) {}

  enum Fate : uint8_t { keep, spill, remat };
  /// `single` is used once, so that spilling it again would gain nothing; `shared` by several instructions of a block,
  /// and may be reloaded again instead. `stored` is a spilled value itself that serves the first instructions after
  /// its definition.
  enum Temporary : uint8_t { none, single, shared, stored };
  IdMap<mir::VReg, uint8_t> fate;          ///< of this round
  IdMap<mir::VReg, mir::InstId> constant;  ///< the instruction that loads the value's constant, if it is one
  IdMap<mir::VReg, uint8_t> temporary;     ///< Temporary
  IdMap<mir::VReg, uint32_t> slot;         ///< first dword or lane of spilled values
  uint32_t first_slot = 0;                 ///< dword of scratch where slot 0, or the first row of lanes there, lies
  uint32_t next_slot = 0;                  ///< first unused dword or lane
  uint32_t spilled_dwords = 0;             ///< dwords of all values with a slot
  // SGPRs: slots come in rows of wave_size lanes. The first rows are linear VGPRs. The others are dwords of scratch,
  // one for each lane; they are accessed through another linear VGPR.
  uint32_t vgpr_rows = 0xffffffffu;
  Vector<mir::VReg> homes;  ///< by row
  mir::VReg window;

  uint32_t scratch_rows(unsigned wave_size) const {
    const uint32_t rows = (next_slot + wave_size - 1) / wave_size;
    return rows > vgpr_rows ? rows - vgpr_rows : 0;
  }
};

constexpr bool is_spill_store(mir::Opcode opcode) {
  return opcode == mir::Opcode::p_spill_vgpr || opcode == mir::Opcode::p_spill_sgpr ||
         opcode == mir::Opcode::p_spill_sgpr_scratch;
}
constexpr bool is_reload(mir::Opcode opcode) {
  return opcode == mir::Opcode::p_reload_vgpr || opcode == mir::Opcode::p_reload_sgpr ||
         opcode == mir::Opcode::p_reload_sgpr_scratch;
}

/// The largest number of dwords live at one point of the program.
unsigned max_demand(const mir::Function& function, const Liveness& liveness, mir::RegFile file, Arena& scratch);

/// Chooses values so that with them in memory at most `limit` dwords are live at each point; sets state.fate. Returns
/// whether any value was chosen. Where even that is too much the point stays above the limit.
bool choose_spills(const mir::Function& function, const Liveness& liveness, mir::RegFile file, unsigned limit,
                   SpillState& state, Arena& scratch);

/// Gives each value with Fate::spill its slot. A spilled phi shares the slot of its spilled operands where they are not
/// live together.
void assign_slots(const mir::Function& function, const Liveness& liveness, mir::RegFile file, SpillState& state,
                  Arena& scratch);

/// Stores chosen values after their definitions, reloads or recomputes them before each use, and turns chosen phis
/// into stores at the ends of the predecessors. Keeps SSA.
void rewrite_spills(mir::Function& function, mir::RegFile file, SpillState& state, Arena& scratch);

/// All of the above, until at most `limit` dwords are live or nothing more can be done. More are live now. Each round
/// gives its memory back.
void spill(mir::Function& function, mir::RegFile file, unsigned limit, SpillState& state, CompileContext& context);

}  // namespace spalt::regalloc
