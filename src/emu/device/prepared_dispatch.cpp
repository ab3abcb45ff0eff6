// SPDX-License-Identifier: MIT
#include "emu/device/prepared_dispatch.h"

#include <algorithm>

#include "emu/launch/runner.h"

namespace spalt::emu {
namespace {

constexpr uint64_t window_of(uint64_t address) {
  return address >> 32;
}

/// Workgroup ids are 32-bit numbers; where they lie in halves of a register, those of y and z have 16 bits.
Result<void> check_ids(const PalDispatch& dispatch) {
  for (size_t c = 0; c < 3; ++c) {
    const bool halved = c != 0 && dispatch.program->target().work_group_ids_in_ttmp;
    const uint64_t limit = uint64_t{1} << (halved ? 16 : 32);
    if (uint64_t{dispatch.first_group[c]} + dispatch.group_count[c] > limit) {
      return Error{Status::limit_exceeded, "a workgroup id has more bits than the processor gives it"};
    }
  }
  return {};
}

}  // namespace

Result<void> PreparedDispatch::check(const PalDispatch& dispatch, const AddressSpace& space,
                                     const TableAddresses& tables) {
  const PalProgram& program = *dispatch.program;
  if (!program.in_space(&space)) {
    return Error{Status::invalid_argument, "the program is not in the address space of the device"};
  }
  if (window_of(program.address()) != window_of(tables.global_table())) {
    return Error{Status::invalid_argument, "the program and the tables of the device lie in different 4 GiB windows"};
  }
  if (dispatch.user_data.size() > object::kUserDataEntryLimit) {
    return Error{Status::invalid_argument, "more user data than there are entries"};
  }
  if (const Result<uint64_t> groups = count_groups(dispatch.group_count); !groups) return groups.error();
  return check_ids(dispatch);
}

ComputeState PreparedDispatch::state_of(const PalDispatch& dispatch, const TableAddresses& tables,
                                        uint64_t scratch_address) {
  ComputeState state = dispatch.program->state();
  state.group_count = dispatch.group_count;
  state.first_group = dispatch.first_group;
  for (size_t c = 0; c < 3; ++c) state.grid_items[c] = uint64_t{dispatch.group_count[c]} * state.group_size[c];
  state.user_sgprs = dispatch.program->user_sgprs(dispatch.user_data, tables);
  state.scratch_ring = scratch_address;
  return state;
}

PreparedDispatch::PreparedDispatch(const PalDispatch& dispatch, const TableAddresses& tables, uint64_t scratch_address)
    : addresses_(tables),
      state_(state_of(dispatch, tables, scratch_address)),
      initializer_(state_),
      launch_(dispatch.program->launch()) {
  launch_.initializer = &initializer_;
  launch_.groups = *count_groups(dispatch.group_count);
  launch_.step_limit = dispatch.step_limit;
  launch_.group_step_limit = dispatch.group_step_limit;
  launch_.border_colors = dispatch.border_colors;
  launch_.observer = dispatch.observer;

  const bool has_scratch = launch_.scratch_bytes_per_wave != 0;
  const BufferDescriptor ring = scratch_descriptor(scratch_address, kMaxScratchBytes);
  tables_.set_slot(kComputeScratchSlot, has_scratch ? &ring : nullptr, dispatch.program->target());
  tables_.set_user_data(dispatch.user_data, dispatch.program->shader().user_data_limit);
  tables_.set_grid(dispatch.group_count);
}

}  // namespace spalt::emu
