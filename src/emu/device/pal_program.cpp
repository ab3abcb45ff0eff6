// SPDX-License-Identifier: MIT
#include "emu/device/pal_program.h"

#include <algorithm>

#include "amdgpu/abi/compute_interface.h"
#include "emu/device/driver_tables.h"
#include "emu/launch/runner.h"

namespace spalt::emu {
namespace {

Error bad(Status status, std::string message) {
  return {status, std::move(message)};
}

/// Everything that the rest relies on; metadata is not trusted.
Result<const isa::Target*> check(const object::StageObject& shader) {
  const isa::Target* target = isa::find_target(shader.target_name);
  // Some targets are known to the instruction tables alone.
  if (target == nullptr || !target->executes) {
    return bad(Status::unsupported, "the target \"" + shader.target_name + "\" is not executed");
  }
  if (shader.wave_size != 32 && shader.wave_size != 64) {
    return bad(Status::invalid_input, "the wave size is neither 32 nor 64");
  }
  if (shader.wave_size == 32 && !target->has_wave32) {
    return bad(Status::invalid_input, std::string(target->name) + " has no waves of 32 lanes");
  }
  if (Result<void> done = check_group_size(shader.threadgroup_dims); !done) return done.error();
  if (shader.vgpr_count > target->vgpr_limit) return bad(Status::invalid_input, "too many vector registers");
  const uint32_t invocations = shader.threadgroup_dims[0] * shader.threadgroup_dims[1] * shader.threadgroup_dims[2];
  if (shader.vgpr_count > target->vgprs_in_workgroup(shader.wave_size, invocations, shader.wgp_mode)) {
    return bad(Status::invalid_input, "the waves of a workgroup need more vector registers than a compute unit has");
  }
  if (shader.lds_bytes > target->lds_bytes_per_workgroup) return bad(Status::invalid_input, "too much LDS");
  if (shader.user_sgprs > abi::kMaxComputeUserSgprs) return bad(Status::invalid_input, "too many user SGPRs");
  if (shader.tidig_comp_cnt > 2) return bad(Status::invalid_input, "too many local id components");
  if (shader.entry_offset >= shader.code.size()) return bad(Status::invalid_input, "the entry point leaves the code");
  return target;
}

/// The hardware writes at least the x id.
unsigned vgpr_count(const object::StageObject& shader) {
  return std::max(shader.vgpr_count, shader.tidig_comp_cnt + 1);
}

ComputeState describe(const object::StageObject& shader, const isa::Target& target, uint32_t entry_step) {
  ComputeState state;
  state.entry_step = entry_step;
  state.wave_size = shader.wave_size;
  state.group_size = shader.threadgroup_dims;
  state.mode_bits = shader.float_mode | (shader.dx10_clamp ? 1u << 8 : 0u) | (shader.ieee_mode ? 1u << 9 : 0u);
  state.flat_scratch_is_set = target.architected_flat_scratch;
  state.user_sgpr_count = shader.user_sgprs;
  state.group_id_enabled = {shader.tgid_x_en, shader.tgid_y_en, shader.tgid_z_en};
  state.group_info_enabled = shader.tg_size_en;
  state.scratch_offset_enabled = shader.scratch_en && !target.architected_flat_scratch;
  state.local_id_components = shader.tidig_comp_cnt + 1;
  state.local_ids_packed = target.packed_work_item_ids;
  state.group_ids_in_ttmp = target.work_group_ids_in_ttmp;
  return state;
}

}  // namespace

Result<std::shared_ptr<const PalProgram>> PalProgram::load(std::shared_ptr<AddressSpace> space,
                                                           object::StageObject shader, uint64_t address,
                                                           std::string name) {
  const Result<const isa::Target*> target = check(shader);
  if (!target) return target.error();
  const std::shared_ptr<PalProgram> program(new PalProgram);
  program->shader_ = std::make_shared<const object::StageObject>(std::move(shader));
  const object::StageObject& facts = program->shader();
  Result<void> mapped = program->code_.map(std::move(space), address, facts.code, program->shader_, std::move(name));
  if (!mapped) return mapped.error();
  program->program_ =
      std::make_shared<const Program>(facts.code, program->address(), **target, facts.wave_size, vgpr_count(facts));
  const uint32_t entry = program->program_->step_at(facts.entry_offset);
  if (entry == Program::kNoStep) return bad(Status::invalid_input, "no instruction starts at the entry point");
  program->state_ = describe(facts, **target, entry);
  return std::shared_ptr<const PalProgram>(program);
}

Launch PalProgram::launch() const {
  Launch launch;
  launch.program = program_;
  launch.wave_size = shader_->wave_size;
  launch.vgpr_count = vgpr_count(*shader_);
  launch.waves_per_group = state_.waves_per_group();
  launch.lds_bytes = shader_->lds_bytes;
  launch.wgp_mode = shader_->wgp_mode;
  launch.scratch_bytes_per_wave = scratch_bytes_per_wave(shader_->scratch_bytes_per_lane, shader_->wave_size);
  return launch;
}

std::vector<UserSgpr> PalProgram::user_sgprs(std::span<const uint32_t> entries, const TableAddresses& tables) const {
  std::vector<UserSgpr> sgprs;
  bool high_half_next = false;
  for (unsigned i = 0; i < shader_->user_sgprs && i < object::kUserDataRegisters; ++i) {
    const uint32_t source = shader_->user_data_reg_map[i];
    if (high_half_next) {
      sgprs.push_back({i, static_cast<uint32_t>(tables.grid_dimensions() >> 32)});
      high_half_next = false;
      continue;
    }
    switch (source) {
      case abi::kGlobalTable:
        sgprs.push_back({i, static_cast<uint32_t>(tables.global_table())});
        break;
      case abi::kSpillTable:
        sgprs.push_back({i, static_cast<uint32_t>(tables.spill_table())});
        break;
      case abi::kWorkgroup:
        sgprs.push_back({i, static_cast<uint32_t>(tables.grid_dimensions())});
        high_half_next = true;
        break;
      default:
        if (source < object::kUserDataEntryLimit) sgprs.push_back({i, source < entries.size() ? entries[source] : 0});
    }
  }
  return sgprs;
}

}  // namespace spalt::emu
