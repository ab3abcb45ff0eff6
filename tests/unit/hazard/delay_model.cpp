// SPDX-License-Identifier: MIT
#include "delay_model.h"

#include <algorithm>
#include <map>

#include "amdgpu/isa/opcode_tables.h"

namespace spalt::hazard::test {
namespace {

using isa::Format;
using isa::Inst;
using isa::Opcode;
using isa::OperandRole;
using isa::OperandType;

enum class Kind { other, vector, transcendental, scalar };

/// What somebody who needs some registers must still wait for. Numbers count the instructions of the unit since then,
/// the producer included; kFar is further than the immediate can say.
struct Pending {
  static constexpr unsigned kFarVector = 5, kFarTranscendental = 4;
  unsigned vector = kFarVector, vector_cycles = 0;
  unsigned transcendental = kFarTranscendental, transcendental_cycles = 0, vectors_behind = kFarVector;
  unsigned scalar_cycles = 0;
  unsigned cycles = 0;      ///< until all is there, however far back it was issued
  Kind unit = Kind::other;  ///< of the producer, where there is one
  unsigned order = 0;       ///< its number among the vector instructions

  void merge(const Pending& other) {
    vector = std::min(vector, other.vector);
    vector_cycles = std::max(vector_cycles, other.vector_cycles);
    transcendental = std::min(transcendental, other.transcendental);
    transcendental_cycles = std::max(transcendental_cycles, other.transcendental_cycles);
    vectors_behind = std::min(vectors_behind, other.vectors_behind);
    scalar_cycles = std::max(scalar_cycles, other.scalar_cycles);
    cycles = std::max(cycles, other.cycles);
  }
  void forget_vector() { vector = kFarVector, vector_cycles = 0; }
  void forget_transcendental() {
    transcendental = kFarTranscendental, transcendental_cycles = 0, vectors_behind = kFarVector;
  }
  void pass(unsigned passed) {
    vector_cycles <= passed ? forget_vector() : void(vector_cycles -= passed);
    transcendental_cycles <= passed ? forget_transcendental() : void(transcendental_cycles -= passed);
    scalar_cycles -= std::min(scalar_cycles, passed);
    cycles -= std::min(cycles, passed);
  }
  void issue(Kind kind, unsigned passed) {
    vector = std::min(vector + (kind == Kind::vector ? 1u : 0u), kFarVector);
    vectors_behind = std::min(vectors_behind + (kind == Kind::vector ? 1u : 0u), kFarVector);
    transcendental = std::min(transcendental + (kind == Kind::transcendental ? 1u : 0u), kFarTranscendental);
    if (vector == kFarVector) forget_vector();
    if (transcendental == kFarTranscendental) forget_transcendental();
    pass(passed);
  }
};

Kind kind_of(const Inst& inst) {
  const isa::OpcodeInfo& info = isa::info(inst.opcode);
  if (info.has(isa::kValu)) return info.has(isa::kTranscendental) ? Kind::transcendental : Kind::vector;
  return info.has(isa::kSalu) && inst.format != Format::sopp ? Kind::scalar : Kind::other;
}

/// SISchedule.td: Write32Bit, Write64Bit and so on of GFX11 and GFX12.
unsigned latency_of(const Inst& inst, Kind kind) {
  const isa::OpcodeInfo& info = isa::info(inst.opcode);
  const OperandType result = info.dst_count != 0 ? info.dst[0].type : OperandType::none;
  if (kind == Kind::scalar) return result == OperandType::f32 || result == OperandType::f16 ? 4 : 2;
  if (result == OperandType::f64 || (info.src_count != 0 && info.src[0].type == OperandType::f64)) return 38;
  if (kind == Kind::transcendental) return 10;
  switch (inst.opcode) {
    case Opcode::v_mul_lo_u32:
    case Opcode::v_mul_hi_u32:
    case Opcode::v_mul_hi_i32:
    case Opcode::v_mad_u64_u32:
    case Opcode::v_mad_i64_i32:
      return 8;
    default:
      return inst.dst[0].is_reg() && inst.dst[0].reg.is_vgpr() && inst.dst[0].dwords == 2 ? 6 : 5;
  }
}

bool is_memory_wait(Opcode opcode) {
  const std::string_view name = isa::info(opcode).name;
  return name.starts_with("s_wait") && name.ends_with("cnt");
}

struct Registers {
  std::vector<unsigned> numbers;
  void add(isa::Reg reg, unsigned dwords) {
    for (unsigned i = 0; i < dwords; ++i) numbers.push_back(reg.number + i);
  }
  void add(const isa::Operand& operand) {
    if (operand.is_reg() && operand.reg != isa::kNull) add(operand.reg, operand.dwords);
  }
  void drop_vcc() {
    std::erase_if(numbers, [](unsigned n) { return n == isa::kVcc.number || n == isa::kVcc.number + 1u; });
  }
};

bool has_register(const Inst& inst) {
  const auto is_register = [](const isa::Operand& operand) { return operand.is_reg() && operand.reg != isa::kNull; };
  return std::any_of(inst.dst.begin(), inst.dst.end(), is_register) ||
         std::any_of(inst.src.begin(), inst.src.end(), is_register);
}

/// LLVM's operands of the short encodings leave vcc out.
bool names_vcc(const Inst& inst) {
  return inst.format != Format::vop2 && inst.format != Format::vopc && inst.format != Format::dpp16 &&
         inst.format != Format::dpp8;
}

class Model {
 public:
  Model(unsigned wave_size, DelayRule rule) : mask_dwords_(wave_size / 32), rule_(rule) {}

  std::vector<uint16_t> run(std::span<const Inst> code) {
    delays_.assign(code.size(), 0);
    for (size_t i = 0; i < code.size(); ++i) step(i, code[i]);
    return delays_;
  }

 private:
  void step(size_t index, const Inst& inst) {
    const isa::OpcodeInfo& info = isa::info(inst.opcode);
    const Kind kind = kind_of(inst);
    const Registers uses = uses_of(inst);
    const bool scalar_memory = info.has(isa::kSmem);
    const bool waits_for_scalars = scalar_memory || (kind == Kind::scalar && has_register(inst));
    if (rule_.scalars_wait && waits_for_scalars) finish_vectors_that_wrote_scalars();
    const bool waits_for_vectors = inst.opcode == Opcode::s_waitcnt_depctr && (inst.simm16 >> 12 & 0xf) == 0;
    const bool waits_long = rule_.long_waits && is_memory_wait(inst.opcode);
    if (info.has(isa::kVmem | isa::kLds) || waits_for_vectors || waits_long) {
      state_.clear();
    } else if (kind != Kind::other) {
      Pending needed;
      for (unsigned number : uses.numbers) {
        const auto found = state_.find(number);
        if (found == state_.end()) continue;
        constexpr unsigned kShort = 1;
        if (!rule_.pays || found->second.cycles > kShort) needed.merge(found->second);
        needed.cycles = std::max(needed.cycles, found->second.cycles);
        state_.erase(found);
      }
      put(index, needed);
      if (rule_.stalls) {
        for (auto& [number, pending] : state_) pending.pass(needed.cycles);
      }
    }
    if (kind == Kind::vector) ++vectors_;
    if (kind != Kind::other) record(inst, kind);
    unsigned cycles = inst.opcode == Opcode::s_nop ? static_cast<unsigned>(inst.simm16) + 1 : 1;
    if (rule_.two_passes && (kind == Kind::vector || kind == Kind::transcendental)) cycles = mask_dwords_;
    for (auto& [number, pending] : state_) pending.issue(kind, cycles);
  }

  Registers uses_of(const Inst& inst) const {
    Registers uses;
    for (const isa::Operand& operand : inst.src) uses.add(operand);
    const bool pair = inst.opcode_y != Opcode::invalid;
    add_unnamed_uses(inst.opcode, inst.dst[0], pair, uses);
    if (pair) add_unnamed_uses(inst.opcode_y, inst.dst[1], pair, uses);
    if (!rule_.implicit_vcc && !names_vcc(inst)) {
      uses.drop_vcc();
    }
    return uses;
  }

  void add_unnamed_uses(Opcode opcode, const isa::Operand& result, bool pair, Registers& uses) const {
    const isa::OpcodeInfo& info = isa::info(opcode);
    if (info.has(isa::kDstIsSrc)) uses.add(result);
    if (!rule_.implicit_vcc) return;
    if (info.has(isa::kReadsVcc)) uses.add(isa::kVcc, mask_dwords_);
    for (unsigned i = 0; pair && i < info.src_count; ++i) {
      if (info.src[i].role == OperandRole::lane_mask) uses.add(isa::kVcc, mask_dwords_);
    }
  }

  void record(const Inst& inst, Kind kind) {
    const isa::OpcodeInfo& info = isa::info(inst.opcode);
    Registers defs;
    for (const isa::Operand& operand : inst.dst) defs.add(operand);
    if (!names_vcc(inst) && !rule_.implicit_vcc) {
      defs.drop_vcc();
    }
    Pending pending;
    const unsigned latency = latency_of(inst, kind);
    if (kind == Kind::vector) pending.vector = 0, pending.vector_cycles = latency;
    if (kind == Kind::transcendental) {
      pending.transcendental = 0, pending.transcendental_cycles = latency, pending.vectors_behind = 0;
    }
    if (kind == Kind::scalar) pending.scalar_cycles = std::min(latency, 4u);
    pending.cycles = latency;
    pending.unit = kind;
    pending.order = vectors_;
    const bool pair = inst.opcode_y != Opcode::invalid;
    for (unsigned number : defs.numbers) {
      state_[number] = pending;
      const bool carry = kind == Kind::vector && !pair && info.dst_count == 2 && number < isa::vgpr(0).number;
      if (carry && !rule_.slow_carry) state_[number].vector_cycles = 2;
      if (kind == Kind::vector && number < isa::vgpr(0).number) last_scalar_result_ = vectors_;
    }
  }

  void finish_vectors_that_wrote_scalars() {
    for (auto& [number, pending] : state_) {
      if (pending.unit != Kind::vector || pending.order > last_scalar_result_) continue;
      pending.forget_vector();
      pending.cycles = 0;
    }
  }

  void put(size_t index, const Pending& needed) {
    std::vector<unsigned> codes;
    if (needed.transcendental < Pending::kFarTranscendental) codes.push_back(4 + needed.transcendental);
    if (needed.vector < Pending::kFarVector && needed.vector <= needed.vectors_behind) codes.push_back(needed.vector);
    if (needed.scalar_cycles != 0 && codes.size() < 2) codes.push_back(8 + needed.scalar_cycles);
    if (codes.empty()) return;
    const size_t distance = index - open_;
    if (codes.size() == 1 && has_room_ && distance < 6) {
      delays_[open_] = static_cast<uint16_t>(delays_[open_] | distance << 4 | codes[0] << 7);
      has_room_ = false;
      return;
    }
    delays_[index] = static_cast<uint16_t>(codes[0] | (codes.size() == 2 ? codes[1] << 7 : 0u));
    has_room_ = codes.size() == 1;
    open_ = index;
  }

  const unsigned mask_dwords_;
  const DelayRule rule_;
  std::map<unsigned, Pending> state_;  ///< by register
  unsigned vectors_ = 0;               ///< vector instructions until now
  unsigned last_scalar_result_ = 0;    ///< the number of the last one that wrote an SGPR
  std::vector<uint16_t> delays_;
  bool has_room_ = false;
  size_t open_ = 0;
};

}  // namespace

std::vector<uint16_t> model_delays(std::span<const Inst> code, unsigned wave_size, DelayRule rule) {
  return Model(wave_size, rule).run(code);
}

}  // namespace spalt::hazard::test
