// SPDX-License-Identifier: MIT
// OpCopyMemorySized: a number of bytes that is known while reading, in the largest units that both places are aligned
// for, up to four dwords at a time. Variables in SSA form have no bytes: they are copied as what they are. Where the
// number is known at run time only, copy_loop.cpp has the rest.
#include "spirv/memory/copy_bytes.h"

#include <algorithm>
#include <bit>

namespace spalt::spirv {
namespace {

constexpr uint32_t kMaxUnits = 4;

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
bool find_type(Reader& r, const CopyPlace& target, const CopyPlace& source, uint32_t bytes, uint32_t& type) {
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

bool copy_value(Reader& r, const CopyPlace& target, const CopyPlace& source, uint32_t type) {
  CopyPlace places[] = {target, source};
  for (CopyPlace& place : places) {
    if (has_bytes(place.pointer)) place.pointer.type = type;
  }
  const Leaves value = r.new_leaves(type);
  return load(r, places[1].pointer, value, places[1].extra) && store(r, places[0].pointer, value, places[0].extra);
}

bool copy_bytes(Reader& r, const CopyPlace& target, const CopyPlace& source, uint32_t bytes) {
  for (uint32_t at = 0; at < bytes;) {
    const auto left_log2 = static_cast<uint32_t>(std::bit_width(bytes - at)) - 1;
    const uint32_t log2 = std::min(left_log2, copy_unit_log2(target, source, at));
    ir::Type unit;
    if (!find_copy_unit(r, log2, unit)) return false;
    const ir::Type type = unit.vector(std::min(kMaxUnits, (bytes - at) >> log2));
    copy_unit(r, target, source, type, at);
    at += type.bytes();
    if (!r.check_limits()) return false;
  }
  return true;
}

}  // namespace

uint32_t copy_unit_log2(const CopyPlace& target, const CopyPlace& source, uint32_t at) {
  uint32_t log2 = 2;
  for (const CopyPlace* place : {&target, &source}) {
    log2 = std::min<uint32_t>(log2, make_access(place->pointer, at, place->extra).align_log2);
  }
  return log2;
}

bool find_copy_unit(Reader& r, uint32_t log2, ir::Type& unit) {
  constexpr ir::Type kUnits[] = {ir::kI8, ir::kI16, ir::kI32};
  const bool available[] = {r.options.widths.int8, r.options.widths.int16, true};
  unit = kUnits[log2];
  return available[log2] || r.unsupported(concat("a copy in units of ", 8u << log2, " bits"));
}

void copy_unit(Reader& r, const CopyPlace& target, const CopyPlace& source, ir::Type type, uint32_t at) {
  const MemoryOperands from(r, source.pointer);
  const ir::Value value = r.b.memory(ir::Op::load, type, from, make_access(source.pointer, at, source.extra));
  MemoryOperands to(r, target.pointer);
  to.push_back(value);
  r.b.memory(ir::Op::store, ir::kVoid, to, make_access(target.pointer, at, target.extra));
}

bool translate_copy_bytes(Reader& r, const Instruction& in) {
  CopyPlace target, source;
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
  if (!read_copy_operands(r, in, 4, target.extra, source.extra) || !is_writable(r, target.pointer)) return false;
  if (!r.find_constant_u32(in[3], bytes)) {
    ir::Value count;
    if (!r.scalar_value(in[3], kAnyInteger, count) || !find_type(r, target, source, kNone, type)) return false;
    return copy_loop(r, target, source, count);
  }
  if (bytes == 0) return r.fail("expected more than 0 bytes");
  if (!find_type(r, target, source, bytes, type)) return false;
  return type != kNone ? copy_value(r, target, source, type) : copy_bytes(r, target, source, bytes);
}

}  // namespace spalt::spirv
