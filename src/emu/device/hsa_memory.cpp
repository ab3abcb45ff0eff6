// SPDX-License-Identifier: MIT
#include "emu/device/hsa_memory.h"

#include <cstring>

#include "base/bits.h"
#include "emu/wave/operands.h"

namespace spalt::emu {
namespace {

using object::ArgumentKind;

// Guest addresses: far apart, so that a wrong one meets nothing.
constexpr uint64_t kLoadAddress = uint64_t{0x7f02} << 32;
constexpr uint64_t kKernargAddress = uint64_t{0x7f03} << 32;
constexpr uint64_t kPacketAddress = uint64_t{0x7f04} << 32;
constexpr uint64_t kQueueAddress = uint64_t{0x7f05} << 32;
constexpr uint64_t kBufferAddress = uint64_t{0x0123} << 32, kBufferGap = 0x100000;

// What is not written yet holds this, so that no run depends on zeros that hardware does not give.
constexpr uint8_t kJunk = 0xcd;

// LDS arguments start at multiples of this; OpenCL wants the alignment of long16.
constexpr uint32_t kLocalAlignment = 128;

constexpr size_t kPacketBytes = 64, kQueueBytes = 256;
// amd_queue_t: high halves of the aperture addresses (amd_hsa_queue.h).
constexpr size_t kQueueGroupAperture = 0x40, kQueuePrivateAperture = 0x44;

template <class T>
void put(std::vector<uint8_t>& bytes, size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

uint64_t hidden_value(const HsaDispatchInfo& info, ArgumentKind kind, uint32_t local_bytes) {
  const auto axis = [kind](ArgumentKind x) { return static_cast<size_t>(kind) - static_cast<size_t>(x); };
  switch (kind) {
    case ArgumentKind::block_count_x:
    case ArgumentKind::block_count_y:
    case ArgumentKind::block_count_z: {
      const size_t c = axis(ArgumentKind::block_count_x);
      return info.grid_items[c] / info.group_size[c];
    }
    case ArgumentKind::group_size_x:
    case ArgumentKind::group_size_y:
    case ArgumentKind::group_size_z:
      return info.group_size[axis(ArgumentKind::group_size_x)];
    case ArgumentKind::remainder_x:
    case ArgumentKind::remainder_y:
    case ArgumentKind::remainder_z: {
      const size_t c = axis(ArgumentKind::remainder_x);
      return info.grid_items[c] % info.group_size[c];
    }
    case ArgumentKind::grid_dims:
      return info.grid_items[2] > 1 ? 3 : info.grid_items[1] > 1 ? 2 : 1;
    case ArgumentKind::global_offset_x:
    case ArgumentKind::global_offset_y:
    case ArgumentKind::global_offset_z:
      return info.global_offset[axis(ArgumentKind::global_offset_x)];
    case ArgumentKind::dynamic_lds_size:
      return local_bytes;
    case ArgumentKind::private_base:
      return kPrivateApertureBase >> 32;
    case ArgumentKind::shared_base:
      return kSharedApertureBase >> 32;
    case ArgumentKind::queue_ptr:
      return kQueueAddress;
    default:
      return 0;
  }
}

}  // namespace

Result<uint64_t> lds_bytes_of(const object::HsaKernel& kernel, const HsaDispatchInfo& info) {
  uint64_t bytes = kernel.descriptor.group_segment_bytes;
  for (const HsaArgument& argument : info.arguments) {
    if (argument.kind != HsaArgument::Kind::local) continue;
    if (argument.size > 0xffffffffu) return Error{Status::limit_exceeded, "a local argument is too large"};
    bytes = align_up(bytes, kLocalAlignment) + argument.size;
  }
  return bytes;
}

uint64_t HsaMemory::load_address() const {
  return kLoadAddress;
}
uint64_t HsaMemory::kernarg() const {
  return kKernargAddress;
}
uint64_t HsaMemory::dispatch_packet() const {
  return kPacketAddress;
}
uint64_t HsaMemory::queue() const {
  return kQueueAddress;
}

Result<void> HsaMemory::add(std::string name, uint64_t base, std::vector<uint8_t> bytes, bool writable) {
  const auto held = std::make_shared<std::vector<uint8_t>>(std::move(bytes));
  return space_->map({base, held->size(), held->data(), writable, std::move(name), held});
}

Result<HsaMemory> HsaMemory::build(AddressSpace& space, const object::HsaObject& object,
                                   const object::HsaKernel& kernel, const HsaDispatchInfo& info, uint32_t lds_bytes) {
  HsaMemory memory(space);
  memory.next_buffer_ = kBufferAddress;
  memory.next_local_ = kernel.descriptor.group_segment_bytes;
  if (Result<void> done = memory.add_code(object); !done) return done.error();
  if (Result<void> done = memory.add_kernarg(kernel, info); !done) return done.error();
  if (Result<void> done = memory.add_packet(kernel, info, lds_bytes); !done) return done.error();
  for (const HsaMapping& m : info.mappings) {
    if (Result<void> done = space.map({m.address, m.size, m.data, true, m.name, {}}); !done) return done.error();
  }
  std::vector<uint8_t> queue(kQueueBytes, 0);
  put(queue, kQueueGroupAperture, static_cast<uint32_t>(kSharedApertureBase >> 32));
  put(queue, kQueuePrivateAperture, static_cast<uint32_t>(kPrivateApertureBase >> 32));
  if (Result<void> done = memory.add("queue", kQueueAddress, std::move(queue), false); !done) return done.error();
  return memory;
}

Result<void> HsaMemory::add_code(const object::HsaObject& object) {
  std::vector<object::HsaSegment> segments = object.segments;
  for (const object::HsaRelocation& relocation : object.relocations) {
    const uint64_t value = (kLoadAddress + relocation.addend) >> relocation.shift;
    for (object::HsaSegment& segment : segments) {
      const uint64_t offset = relocation.address - segment.address;
      if (relocation.address < segment.address || offset >= segment.bytes.size()) continue;
      std::memcpy(segment.bytes.data() + offset, &value, relocation.size);
    }
  }
  for (object::HsaSegment& segment : segments) {
    const uint64_t base = kLoadAddress + segment.address;
    const char* name = segment.executable ? "code" : segment.writable ? "data" : "read-only data";
    if (Result<void> done = add(name, base, std::move(segment.bytes), segment.writable); !done) return done;
  }
  return {};
}

Result<void> HsaMemory::add_buffer(const HsaArgument& argument, uint64_t& address) {
  if (argument.size == 0) return {};
  address = next_buffer_;
  next_buffer_ = align_up(address + argument.size + kBufferGap, kBufferGap);
  return space_->map({address, argument.size, argument.data, true, argument.name, {}});
}

Result<void> HsaMemory::add_object(const HsaArgument& argument, uint64_t& address) {
  address = next_buffer_;
  next_buffer_ = align_up(address + argument.bytes.size() + kBufferGap, kBufferGap);
  return add(argument.name, address, argument.bytes, false);
}

Result<void> HsaMemory::add_explicit(const object::KernelArgument& slot, const HsaArgument& argument,
                                     std::vector<uint8_t>& kernarg) {
  uint64_t address = 0;
  switch (argument.kind) {
    case HsaArgument::Kind::value:
      if (slot.kind != ArgumentKind::by_value || argument.bytes.size() != slot.size) {
        return Error{Status::invalid_argument, argument.name + " is not a value of the argument's size"};
      }
      std::memcpy(kernarg.data() + slot.offset, argument.bytes.data(), slot.size);
      return {};
    case HsaArgument::Kind::buffer:
      if (slot.kind != ArgumentKind::global_buffer || slot.size != 8) {
        return Error{Status::invalid_argument, argument.name + " is a buffer, the argument is none"};
      }
      if (Result<void> done = add_buffer(argument, address); !done) return done;
      std::memcpy(kernarg.data() + slot.offset, &address, 8);
      return {};
    case HsaArgument::Kind::object:
      if ((slot.kind != ArgumentKind::image && slot.kind != ArgumentKind::sampler) || slot.size != 8 ||
          argument.bytes.empty()) {
        return Error{Status::invalid_argument, argument.name + " is an image or a sampler, the argument is none"};
      }
      if (Result<void> done = add_object(argument, address); !done) return done;
      std::memcpy(kernarg.data() + slot.offset, &address, 8);
      return {};
    case HsaArgument::Kind::local:
      break;
  }
  if (slot.kind != ArgumentKind::dynamic_shared_pointer || slot.size != 4) {
    return Error{Status::invalid_argument, argument.name + " is local memory, the argument is not"};
  }
  next_local_ = static_cast<uint32_t>(align_up(next_local_, kLocalAlignment));
  std::memcpy(kernarg.data() + slot.offset, &next_local_, 4);
  next_local_ += static_cast<uint32_t>(argument.size);
  return {};
}

Result<void> HsaMemory::add_kernarg(const object::HsaKernel& kernel, const HsaDispatchInfo& info) {
  std::vector<uint8_t> kernarg(kernel.kernarg_bytes, kJunk);
  size_t next = 0;
  for (const object::KernelArgument& slot : kernel.arguments) {
    if (slot.kind == ArgumentKind::unsupported) {
      return Error{Status::unsupported, "kernel \"" + kernel.name + "\" takes a pipe, or what is not known"};
    }
    if (slot.hidden()) continue;
    if (next == info.arguments.size()) return Error{Status::invalid_argument, "too few kernel arguments"};
    if (Result<void> done = add_explicit(slot, info.arguments[next++], kernarg); !done) return done;
  }
  if (next != info.arguments.size()) return Error{Status::invalid_argument, "too many kernel arguments"};
  const uint32_t local_bytes = next_local_ - kernel.descriptor.group_segment_bytes;
  for (const object::KernelArgument& slot : kernel.arguments) {
    if (!slot.hidden()) continue;
    if (slot.size > 8) return Error{Status::invalid_input, "a hidden argument is larger than 8 bytes"};
    const uint64_t value = hidden_value(info, slot.kind, local_bytes);
    std::memcpy(kernarg.data() + slot.offset, &value, slot.size);
  }
  return kernarg.empty() ? Result<void>() : add("kernarg segment", kKernargAddress, std::move(kernarg), false);
}

/// hsa_kernel_dispatch_packet_t (HSA runtime specification, section 2.6).
Result<void> HsaMemory::add_packet(const object::HsaKernel& kernel, const HsaDispatchInfo& info, uint32_t lds_bytes) {
  std::vector<uint8_t> packet(kPacketBytes, 0);
  constexpr uint16_t kTypeKernelDispatch = 2;
  put(packet, 0, kTypeKernelDispatch);
  put(packet, 2, static_cast<uint16_t>(hidden_value(info, ArgumentKind::grid_dims, 0)));
  for (size_t c = 0; c < 3; ++c) {
    put(packet, 4 + 2 * c, static_cast<uint16_t>(info.group_size[c]));
    put(packet, 12 + 4 * c, info.grid_items[c]);
  }
  put(packet, 24, kernel.descriptor.private_segment_bytes);
  put(packet, 28, lds_bytes);
  put(packet, 32, kLoadAddress + kernel.descriptor_address);
  put(packet, 40, kKernargAddress);
  return add("dispatch packet", kPacketAddress, std::move(packet), false);
}

}  // namespace spalt::emu
