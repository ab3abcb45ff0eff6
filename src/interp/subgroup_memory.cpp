// SPDX-License-Identifier: MIT
// Memory operations. Every access is checked against the memory it names.
#include "base/bits.h"
#include "base/small_vector.h"
#include "interp/bytes.h"
#include "interp/subgroup.h"
#include "ir/names.h"

namespace spalt::interp {
namespace {

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

/// What an atomic operation on floats computes; null for the others.
ir::Evaluator float_evaluator(const Code& code, ir::FloatControls controls) {
  using ir::Op;
  if (!ir::is_float_atomic(code.op)) return nullptr;
  const Op op = code.op == Op::atomic_fadd ? Op::fadd : code.op == Op::atomic_fmin ? Op::fmin : Op::fmax;
  const ir::Type type = code.bytes == 2 ? ir::kF16 : code.bytes == 8 ? ir::kF64 : ir::kF32;
  const ir::Type operands[] = {type, type};
  return ir::find_evaluator(op, type, operands, controls);
}

}  // namespace

/// Of the resource that operand 0 is in this lane.
bool Subgroup::descriptor(const Code& code, unsigned lane, std::span<uint8_t>& bytes) {
  const uint64_t resource = row(code.a)[lane], index = resource >> 32, element = resource & 0xffffffffu;
  if (index >= context_.buffers.size()) return fail(code, lane, "uses an undefined resource");
  const auto& elements = context_.buffers[index];
  if (element < elements.size() && elements[element].data() != nullptr) {
    bytes = elements[element];
    return true;
  }
  if (context_.dispatch.robust) {
    bytes = {};
    return true;
  }
  const ir::Binding& binding = context_.module.bindings[index];
  return fail(code, lane,
              "uses element " + std::to_string(element) + " of binding " + std::to_string(binding.set) + ", " +
                  std::to_string(binding.binding) + ", for which the dispatch has no buffer");
}

bool Subgroup::size(const Code& code) {
  for (unsigned i = 0; i < running_; ++i) {
    std::span<uint8_t> bytes;
    if (!descriptor(code, lanes_[i], bytes)) return false;
    row(code.dest)[lanes_[i]] = static_cast<uint32_t>(bytes.size());
  }
  return true;
}

/// The memory at the address that operand 0 plus `offset` is in this lane; `offset` becomes that within it.
bool Subgroup::memory_at(const Code& code, unsigned lane, std::span<uint8_t>& bytes, uint64_t& offset) {
  const uint64_t address = row(code.a)[lane] + offset;
  for (const Memory& memory : context_.dispatch.memory) {
    if (address - memory.address >= memory.bytes.size()) continue;
    bytes = memory.bytes;
    offset = address - memory.address;
    return true;
  }
  return fail(code, lane, "accesses address " + std::to_string(address) + ", where the dispatch has no memory");
}

/// The memory that an access of one lane may touch; `offset` is where in it.
bool Subgroup::region(const Code& code, ir::StorageClass storage, unsigned lane, std::span<uint8_t>& bytes,
                      uint64_t& offset) {
  switch (storage) {
    case ir::StorageClass::global:
      return memory_at(code, lane, bytes, offset);
    case ir::StorageClass::uniform:
    case ir::StorageClass::storage:
      return descriptor(code, lane, bytes);
    case ir::StorageClass::push:
      bytes = group_.push;
      return true;
    case ir::StorageClass::shared:
      bytes = group_.shared;
      return true;
    case ir::StorageClass::scratch: {
      const size_t size = context_.module.scratch_bytes;
      bytes = {scratch_ + lane * size, size};
      return true;
    }
    case ir::StorageClass::table:
      bytes = group_.tables;
      return true;
    case ir::StorageClass::constant:
    case ir::StorageClass::image:
      break;
  }
  return fail(code, lane, "uses constant memory, which the interpreter does not have");
}

/// An access that leaves its buffer, on a copy of what is there and zeros for the rest.
template <class F>
void Subgroup::access_partly(const Code& code, unsigned lane, std::span<uint8_t> bytes, uint64_t offset, F&& f) {
  SmallVector<uint8_t, 64> copy;
  copy.resize(uint32_t{code.count} * code.bytes, 0);
  const uint64_t there = offset < bytes.size() ? (bytes.size() - offset) / code.bytes * code.bytes : 0;
  if (there != 0) std::memcpy(copy.data(), bytes.data() + offset, there);
  f(lane, copy.data());
  if (there != 0) std::memcpy(bytes.data() + offset, copy.data(), there);
}

/// Calls f(lane, address) for each running lane, or reports the first that accesses what it must not. Lanes before that
/// one have done their access.
template <class F>
bool Subgroup::access(const Code& code, F&& f) {
  const ir::MemoryAccess access = ir::MemoryAccess::unpack(code.imm);
  const uint64_t low_bits = (uint64_t{1} << access.align_log2) - 1, length = uint64_t{code.count} * code.bytes;
  const uint64_t* offsets = row(code.b);
  for (unsigned i = 0; i < running_; ++i) {
    const unsigned lane = lanes_[i];
    std::span<uint8_t> bytes;
    uint64_t offset = access.offset + offsets[lane];
    if (!region(code, access.storage, lane, bytes, offset)) return false;
    const uint64_t end = offset + length;
    const bool is_buffer = access.storage == ir::StorageClass::uniform || access.storage == ir::StorageClass::storage;
    if (end > bytes.size() && is_buffer && context_.dispatch.robust) {
      access_partly(code, lane, bytes, offset, f);
      continue;
    }
    if (end > bytes.size()) {
      return fail(code, lane,
                  "accesses bytes " + std::to_string(offset) + " to " + std::to_string(end) + " of " +
                      std::string(storage_name(access.storage)) + " memory that has " + std::to_string(bytes.size()));
    }
    if ((offset & low_bits) != 0) {
      return fail(code, lane, "accesses byte " + std::to_string(offset) + ", which breaks the alignment it claims");
    }
    f(lane, bytes.data() + offset);
  }
  return true;
}

bool Subgroup::load(const Code& code) {
  uint64_t* to = row(code.dest);
  return access(code, [&](unsigned lane, const uint8_t* from) {
    for (unsigned i = 0; i < code.count; ++i) to[i * stride_ + lane] = read_bytes(from + i * code.bytes, code.bytes);
  });
}

bool Subgroup::store(const Code& code) {
  const uint64_t* data = row(code.c);
  return access(code, [&](unsigned lane, uint8_t* to) {
    for (unsigned i = 0; i < code.count; ++i) write_bytes(to + i * code.bytes, code.bytes, data[i * stride_ + lane]);
  });
}

/// Lanes act in order.
bool Subgroup::atomic(const Code& code) {
  const ir::Evaluator combine = float_evaluator(code, context_.module.float_controls());
  uint64_t* dest = row(code.dest);
  const uint64_t *data = row(code.c), *comparator = row(code.d);
  return access(code, [&](unsigned lane, uint8_t* at) {
    const uint64_t old = read_bytes(at, code.bytes);
    if (code.op != ir::Op::atomic_compare_exchange || old == comparator[lane]) {
      const uint64_t operands[] = {old, data[lane]};
      write_bytes(at, code.bytes,
                  combine != nullptr ? combine(operands) : apply(code.op, old, data[lane], code.bytes * 8u));
    }
    dest[lane] = old;
  });
}

}  // namespace spalt::interp
