// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstdint>

namespace spalt::ir {

/// Where a memory operation goes.
enum class StorageClass : uint8_t {
  uniform,   ///< read-only buffer through a descriptor (uniform block)
  storage,   ///< buffer through a descriptor (storage block)
  push,      ///< push constants; no base operand
  shared,    ///< workgroup memory (LDS); no base operand; offset from the start of the module's shared block
  scratch,   ///< per-invocation memory for variables that are indexed dynamically; no base operand
  global,    ///< anything in memory, at a 64-bit address that may differ between lanes
  constant,  ///< lowered stage: read-only memory at a uniform 64-bit address (descriptor tables, spill table)
  table,     ///< read-only: the module's constant tables; no base operand; offset from the start of Module::tables
  image      ///< of image operations (ir/image.h) only
};

enum class Scope : uint8_t { invocation, subgroup, workgroup, queue_family, device };
enum class MemoryOrder : uint8_t { none, relaxed, acquire, release, acq_rel, seq_cst };

/// Bits of MemoryAccess::flags.
enum AccessFlag : uint8_t {
  kVolatile = 1u << 0,
  kNonTemporal = 1u << 1,
  kReadOnly =
      1u << 2,  ///< nothing writes this memory while the shader runs (uniform, NonWritable storage without aliases)
  kCoherent = 1u << 3,  ///< visible to other invocations at `scope` without further barriers
  kMakeAvailable = 1u << 4,
  kMakeVisible = 1u << 5,
  kOrdersAll = 1u << 6  ///< an access with an order: orders all kinds of memory, not only its own
};

/// Storage classes that a barrier orders (mask in MemoryAccess::offset).
enum StorageBit : uint32_t { kBufferBit = 1u << 0, kSharedBit = 1u << 1, kImageBit = 1u << 2 };

/// The immediate of memory operations and barriers; fits the 64-bit immediate of an instruction.
struct MemoryAccess {
  uint32_t offset = 0;  ///< constant byte offset, added to the offset operand; StorageBit mask for barriers
  StorageClass storage = StorageClass::storage;
  uint8_t align_log2 = 2;  ///< known alignment in bytes of the final address, as a power of two
  uint8_t flags = 0;       ///< AccessFlag
  Scope scope : 4 = Scope::invocation;
  MemoryOrder order : 4 = MemoryOrder::none;  ///< none: not atomic

  uint64_t pack() const { return std::bit_cast<uint64_t>(*this); }
  static MemoryAccess unpack(uint64_t bits) { return std::bit_cast<MemoryAccess>(bits); }
  bool operator==(const MemoryAccess& other) const { return pack() == other.pack(); }
};
static_assert(sizeof(MemoryAccess) == 8);

/// The parts of a `buffer_key`: binding + 1 above, the element of its array below.
constexpr unsigned kKeyElementBits = 24;
constexpr uint32_t kKeyElementMask = (1u << kKeyElementBits) - 1;
constexpr uint32_t kMaxKeyBinding = (1u << (32 - kKeyElementBits)) - 2;

/// True when operand 0 of a memory operation is an address.
constexpr bool has_address(StorageClass storage) {
  return storage == StorageClass::global || storage == StorageClass::constant;
}

/// True when operand 0 of a memory operation is a buffer or an address.
constexpr bool has_base(StorageClass storage) {
  return storage == StorageClass::uniform || storage == StorageClass::storage || has_address(storage);
}

}  // namespace spalt::ir
