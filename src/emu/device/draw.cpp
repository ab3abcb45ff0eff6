// SPDX-License-Identifier: MIT
// Draws on a device: its tables, its scratch memory and its attribute ring.
#include "emu/draw/draw.h"

#include "base/float_environment.h"
#include "emu/device/device.h"

namespace spalt::emu {
namespace {

constexpr uint64_t window_of(uint64_t address) {
  return address >> 32;
}

/// As drivers describe the ring: a shader with several attributes puts its own stride there.
BufferDescriptor ring_descriptor(uint64_t base, uint64_t bytes) {
  constexpr unsigned kVectorBytes = 16, kLine = 32;
  BufferDescriptor ring;
  ring.base = base;
  ring.num_records = static_cast<uint32_t>(bytes);
  ring.stride = ring.element_bytes = kVectorBytes;
  ring.swizzle = true;
  ring.index_stride = kLine;
  ring.oob_select = kOobIndexAndOffset;
  return ring;
}

}  // namespace

Result<void> Device::check(const GraphicsDraw& draw) const {
  const GraphicsProgram& program = *draw.program;
  if (!program.in_space(space_.get())) {
    return Error{Status::invalid_argument, "the program is not in the address space of the device"};
  }
  if (window_of(program.address()) != window_of(tables_.global_table())) {
    return Error{Status::invalid_argument, "the program and the tables of the device lie in different 4 GiB windows"};
  }
  if (draw.user_data.size() > object::kUserDataEntryLimit) {
    return Error{Status::invalid_argument, "more user data than there are entries"};
  }
  return {};
}

Result<DrawOutcome> Device::draw(const GraphicsDraw& draw) {
  if (Result<void> done = check(draw); !done) return done.error();
  const std::lock_guard lock(running_);
  const std::shared_ptr<const Memory> shared = space_->snapshot();
  const isa::Target& target = draw.program->target();

  DrawResources resources;
  resources.global_table = static_cast<uint32_t>(tables_.global_table());
  resources.spill_table = static_cast<uint32_t>(tables_.spill_table());
  resources.scratch_ring = scratch_address_;
  resources.cancel = &cancelled_;
  const uint64_t ring_bytes = attribute_ring_bytes(*draw.program);
  ring_.resize(ring_bytes);
  if (ring_bytes != 0) resources.ring = {ring_.data(), ring_address_, ring_bytes};

  DriverTables tables;
  const BufferDescriptor scratch = scratch_descriptor(scratch_address_, kMaxScratchBytes);
  tables.set_slot(kGraphicsScratchSlot, &scratch, target);
  const BufferDescriptor ring = ring_descriptor(ring_address_, ring_bytes);
  tables.set_slot(kAttributeRingSlot, ring_bytes != 0 ? &ring : nullptr, target);
  tables.set_user_data(draw.user_data, draw.program->user_data_limit());

  resources.run = [&](const Launch& prepared) -> Result<RunOutcome> {
    Memory memory(shared);
    if (Result<void> done = tables.add_to(memory, tables_); !done) return done.error();
    if (ring_bytes != 0) {
      const Result<void> done =
          memory.add({ring_address_, ring_bytes, ring_.data(), true, "attribute ring", {}, false});
      if (!done) return done.error();
    }
    Launch launch = prepared;
    return run_launch(memory, launch, {});
  };
  const DefaultFloatEnvironment environment;
  return run_draw(draw, resources, *shared);
}

}  // namespace spalt::emu
