// SPDX-License-Identifier: MIT
// The public C API's estimates of what code costs.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "amdgpu/estimate/estimate.h"
#include "amdgpu/isa/codec/codec.h"
#include "base/ice.h"
#include "driver/api_support.h"
#include "driver/disassemble.h"
#include "driver/find_programs.h"
#include "spalt/estimate.h"

using namespace spalt;
using namespace spalt::api;
using namespace spalt::driver;

namespace {

static_assert(SPALT_UNIT_COUNT == isa::kUnitCount && SPALT_STALL_COUNT == estimate::kStallCount);
static_assert(SPALT_UNIT_EXPORT == static_cast<int>(isa::Unit::exports));
static_assert(SPALT_STALL_MEMORY == static_cast<int>(estimate::Stall::memory));

struct Program {
  FoundProgram found;
  estimate::Code code;
  estimate::Estimate estimate;
};

}  // namespace

struct spalt_estimate {
  std::vector<Program> programs;
  std::string message, text;
};

namespace {

Result<std::vector<FoundProgram>> read_programs(const spalt_estimate_info& info) {
  const auto* bytes = static_cast<const uint8_t*>(info.code);
  if (info.target == nullptr) return find_programs({bytes, info.size}, info.wave_size);
  FoundProgram program;
  program.target = isa::find_target(info.target);
  if (program.target == nullptr) {
    return Error{Status::unsupported, std::string("the target ") + info.target + " is not supported"};
  }
  if (info.size % 4 != 0) return Error{Status::invalid_input, "the code is not a whole number of dwords"};
  program.words.resize(info.size / 4);
  if (info.size != 0) std::memcpy(program.words.data(), bytes, info.size);
  program.resources.wave_size = info.wave_size != 0 ? info.wave_size : default_wave_size(*program.target);
  program.resources.invocations = program.resources.wave_size;
  return std::vector<FoundProgram>{std::move(program)};
}

/// What the caller says replaces what the file says.
void override_resources(const spalt_estimate_info& info, isa::WaveResources& resources) {
  if (info.vgprs != 0) resources.vgprs = info.vgprs;
  if (info.sgprs != 0) resources.sgprs = info.sgprs;
  if (info.lds_bytes != 0) resources.lds_bytes = info.lds_bytes;
  if (info.invocations != 0) resources.invocations = info.invocations;
}

std::string with_name(const FoundProgram& program, const std::string& message) {
  return program.name.empty() ? message : program.name + ": " + message;
}

Result<void> check_resources(const FoundProgram& program) {
  const isa::WaveResources& resources = program.resources;
  if (resources.wave_size == 32 && !program.target->has_wave32) {
    return Error{Status::invalid_argument, "the target has no waves of 32 lanes"};
  }
  if (resources.vgprs > program.target->vgpr_limit || resources.sgprs > program.target->sgpr_count) {
    return Error{Status::invalid_argument, "a wave of the target cannot have so many registers"};
  }
  if (resources.lds_bytes > program.target->lds_bytes_per_workgroup) {
    return Error{Status::invalid_argument, "a workgroup of the target cannot have so much LDS"};
  }
  return {};
}

spalt_result run(const spalt_estimate_info& info, spalt_estimate& handle) {
  Result<std::vector<FoundProgram>> programs = read_programs(info);
  if (!programs) {
    handle.message = programs.error().message;
    return to_result(programs.error().status);
  }
  for (FoundProgram& found : *programs) {
    override_resources(info, found.resources);
    if (const Result<void> fits = check_resources(found); !fits) {
      handle.message = with_name(found, fits.error().message);
      return to_result(fits.error().status);
    }
    Result<estimate::Code> code = estimate::read_code(found.words, *found.target, found.resources.wave_size);
    if (!code) {
      handle.message = with_name(found, code.error().message);
      return to_result(code.error().status);
    }
    found.words.clear();
    handle.programs.push_back({std::move(found), std::move(*code), {}});
    Program& program = handle.programs.back();
    program.estimate = estimate::estimate(program.code, program.found.resources, info.ignore_counts == 0);
  }
  return SPALT_SUCCESS;
}

const Program* find_program(const spalt_estimate* handle, size_t program) {
  return handle != nullptr && program < handle->programs.size() ? &handle->programs[program] : nullptr;
}

template <class T, size_t count>
void copy(const std::array<T, count>& from, T (&to)[count]) {
  std::copy(from.begin(), from.end(), to);
}

}  // namespace

const char* spalt_unit_name(spalt_unit unit) {
  static constexpr const char* kNames[] = {"sequencer",     "scalar",        "vector", "transcendental",
                                           "scalar memory", "vector memory", "lds",    "export"};
  return static_cast<size_t>(unit) < std::size(kNames) ? kNames[unit] : "";
}

const char* spalt_stall_name(spalt_stall stall) {
  static constexpr const char* kNames[] = {"none", "result", "unit", "memory"};
  return static_cast<size_t>(stall) < std::size(kNames) ? kNames[stall] : "";
}

spalt_result spalt_estimate_code(const spalt_estimate_info* given, spalt_estimate** estimate) {
  if (estimate == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  *estimate = nullptr;
  if (!is_given(given)) return SPALT_ERROR_INVALID_ARGUMENT;
  const spalt_estimate_info info = read_struct(given);
  if (info.code == nullptr && info.size != 0) return SPALT_ERROR_INVALID_ARGUMENT;
  if (info.wave_size != 0 && info.wave_size != 32 && info.wave_size != 64) return SPALT_ERROR_INVALID_ARGUMENT;
  const spalt_result result = guarded([&] {
    *estimate = new spalt_estimate;
    return run(info, **estimate);
  });
  if (result != SPALT_ERROR_OUT_OF_MEMORY) return result;
  spalt_estimate_destroy(*estimate);
  *estimate = nullptr;
  return result;
}

void spalt_estimate_destroy(spalt_estimate* estimate) {
  delete estimate;
}

const char* spalt_estimate_message(const spalt_estimate* estimate) {
  return estimate != nullptr ? estimate->message.c_str() : "";
}

size_t spalt_estimate_program_count(const spalt_estimate* estimate) {
  return estimate != nullptr ? estimate->programs.size() : 0;
}

spalt_result spalt_estimate_get_program(const spalt_estimate* estimate, size_t index, spalt_estimated_program* out) {
  const Program* program = find_program(estimate, index);
  if (program == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  const estimate::Estimate& found = program->estimate;
  const isa::WaveResources& resources = program->found.resources;
  spalt_estimated_program value{};
  value.name = program->found.name.c_str();
  value.target = program->found.target->name;
  value.wave_size = resources.wave_size;
  value.vgprs = found.vgprs;
  value.sgprs = found.sgprs;
  value.lds_bytes = resources.lds_bytes;
  value.invocations = resources.invocations;
  value.waves = found.waves;
  value.instructions = found.instructions;
  value.issuing = found.issuing;
  value.latency = found.latency;
  copy(found.stalls, value.stalls);
  copy(found.busy, value.busy);
  value.throughput = found.throughput;
  const uint32_t waves_per_group = (resources.invocations + resources.wave_size - 1) / resources.wave_size;
  value.throughput_per_64 = found.throughput * waves_per_group * 64 / std::max(resources.invocations, 1u);
  value.bound = static_cast<uint32_t>(found.bound);
  value.block_count = static_cast<uint32_t>(program->code.blocks.size());
  value.instruction_count = static_cast<uint32_t>(program->code.insts.size());
  value.loop_count = found.loops;
  value.counted_loop_count = found.counted_loops;
  return write_struct(value, out);
}

spalt_result spalt_estimate_get_block(const spalt_estimate* estimate, size_t index, size_t number,
                                      spalt_estimated_block* out) {
  const Program* program = find_program(estimate, index);
  if (program == nullptr || number >= program->code.blocks.size()) return SPALT_ERROR_INVALID_ARGUMENT;
  const estimate::Block& block = program->code.blocks[number];
  const estimate::BlockEstimate& found = program->estimate.blocks[number];
  spalt_estimated_block value{};
  value.first_instruction = block.first;
  value.instruction_count = block.count;
  value.address = program->code.addresses[block.first];
  value.loop_depth = found.loop_depth;
  value.times = found.times;
  value.times_taken = found.times_taken;
  value.next_block = block.next;
  value.target_block = block.target;
  value.branch_cycles = isa::branch_latency(*program->found.target);
  value.cycles = found.once.cycles;
  value.issuing = found.once.issuing;
  copy(found.once.stalls, value.stalls);
  copy(found.once.busy, value.busy);
  return write_struct(value, out);
}

spalt_result spalt_estimate_get_instruction(spalt_estimate* estimate, size_t index, size_t number,
                                            spalt_estimated_instruction* out) {
  const Program* program = find_program(estimate, index);
  if (program == nullptr || number >= program->code.insts.size()) return SPALT_ERROR_INVALID_ARGUMENT;
  return guarded([&] {
    const estimate::Issue& issue = program->estimate.issues[number];
    estimate->text = isa::to_text(program->code.insts[number], *program->found.target);
    spalt_estimated_instruction value{};
    value.text = estimate->text.c_str();
    value.address = program->code.addresses[number];
    value.cycle = issue.cycle;
    value.stalled = issue.stalled;
    value.stall = static_cast<uint32_t>(issue.stall);
    value.unit = static_cast<uint32_t>(issue.unit);
    value.live_vgprs = program->estimate.pressure[number].vgprs;
    value.live_sgprs = program->estimate.pressure[number].sgprs;
    return write_struct(value, out);
  });
}
