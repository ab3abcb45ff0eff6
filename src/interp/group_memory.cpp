// SPDX-License-Identifier: MIT
// Memory operations of the interpreter. Every access is checked against the memory it names.
#include <bit>
#include <cstring>

#include "base/bits.h"
#include "interp/group.h"
#include "ir/names.h"

namespace spalt::interp {
namespace {

/// Resource values: which binding of the module, which element.
constexpr uint64_t pack_resource(uint64_t binding, uint64_t element) {
  return binding << 32 | element;
}

/// Little endian, whatever the host is. Dwords are most of the traffic and go at once where the host agrees.
uint64_t read_bytes(const uint8_t* from, unsigned count) {
  if (count == 4 && std::endian::native == std::endian::little) {
    uint32_t dword;
    std::memcpy(&dword, from, 4);
    return dword;
  }
  uint64_t value = 0;
  for (unsigned i = 0; i < count; ++i) value |= static_cast<uint64_t>(from[i]) << (8 * i);
  return value;
}
void write_bytes(uint8_t* to, unsigned count, uint64_t value) {
  for (unsigned i = 0; i < count; ++i) to[i] = static_cast<uint8_t>(value >> (8 * i));
}

uint64_t apply(ir::Op op, uint64_t old, uint64_t data, unsigned bits) {
  using ir::Op;
  const int64_t signed_old = sign_extend(old, bits), signed_data = sign_extend(data, bits);
  switch (op) {
    case Op::atomic_add:
      return old + data;
    case Op::atomic_sub:
      return old - data;
    case Op::atomic_smin:
      return signed_data < signed_old ? data : old;
    case Op::atomic_smax:
      return signed_data > signed_old ? data : old;
    case Op::atomic_umin:
      return data < old ? data : old;
    case Op::atomic_umax:
      return data > old ? data : old;
    case Op::atomic_and:
      return old & data;
    case Op::atomic_or:
      return old | data;
    case Op::atomic_xor:
      return old ^ data;
    default:
      return data;  // atomic_exchange
  }
}

}  // namespace

void Group::repack(const Code& code) {
  uint8_t bytes[16 * 8];
  for (unsigned i = 0; i < code.source_count; ++i) {
    write_bytes(bytes + i * code.source_bytes, code.source_bytes, frame_[code.a + i]);
  }
  for (unsigned i = 0; i < code.count; ++i) frame_[code.dest + i] = read_bytes(bytes + i * code.bytes, code.bytes);
}

bool Group::resource(const Code& code) {
  frame_[code.dest] = pack_resource(code.imm, frame_[code.a]);
  return true;
}

bool Group::descriptor(const Code& code, uint64_t resource, std::span<uint8_t>& bytes) {
  const uint64_t index = resource >> 32, element = resource & 0xffffffffu;
  if (index >= context_.buffers.size()) return fail(code, "uses an undefined resource");
  const auto& elements = context_.buffers[index];
  if (element < elements.size() && elements[element].data() != nullptr) {
    bytes = elements[element];
    return true;
  }
  const ir::Binding& binding = context_.module.bindings[index];
  return fail(code, "uses element " + std::to_string(element) + " of binding " + std::to_string(binding.set) + ", " +
                        std::to_string(binding.binding) + ", for which the dispatch has no buffer");
}

bool Group::size(const Code& code) {
  std::span<uint8_t> bytes;
  if (!descriptor(code, frame_[code.a], bytes)) return false;
  frame_[code.dest] = static_cast<uint32_t>(bytes.size());
  return true;
}

bool Group::region(const Code& code, ir::StorageClass storage, std::span<uint8_t>& bytes) {
  switch (storage) {
    case ir::StorageClass::uniform:
    case ir::StorageClass::storage:
      return descriptor(code, frame_[code.a], bytes);
    case ir::StorageClass::push:
      bytes = push_;
      return true;
    case ir::StorageClass::shared:
      bytes = shared_;
      return true;
    case ir::StorageClass::scratch: {
      const size_t size = context_.module.scratch_bytes;
      bytes = std::span(scratch_).subspan(separate_frames_ ? lane_ * size : 0, size);
      return true;
    }
    case ir::StorageClass::constant:
      break;
  }
  return fail(code, "uses constant memory, which the interpreter does not have");
}

/// The checked address of an access; null after a fault.
uint8_t* Group::address(const Code& code) {
  const ir::MemoryAccess access = ir::MemoryAccess::unpack(code.imm);
  std::span<uint8_t> bytes;
  if (!region(code, access.storage, bytes)) return nullptr;
  const uint64_t offset = uint64_t{access.offset} + frame_[code.b];
  const uint64_t end = offset + uint64_t{code.count} * code.bytes;
  if (end > bytes.size()) {
    fail(code, "accesses bytes " + std::to_string(offset) + " to " + std::to_string(end) + " of " +
                   std::string(storage_name(access.storage)) + " memory that has " + std::to_string(bytes.size()));
    return nullptr;
  }
  if ((offset & ((uint64_t{1} << access.align_log2) - 1)) != 0) {
    fail(code, "accesses byte " + std::to_string(offset) + ", which breaks the alignment it claims");
    return nullptr;
  }
  return bytes.data() + offset;
}

bool Group::load(const Code& code) {
  const uint8_t* from = address(code);
  if (from == nullptr) return false;
  for (unsigned i = 0; i < code.count; ++i) frame_[code.dest + i] = read_bytes(from + i * code.bytes, code.bytes);
  return true;
}

bool Group::store(const Code& code) {
  uint8_t* to = address(code);
  if (to == nullptr) return false;
  for (unsigned i = 0; i < code.count; ++i) write_bytes(to + i * code.bytes, code.bytes, frame_[code.c + i]);
  return true;
}

bool Group::atomic(const Code& code) {
  uint8_t* at = address(code);
  if (at == nullptr) return false;
  const uint64_t old = read_bytes(at, code.bytes), data = frame_[code.c];
  if (code.op != ir::Op::atomic_compare_exchange || old == frame_[code.d]) {
    write_bytes(at, code.bytes, apply(code.op, old, data, code.bytes * 8u));
  }
  frame_[code.dest] = old;
  return true;
}

}  // namespace spalt::interp
