// SPDX-License-Identifier: MIT
#include "emu/launch/dispatch.h"

#include <algorithm>
#include <optional>

#include "emu/launch/address_space.h"
#include "emu/launch/workgroup.h"

namespace spalt::emu {
namespace {

Error bad(Status status, std::string message) {
  return {status, std::move(message)};
}

/// Everything that the rest relies on; metadata is not trusted.
Result<const isa::Target*> check(const object::ShaderObject& shader, const DispatchInfo& info) {
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
  if (info.user_data.size() > object::kUserDataEntryLimit) {
    return bad(Status::invalid_argument, "more user data than there are entries");
  }
  return target;
}

std::vector<UserSgpr> user_sgprs_of(const object::ShaderObject& shader, const AddressSpace& space) {
  std::vector<UserSgpr> sgprs;
  bool high_half_next = false;
  for (unsigned i = 0; i < shader.user_sgprs && i < object::kUserDataRegisters; ++i) {
    const uint32_t source = shader.user_data_reg_map[i];
    if (high_half_next) {
      sgprs.push_back({i, static_cast<uint32_t>(space.grid_dimensions() >> 32)});
      high_half_next = false;
      continue;
    }
    switch (source) {
      case abi::kGlobalTable:
        sgprs.push_back({i, static_cast<uint32_t>(space.global_table())});
        break;
      case abi::kSpillTable:
        sgprs.push_back({i, static_cast<uint32_t>(space.spill_table())});
        break;
      case abi::kWorkgroup:
        sgprs.push_back({i, static_cast<uint32_t>(space.grid_dimensions())});
        high_half_next = true;
        break;
      default:
        if (source < object::kUserDataEntryLimit) sgprs.push_back({i, space.entry(source)});
    }
  }
  return sgprs;
}

/// All that does not depend on guest memory.
Launch describe_launch(const object::ShaderObject& shader, const DispatchInfo& info, const isa::Target& target) {
  Launch launch;
  launch.wave_size = shader.wave_size;
  // The hardware writes at least the x id.
  launch.vgpr_count = std::max(shader.vgpr_count, shader.tidig_comp_cnt + 1);
  launch.group_size = shader.threadgroup_dims;
  launch.group_count = info.grid;
  for (size_t c = 0; c < 3; ++c) launch.grid_items[c] = uint64_t{info.grid[c]} * launch.group_size[c];
  launch.mode_bits = shader.float_mode | (shader.dx10_clamp ? 1u << 8 : 0u) | (shader.ieee_mode ? 1u << 9 : 0u);
  launch.lds_bytes = shader.lds_bytes;
  launch.wgp_mode = shader.wgp_mode;
  launch.scratch_bytes_per_wave = scratch_bytes_per_wave(shader.scratch_bytes_per_lane, shader.wave_size);
  launch.flat_scratch_is_set = target.architected_flat_scratch;
  launch.user_sgpr_count = shader.user_sgprs;
  launch.group_id_enabled = {shader.tgid_x_en, shader.tgid_y_en, shader.tgid_z_en};
  launch.group_info_enabled = shader.tg_size_en;
  launch.scratch_offset_enabled = shader.scratch_en && !target.architected_flat_scratch;
  launch.local_id_components = shader.tidig_comp_cnt + 1;
  launch.local_ids_packed = target.packed_work_item_ids;
  launch.group_ids_in_ttmp = target.work_group_ids_in_ttmp;
  return launch;
}

}  // namespace

Result<DispatchOutcome> run_dispatch(const object::ShaderObject& shader, const DispatchInfo& info) {
  const Result<const isa::Target*> target = check(shader, info);
  if (!target) return target.error();
  const Result<uint64_t> groups = count_groups(info.grid);
  if (!groups) return groups.error();
  Launch launch = describe_launch(shader, info, **target);
  const unsigned threads = groups_at_a_time(info.threads, *groups, info.observer, info.hierarchy);
  launch.observer = info.observer;
  const Result<uint64_t> scratch = scratch_ring_bytes(launch, threads);
  if (!scratch) return scratch.error();

  const Result<AddressSpace> space = AddressSpace::build(shader, info, *scratch);
  if (!space) return space.error();
  const Program program(shader.code, space->code(), **target, shader.wave_size, launch.vgpr_count);
  launch.program = &program;
  launch.memory = &space->memory();
  launch.entry_step = program.step_at(shader.entry_offset);
  launch.scratch_ring = space->scratch_ring();
  launch.scratch_ring_bytes = *scratch;
  launch.user_sgprs = user_sgprs_of(shader, *space);
  if (launch.entry_step == Program::kNoStep) {
    return bad(Status::invalid_input, "no instruction starts at the entry point");
  }
  std::optional<MemoryHierarchy> hierarchy;
  if (info.hierarchy.enabled) launch.hierarchy = &hierarchy.emplace(space->memory(), **target, info.hierarchy);
  return run_grid(launch, threads, info.step_limit);
}

}  // namespace spalt::emu
