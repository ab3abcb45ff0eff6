// SPDX-License-Identifier: MIT
#include "amdgpu/isa/timing.h"

#include <algorithm>
#include <array>

#include "amdgpu/isa/opcode_tables.h"

namespace spalt::isa {
namespace {

/// Kinds of arithmetic that differ in cost.
enum class Arithmetic : uint8_t { plain, wide, multiply, transcendental, floating64, transcendental64, matrix, count };

/// Arithmetic of the vector unit.
struct VectorCost {
  uint8_t passes;  ///< times that the unit goes through the wave
  uint8_t latency;
};

struct TimingModel {
  uint8_t issue_interval, branch_latency;
  uint8_t lanes;  ///< of a SIMD
  std::array<VectorCost, static_cast<size_t>(Arithmetic::count)> vector;
  bool separate_transcendental;  ///< the vector unit goes on after one pass
  uint8_t scalar_latency, scalar_float_latency;
  uint16_t scalar_load_latency, scalar_miss_latency, lds_latency, load_latency, export_latency;
  uint8_t address_lanes, load_bytes, lds_bytes;  ///< that a compute unit handles in a cycle
  uint8_t filtered_texels;                       ///< likewise
  uint8_t export_lanes;                          ///< likewise
};

// The numbers of docs/cycles.md, which says where each is from. Arithmetic: plain, wide, multiply, transcendental,
// floating64, transcendental64, matrix.
constexpr TimingModel kGcn = {
    .issue_interval = 4,
    .branch_latency = 16,
    .lanes = 16,
    .vector = {{{1, 4}, {4, 16}, {4, 16}, {4, 16}, {16, 64}, {16, 64}, {16, 64}}},
    .separate_transcendental = false,
    .scalar_latency = 4,
    .scalar_float_latency = 4,
    .scalar_load_latency = 30,
    .scalar_miss_latency = 200,
    .lds_latency = 64,
    .load_latency = 320,
    .export_latency = 16,
    .address_lanes = 16,
    .load_bytes = 64,
    .lds_bytes = 128,
    .filtered_texels = 4,
    .export_lanes = 16,
};
constexpr TimingModel kRdna = {
    .issue_interval = 1,
    .branch_latency = 16,
    .lanes = 32,
    .vector = {{{1, 5}, {2, 6}, {4, 8}, {4, 10}, {16, 22}, {16, 24}, {32, 32}}},
    .separate_transcendental = true,
    .scalar_latency = 2,
    .scalar_float_latency = 4,
    .scalar_load_latency = 30,
    .scalar_miss_latency = 200,
    .lds_latency = 64,
    .load_latency = 320,
    .export_latency = 16,
    .address_lanes = 32,
    .load_bytes = 128,
    .lds_bytes = 128,
    .filtered_texels = 4,
    .export_lanes = 16,
};
constexpr TimingModel with_slow_doubles(TimingModel model) {
  model.vector[static_cast<size_t>(Arithmetic::floating64)].latency = 38;
  model.vector[static_cast<size_t>(Arithmetic::transcendental64)].latency = 40;
  return model;
}
constexpr TimingModel with_fast_matrices(TimingModel model) {
  model.vector[static_cast<size_t>(Arithmetic::matrix)] = {16, 16};
  return model;
}

const TimingModel& model_of(Generation generation) {
  static constexpr std::array<TimingModel, kGenerationCount> kModels = {
      kGcn,
      kRdna,
      kRdna,
      with_slow_doubles(kRdna),
      with_slow_doubles(kRdna),
      with_fast_matrices(with_slow_doubles(kRdna)),
  };
  return kModels[static_cast<size_t>(generation)];
}

bool is_matrix(OperandType type) {
  return type == OperandType::w64 || type == OperandType::w128 || type == OperandType::w256;
}
bool is_64_bit(OperandType type) {
  return type == OperandType::b64 || type == OperandType::i64 || type == OperandType::u64;
}

Arithmetic arithmetic_of(Opcode opcode, const OpcodeInfo& info) {
  const OperandType result = info.dst_count != 0 ? info.dst[0].type : OperandType::none;
  const OperandType source = info.src_count != 0 ? info.src[0].type : OperandType::none;
  if (is_matrix(source)) return Arithmetic::matrix;
  const bool transcendental = info.has(kTranscendental);
  if (result == OperandType::f64 || source == OperandType::f64) {
    return transcendental ? Arithmetic::transcendental64 : Arithmetic::floating64;
  }
  if (transcendental) return Arithmetic::transcendental;
  switch (opcode) {
    case Opcode::v_mul_lo_u32:
    case Opcode::v_mul_hi_u32:
    case Opcode::v_mul_hi_i32:
    case Opcode::v_mad_u64_u32:
    case Opcode::v_mad_i64_i32:
      return Arithmetic::multiply;
    default:
      return is_64_bit(result) ? Arithmetic::wide : Arithmetic::plain;
  }
}

unsigned divide_up(unsigned a, unsigned b) {
  return (a + b - 1) / b;
}

/// The second resource of an image instruction.
bool takes_sampler(const OpcodeInfo& info) {
  const auto* end = info.src + info.src_count;
  const auto resources =
      std::count_if(info.src, end, [](const OperandSlot& slot) { return slot.role == OperandRole::sreg; });
  return resources == 2 && info.image_args != kImageOnlyLod;
}

Cost vector_cost(const TimingModel& model, unsigned wave_size, Opcode opcode, const OpcodeInfo& info) {
  const Arithmetic kind = arithmetic_of(opcode, info);
  const VectorCost& vector = model.vector[static_cast<size_t>(kind)];
  // A matrix instruction does the same work whatever the wave.
  const unsigned halves = kind == Arithmetic::matrix ? 1 : divide_up(wave_size, model.lanes);
  const unsigned cycles = vector.passes * halves;
  if (kind == Arithmetic::transcendental && model.separate_transcendental) {
    return {Unit::vector, static_cast<uint16_t>(halves), static_cast<uint16_t>(cycles), vector.latency};
  }
  return {Unit::vector, static_cast<uint16_t>(cycles), 0, vector.latency};
}

Cost vector_memory_cost(const TimingModel& model, unsigned wave_size, const OpcodeInfo& info, AccessFacts access) {
  const unsigned addresses = divide_up(wave_size, takes_sampler(info) ? model.filtered_texels : model.address_lanes);
  const unsigned data = divide_up(wave_size * access.dwords * 4, model.load_bytes);
  return {Unit::vector_memory, static_cast<uint16_t>(std::max(addresses, data)), 0, model.load_latency};
}

Cost lds_cost(const TimingModel& model, unsigned wave_size, AccessFacts access) {
  return {Unit::lds, static_cast<uint16_t>(divide_up(wave_size * access.dwords * 4, model.lds_bytes)), 0,
          model.lds_latency};
}

/// Branches, waits, messages and the like, which the sequencer keeps for itself.
bool is_sequenced(const Target& target, Opcode opcode) {
  switch (opcode) {
    case Opcode::s_waitcnt_vscnt:
    case Opcode::s_waitcnt_vmcnt:
    case Opcode::s_waitcnt_expcnt:
    case Opcode::s_waitcnt_lgkmcnt:
      return true;
    default: {
      const auto encodings = opcode_encodings(opcode, target.generation);
      return !encodings.empty() && encodings[0].format == Format::sopp;
    }
  }
}

}  // namespace

Cost cost_of(const Target& target, unsigned wave_size, Opcode opcode, AccessFacts access) {
  const TimingModel& model = model_of(target.generation);
  const OpcodeInfo& info = isa::info(opcode);
  if (info.has(kSmem)) {
    return {Unit::scalar_memory, 1, 0, access.likely_cached ? model.scalar_load_latency : model.scalar_miss_latency};
  }
  if (info.has(kVmem)) return vector_memory_cost(model, wave_size, info, access);
  if (info.has(kLds)) return lds_cost(model, wave_size, access);
  if (opcode == Opcode::exp) {
    return {Unit::exports, static_cast<uint16_t>(divide_up(wave_size, model.export_lanes)), 0, model.export_latency};
  }
  if (opcode == Opcode::lds_param_load || opcode == Opcode::lds_direct_load) {
    return {Unit::lds, static_cast<uint16_t>(divide_up(wave_size * 4, model.lds_bytes)), 0, model.lds_latency};
  }
  if (info.has(kValu)) return vector_cost(model, wave_size, opcode, info);
  if (info.has(kSalu) && !is_sequenced(target, opcode)) {
    const bool is_float =
        info.dst_count != 0 && (info.dst[0].type == OperandType::f32 || info.dst[0].type == OperandType::f16);
    return {Unit::scalar, model.issue_interval, 0, is_float ? model.scalar_float_latency : model.scalar_latency};
  }
  return {Unit::sequencer, model.issue_interval, 0, 0};
}

unsigned issue_interval(const Target& target) {
  return model_of(target.generation).issue_interval;
}

unsigned branch_latency(const Target& target) {
  return model_of(target.generation).branch_latency;
}

}  // namespace spalt::isa
