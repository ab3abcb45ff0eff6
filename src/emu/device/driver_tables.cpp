// SPDX-License-Identifier: MIT
#include "emu/device/driver_tables.h"

#include <algorithm>

#include "amdgpu/abi/compute_interface.h"

namespace spalt::emu {

TableAddresses::~TableAddresses() {
  if (space_ != nullptr) space_->release(base_);
}

Result<void> TableAddresses::reserve(std::shared_ptr<AddressSpace> space, uint64_t address) {
  constexpr const char* kName = "the tables of a device";
  constexpr uint64_t kBytes = 3 * kDistance;
  if (address != 0) {
    if (Result<void> done = space->reserve(address, kBytes, kName); !done) return done;
    base_ = address;
  } else {
    const Result<uint64_t> at = space->reserve_anywhere(Area::tables, kBytes, kName);
    if (!at) return at.error();
    base_ = *at;
  }
  space_ = std::move(space);
  return {};
}

BufferDescriptor scratch_descriptor(uint64_t base, uint64_t bytes) {
  BufferDescriptor ring;
  ring.base = base;
  ring.num_records = static_cast<uint32_t>(std::min<uint64_t>(bytes, 0xffffffffu));
  ring.swizzle = ring.add_tid = true;
  ring.index_stride = 64;
  ring.oob_select = kOobEmpty;
  return ring;
}

void DriverTables::set_slot(unsigned slot, const BufferDescriptor* descriptor, const isa::Target& target) {
  static_assert(kComputeScratchSlot * abi::kGlobalTableSlotBytes == abi::kComputeScratchSlotOffset);
  std::array<uint32_t, 4> words{};
  if (descriptor != nullptr) words = encode_descriptor(*descriptor, target);
  std::copy(words.begin(), words.end(), global_.begin() + slot * words.size());
}

void DriverTables::set_user_data(std::span<const uint32_t> entries, size_t least) {
  spill_entries_ = std::min(std::max(entries.size(), least), spill_.size());
  const auto end = std::copy_n(entries.begin(), std::min(entries.size(), spill_.size()), spill_.begin());
  std::fill(end, spill_.end(), 0);
}

/// Each use of them has fresh addresses in a real driver: caches never hold what was there before.
Result<void> DriverTables::add_to(Memory& memory, const TableAddresses& addresses) {
  const auto add = [&memory](const char* name, uint64_t base, uint32_t* words, size_t count) {
    return memory.add({base, count * 4, reinterpret_cast<uint8_t*>(words), false, name, {}, false});
  };
  if (Result<void> done = add("global table", addresses.global_table(), global_.data(), global_.size()); !done)
    return done;
  if (Result<void> done = add("grid dimensions", addresses.grid_dimensions(), grid_.data(), grid_.size()); !done)
    return done;
  return spill_entries_ == 0 ? Result<void>()
                             : add("spill table", addresses.spill_table(), spill_.data(), spill_entries_);
}

}  // namespace spalt::emu
