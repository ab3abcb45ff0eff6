// SPDX-License-Identifier: MIT
// OpCopyMemorySized: a number of bytes that is known while reading, in the largest units that both places are aligned
// for, up to four dwords at a time. Variables in SSA form have no bytes: they are copied as what they are.
#include <algorithm>
#include <bit>

#include "spirv/memory/memory.h"

namespace spalt::spirv {
namespace {

constexpr uint32_t kMaxUnits = 4;

/// One side of a copy.
struct Place {
  Pointer pointer;
  AccessExtra extra;
};

bool has_bytes(const Pointer& pointer) {
  switch (pointer.root) {
    case PointerRoot::shared:
    case PointerRoot::push:
    case PointerRoot::uniform:
    case PointerRoot::storage:
    case PointerRoot::physical:
      return true;
    default:
      return false;
  }
}

/// The type as which a place without bytes is copied; kNone: both have bytes.
bool find_type(Reader& r, const Place& target, const Place& source, uint32_t bytes, uint32_t& type) {
  type = kNone;
  for (const Pointer* pointer : {&target.pointer, &source.pointer}) {
    if (has_bytes(*pointer)) continue;
    const TypeInfo& info = r.types[pointer->type];
    if (!info.is_scalar_or_vector() || info.kind == TypeKind::boolean || info.dense_bytes != bytes) {
      return r.unsupported("a copy of some bytes of a variable that is in no buffer");
    }
    if (type != kNone && type != pointer->type) return r.fail("expected two pointers to the same type");
    type = pointer->type;
  }
  return true;
}

bool copy_value(Reader& r, const Place& target, const Place& source, uint32_t type) {
  Place places[] = {target, source};
  for (Place& place : places) {
    if (has_bytes(place.pointer)) place.pointer.type = type;
  }
  const Leaves value = r.new_leaves(type);
  return load(r, places[1].pointer, value, places[1].extra) && store(r, places[0].pointer, value, places[0].extra);
}

/// The largest unit that begins at byte `at` of both places.
uint32_t unit_log2(const Place& target, const Place& source, uint32_t at, uint32_t left) {
  uint32_t log2 = std::min<uint32_t>(2, static_cast<uint32_t>(std::bit_width(left)) - 1);
  for (const Place* place : {&target, &source}) {
    log2 = std::min<uint32_t>(log2, make_access(place->pointer, at, place->extra).align_log2);
  }
  return log2;
}

bool copy_bytes(Reader& r, const Place& target, const Place& source, uint32_t bytes) {
  constexpr ir::Type kUnits[] = {ir::kI8, ir::kI16, ir::kI32};
  const bool available[] = {r.options.widths.int8, r.options.widths.int16, true};
  for (uint32_t at = 0; at < bytes;) {
    const uint32_t log2 = unit_log2(target, source, at, bytes - at);
    if (!available[log2]) return r.unsupported(concat("a copy in units of ", 8u << log2, " bits"));
    const ir::Type type = kUnits[log2].vector(std::min(kMaxUnits, (bytes - at) >> log2));
    const MemoryOperands from(r, source.pointer);
    const ir::Value value = r.b.memory(ir::Op::load, type, from, make_access(source.pointer, at, source.extra));
    MemoryOperands to(r, target.pointer);
    to.push_back(value);
    r.b.memory(ir::Op::store, ir::kVoid, to, make_access(target.pointer, at, target.extra));
    at += type.bytes();
    if (!r.check_limits()) return false;
  }
  return true;
}

}  // namespace

bool translate_copy_bytes(Reader& r, const Instruction& in) {
  Place target, source;
  uint32_t bytes = 0, type = 0;
  if (!r.has_words(in, 4) || !r.in_bound(in[3])) return false;
  const Pointer* found = r.pointer(in[1]);
  if (found == nullptr) return false;
  target.pointer = *found;
  found = r.pointer(in[2]);
  if (found == nullptr) return false;
  source.pointer = *found;
  if (target.pointer.whole_resource || source.pointer.whole_resource) {
    return r.fail("expected a pointer to something that can be loaded");
  }
  if (!r.find_constant_u32(in[3], bytes)) return r.unsupported("a copy of a number of bytes that is no constant");
  if (bytes == 0) return r.fail("expected more than 0 bytes");
  if (!read_copy_operands(r, in, 4, target.extra, source.extra)) return false;
  if (!is_writable(r, target.pointer) || !find_type(r, target, source, bytes, type)) return false;
  return type != kNone ? copy_value(r, target, source, type) : copy_bytes(r, target, source, bytes);
}

}  // namespace spalt::spirv
