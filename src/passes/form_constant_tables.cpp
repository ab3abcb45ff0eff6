// SPDX-License-Identifier: MIT
#include "passes/form_constant_tables.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "analysis/alias.h"
#include "base/bits.h"
#include "base/small_vector.h"
#include "passes/packed_elements.h"
#include "passes/scratch_groups.h"
#include "passes/simplify/replacer.h"

namespace spalt::passes {

using analysis::MemoryPlace;
using ir::BlockId;
using ir::MemoryAccess;
using ir::Op;
using ir::Type;
using ir::Value;

namespace {

/// Whether the bytes of a value are known: a constant, or a vector of constants.
bool is_known(const ir::Function& function, Value value) {
  const auto known = [&](Value part) { return function.is_constant(part) || function.inst(part).op == Op::undef; };
  if (function.inst(value).op != Op::vec) return known(value);
  const auto parts = function.operands(value);
  return std::all_of(parts.begin(), parts.end(), known);
}

constexpr unsigned kDword = 4;

uint64_t bits_at(const uint8_t* at, unsigned size) {
  uint64_t bits = 0;
  for (unsigned byte = 0; byte < size; ++byte) bits |= uint64_t{at[byte]} << (8 * byte);
  return bits;
}

bool is_plain(const MemoryAccess& access) {
  return (access.flags & ir::kVolatile) == 0 && access.order == ir::MemoryOrder::none;
}

/// A number that the offset is a multiple of: indices of arrays step from element to element.
uint32_t stride_of(const ir::Function& function, Value offset, unsigned depth = 0) {
  constexpr unsigned kMaxDepth = 4;
  const ir::Inst& inst = function.inst(offset);
  if (inst.op == Op::constant) return static_cast<uint32_t>(inst.imm);
  if (inst.op == Op::iadd && depth < kMaxDepth) {
    return std::gcd(stride_of(function, function.operand(offset, 0), depth + 1),
                    stride_of(function, function.operand(offset, 1), depth + 1));
  }
  if (inst.op != Op::imul && inst.op != Op::ishl) return 1;
  const Value factor = function.operand(offset, 1);
  if (!function.is_constant(factor)) return 1;
  const auto amount = static_cast<uint32_t>(function.inst(factor).imm);
  return inst.op == Op::imul ? amount : 1u << (amount & 31);
}

/// What a load at a variable offset may bring without memory: for each of its components the elements to choose among.
struct PackedLoad {
  SmallVector<PackedElements, 4> components;
  uint32_t stride = 0;  ///< bytes from element to element
};

class TableFormer {
 public:
  TableFormer(ir::Module& module, Arena& scratch)
      : module_(module),
        f_(module.functions[0]),
        groups_(module, scratch),
        facts_(scratch, groups_.all().size(), Facts()),
        accesses_(scratch),
        bytes_(scratch),
        placed_(scratch),
        replacer_(scratch),
        builder_(f_) {}

  bool run();

 private:
  struct Facts {
    bool stored = false, loaded = false;
    bool in_memory = false;    ///< some load is of a table
    uint32_t bytes_begin = 0;  ///< of the group's bytes in `bytes_`
    uint32_t table = 0;        ///< where in Module::tables
  };
  struct Table {
    uint32_t begin, bytes;
  };

  void judge();
  void judge_store(Value value, const MemoryPlace& place, ScratchGroup& group);
  void judge_load(Value value, const MemoryPlace& place, ScratchGroup& group);
  void collect_bytes();
  void write(Value data, uint8_t* at);
  bool pack(Value load, PackedLoad& packed) const;
  void find_tables();
  void place_tables();
  uint32_t place_table(std::span<const uint8_t> bytes);
  void rewrite(Value load);
  void replace(Value load, Value with);
  Value index_of(Value offset, uint32_t stride);
  Value packed_value(Value load, const PackedLoad& packed);
  Value known_value(Type type, const uint8_t* at);
  Value limited_offset(Value load, uint32_t first, uint32_t room, MemoryAccess& access);
  static uint32_t bytes_of(const ScratchGroup& group) {
    return static_cast<uint32_t>(align_up(group.end - group.begin, 4));
  }

  ir::Module& module_;
  ir::Function& f_;
  ScratchGroups groups_;
  Vector<Facts> facts_;  ///< by group
  Vector<Value> accesses_;
  Vector<uint8_t> bytes_;  ///< of the groups that become tables, one after the other
  Vector<Table> placed_;
  Replacer replacer_;
  ir::Builder builder_;
};

void TableFormer::judge_store(Value value, const MemoryPlace& place, ScratchGroup& group) {
  Facts& facts = facts_[groups_.index_of(group)];
  const bool first = f_.inst(value).block == f_.entry() && !facts.loaded;
  facts.stored = true;
  if (!first || place.offset.valid() || !is_known(f_, analysis::stored_data(f_, value))) group.stays = true;
}

void TableFormer::judge_load(Value value, const MemoryPlace& place, ScratchGroup& group) {
  Facts& facts = facts_[groups_.index_of(group)];
  facts.loaded = true;
  const Type type = f_.type(value);
  // What a table is read in.
  if (type.is_bool() || type.bytes() == 0 || place.access.align_log2 > 31) group.stays = true;
}

/// The entry block comes first in the layout, so that its stores are met before all loads that they are for.
void TableFormer::judge() {
  for (BlockId block : f_.layout()) {
    for (Value value : ir::insts(f_, block)) {
      if (!is_scratch_access(f_, value)) continue;
      accesses_.push_back(value);
      const MemoryPlace place = analysis::memory_place(f_, value);
      ScratchGroup* group = groups_.find(place.first);
      if (group == nullptr || place.first + place.bytes > group->end) return groups_.keep_all();
      const Op op = f_.inst(value).op;
      if ((op != Op::load && op != Op::store) || !is_plain(place.access)) {
        group->stays = true;
      } else if (op == Op::store) {
        judge_store(value, place, *group);
      } else {
        judge_load(value, place, *group);
      }
    }
  }
  for (ScratchGroup& group : groups_.all()) group.stays |= !facts_[groups_.index_of(group)].stored;
}

/// What the stores of all groups leave. The bytes that nothing is stored to are undefined, so 0 will do.
void TableFormer::collect_bytes() {
  uint32_t size = 0;
  for (const ScratchGroup& group : groups_.all()) {
    if (group.stays) continue;
    facts_[groups_.index_of(group)].bytes_begin = size;
    size += bytes_of(group);
  }
  bytes_.assign(size, 0);
  for (Value value : accesses_) {
    if (f_.inst(value).op != Op::store) continue;
    const MemoryPlace place = analysis::memory_place(f_, value);
    const ScratchGroup& group = *groups_.find(place.first);
    if (group.stays) continue;
    const Facts& facts = facts_[groups_.index_of(group)];
    write(analysis::stored_data(f_, value), &bytes_[facts.bytes_begin + (place.first - group.begin)]);
  }
}

void TableFormer::write(Value data, uint8_t* at) {
  const unsigned size = f_.type(data).element().bytes();
  const auto put = [&](Value part) {
    for (unsigned byte = 0; byte < size && f_.is_constant(part); ++byte) {
      at[byte] = static_cast<uint8_t>(f_.inst(part).imm >> (8 * byte));
    }
    at += size;
  };
  if (f_.inst(data).op != Op::vec) return put(data);
  for (Value part : f_.operands(data)) put(part);
}

/// Whether the load can bring its elements without memory, in fewer operations than a load is worth.
bool TableFormer::pack(Value load, PackedLoad& packed) const {
  constexpr unsigned kMostOperations = 8, kMostComponents = 4, kMostElements = 64;
  const MemoryPlace place = analysis::memory_place(f_, load);
  const ScratchGroup& group = *groups_.find(place.first);
  const Type type = f_.type(load), part = type.element();
  packed.stride = stride_of(f_, place.offset);
  // Anything else is no division.
  const bool divides = std::has_single_bit(packed.stride) || f_.inst(place.offset).op == Op::imul;
  if (packed.stride == 0 || !divides || part.bytes() != kDword || type.components > kMostComponents) return false;
  const uint64_t count = (group.end - place.first - place.bytes) / packed.stride + 1;
  if (count > kMostElements) return false;
  const uint8_t* const first = &bytes_[facts_[groups_.index_of(group)].bytes_begin + (place.first - group.begin)];
  std::array<uint32_t, kMostElements> elements;
  unsigned made = 0;
  for (unsigned component = 0; component < type.components; ++component) {
    for (uint32_t i = 0; i < count; ++i) {
      elements[i] = static_cast<uint32_t>(bits_at(first + i * packed.stride + component * kDword, kDword));
    }
    const auto one = pack_elements({elements.data(), count}, part);
    if (!one) return false;
    made += operations(*one);
    packed.components.push_back(*one);
  }
  return made <= kMostOperations;
}

void TableFormer::find_tables() {
  for (Value value : accesses_) {
    if (!groups_.takes(f_, value) || f_.inst(value).op != Op::load) continue;
    const MemoryPlace place = analysis::memory_place(f_, value);
    PackedLoad packed;
    if (!place.offset.valid() || pack(value, packed)) continue;
    facts_[groups_.index_of(*groups_.find(place.first))].in_memory = true;
  }
}

/// Where equal bytes are, or new ones at the end. Looks at the last tables alone, since equal ones come of one source
/// line.
uint32_t TableFormer::place_table(std::span<const uint8_t> bytes) {
  constexpr size_t kCompared = 16;
  const size_t count = placed_.size(), first = count - std::min(count, kCompared);
  for (size_t i = first; i < count; ++i) {
    const Table& table = placed_[i];
    if (table.bytes == bytes.size() && std::equal(bytes.begin(), bytes.end(), &module_.tables[table.begin])) {
      return table.begin;
    }
  }
  const auto begin = static_cast<uint32_t>(align_up(module_.tables.size(), ir::kTableAlignment));
  module_.tables.resize(begin, 0);
  module_.tables.append(bytes);
  placed_.push_back({begin, static_cast<uint32_t>(bytes.size())});
  return begin;
}

void TableFormer::place_tables() {
  for (const ScratchGroup& group : groups_.all()) {
    Facts& facts = facts_[groups_.index_of(group)];
    if (!group.stays && facts.in_memory) facts.table = place_table({&bytes_[facts.bytes_begin], bytes_of(group)});
  }
}

/// The bytes at `at` as a value.
Value TableFormer::known_value(Type type, const uint8_t* at) {
  SmallVector<Value, 16> parts;
  const unsigned size = type.element().bytes();
  for (unsigned i = 0; i < type.components; ++i, at += size) {
    parts.push_back(f_.constant(type.element(), bits_at(at, size)));
  }
  return type.is_vector() ? f_.create(Op::vec, type, parts) : parts[0];
}

/// Limits the offset of a load, whose constant part is `first`, so that it stays in the group. Loads of elements that
/// lie side by side are limited alike, and so that the address stays as aligned as the load says.
Value TableFormer::limited_offset(Value load, uint32_t first, uint32_t room, MemoryAccess& access) {
  const Value offset = f_.operand(load, 0);
  const uint32_t stride = stride_of(f_, offset), align = 1u << access.align_log2;
  uint32_t largest = stride == 0 ? 0 : room / stride * stride;
  if (stride % align != 0) {
    const uint32_t last = (first + room) & ~(align - 1);
    if (last < first) access.align_log2 = 0;
    largest = last < first ? 0 : last - first;
  }
  const Value operands[] = {offset, f_.constant_i32(largest)};
  const Value limited = f_.create(Op::umin, ir::kI32, operands);
  f_.insert_before(load, limited);
  return limited;
}

void TableFormer::replace(Value load, Value with) {
  replacer_.replace(load, with);
  f_.unlink(load);
}

/// The number of the element at an offset that the stride divides.
Value TableFormer::index_of(Value offset, uint32_t stride) {
  const ir::Inst& inst = f_.inst(offset);
  if (inst.op == Op::imul || inst.op == Op::ishl) {
    const Value factor = f_.operand(offset, 1);
    const uint64_t amount = f_.is_constant(factor) ? f_.inst(factor).imm : 0;
    const bool scales = inst.op == Op::imul ? amount == stride : amount < 32 && 1u << amount == stride;
    if (scales) return f_.operand(offset, 0);
  }
  return builder_.binary(Op::udiv, offset, builder_.i32(stride));
}

Value TableFormer::packed_value(Value load, const PackedLoad& packed) {
  builder_.set_before(load);
  const Value index = index_of(f_.operand(load, 0), packed.stride);
  SmallVector<Value, 4> parts;
  for (const PackedElements& one : packed.components) {
    const auto shift = static_cast<uint32_t>(std::countr_zero(one.width));
    const Value place = shift == 0 ? index : builder_.ishl(index, builder_.i32(shift));
    parts.push_back(element(builder_, one, place));
  }
  const Type type = f_.type(load);
  return type.is_vector() ? builder_.emit(Op::vec, type, parts) : parts[0];
}

void TableFormer::rewrite(Value load) {
  const MemoryPlace place = analysis::memory_place(f_, load);
  const ScratchGroup& group = *groups_.find(place.first);
  const Facts& facts = facts_[groups_.index_of(group)];
  const auto first = static_cast<uint32_t>(place.first - group.begin);
  if (!place.offset.valid()) {
    const Value known = known_value(f_.type(load), &bytes_[facts.bytes_begin + first]);
    if (f_.type(load).is_vector()) f_.insert_before(load, known);
    return replace(load, known);
  }
  PackedLoad packed;
  if (pack(load, packed)) return replace(load, packed_value(load, packed));
  MemoryAccess access = place.access;
  access.storage = ir::StorageClass::table;
  access.flags = ir::kReadOnly;
  access.offset = facts.table + first;
  const int start = std::countr_zero(static_cast<uint32_t>(group.begin) | ir::kTableAlignment);
  access.align_log2 = std::min(access.align_log2, static_cast<uint8_t>(start));
  const auto room = static_cast<uint32_t>(group.end - place.first - place.bytes);
  f_.set_operand(load, 0, limited_offset(load, first, room, access));
  f_.inst(load).imm = access.pack();
}

bool TableFormer::run() {
  if (!f_.block(f_.entry()).preds.empty()) return false;
  judge();
  if (!groups_.any()) return false;
  collect_bytes();
  find_tables();
  place_tables();
  for (Value value : accesses_) {
    if (!groups_.takes(f_, value)) continue;
    if (f_.inst(value).op == Op::load) {
      rewrite(value);
    } else {
      f_.unlink(value);
    }
  }
  replacer_.apply(f_);
  groups_.remove_taken(module_);
  return true;
}

}  // namespace

bool form_constant_tables(ir::Module& module, CompileContext& context) {
  if (module.scratch_bytes == 0 || module.functions.size() != 1) return false;
  const ArenaScope scope(context.scratch);
  return TableFormer(module, context.scratch).run();
}

}  // namespace spalt::passes
