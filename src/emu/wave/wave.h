// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "emu/hazards/hazards.h"
#include "emu/memory/guest_memory.h"
#include "emu/memory/waits.h"
#include "emu/wave/fault.h"
#include "emu/wave/lanes.h"
#include "emu/wave/step.h"

namespace spalt::emu {

class GraphicsLink;
class MemoryHierarchy;
class Observer;
class Program;

/// MODE register fields that change results (RDNA 2 ISA guide, "Mode register").
struct Mode {
  uint32_t bits = 0xc0;  ///< FP_ROUND [3:0], FP_DENORM [7:4], DX10_CLAMP [8], IEEE [9], FP16_OVFL [23], VSKIP [28]
  bool has_ieee = true;  ///< the last two are there; where not, clamping makes a NaN 0 and no NaN is special

  unsigned round32() const { return bits & 3; }
  unsigned round16_64() const { return bits >> 2 & 3; }
  bool keep_input_denorm32() const { return (bits >> 4 & 1) != 0; }
  bool keep_output_denorm32() const { return (bits >> 5 & 1) != 0; }
  bool keep_input_denorm16_64() const { return (bits >> 6 & 1) != 0; }
  bool keep_output_denorm16_64() const { return (bits >> 7 & 1) != 0; }
  bool dx10_clamp() const { return !has_ieee || (bits >> 8 & 1) != 0; }
  bool ieee() const { return has_ieee && (bits >> 9 & 1) != 0; }
  bool fp16_overflow() const { return (bits >> 23 & 1) != 0; }
  /// Output modifiers act only where results cannot be denormal, and not in IEEE mode (Vega ISA guide, "Output
  /// modifiers"; LLVM AMDGPU backend, SIFoldOperands).
  bool output_modifiers32() const { return !ieee() && !keep_output_denorm32(); }
  bool output_modifiers16_64() const { return !ieee() && !keep_output_denorm16_64(); }
};

enum class WaveState : uint8_t { running, at_barrier, yielded, ended, faulted };

/// The barrier of a workgroup.
struct Barrier {
  uint32_t members = 0;   ///< waves that were started
  uint32_t signaled = 0;  ///< waves that have arrived since it completed last
};

/// What the waves of a workgroup share.
struct GroupMemory {
  std::vector<uint8_t> lds;
  const Memory* memory = nullptr;
  uint64_t scratch_ring_base = 0, scratch_ring_size = 0;  ///< guest addresses of the whole ring
  uint64_t border_colors = 0;                             ///< guest address of the palette
  std::vector<uint8_t> visited;                           ///< per step of the program: whether it was executed
  std::array<uint32_t, 3> id{};                           ///< of the workgroup
  Barrier barrier;
  const char* stage = nullptr;  ///< Launch::stage
  uint32_t draw = 0;
  Observer* observer = nullptr;          ///< asked around every instruction when there is one
  MemoryHierarchy* hierarchy = nullptr;  ///< decides when vector memory accesses happen when there is one
};

struct Statistics {
  std::array<uint64_t, kStepClassCount> executed{};
  uint64_t lane_operations = 0;  ///< vector ALU instructions times active lanes
  uint64_t invocations = 0;      ///< lanes that waves began with

  Statistics& operator+=(const Statistics& other) {
    for (size_t i = 0; i < kStepClassCount; ++i) executed[i] += other.executed[i];
    lane_operations += other.lane_operations;
    invocations += other.invocations;
    return *this;
  }
};

/// One wave: registers, program counter and everything in flight.
class Wave {
 public:
  Wave(const Program& program, GroupMemory& group, unsigned size, unsigned vgpr_count);

  /// Back to the state before launch; registers hold `junk`.
  void reset(uint32_t junk);
  void start_at(uint32_t step_index);
  /// Runs until the wave blocks, ends, faults or has executed `steps` instructions; returns how many it executed.
  uint64_t run(uint64_t steps);

  // ---- scalar state ----
  uint32_t read_s32(unsigned reg) const { return reg == isa::kNull.number ? 0 : s_[reg]; }
  uint64_t read_s64(unsigned reg) const {
    return reg == isa::kNull.number ? 0 : s_[reg] | static_cast<uint64_t>(s_[reg + 1]) << 32;
  }
  void write_s32(unsigned reg, uint32_t value) {
    s_[reg] = value;
    if (reg >= isa::kExec.number) refresh_exec();
  }
  void write_s64(unsigned reg, uint64_t value) {
    s_[reg] = static_cast<uint32_t>(value);
    if (reg == isa::kNull.number) return;
    s_[reg + 1] = static_cast<uint32_t>(value >> 32);
    if (reg >= isa::kExec.number) refresh_exec();
  }
  /// A lane mask: one register in wave32, a pair in wave64.
  uint64_t read_mask(unsigned reg) const { return size_ == 32 ? read_s32(reg) : read_s64(reg); }
  void write_mask(unsigned reg, uint64_t value) {
    if (size_ == 32) {
      write_s32(reg, static_cast<uint32_t>(value));
    } else {
      write_s64(reg, value);
    }
  }
  uint64_t vcc() const { return read_mask(isa::kVcc.number); }
  uint64_t exec() const { return exec_; }
  void set_exec(uint64_t value) { write_mask(isa::kExec.number, value); }
  uint32_t m0() const { return s_[isa::kM0.number]; }
  /// The lanes that the current vector instruction writes: those of exec, as far as DPP lets them.
  uint64_t writable_lanes() const { return in_dpp ? dpp_lanes : exec_; }
  /// Lane 0 when no lane is active (RDNA 2 ISA guide, V_READFIRSTLANE_B32).
  unsigned first_active_lane() const { return exec_ == 0 ? 0 : static_cast<unsigned>(std::countr_zero(exec_)); }

  uint32_t scalar32(const Source& source) const;
  uint64_t scalar64(const Source& source) const;

  // ---- vector state ----
  uint32_t* vgpr(unsigned index) { return v_.data() + static_cast<size_t>(index) * kMaxLanes; }
  const uint32_t* vgpr(unsigned index) const { return v_.data() + static_cast<size_t>(index) * kMaxLanes; }
  unsigned vgpr_count() const { return static_cast<unsigned>(v_.size() / kMaxLanes); }
  unsigned size() const { return size_; }
  /// All ones for lanes that a vector instruction writes.
  const uint32_t* lane_mask() const { return lane_mask_.lane; }

  /// The lanes of a 32-bit (or 16-bit, zero extended) source with its modifiers applied: a register in place or
  /// `buffer`.
  const uint32_t* fetch32(const Step& step, unsigned index, LaneBuffer& buffer) const;
  void fetch64(const Step& step, unsigned index, LaneBuffer64& out) const;
  /// Writes destination 0 in the active lanes.
  void write32(const Step& step, const uint32_t* values);
  /// Writes one half of destination 0 and keeps the other.
  void write16(const Step& step, const uint32_t* values);
  void write64(const Step& step, const uint64_t* values);

  // ---- control ----
  /// Faults when there is no step with that index (Program::kNoStep).
  void branch_to(uint32_t step_index);
  uint32_t next_step() const { return next_; }
  /// Continues at a byte address of the guest; faults when no instruction starts there.
  void jump_to_address(uint64_t address);
  uint64_t code_address(uint32_t code_offset) const;
  void set_state(WaveState state) { state_ = state; }
  WaveState state() const { return state_; }
  /// Ends the wave. `violation` is the predicate of a sentence about the current instruction.
  void fault(FaultKind kind, std::string violation, int lane = Fault::kNoLane);
  /// The same with what the record says of an access; this fills in where the wave is.
  void fault(Fault record);
  /// Of a wave whose state is `faulted`.
  const Fault& fault_record() const { return fault_; }
  const Step& current_step() const;

  Mode mode;
  bool scc = false;
  uint64_t flat_scratch = 0;
  uint64_t instructions = 0;
  uint64_t sleeps = 0;  ///< times it gave up its turn
  uint32_t wave_id_in_group = 0;
  unsigned compute_unit = 0;                    ///< where it runs in the memory hierarchy mode
  uint64_t scratch_base = 0, scratch_size = 0;  ///< guest range of this wave's scratch
  Waits waits;
  Hazards hazards;
  Statistics statistics;
  const Mapping* mapping_hint = nullptr;
  uint64_t dpp_lanes = 0;  ///< lanes that a DPP step writes, valid inside the DPP wrapper
  LaneBuffer dpp_source;
  bool in_dpp = false;
  bool barrier_signaled = false;     ///< has arrived at the barrier of the workgroup, which is not complete yet
  bool barrier_complete = false;     ///< it is, but the wave has not waited for it
  bool gpr_index_enabled = false;    ///< MODE.GPR_IDX_EN: VGPR operands of vector instructions are relative to m0
  GraphicsLink* graphics = nullptr;  ///< of waves of a draw
  bool skips_vector = false;         ///< MODE.VSKIP: vector instructions of every kind are passed over

  GroupMemory& group() { return group_; }
  const std::array<uint32_t, 3>& group_id() const { return group_.id; }
  const Program& program() const { return program_; }
  /// Narrows the lanes that the current vector instruction writes; exec itself stays. Undone by refresh_exec.
  void restrict_lanes(uint64_t lanes);
  void set_mode(uint32_t bits);
  void refresh_exec();

 private:
  const Step& next_to_execute();
  template <bool kObserved>
  uint64_t run_steps(uint64_t steps);
  void scalar_lanes(const Source& source, LaneBuffer& buffer) const;

  const Program& program_;
  GroupMemory& group_;
  unsigned size_;
  uint32_t pc_ = 0, next_ = 0;
  WaveState state_ = WaveState::running;
  uint64_t exec_ = 0;
  std::array<uint32_t, 130> s_{};
  LaneBuffer lane_mask_;
  std::vector<uint32_t> v_;
  Fault fault_;
  Step changed_;  ///< the current step where VGPR indexing or VSKIP make another one of it
};

}  // namespace spalt::emu
