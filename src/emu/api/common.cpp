// SPDX-License-Identifier: MIT
#include "emu/api/common.h"

namespace spalt::emu {

// The lists of the public header and of the emulator are the same.
static_assert(static_cast<int>(FaultKind::unmapped) == SPALT_FAULT_UNMAPPED);
static_assert(static_cast<int>(FaultKind::read_only) == SPALT_FAULT_READ_ONLY);
static_assert(static_cast<int>(FaultKind::misaligned) == SPALT_FAULT_MISALIGNED);
static_assert(static_cast<int>(FaultKind::scratch_bounds) == SPALT_FAULT_SCRATCH_BOUNDS);
static_assert(static_cast<int>(FaultKind::lds_bounds) == SPALT_FAULT_LDS_BOUNDS);
static_assert(static_cast<int>(FaultKind::invalid_instruction) == SPALT_FAULT_INVALID_INSTRUCTION);
static_assert(static_cast<int>(FaultKind::invalid_jump) == SPALT_FAULT_INVALID_JUMP);
static_assert(static_cast<int>(FaultKind::register_bounds) == SPALT_FAULT_REGISTER_BOUNDS);
static_assert(static_cast<int>(FaultKind::missing_wait) == SPALT_FAULT_MISSING_WAIT);
static_assert(static_cast<int>(FaultKind::hazard) == SPALT_FAULT_HAZARD);
static_assert(static_cast<int>(FaultKind::barrier) == SPALT_FAULT_BARRIER);
static_assert(static_cast<int>(FaultKind::never_ends) == SPALT_FAULT_NEVER_ENDS);
static_assert(static_cast<int>(FaultKind::graphics) == SPALT_FAULT_GRAPHICS);
static_assert(static_cast<int>(AccessKind::load) == SPALT_ACCESS_LOAD);
static_assert(static_cast<int>(AccessKind::store) == SPALT_ACCESS_STORE);
static_assert(static_cast<int>(AccessKind::atomic) == SPALT_ACCESS_ATOMIC);

spalt_counters counters_of(const Statistics& statistics) {
  const auto count = [&statistics](StepClass c) { return statistics.executed[static_cast<size_t>(c)]; };
  spalt_counters value{};
  for (const uint64_t n : statistics.executed) value.instructions += n;
  value.salu = count(StepClass::salu);
  value.valu = count(StepClass::valu);
  value.smem = count(StepClass::smem);
  value.vmem_loads = count(StepClass::vmem_load);
  value.vmem_stores = count(StepClass::vmem_store);
  value.vmem_atomics = count(StepClass::vmem_atomic);
  value.lds = count(StepClass::lds);
  value.branches = count(StepClass::branch);
  value.other = count(StepClass::message) + count(StepClass::other);
  value.lane_operations = statistics.lane_operations;
  value.invocations = statistics.invocations;
  return value;
}

spalt_program_info program_info_of(const PalProgram& program) {
  const object::StageObject& shader = program.shader();
  spalt_program_info value{};
  value.target = shader.target_name.c_str();
  value.address = program.address();
  value.code_bytes = shader.code.size();
  value.wave_size = shader.wave_size;
  std::copy(shader.threadgroup_dims.begin(), shader.threadgroup_dims.end(), value.workgroup_size);
  value.vgprs = shader.vgpr_count;
  value.sgprs = shader.sgpr_count;
  value.lds_bytes = shader.lds_bytes;
  value.scratch_bytes = shader.scratch_bytes_per_lane;
  value.user_data_entries = shader.user_data_limit;
  return value;
}

spalt_result result_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::none:
      return SPALT_SUCCESS;
    case FaultKind::stopped:
      return SPALT_STOPPED;
    case FaultKind::cancelled:
      return SPALT_ERROR_CANCELLED;
    default:
      return SPALT_ERROR_EXECUTION;
  }
}

spalt_program_info program_info_of(const GraphicsProgram& program) {
  const object::StageObject& vertex = program.vertex().object();
  spalt_program_info value{};
  value.target = program.target().name;
  value.address = program.address();
  value.code_bytes = program.object().code.size();
  value.wave_size = vertex.wave_size;
  value.vgprs = vertex.vgpr_count;
  value.sgprs = vertex.sgpr_count;
  value.lds_bytes = vertex.lds_bytes;
  value.scratch_bytes = vertex.scratch_bytes_per_lane;
  if (program.pixel() != nullptr) {
    const object::StageObject& pixel = program.pixel()->object();
    value.pixel_wave_size = pixel.wave_size;
    value.pixel_vgprs = pixel.vgpr_count;
    value.pixel_sgprs = pixel.sgpr_count;
    value.pixel_scratch_bytes = pixel.scratch_bytes_per_lane;
  }
  value.user_data_entries = program.user_data_limit();
  value.graphics = 1;
  return value;
}

spalt_fault fault_of(const Fault& fault) {
  spalt_fault value{};
  value.lane = SPALT_FAULT_NO_LANE;
  if (!is_fault(fault.kind)) return value;
  value.kind = static_cast<uint32_t>(fault.kind);
  value.access = static_cast<uint32_t>(fault.access);
  value.address = fault.address;
  value.access_size = fault.bytes;
  std::copy(fault.workgroup.begin(), fault.workgroup.end(), value.workgroup);
  value.wave = fault.wave;
  if (fault.lane != Fault::kNoLane) value.lane = static_cast<uint32_t>(fault.lane);
  value.pc = fault.pc;
  value.code_address = fault.code;
  value.mapping_address = fault.mapping_base;
  value.mapping_size = fault.mapping_bytes;
  copy_text(value.mapping, fault.mapping);
  copy_text(value.instruction, fault.assembly);
  copy_text(value.message, fault.message());
  copy_text(value.stage, fault.stage != nullptr ? fault.stage : "");
  value.draw = fault.draw;
  return value;
}

}  // namespace spalt::emu
