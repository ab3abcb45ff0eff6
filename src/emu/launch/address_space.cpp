// SPDX-License-Identifier: MIT
#include "emu/launch/address_space.h"

#include <cstring>
#include <map>

#include "base/bits.h"
#include "emu/memory/descriptor.h"

namespace spalt::emu {
namespace {

// Guest addresses. Code and everything that 32-bit pointers reach share the upper half (PAL pipeline ABI, section 1.2);
// buffers and scratch lie elsewhere, so that a shader that mixes the two up touches nothing.
constexpr uint64_t kWindow = uint64_t{0x7f01} << 32;
constexpr uint64_t kCodeOffset = 0x00200000, kTableOffset = 0x40000000, kTableGap = 0x10000;
constexpr uint64_t kBufferBase = uint64_t{0x0123} << 32, kBufferGap = 0x100000;
constexpr uint64_t kScratchBase = uint64_t{0x0456} << 32;

constexpr uint32_t kGlobalTableBytes = 17 * 16;

// What is not written yet holds this, so that no run depends on zeros that hardware does not give.
constexpr uint8_t kJunk = 0xcd;

void put_descriptor(std::vector<uint8_t>& table, uint32_t offset, const BufferDescriptor& descriptor,
                    const isa::Target& target) {
  if (table.size() < offset + 16u) table.resize(offset + 16u, 0);
  const std::array<uint32_t, 4> words = encode_descriptor(descriptor, target);
  std::memcpy(table.data() + offset, words.data(), 16);
}

std::vector<uint8_t> bytes_of(const void* data, size_t size) {
  const auto* first = static_cast<const uint8_t*>(data);
  return {first, first + size};
}

/// num_records counts 32 bits of bytes.
constexpr uint64_t kMaxBufferBytes = 0xffffffffu;

}  // namespace

Result<void> AddressSpace::add(std::string name, uint64_t base, std::vector<uint8_t> bytes, bool writable) {
  storage_.push_back(std::make_unique<std::vector<uint8_t>>(std::move(bytes)));
  std::vector<uint8_t>& held = *storage_.back();
  return memory_.add({base, held.size(), held.data(), writable, std::move(name)});
}

Result<AddressSpace> AddressSpace::build(const object::ShaderObject& shader, const DispatchInfo& info,
                                         uint64_t scratch_bytes) {
  const isa::Target* target = isa::find_target(shader.target_name);
  if (target == nullptr) return Error{Status::unsupported, "the target \"" + shader.target_name + "\" is not executed"};
  AddressSpace space;
  space.entries_ = info.user_data;
  space.next_table_ = kWindow + kTableOffset;
  if (Result<void> done = space.add_buffers(info); !done) return done.error();
  if (Result<void> done = space.add_tables(info, *target); !done) return done.error();
  if (Result<void> done = space.add_driver_memory(shader, info, *target, scratch_bytes); !done) return done.error();
  return space;
}

Result<void> AddressSpace::add_buffers(const DispatchInfo& info) {
  uint64_t next = kBufferBase;
  for (const BufferBinding& buffer : info.buffers) {
    buffer_addresses_.push_back(next);
    if (buffer.size == 0) continue;
    if (buffer.size > kMaxBufferBytes) {
      return Error{Status::limit_exceeded, buffer.name + " is larger than a descriptor can say"};
    }
    if (Result<void> done = memory_.add({next, buffer.size, buffer.data, true, buffer.name}); !done) return done;
    next = align_up(next + buffer.size + kBufferGap, kBufferGap);
  }
  return {};
}

Result<void> AddressSpace::add_tables(const DispatchInfo& info, const isa::Target& target) {
  std::map<uint32_t, std::vector<uint8_t>> tables;
  for (size_t i = 0; i < info.buffers.size(); ++i) {
    const BufferBinding& buffer = info.buffers[i];
    if (buffer.entry >= object::kUserDataEntryLimit) {
      return Error{Status::invalid_argument, buffer.name + " names a user-data entry that does not exist"};
    }
    if (buffer.offset > 0x1000000) return Error{Status::limit_exceeded, buffer.name + " lies too far into its table"};
    BufferDescriptor descriptor;
    descriptor.base = buffer.size == 0 ? 0 : buffer_addresses_[i];
    descriptor.num_records = static_cast<uint32_t>(buffer.size);
    descriptor.oob_select = kOobRaw;
    put_descriptor(tables[buffer.entry], buffer.offset, descriptor, target);
  }
  for (auto& [entry, table] : tables) {
    if (entries_.size() <= entry) entries_.resize(entry + 1, 0);
    entries_[entry] = static_cast<uint32_t>(next_table_);
    const uint64_t base = next_table_;
    next_table_ = align_up(next_table_ + table.size() + kTableGap, kTableGap);
    const std::string name = "descriptor table of entry " + std::to_string(entry);
    if (Result<void> done = add(name, base, std::move(table), false); !done) return done;
  }
  return {};
}

Result<void> AddressSpace::add_driver_memory(const object::ShaderObject& shader, const DispatchInfo& info,
                                             const isa::Target& target, uint64_t scratch_bytes) {
  code_ = kWindow + kCodeOffset;
  if (Result<void> done = add("code", code_, shader.code, false); !done) return done;

  std::vector<uint8_t> global(kGlobalTableBytes, 0);
  if (scratch_bytes != 0) {
    scratch_ring_ = kScratchBase;
    if (Result<void> done = add("scratch", scratch_ring_, std::vector<uint8_t>(scratch_bytes, kJunk), true); !done) {
      return done;
    }
    // The driver describes wave64; wave32 code clears a bit of the index stride (PAL pipeline ABI, section 3.9).
    BufferDescriptor ring;
    ring.base = scratch_ring_;
    ring.num_records = static_cast<uint32_t>(std::min<uint64_t>(scratch_bytes, 0xffffffffu));
    ring.swizzle = ring.add_tid = true;
    ring.index_stride = 64;
    ring.oob_select = kOobEmpty;
    put_descriptor(global, abi::kComputeScratchSlotOffset, ring, target);
  }
  global_table_ = next_table_;
  spill_table_ = global_table_ + kTableGap;
  grid_dimensions_ = spill_table_ + kTableGap;
  if (Result<void> done = add("global table", global_table_, std::move(global), false); !done) return done;
  if (!entries_.empty()) {
    auto spill = bytes_of(entries_.data(), entries_.size() * 4);
    if (Result<void> done = add("spill table", spill_table_, std::move(spill), false); !done) return done;
  }
  return add("grid dimensions", grid_dimensions_, bytes_of(info.grid.data(), 12), false);
}

}  // namespace spalt::emu
