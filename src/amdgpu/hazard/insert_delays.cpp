// SPDX-License-Identifier: MIT
#include "amdgpu/hazard/insert_delays.h"

#include <algorithm>

#include "amdgpu/hazard/cures.h"
#include "amdgpu/hazard/instruction.h"
#include "amdgpu/isa/opcode_tables.h"
#include "amdgpu/isa/timing.h"

namespace spalt::hazard {
namespace {

using mir::InstId;
using mir::Opcode;
using mir::Operand;

// Dependences as s_delay_alu names them (RDNA 3 ISA guide, S_DELAY_ALU).
constexpr unsigned kVectorDependence = 0, kTranscendentalDependence = 4, kScalarCycles = 8;  ///< plus 1 to the maximum
constexpr unsigned kVectorMax = 4, kTranscendentalMax = 3, kScalarMax = 3;
constexpr unsigned kSkipMax = 5;

/// A delay is an instruction, too: it does not pay for a shorter stall.
constexpr uint32_t kLeastStall = 2;

/// Cycles of one SIMD in which the fixed functions of the whole chip make a wave of 64 pixels or vertices for it, on
/// GFX11: 192 pixels a cycle for 192 SIMDs (64 for 64 on the smallest), and six primitives, of about one new vertex
/// each, for as many (two for 64), of which a quarter is counted. Waves of 32 lanes come twice as fast.
constexpr uint32_t kPixelWaveCycles = 64, kVertexWaveCycles = 512;

enum class Unit : uint8_t { none, vector, transcendental, scalar };

/// The instruction that wrote a register last in this block.
struct Producer {
  Unit unit = Unit::none;
  uint32_t number = 0;         ///< of its unit's instructions
  uint32_t vector_number = 0;  ///< vector instructions issued until then
  uint32_t ready = 0;          ///< cycle in which the result can be used
  uint32_t issued = 0;         ///< instructions issued before it
};

Unit unit_of(const Instruction& inst) {
  if (inst.is_valu()) return inst.has(isa::kTranscendental) ? Unit::transcendental : Unit::vector;
  return inst.is_salu() ? Unit::scalar : Unit::none;
}

/// What an instruction waits for, as the codes of s_delay_alu; 0 for nothing.
struct Delays {
  unsigned first = 0, second = 0;
};

/// The most recent unfinished results that an instruction needs: how many instructions of the unit ago, 1 the last one.
struct Dependences {
  unsigned vector = kVectorMax + 1, transcendental = kTranscendentalMax + 1;
  unsigned vectors_since_transcendental = kVectorMax + 1;
  unsigned cycles = 0;  ///< until a scalar result is there
  uint32_t ready = 0;   ///< cycle in which all of them are there
};

/// Positions, primitives and parameters, by the numbers of the hardware.
constexpr bool is_vertex_export(unsigned target) {
  constexpr unsigned kFirstPosition = 12, kPrimitive = 20, kFirstParameter = 32;
  return (target >= kFirstPosition && target <= kPrimitive) || target >= kFirstParameter;
}

bool waits_for_memory(Opcode opcode) {
  switch (opcode) {
    case Opcode::s_waitcnt:
    case Opcode::s_waitcnt_vscnt:
    case Opcode::s_wait_loadcnt:
    case Opcode::s_wait_samplecnt:
    case Opcode::s_wait_bvhcnt:
    case Opcode::s_wait_kmcnt:
    case Opcode::s_wait_dscnt:
    case Opcode::s_wait_storecnt:
    case Opcode::s_wait_expcnt:
    case Opcode::s_wait_loadcnt_dscnt:
    case Opcode::s_wait_storecnt_dscnt:
      return true;
    default:
      return false;
  }
}

class DelayInserter {
 public:
  DelayInserter(mir::Function& function, Arena& scratch)
      : function_(function),
        passes_(function.wave_size / 32u),
        out_(scratch),
        producers_(scratch, isa::Reg::kScalarEnd + vgprs_of(function)) {}

  void run() {
    if (is_paced_by_fixed_functions()) return;
    for (mir::BlockId id : function_.layout) rewrite(function_.blocks[id].insts);
  }

 private:
  /// Text that was parsed does not say how many there are.
  static unsigned vgprs_of(const mir::Function& function) {
    constexpr unsigned kAll = isa::Reg::kVgprEnd - isa::Reg::kVgprBegin;
    return function.facts.vgpr_count != 0 ? function.facts.vgpr_count : kAll;
  }

  /// Calls visit(producer) for each scalar register and VGPR of the operand.
  template <class Visit>
  void for_each_producer(const Operand& operand, Visit&& visit) {
    unsigned place = operand.reg.number;
    if (operand.reg.is_vgpr()) {
      place -= isa::Reg::kVgprBegin - isa::Reg::kScalarEnd;
    } else if (!Instruction::is_scalar(operand)) {
      return;
    }
    const unsigned end = std::min<unsigned>(place + operand.dwords, producers_.size());
    for (; place < end; ++place) visit(producers_[place]);
  }

  /// Cycles in which the fixed functions make a wave of this program; 0 where none do.
  uint32_t wave_cycles() const {
    uint32_t cycles = 0;
    for (mir::BlockId id : function_.layout) {
      if (function_.blocks[id].loop_depth != 0) return 0;
      for (InstId inst : function_.blocks[id].insts) {
        if (function_.insts[inst].opcode != Opcode::exp) continue;
        cycles = is_vertex_export(function_.modifiers(inst).export_target) ? kVertexWaveCycles : kPixelWaveCycles;
      }
    }
    return cycles * passes_ / 2;
  }

  /// Whether the vector unit, its stalls included, has less to do for a wave than the fixed functions: other waves have
  /// nothing to win by its time.
  bool is_paced_by_fixed_functions() {
    const uint32_t limit = wave_cycles();
    if (limit == 0) return false;
    for (size_t b = 0; b < function_.layout.size() && cycle_ <= limit; ++b) {
      const std::span<const InstId> insts = function_.blocks[function_.layout[b]].insts;
      forget();
      for (size_t i = 0; i < insts.size(); ++i) {
        const bool pair = function_.insts[insts[i]].dual;
        step(insts.subspan(i, pair ? 2 : 1));
        if (pair) ++i;
        ++issued_;
      }
    }
    return cycle_ <= limit;
  }

  void rewrite(mir::InstList& insts) {
    forget();
    open_ = InstId();
    out_.clear();
    for (size_t i = 0; i < insts.size(); ++i) {
      const bool pair = function_.insts[insts[i]].dual;
      const Delays delays = step(std::span<const InstId>(insts).subspan(i, pair ? 2 : 1));
      if (delays.first != 0) place(delays, out_);
      out_.push_back(insts[i]);
      if (pair) out_.push_back(insts[++i]);
      ++issued_;
    }
    if (out_.size() != insts.size()) insts.assign(out_);
  }

  /// Whatever was issued until here is done.
  void forget() { since_ = issued_; }

  /// The delays of one instruction, or of a pair that issues together; takes note of the results.
  Delays step(std::span<const InstId> ids) {
    const Instruction inst(function_, ids[0]);
    if (mir::is_pseudo(inst.opcode())) return {};
    Delays delays;
    const Unit unit = unit_of(inst);
    if (inst.is_vmem() || inst.is_lds() || depctr_waits(inst, kDepctrVaVdst)) {
      forget();  // all vector results are there before it issues
    } else if (waits_for_memory(inst.opcode())) {
      forget();  // it takes longer than any result, where it waits at all
    } else if (unit != Unit::none) {
      // The hardware makes scalar instructions wait for SGPRs that vector instructions write.
      if (unit == Unit::scalar && !inst.uses().empty()) settle_vector_scalars();
      Dependences dependences;
      for (InstId id : ids) find_dependences(Instruction(function_, id), dependences);
      delays = encode(dependences);
      // The processor holds the instruction back until its operands are there, whatever s_delay_alu says; what was to
      // be ready by then is ready for those that follow.
      cycle_ = std::max(cycle_, dependences.ready);
    } else if (inst.is_smem()) {
      settle_vector_scalars();
    }
    if (unit == Unit::vector) ++vector_count_;
    if (unit == Unit::transcendental) ++transcendental_count_;
    for (InstId id : ids) record(Instruction(function_, id), unit);
    // Each half of a wave of 64 lanes is issued by itself.
    cycle_ += unit == Unit::vector || unit == Unit::transcendental ? passes_ : inst.wait_states();
    return delays;
  }

  void settle_vector_scalars() { settled_ = last_scalar_result_; }

  void find_dependences(const Instruction& inst, Dependences& found) {
    for (const Operand& use : inst.uses()) {
      for_each_producer(use, [&](Producer& producer) {
        if (producer.issued < since_) return;
        const bool settled = producer.unit == Unit::vector && producer.number <= settled_;
        if (producer.unit == Unit::none || producer.ready <= cycle_ || settled) return;
        found.ready = std::max(found.ready, producer.ready);
        if (producer.ready - cycle_ < kLeastStall) {
          // It waits that long.
        } else if (producer.unit == Unit::vector) {
          found.vector = std::min(found.vector, vector_count_ - producer.number + 1);
        } else if (producer.unit == Unit::transcendental) {
          found.transcendental = std::min(found.transcendental, transcendental_count_ - producer.number + 1);
          found.vectors_since_transcendental =
              std::min(found.vectors_since_transcendental, vector_count_ - producer.vector_number + 1);
        } else {
          found.cycles = std::max(found.cycles, std::min(producer.ready - cycle_, kScalarMax));
        }
        producer.unit = Unit::none;  // later readers find it ready
      });
    }
  }

  static Delays encode(const Dependences& found) {
    Delays delays;
    const auto add = [&](unsigned code) {
      if (delays.first == 0) {
        delays.first = code;
      } else if (delays.second == 0) {
        delays.second = code;
      }
    };
    if (found.transcendental <= kTranscendentalMax) add(kTranscendentalDependence + found.transcendental);
    // An older vector result is there when the transcendental one is.
    if (found.vector <= kVectorMax && found.vector <= found.vectors_since_transcendental) {
      add(kVectorDependence + found.vector);
    }
    if (found.cycles != 0) add(kScalarCycles + found.cycles);
    return delays;
  }

  uint32_t latency(const Instruction& inst) const {
    return isa::cost_of(function_.target, function_.wave_size, mir::to_isa(inst.opcode())).latency;
  }

  void record(const Instruction& inst, Unit unit) {
    const uint32_t number = unit == Unit::transcendental ? transcendental_count_ : vector_count_;
    const uint32_t ready = unit == Unit::none ? 0 : cycle_ + latency(inst);
    const Producer producer{unit, number, vector_count_, ready, issued_};
    for (const Operand& def : inst.defs()) {
      if (unit == Unit::vector && Instruction::is_scalar(def)) last_scalar_result_ = number;
      for_each_producer(def, [&](Producer& of_register) { of_register = producer; });
    }
  }

  /// A single delay goes into the last s_delay_alu if that has room and is near enough.
  void place(const Delays& delays, mir::InstList& out) {
    if (delays.second == 0 && open_.valid()) {
      const auto skip = issued_ - open_at_;
      if (skip <= kSkipMax) {
        function_.insts[open_].simm16 |=
            static_cast<int32_t>(isa::kDelaySkip.at(skip) | isa::kDelaySecond.at(delays.first));
        open_ = InstId();
        return;
      }
    }
    const InstId id = function_.create(Opcode::s_delay_alu, {}, {});
    function_.insts[id].simm16 =
        static_cast<int32_t>(isa::kDelayFirst.at(delays.first) | isa::kDelaySecond.at(delays.second));
    open_ = delays.second == 0 ? id : InstId();
    open_at_ = issued_;
    out.push_back(id);
  }

  mir::Function& function_;
  const uint32_t passes_;  ///< cycles in which a vector instruction is issued
  mir::InstList out_;
  Vector<Producer> producers_;  ///< of scalar registers by number, then of VGPRs
  uint32_t since_ = 0;          ///< producers issued before do not count
  uint32_t issued_ = 0;         ///< instructions, without s_delay_alu
  uint32_t cycle_ = 0;          ///< issue time, if nothing stalls but operands that are not ready
  uint32_t vector_count_ = 0, transcendental_count_ = 0;
  uint32_t last_scalar_result_ = 0;  ///< the last vector instruction that wrote an SGPR
  uint32_t settled_ = 0;             ///< vector instructions up to this one are done
  InstId open_;                      ///< the last s_delay_alu, while it has room for a second delay
  uint32_t open_at_ = 0;             ///< instructions issued before it
};

}  // namespace

void insert_delays(mir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  if (!isa::has_opcode(function.target, isa::Opcode::s_delay_alu)) return;
  DelayInserter(function, context.scratch).run();
}

}  // namespace spalt::hazard
