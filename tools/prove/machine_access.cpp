// SPDX-License-Identifier: MIT
#include "machine_access.h"

#include <array>

namespace spalt::prove {

namespace {

struct Size {
  std::string_view ending;
  unsigned bits, pieces;
  bool is_signed = false, in_high_half = false, keeps_rest = false;
};

/// Endings of loads and stores of buffers, addresses and scratch, and of scalar loads.
constexpr std::array<Size, 22> kSizes = {{{"ubyte", 8, 1},
                                          {"sbyte", 8, 1, true},
                                          {"byte", 8, 1},
                                          {"ushort", 16, 1},
                                          {"sshort", 16, 1, true},
                                          {"short", 16, 1},
                                          {"short_d16", 16, 1, false, false, true},
                                          {"short_d16_hi", 16, 1, false, true, true},
                                          {"dword", 32, 1},
                                          {"dwordx2", 32, 2},
                                          {"dwordx3", 32, 3},
                                          {"dwordx4", 32, 4},
                                          {"dwordx8", 32, 8},
                                          {"dwordx16", 32, 16},
                                          // LDS
                                          {"u8", 8, 1},
                                          {"i8", 8, 1, true},
                                          {"b8", 8, 1},
                                          {"u16", 16, 1},
                                          {"i16", 16, 1, true},
                                          {"b16", 16, 1},
                                          {"b32", 32, 1},
                                          {"b64", 32, 2}}};

bool set_size(std::string_view ending, MachineAccess& access) {
  if (ending == "b96" || ending == "b128") {
    access.pieces = ending == "b96" ? 3 : 4;
    return true;
  }
  for (const Size& size : kSizes) {
    if (size.ending != ending) continue;
    access.bits = size.bits;
    access.pieces = size.pieces;
    access.is_signed = size.is_signed;
    access.in_high_half = size.in_high_half;
    access.keeps_rest = size.keeps_rest;
    return true;
  }
  return false;
}

struct AtomicName {
  std::string_view machine, ir;
};
constexpr std::array<AtomicName, 22> kAtomics = {{{"swap", "exchange"},
                                                  {"cmpswap", "compare_exchange"},
                                                  {"add", "add"},
                                                  {"sub", "sub"},
                                                  {"smin", "smin"},
                                                  {"smax", "smax"},
                                                  {"umin", "umin"},
                                                  {"umax", "umax"},
                                                  {"and", "and"},
                                                  {"or", "or"},
                                                  {"xor", "xor"},
                                                  {"add_f32", "fadd"},
                                                  {"fmin", "fmin"},
                                                  {"fmax", "fmax"},
                                                  {"wrxchg", "exchange"},
                                                  {"cmpst", "compare_exchange"},
                                                  {"cmpstore", "compare_exchange"},
                                                  {"min_i", "smin"},
                                                  {"max_i", "smax"},
                                                  {"min_u", "umin"},
                                                  {"max_u", "umax"},
                                                  {"min_f", "fmin"}}};

bool set_atomic(std::string_view what, MachineAccess& access) {
  access.kind = MachineAccess::Kind::atomic;
  if (what == "max_f") {
    access.atomic = "fmax";
    return true;
  }
  for (const AtomicName& name : kAtomics) {
    if (name.machine != what) continue;
    access.atomic = name.ir;
    return true;
  }
  return false;
}

z3::expr sum_of(z3::context& c, const isa::Modifiers& m, const std::vector<MaybeWord>& parts) {
  z3::expr sum = number(c, static_cast<uint64_t>(static_cast<int64_t>(m.offset)), kPlaceBits);
  for (const MaybeWord& part : parts) {
    if (part) sum = sum + resize(*part, kPlaceBits);
  }
  return sum;
}

/// Uses: data unless it loads, lane's address, descriptor, scalar offset.
std::optional<MachineAccess> buffer_access(std::string_view name, const isa::Modifiers& m,
                                           const std::vector<MaybeWord>& all, bool is_scratch) {
  MachineAccess access;
  const bool loads = name.starts_with("load_"), stores = name.starts_with("store_");
  const std::string_view rest = name.substr(name.find('_') + 1);
  std::vector<MaybeWord> uses = all;
  access.memory = is_scratch ? "scratch" : "buffer";
  if (loads || stores) {
    access.kind = loads ? MachineAccess::Kind::load : MachineAccess::Kind::store;
    constexpr std::string_view kFormat = "format_";
    if (rest.starts_with(kFormat)) {
      access.pieces = static_cast<unsigned>(rest.size() - kFormat.size());
      access.format = std::to_string(m.format);
    } else if (!set_size(rest, access)) {
      return std::nullopt;
    }
  } else {
    const bool wide = rest.ends_with("_x2");
    if (!set_atomic(wide ? rest.substr(0, rest.size() - 3) : rest, access)) return std::nullopt;
    access.bits = wide ? 64 : 32;
  }
  if (!loads) {
    access.data = uses[0];
    uses.erase(uses.begin());
  }
  if (uses.size() < 3 || !uses[1] || m.addr64 || m.lds || m.tfe) return std::nullopt;
  z3::context& c = uses[1]->ctx();
  if (!is_scratch) access.place.push_back(*uses[1]);
  MaybeWord index, offset;
  if (m.idxen && uses[0]) index = uses[0]->extract(31, 0);
  if (m.offen && uses[0]) offset = m.idxen ? uses[0]->extract(63, 32) : *uses[0];
  if (index) access.place.push_back(*index);
  access.place.push_back(sum_of(c, m, {offset, uses[2]}));
  return access;
}

/// Uses: lane's address, data unless it loads, base in SGPRs.
std::optional<MachineAccess> global_access(std::string_view name, const isa::Modifiers& m,
                                           const std::vector<MaybeWord>& uses) {
  MachineAccess access;
  const bool loads = name.starts_with("load_"), stores = name.starts_with("store_");
  const std::string_view rest = name.substr(name.find('_') + 1);
  access.memory = "address";
  if (loads || stores) {
    access.kind = loads ? MachineAccess::Kind::load : MachineAccess::Kind::store;
    if (!set_size(rest, access)) return std::nullopt;
  } else {
    const bool wide = rest.ends_with("_x2");
    if (!set_atomic(wide ? rest.substr(0, rest.size() - 3) : rest, access)) return std::nullopt;
    access.bits = wide ? 64 : 32;
  }
  if (!loads) access.data = uses[1];
  const MaybeWord& base = uses.back();
  z3::expr address =
      resize(*uses[0], 64) + number(uses[0]->ctx(), static_cast<uint64_t>(static_cast<int64_t>(m.offset)), 64);
  if (base) address = address + *base;
  access.place.push_back(address);
  return access;
}

/// Scratch without a descriptor. Uses: lane's offset and data, in this order where it stores; a scalar offset.
std::optional<MachineAccess> scratch_access(std::string_view name, const isa::Modifiers& m,
                                            const std::vector<MaybeWord>& uses, z3::context& c) {
  MachineAccess access;
  const bool loads = name.starts_with("load_");
  if (!loads && !name.starts_with("store_")) return std::nullopt;
  access.kind = loads ? MachineAccess::Kind::load : MachineAccess::Kind::store;
  access.memory = "scratch";
  if (!set_size(name.substr(name.find('_') + 1), access)) return std::nullopt;
  if (!loads) access.data = uses[1];
  access.place.push_back(sum_of(c, m, {uses[0], uses.back()}));
  return access;
}

/// Uses: base, scalar offset.
std::optional<MachineAccess> scalar_access(std::string_view size, bool is_buffer, const isa::Modifiers& m,
                                           const std::vector<MaybeWord>& uses) {
  MachineAccess access;
  if (!set_size(size, access)) return std::nullopt;
  z3::context& c = uses[0]->ctx();
  const auto aligned = [&](const z3::expr& sum) { return sum & ~number(c, 3, sum.get_sort().bv_size()); };
  const MaybeWord offset = uses.size() > 1 ? uses[1] : MaybeWord();
  if (is_buffer) {
    access.memory = "buffer";
    access.place = {*uses[0], aligned(sum_of(c, m, {offset}))};
    return access;
  }
  access.memory = "address";
  z3::expr address = *uses[0] + number(c, static_cast<uint64_t>(static_cast<int64_t>(m.offset)), 64);
  if (offset) address = address + resize(*offset, 64);
  access.place = {aligned(address)};
  return access;
}

/// Uses: address, data.
std::optional<MachineAccess> shared_access(std::string_view name, const isa::Modifiers& m,
                                           const std::vector<MaybeWord>& uses) {
  MachineAccess access;
  access.memory = "shared";
  if (!uses[0] || m.gds) return std::nullopt;
  isa::Modifiers unsigned_offset = m;
  unsigned_offset.offset &= 0xffff;
  access.place = {sum_of(uses[0]->ctx(), unsigned_offset, {uses[0]})};
  const bool loads = name.starts_with("read_"), stores = name.starts_with("write_");
  if (loads || stores) {
    access.kind = loads ? MachineAccess::Kind::load : MachineAccess::Kind::store;
    if (!set_size(name.substr(name.find('_') + 1), access)) return std::nullopt;
    if (stores) access.data = uses[1];
    return access;
  }
  if (uses.size() < 2 || !uses[1]) return std::nullopt;
  access.bits = name.ends_with("64") ? 64 : 32;
  if (name == "add_f32" || name == "add_rtn_f32") {
    set_atomic("add_f32", access);
  } else {
    const size_t first = name.find('_'), last = name.rfind('_');
    const std::string_view what = name.substr(0, first), type = name.substr(last + 1);
    const bool is_extreme = what == "min" || what == "max";
    if (!set_atomic(is_extreme ? std::string(what) + "_" + type[0] : std::string(what), access)) return std::nullopt;
  }
  access.comparator_first = name.starts_with("cmpst_");
  access.data = *uses[1];
  if (uses.size() > 2 && uses[2]) access.data = z3::concat(*uses[2], *uses[1]);
  return access;
}

}  // namespace

std::optional<MachineAccess> machine_access(std::string_view name, const isa::Modifiers& m,
                                            const std::vector<MaybeWord>& uses, bool is_scratch) {
  const auto after = [&](std::string_view start) { return name.substr(start.size()); };
  if (name.starts_with("s_load_")) return scalar_access(after("s_load_"), false, m, uses);
  if (name.starts_with("s_buffer_load_")) return scalar_access(after("s_buffer_load_"), true, m, uses);
  if (name.starts_with("buffer_")) return buffer_access(after("buffer_"), m, uses, is_scratch);
  if (name.starts_with("tbuffer_")) return buffer_access(after("tbuffer_"), m, uses, is_scratch);
  if (name.starts_with("global_")) return global_access(after("global_"), m, uses);
  if (name.starts_with("ds_")) return shared_access(after("ds_"), m, uses);
  if (name.starts_with("scratch_")) {
    for (const MaybeWord& use : uses) {
      if (use) return scratch_access(after("scratch_"), m, uses, use->ctx());
    }
  }
  return std::nullopt;
}

}  // namespace spalt::prove
