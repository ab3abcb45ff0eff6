// SPDX-License-Identifier: MIT
#include "amdgpu/opt/merge_memory.h"

#include <algorithm>
#include <bit>

namespace spalt::opt {

using mir::InstId;
using mir::Opcode;
using mir::Operand;

namespace {

constexpr uint32_t kWindow = 48;
constexpr uint32_t kMaxGroup = 16;
constexpr uint32_t kMaxGroups = 16;
constexpr unsigned kMaxScalarDwords = 16;
/// Where scalar loads of one address fill as many registers as these, tuples of 16 would not find a place beside each
/// other.
constexpr unsigned kCrowdedDwords = 64, kMaxCrowdedDwords = 8;
constexpr unsigned kMaxBufferDwords = 4;
/// Dwords that a scalar load may bring for nothing, which cost registers.
constexpr unsigned kMaxWaste = 1;

enum class Kind : uint8_t {
  none,
  scalar_load,
  scalar_buffer_load,
  buffer_load,
  buffer_store,
  shared_load,
  shared_store
};

struct AccessShape {
  Kind kind = Kind::none;
  uint8_t dwords = 0;
};

bool is_access(Opcode opcode) {
  return mir::has_flag(opcode, isa::kSmem | isa::kVmem | isa::kLds);
}

AccessShape shape_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::s_load_dword:
      return {Kind::scalar_load, 1};
    case Opcode::s_load_dwordx2:
      return {Kind::scalar_load, 2};
    case Opcode::s_load_dwordx4:
      return {Kind::scalar_load, 4};
    case Opcode::s_load_dwordx8:
      return {Kind::scalar_load, 8};
    case Opcode::s_buffer_load_dword:
      return {Kind::scalar_buffer_load, 1};
    case Opcode::s_buffer_load_dwordx2:
      return {Kind::scalar_buffer_load, 2};
    case Opcode::s_buffer_load_dwordx4:
      return {Kind::scalar_buffer_load, 4};
    case Opcode::s_buffer_load_dwordx8:
      return {Kind::scalar_buffer_load, 8};
    case Opcode::buffer_load_dword:
      return {Kind::buffer_load, 1};
    case Opcode::buffer_load_dwordx2:
      return {Kind::buffer_load, 2};
    case Opcode::buffer_load_dwordx3:
      return {Kind::buffer_load, 3};
    case Opcode::buffer_store_dword:
      return {Kind::buffer_store, 1};
    case Opcode::buffer_store_dwordx2:
      return {Kind::buffer_store, 2};
    case Opcode::buffer_store_dwordx3:
      return {Kind::buffer_store, 3};
    case Opcode::ds_read_b32:
      return {Kind::shared_load, 1};
    case Opcode::ds_read_b64:
      return {Kind::shared_load, 2};
    case Opcode::ds_write_b32:
      return {Kind::shared_store, 1};
    case Opcode::ds_write_b64:
      return {Kind::shared_store, 2};
    default:
      return {};
  }
}

bool is_store(Kind kind) {
  return kind == Kind::buffer_store || kind == Kind::shared_store;
}
bool is_scalar(Kind kind) {
  return kind == Kind::scalar_load || kind == Kind::scalar_buffer_load;
}
bool is_shared(Kind kind) {
  return kind == Kind::shared_load || kind == Kind::shared_store;
}

Opcode wide_opcode(Kind kind, unsigned dwords) {
  switch (kind) {
    case Kind::scalar_load:
      return dwords == 2   ? Opcode::s_load_dwordx2
             : dwords == 4 ? Opcode::s_load_dwordx4
             : dwords == 8 ? Opcode::s_load_dwordx8
                           : Opcode::s_load_dwordx16;
    case Kind::scalar_buffer_load:
      return dwords == 2   ? Opcode::s_buffer_load_dwordx2
             : dwords == 4 ? Opcode::s_buffer_load_dwordx4
             : dwords == 8 ? Opcode::s_buffer_load_dwordx8
                           : Opcode::s_buffer_load_dwordx16;
    case Kind::buffer_load:
      return dwords == 2   ? Opcode::buffer_load_dwordx2
             : dwords == 3 ? Opcode::buffer_load_dwordx3
                           : Opcode::buffer_load_dwordx4;
    default:
      return dwords == 2   ? Opcode::buffer_store_dwordx2
             : dwords == 3 ? Opcode::buffer_store_dwordx3
                           : Opcode::buffer_store_dwordx4;
  }
}

struct Access {
  InstId inst;
  uint32_t position = 0;  ///< index in the block
  int32_t offset = 0;
  uint8_t dwords = 0;
};

struct Range {
  int32_t begin = 0, end = 0;  ///< bytes from the address that the operands make
  bool overlaps(const Range& other) const { return begin < other.end && other.begin < end; }
};

/// Accesses with the same address operands and modifiers.
struct Group {
  Kind kind = Kind::none;
  InstId model;
  SmallVector<Access, kMaxGroup> accesses;
  SmallVector<Range, kMaxGroup>
      crossed;  ///< loads: what stores write that may come after the first one, from the same address
};

bool same_operand(const Operand& a, const Operand& b) {
  return a.same_value(b) && a.dwords == b.dwords;
}

class Merger {
 public:
  Merger(mir::Function& function, Arena& scratch) : function_(function), scratch_(scratch) {}

  void run() {
    for (mir::BlockId block : function_.layout) merge_block(function_.blocks[block].insts);
  }

 private:
  /// Finds the instructions that touch memory. False if there are no two accesses of a kind that can be merged.
  bool find_accesses(const mir::InstList& insts) {
    positions_.clear();
    uint32_t once = 0, twice = 0;
    for (uint32_t at = 0; at < insts.size(); ++at) {
      const mir::Inst& inst = function_.insts[insts[at]];
      if (!is_access(inst.opcode) && inst.memory == 0) continue;
      const Kind kind = shape_of(inst.opcode).kind;
      positions_.push_back(at);
      const uint32_t bit = 1u << static_cast<unsigned>(kind);
      twice |= once & bit;
      once |= bit;
    }
    constexpr uint32_t kOthers = 1u << static_cast<unsigned>(Kind::none);
    return (twice & ~kOthers) != 0;
  }

  void merge_block(mir::InstList& insts) {
    if (!find_accesses(insts)) return;
    insts_ = &insts;
    inserted_.clear();
    removed_.assign(insts.size(), 0);
    for (uint32_t at : positions_) visit(at);
    close_all();
    if (!inserted_.empty()) rebuild(insts);
  }

  void visit(uint32_t at) {
    const InstId id = (*insts_)[at];
    const mir::Inst& inst = function_.insts[id];
    AccessShape shape = shape_of(inst.opcode);
    // Scratch is interleaved by dwords, and what orders memory stays as it is.
    if ((inst.memory & (mir::kOrdersMemory | mir::kReadsScratch | mir::kWritesScratch)) != 0) shape = {};
    if (function_.modifiers(inst).tfe || function_.modifiers(inst).lds) shape = {};
    if (inst.def_count != 0 && !function_.defs(id)[0].is_vreg()) shape = {};
    int own = shape.kind == Kind::none ? -1 : find_group(shape.kind, id);
    const uint32_t open = groups_.size();
    if (inst.memory != 0) close_conflicting(shape, id, own);
    if (shape.kind == Kind::none) return;
    if (groups_.size() != open) own = find_group(shape.kind, id);
    add(shape, id, at, own);
  }

  /// The open group that the access belongs to, or -1.
  int find_group(Kind kind, InstId id) const {
    for (uint32_t i = 0; i < groups_.size(); ++i) {
      if (groups_[i].kind == kind && same_address(kind, groups_[i].model, id)) return static_cast<int>(i);
    }
    return -1;
  }

  bool same_address(Kind kind, InstId a, InstId b) const {
    if (function_.insts[a].memory != function_.insts[b].memory) return false;
    if (is_shared(kind) && function_.insts[a].opcode != function_.insts[b].opcode) return false;
    return same_base(kind, a, kind, b);
  }

  /// Whether the two differ in nothing that makes the address but their constant offsets.
  bool same_base(Kind kind_a, InstId a, Kind kind_b, InstId b) const {
    const auto uses_a = function_.uses(a), uses_b = function_.uses(b);
    const size_t count = uses_a.size() - (is_store(kind_a) ? 1u : 0u);
    if (count != uses_b.size() - (is_store(kind_b) ? 1u : 0u)) return false;
    for (size_t i = 0; i < count; ++i) {
      if (!same_operand(uses_a[address_index(kind_a, i)], uses_b[address_index(kind_b, i)])) return false;
    }
    const isa::Modifiers& mods = function_.modifiers(b);
    isa::Modifiers with_its_offset = function_.modifiers(a);
    with_its_offset.offset = mods.offset;
    return with_its_offset == mods;
  }
  /// Where the i-th operand of an address stands: the data is first in buffer stores, second in LDS stores.
  static size_t address_index(Kind kind, size_t i) {
    return kind == Kind::buffer_store || (kind == Kind::shared_store && i != 0) ? i + 1 : i;
  }

  Range range_of(AccessShape shape, InstId id) const {
    const int32_t begin = function_.modifiers(id).offset;
    return {begin, begin + shape.dwords * 4};
  }

  /// `own`: the open group that it belongs to, or -1.
  void add(AccessShape shape, InstId id, uint32_t at, int own) {
    if (own >= 0 && (groups_[own].accesses.size() == kMaxGroup || at - groups_[own].accesses[0].position > kWindow ||
                     overlaps_crossed(groups_[own], range_of(shape, id)))) {
      close(static_cast<uint32_t>(own));
      own = -1;
    }
    if (own < 0) {
      if (groups_.size() == kMaxGroups) close(0);
      Group group;
      group.kind = shape.kind;
      group.model = id;
      if (!is_store(shape.kind) && !is_scalar(shape.kind)) cross_earlier_stores(group);
      own = static_cast<int>(groups_.size());
      groups_.push_back(std::move(group));
    }
    groups_[own].accesses.push_back({id, at, function_.modifiers(id).offset, shape.dwords});
  }

  /// Open groups of stores may move down past the first load of a new group, where later loads move up to.
  void cross_earlier_stores(Group& group) {
    for (uint32_t i = static_cast<uint32_t>(groups_.size()); i-- > 0;) {
      const Group& other = groups_[i];
      if (!is_store(other.kind) || is_shared(other.kind) != is_shared(group.kind)) continue;
      if (group.crossed.size() + other.accesses.size() > kMaxGroup) {
        close(i);
        continue;
      }
      for (const Access& access : other.accesses) {
        group.crossed.push_back({access.offset, access.offset + access.dwords * 4});
      }
    }
  }

  static bool overlaps_crossed(const Group& group, const Range& range) {
    return std::any_of(group.crossed.begin(), group.crossed.end(),
                       [&](const Range& other) { return other.overlaps(range); });
  }

  /// Groups may not cross an instruction whose MemoryBits conflict with theirs.
  void close_conflicting(AccessShape shape, InstId id, int own) {
    const uint16_t memory = function_.insts[id].memory;
    for (uint32_t i = static_cast<uint32_t>(groups_.size()); i-- > 0;) {
      if (static_cast<int>(i) == own) {
        // Loads of one group do not conflict, and stores of one group write different bytes or stay apart.
        continue;
      }
      const uint16_t group_memory = function_.insts[groups_[i].model].memory;
      const bool orders = (memory & mir::kOrdersMemory) != 0 && !(is_scalar(groups_[i].kind));
      const bool buffer = conflicts(memory, group_memory, mir::kReadsBuffer, mir::kWritesBuffer);
      const bool shared = conflicts(memory, group_memory, mir::kReadsShared, mir::kWritesShared);
      if (orders || ((buffer || shared) && !can_cross(groups_[i], shape, id))) close(i);
    }
  }

  /// Whether the group stays right across a load or store with the same address but other bytes. Its loads move up, so
  /// those yet to come must not read what this one stores; its stores move down, so those that it has must not write
  /// what this one loads.
  bool can_cross(Group& group, AccessShape shape, InstId id) {
    if (shape.kind == Kind::none || is_scalar(shape.kind) || is_scalar(group.kind)) return false;
    if (is_shared(shape.kind) != is_shared(group.kind) || is_store(shape.kind) == is_store(group.kind)) return false;
    if (!same_base(group.kind, group.model, shape.kind, id)) return false;
    const Range range = range_of(shape, id);
    if (is_store(shape.kind)) {
      if (group.crossed.size() == kMaxGroup) return false;
      group.crossed.push_back(range);
      return true;
    }
    return std::none_of(group.accesses.begin(), group.accesses.end(), [&](const Access& access) {
      return range.overlaps({access.offset, access.offset + access.dwords * 4});
    });
  }
  static bool conflicts(uint8_t a, uint8_t b, uint8_t reads, uint8_t writes) {
    return ((a & writes) != 0 && (b & (reads | writes)) != 0) || ((b & writes) != 0 && (a & reads) != 0);
  }

  void close_all() {
    while (!groups_.empty()) close(static_cast<uint32_t>(groups_.size() - 1));
  }

  void close(uint32_t index) {
    if (groups_[index].accesses.size() > 1) merge(groups_[index]);
    groups_.erase(groups_.begin() + index);
  }

  void merge(Group& group) {
    std::sort(group.accesses.begin(), group.accesses.end(), [](const Access& a, const Access& b) {
      return a.offset != b.offset ? a.offset < b.offset : a.position < b.position;
    });
    if (!part_overlapping(group)) return;
    if (is_shared(group.kind)) {
      pair_shared(group);
    } else {
      widen(group);
    }
  }

  /// Overlapping stores keep their order by staying as they are, all of them: false. A load that overlaps one before it
  /// stays alone.
  static bool part_overlapping(Group& group) {
    uint32_t kept = 1;
    for (uint32_t i = 1; i < group.accesses.size(); ++i) {
      const Access& before = group.accesses[kept - 1];
      const bool apart = before.offset + before.dwords * 4 <= group.accesses[i].offset;
      if (!apart && is_store(group.kind)) return false;
      if (apart) group.accesses[kept++] = group.accesses[i];
    }
    group.accesses.resize(kept);
    return true;
  }

  /// Whether one load of `dwords` may stand for some that use so many of the first `span`. A scalar load may bring
  /// others between those; after them only from a buffer, where what is out of bounds reads as zero.
  static bool can_waste(Kind kind, unsigned dwords, unsigned used, unsigned span) {
    if (!is_scalar(kind) || (kind != Kind::scalar_buffer_load && dwords != span)) return false;
    return dwords - used <= std::min(kMaxWaste, used - 1);
  }

  /// Cuts runs of neighbours into the widest accesses that exist. Tuples that would not be where tuples are aligned to
  /// would be copied: not where a load is wider than what is used for them.
  void widen(const Group& group) {
    const uint32_t count = group.accesses.size();
    unsigned limit = is_scalar(group.kind) ? kMaxScalarDwords : kMaxBufferDwords, all = 0;
    for (const Access& access : group.accesses) all += access.dwords;
    if (all >= kCrowdedDwords) limit = std::min(limit, kMaxCrowdedDwords);
    for (uint32_t first = 0; first < count;) {
      const int32_t begin = group.accesses[first].offset;
      unsigned used = group.accesses[first].dwords, best = used;
      uint32_t best_end = first + 1;
      bool aligned = true;
      for (uint32_t next = first + 1; next < count; ++next) {
        const Access& last = group.accesses[next];
        const int32_t bytes = last.offset + last.dwords * 4 - begin;
        if (bytes % 4 != 0) break;
        aligned &= (last.offset - begin) / 4 % std::min<int32_t>(last.dwords, 4) == 0;
        used += last.dwords;
        const unsigned span = static_cast<unsigned>(bytes) / 4;
        const unsigned dwords = is_scalar(group.kind) ? std::bit_ceil(span) : span;
        if (span > limit || span - used > kMaxWaste) break;
        if (dwords > limit || (dwords != used && !(aligned && can_waste(group.kind, dwords, used, span)))) continue;
        best = dwords;
        best_end = next + 1;
      }
      if (best_end - first > 1) join(group.kind, {group.accesses.data() + first, best_end - first}, best);
      first = best_end;
    }
  }

  static uint32_t earliest(std::span<const Access> accesses) {
    uint32_t at = accesses[0].position;
    for (const Access& access : accesses) at = std::min(at, access.position);
    return at;
  }
  static uint32_t latest(std::span<const Access> accesses) {
    uint32_t at = accesses[0].position;
    for (const Access& access : accesses) at = std::max(at, access.position);
    return at;
  }

  void join(Kind kind, std::span<const Access> accesses, unsigned dwords) {
    if (is_store(kind)) {
      join_stores(accesses, dwords);
    } else {
      join_loads(kind, wide_opcode(kind, dwords), accesses, dwords, accesses[0].offset, 0);
    }
  }

  /// Parts of a scalar load that nobody reads are there as well.
  void join_loads(Kind kind, Opcode opcode, std::span<const Access> accesses, unsigned dwords, int32_t offset,
                  uint8_t offset1) {
    const uint32_t at = earliest(accesses);
    const InstId model = accesses[0].inst;
    SmallVector<Operand, 16> parts;
    int32_t end = accesses[0].offset;
    const auto add_unread = [&](int32_t bytes) {
      if (bytes > 0) parts.push_back(function_.def(mir::sgpr_class(static_cast<unsigned>(bytes) / 4)));
    };
    for (const Access& access : accesses) {
      if (is_scalar(kind)) add_unread(access.offset - end);
      parts.push_back(function_.defs(access.inst)[0]);
      end = access.offset + access.dwords * 4;
    }
    if (is_scalar(kind)) add_unread(accesses[0].offset + static_cast<int32_t>(dwords) * 4 - end);
    const bool in_vgprs = parts[0].cls().is_vgpr();
    const Operand wide = function_.def(in_vgprs ? mir::vgpr_class(dwords) : mir::sgpr_class(dwords));
    const InstId load = create_like(model, opcode, std::span<const Operand>(&wide, 1), function_.uses(model));
    set_offsets(load, offset, offset1);
    const InstId split = function_.create(Opcode::p_split, parts.span(), std::span<const Operand>(&wide, 1));
    remove(accesses);
    inserted_.push_back({at, load, split});
  }

  void join_stores(std::span<const Access> accesses, unsigned dwords) {
    const uint32_t at = latest(accesses);
    const InstId model = accesses[0].inst;
    SmallVector<Operand, 4> parts, uses(std::span<const Operand>(function_.uses(model)));
    for (const Access& access : accesses) parts.push_back(function_.uses(access.inst)[0]);
    const Operand wide = function_.def(mir::vgpr_class(dwords));
    const InstId vec = function_.create(Opcode::p_vec, std::span<const Operand>(&wide, 1), parts.span());
    uses[0] = wide;
    const InstId store = create_like(model, wide_opcode(Kind::buffer_store, dwords), {}, uses.span());
    function_.set_offset(store, accesses[0].offset);
    remove(accesses);
    inserted_.push_back({at, vec, store});
  }

  InstId create_like(InstId model, Opcode opcode, std::span<const Operand> defs, std::span<const Operand> uses) {
    const InstId id = function_.create(opcode, defs, uses);
    function_.set_modifiers(id, isa::Modifiers(function_.modifiers(model)));
    function_.insts[id].memory = function_.insts[model].memory;
    return id;
  }

  void set_offsets(InstId id, int32_t offset, uint8_t offset1) {
    function_.edit_modifiers(id, [&](isa::Modifiers& mods) {
      mods.offset = offset;
      mods.offset1 = offset1;
    });
  }

  /// Two accesses in the order of their positions, so that few values wait for a partner far away.
  void pair_shared(Group& group) {
    std::sort(group.accesses.begin(), group.accesses.end(),
              [](const Access& a, const Access& b) { return a.position < b.position; });
    for (uint32_t i = 0; i + 1 < group.accesses.size();) {
      i += try_pair(group.kind, group.accesses[i], group.accesses[i + 1]) ? 2 : 1;
    }
  }

  /// Offsets count in elements of the access, eight bits each, or in 64 elements.
  bool try_pair(Kind kind, const Access& a, const Access& b) {
    const int32_t size = a.dwords * 4;
    const bool wide = a.dwords == 2;
    const auto fits = [&](int32_t unit) {
      return a.offset % unit == 0 && b.offset % unit == 0 && a.offset / unit <= 255 && b.offset / unit <= 255;
    };
    const bool near = fits(size);
    if (!near && !fits(size * 64)) return false;
    const int32_t unit = near ? size : size * 64;
    const Access accesses[] = {a, b};
    const auto offset1 = static_cast<uint8_t>(b.offset / unit);
    if (kind == Kind::shared_load) {
      const Opcode opcode = near ? (wide ? Opcode::ds_read2_b64 : Opcode::ds_read2_b32)
                                 : (wide ? Opcode::ds_read2st64_b64 : Opcode::ds_read2st64_b32);
      join_loads(kind, opcode, accesses, a.dwords * 2u, a.offset / unit, offset1);
      return true;
    }
    const Opcode opcode = near ? (wide ? Opcode::ds_write2_b64 : Opcode::ds_write2_b32)
                               : (wide ? Opcode::ds_write2st64_b64 : Opcode::ds_write2st64_b32);
    const Operand uses[] = {function_.uses(a.inst)[0], function_.uses(a.inst)[1], function_.uses(b.inst)[1]};
    const InstId store = create_like(a.inst, opcode, {}, uses);
    set_offsets(store, a.offset / unit, offset1);
    remove(accesses);
    inserted_.push_back({b.position, store, InstId()});
    return true;
  }

  void remove(std::span<const Access> accesses) {
    for (const Access& access : accesses) removed_[access.position] = 1;
  }

  void rebuild(mir::InstList& insts) {
    std::sort(inserted_.begin(), inserted_.end(),
              [](const Insertion& a, const Insertion& b) { return a.position < b.position; });
    mir::InstList merged(scratch_);
    merged.reserve(insts.size());
    size_t next = 0;
    for (uint32_t at = 0; at < insts.size(); ++at) {
      if (next < inserted_.size() && inserted_[next].position == at) {
        merged.push_back(inserted_[next].first);
        if (inserted_[next].second.valid()) merged.push_back(inserted_[next].second);
        ++next;
      }
      if (removed_[at] == 0) merged.push_back(insts[at]);
    }
    insts.assign(merged);
  }

  /// What comes in place of accesses, at the position of one of them.
  struct Insertion {
    uint32_t position;
    InstId first, second;  ///< second: none, or right after the first
  };
  mir::Function& function_;
  Arena& scratch_;
  mir::InstList* insts_ = nullptr;
  Vector<uint32_t> positions_{scratch_};  ///< in the block, of what touches memory
  Vector<Group> groups_{scratch_};
  Vector<Insertion> inserted_{scratch_};
  Vector<uint8_t> removed_{scratch_};
};

}  // namespace

void merge_memory(mir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  Merger(function, context.scratch).run();
}

}  // namespace spalt::opt
