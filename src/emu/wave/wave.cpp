// SPDX-License-Identifier: MIT
#include "emu/wave/wave.h"

#include "emu/caches/memory_hierarchy.h"
#include "emu/debug/observer.h"
#include "emu/launch/program.h"
#include "emu/wave/gpr_index.h"
#include "emu/wave/operands.h"

namespace spalt::emu {

Wave::Wave(const Program& program, GroupMemory& group, unsigned size, unsigned vgpr_count)
    : program_(program), group_(group), size_(size), v_(static_cast<size_t>(vgpr_count) * kMaxLanes, 0) {
  set_exec(size == 64 ? ~uint64_t{0} : 0xffffffffu);
}

void Wave::reset(uint32_t junk) {
  s_.fill(junk);
  std::fill(v_.begin(), v_.end(), junk);
  set_exec(0);
  mode = Mode();
  mode.has_ieee = program_.target().has_clamp_mode;
  scc = true;
  flat_scratch = 0;
  instructions = sleeps = 0;
  waits.reset();
  hazards.reset();
  statistics = Statistics();
  in_dpp = gpr_index_enabled = skips_vector = barrier_signaled = barrier_complete = false;
  mapping_hint = nullptr;
  graphics = nullptr;
}

void Wave::start_at(uint32_t step_index) {
  pc_ = next_ = step_index;
  state_ = WaveState::running;
}

void Wave::refresh_exec() {
  exec_ = size_ == 32 ? s_[isa::kExec.number]
                      : s_[isa::kExec.number] | static_cast<uint64_t>(s_[isa::kExecHi.number]) << 32;
  restrict_lanes(exec_);
}

void Wave::restrict_lanes(uint64_t lanes) {
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    lane_mask_.lane[lane] = static_cast<uint32_t>(-static_cast<int32_t>(lanes >> lane & 1));
  }
}

void Wave::set_mode(uint32_t bits) {
  constexpr unsigned kVskipBit = 28;
  mode.bits = bits;
  const bool has_vskip =
      isa::opcode_number(isa::Opcode::s_setvskip, isa::Format::sopc, program_.target().generation) >= 0;
  skips_vector = has_vskip && (bits >> kVskipBit & 1) != 0;
}

namespace {

void pass_over(Wave&, const Step&) {}

/// Everything that goes to the vector unit or to vector memory, LDS and exports.
bool is_vector_of_any_kind(const Step& step) {
  switch (step.inst.format) {
    case isa::Format::sop1:
    case isa::Format::sop2:
    case isa::Format::sopk:
    case isa::Format::sopc:
    case isa::Format::sopp:
    case isa::Format::smem:
      return false;
    default:
      return step.inst.opcode != isa::Opcode::invalid;
  }
}

/// A step in whose place nothing happens: no register is touched, no counter counts.
Step skipped(const Step& step) {
  Step nothing = step;
  nothing.handler = pass_over;
  nothing.use_count = 0;
  nothing.flags = 0;
  nothing.hazards = HazardRoles();
  nothing.step_class = StepClass::other;
  return nothing;
}

}  // namespace

inline const Step& Wave::next_to_execute() {
  const Step& step = program_[pc_];
  if (skips_vector && is_vector_of_any_kind(step)) {
    changed_ = skipped(step);
    return changed_;
  }
  if (!gpr_index_enabled || step.step_class != StepClass::valu) return step;
  changed_ = with_gpr_index(step, m0(), vgpr_count());
  return changed_;
}

uint64_t Wave::run(uint64_t steps) {
  return group_.observer != nullptr ? run_steps<true>(steps) : run_steps<false>(steps);
}

template <bool kObserved>
uint64_t Wave::run_steps(uint64_t steps) {
  constexpr const char* kEnded = "the observer ended the dispatch";
  uint64_t executed = 0;
  while (executed < steps && state_ == WaveState::running) {
    const Step& step = next_to_execute();
    next_ = pc_ + 1;
    if constexpr (kObserved) {
      if (!group_.observer->before(*this, step)) fault(FaultKind::stopped, kEnded);
    }
    if (!waits.idle()) {
      if (group_.hierarchy != nullptr && group_.hierarchy->registers_wait()) waits.settle_registers(*this, step);
      waits.check(*this, step);
    }
    hazards.observe(*this, step);
    if (state_ != WaveState::running) break;
    ++executed;
    ++instructions;
    group_.visited[pc_] = 1;
    ++statistics.executed[static_cast<size_t>(step.step_class)];
    if (step.step_class == StepClass::valu) {
      statistics.lane_operations += static_cast<unsigned>(std::popcount(exec_));
    }
    step.handler(*this, step);
    if (state_ == WaveState::faulted) break;
    if constexpr (kObserved) {
      if (!group_.observer->after(*this, step)) {
        fault(FaultKind::stopped, kEnded);
        break;
      }
    }
    pc_ = next_;
  }
  return executed;
}

const Step& Wave::current_step() const {
  return program_[pc_];
}

uint64_t Wave::code_address(uint32_t code_offset) const {
  return program_.base_address() + code_offset;
}

void Wave::branch_to(uint32_t step_index) {
  if (step_index == Program::kNoStep) {
    fault(FaultKind::invalid_jump, "branches to an address where no instruction starts");
    return;
  }
  next_ = step_index;
}

void Wave::jump_to_address(uint64_t address) {
  const uint32_t step = program_.step_at(address - program_.base_address());
  if (step == Program::kNoStep) {
    fault(FaultKind::invalid_jump, "jumps to an address where no instruction starts");
    return;
  }
  next_ = step;
}

void Wave::fault(FaultKind kind, std::string violation, int lane) {
  Fault record;
  record.kind = kind;
  record.lane = lane;
  record.violation = std::move(violation);
  fault(std::move(record));
}

void Wave::fault(Fault record) {
  if (state_ == WaveState::faulted) return;
  const Step& step = current_step();
  record.stage = group_.stage;
  record.draw = group_.draw;
  record.workgroup = group_.id;
  record.wave = wave_id_in_group;
  record.pc = step.pc;
  record.code = code_address(step.pc);
  record.assembly = program_.text(step);
  fault_ = std::move(record);
  state_ = WaveState::faulted;
}

uint32_t Wave::scalar32(const Source& source) const {
  return static_cast<uint32_t>(scalar64(source));
}

namespace {

uint64_t special_value(const Wave& wave, unsigned reg) {
  switch (reg) {
    case isa::kVccz.number:
      return wave.vcc() == 0 ? 1 : 0;
    case isa::kExecz.number:
      return wave.exec() == 0 ? 1 : 0;
    case isa::kScc.number:
      return wave.scc ? 1 : 0;
    case isa::kSharedBase.number:
      return kSharedApertureBase;
    case isa::kSharedLimit.number:
      return kSharedApertureBase | 0xffffffffu;
    case isa::kPrivateBase.number:
      return kPrivateApertureBase;
    case isa::kPrivateLimit.number:
      return kPrivateApertureBase | 0xffffffffu;
    default:
      return 0;
  }
}

}  // namespace

uint64_t Wave::scalar64(const Source& source) const {
  switch (source.kind) {
    case SourceKind::scalar:
      return source.dwords >= 2 ? read_s64(source.index) : read_s32(source.index);
    case SourceKind::constant:
      return source.value;
    case SourceKind::special:
      return special_value(*this, source.index);
    case SourceKind::vgpr:
      return vgpr(source.index)[first_active_lane()];
    case SourceKind::none:
      break;
  }
  return 0;
}

}  // namespace spalt::emu
