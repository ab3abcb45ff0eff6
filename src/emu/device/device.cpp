// SPDX-License-Identifier: MIT
#include "emu/device/device.h"

#include <algorithm>
#include <optional>

#include "base/float_environment.h"

namespace spalt::emu {
namespace {

// What is not written yet holds this, so that no run depends on zeros that hardware does not give.
constexpr uint8_t kJunk = 0xcd;

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

/// The driver describes wave64; wave32 code clears a bit of the index stride (docs/abi/pal.md, "Scratch").
BufferDescriptor scratch_descriptor(uint64_t base, uint64_t bytes) {
  BufferDescriptor ring;
  ring.base = base;
  ring.num_records = static_cast<uint32_t>(std::min<uint64_t>(bytes, 0xffffffffu));
  ring.swizzle = ring.add_tid = true;
  ring.index_stride = 64;
  ring.oob_select = kOobEmpty;
  return ring;
}

}  // namespace

Result<std::unique_ptr<Device>> Device::create(const std::shared_ptr<AddressSpace>& space, unsigned threads,
                                               uint64_t tables) {
  std::unique_ptr<Device> device(new Device(space, std::clamp(threads, 1u, kMaxHostThreads)));
  if (Result<void> done = device->tables_.reserve(space, tables); !done) return done.error();
  const Result<uint64_t> scratch = space->reserve_anywhere(Area::scratch, kMaxScratchBytes, "the scratch of a device");
  if (!scratch) return scratch.error();
  device->scratch_address_ = *scratch;
  return device;
}

Device::~Device() {
  if (scratch_address_ != 0) space_->release(scratch_address_);
}

Result<RunOutcome> Device::dispatch(const PalDispatch& dispatch) {
  const PalProgram& program = *dispatch.program;
  const object::StageObject& shader = program.shader();
  if (!program.in_space(space_.get())) {
    return Error{Status::invalid_argument, "the program is not in the address space of the device"};
  }
  if (window_of(program.address()) != window_of(tables_.global_table())) {
    return Error{Status::invalid_argument, "the program and the tables of the device lie in different 4 GiB windows"};
  }
  if (dispatch.user_data.size() > object::kUserDataEntryLimit) {
    return Error{Status::invalid_argument, "more user data than there are entries"};
  }
  const Result<uint64_t> groups = count_groups(dispatch.group_count);
  if (!groups) return groups.error();
  if (Result<void> done = check_ids(dispatch); !done) return done.error();

  const std::lock_guard lock(running_);
  ComputeState state = program.state();
  state.group_count = dispatch.group_count;
  state.first_group = dispatch.first_group;
  for (size_t c = 0; c < 3; ++c) state.grid_items[c] = uint64_t{dispatch.group_count[c]} * state.group_size[c];
  state.user_sgprs = program.user_sgprs(dispatch.user_data, tables_);
  state.scratch_ring = scratch_address_;
  const ComputeInitializer initializer(state);

  Launch launch = program.launch();
  launch.initializer = &initializer;
  launch.groups = *groups;
  launch.step_limit = dispatch.step_limit;
  launch.observer = dispatch.observer;

  const bool has_scratch = launch.scratch_bytes_per_wave != 0;
  const BufferDescriptor ring = scratch_descriptor(scratch_address_, kMaxScratchBytes);
  tables_.set_scratch(has_scratch ? &ring : nullptr, program.target());
  tables_.set_user_data(dispatch.user_data, shader.user_data_limit);
  tables_.set_grid(dispatch.group_count);
  Memory memory(space_->snapshot());
  if (Result<void> done = tables_.add_to(memory); !done) return done.error();
  return run_in(memory, launch, dispatch.hierarchy);
}

Result<RunOutcome> Device::run(Launch launch, const HierarchySettings& hierarchy) {
  const std::lock_guard lock(running_);
  Memory memory(space_->snapshot());
  return run_in(memory, launch, hierarchy);
}

Result<RunOutcome> Device::run_in(Memory& memory, Launch& launch, const HierarchySettings& hierarchy) {
  const unsigned at_a_time = groups_at_a_time(threads(), launch.groups, launch.observer, hierarchy);
  const uint64_t scratch = launch.scratch_bytes_per_wave * launch.waves_per_group * at_a_time;
  if (scratch > kMaxScratchBytes) {
    return Error{Status::limit_exceeded, "the scratch memory of all waves is too large"};
  }
  if (scratch != 0) {
    scratch_.assign(scratch, kJunk);
    const Mapping mapping{scratch_address_, scratch, scratch_.data(), true, "scratch", {}};
    if (Result<void> done = memory.add(mapping); !done) return done.error();
  }
  launch.scratch_ring = scratch_address_;
  launch.scratch_ring_bytes = scratch;
  launch.memory = &memory;
  launch.cancel = &cancelled_;
  launch.alone = at_a_time == 1;
  std::optional<MemoryHierarchy> caches;
  if (hierarchy.enabled) launch.hierarchy = &caches.emplace(memory, launch.program->target(), hierarchy);
  const DefaultFloatEnvironment environment;
  return runner_.run(launch, at_a_time,
                     [this](unsigned count, const std::function<void(unsigned)>& work) { pool_.run(count, work); });
}

}  // namespace spalt::emu
