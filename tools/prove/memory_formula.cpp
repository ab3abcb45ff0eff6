// SPDX-License-Identifier: MIT
#include "memory_formula.h"

#include <algorithm>

namespace spalt::prove {

using ir::MemoryAccess;
using ir::StorageClass;

namespace {

/// An index into an array: one bit that is 1 for places named by an address, 64 bits of a buffer, 34 of an offset.
constexpr unsigned kOffsetBits = 34, kIndexBits = 1 + 64 + kOffsetBits;

}  // namespace

bool State::is(const State& other) const {
  return z3::eq(token, other.token) && z3::eq(buffers, other.buffers) && z3::eq(shared, other.shared) &&
         z3::eq(scratch, other.scratch);
}

State State::merge(const z3::expr& condition, const State& a, const State& b) {
  const auto choose = [&](const z3::expr& x, const z3::expr& y) { return z3::eq(x, y) ? x : z3::ite(condition, x, y); };
  return {choose(a.token, b.token), choose(a.buffers, b.buffers), choose(a.shared, b.shared),
          choose(a.scratch, b.scratch)};
}

Memory::Memory(z3::context& context, const ir::Module& module, unsigned granule, bool shares_all)
    : c_(context), module_(module), granule_(granule), shares_all_(shares_all) {}

z3::expr Memory::new_array(const std::string& name, const z3::expr& token) {
  const z3::sort sort = c_.array_sort(c_.bv_sort(kIndexBits), c_.bv_sort(8 * granule_));
  return c_.function(name.c_str(), token.get_sort(), sort)(token);
}

State Memory::initial() {
  const z3::expr start = c_.bv_const("start", 64);
  return {start, new_array("buffers", start), new_array("shared", start), new_array("scratch", start)};
}

State Memory::unknown_state(const std::string& name) {
  const z3::expr token = c_.bv_const((name + " effects").c_str(), 64);
  return {token, new_array(name + " buffers", token), new_array(name + " shared", token),
          new_array(name + " scratch", token)};
}

z3::expr State::*Memory::array(StorageClass storage) {
  if (storage == StorageClass::shared) return &State::shared;
  return storage == StorageClass::scratch ? &State::scratch : &State::buffers;
}

/// Of memory that nobody writes.
z3::expr Memory::read_only_array(StorageClass storage) {
  const z3::expr start = c_.bv_const("start", 64);
  switch (storage) {
    case StorageClass::uniform:
      return new_array("uniform", start);
    case StorageClass::push:
      return new_array("push", start);
    case StorageClass::constant:
      return new_array("constant", start);
    case StorageClass::table: {
      z3::expr table = new_array("table", start);
      const size_t units = module_.tables.size() / granule_;
      for (size_t i = 0; i < units; ++i) {
        uint64_t value = 0;
        for (unsigned k = 0; k < granule_; ++k) value |= uint64_t{module_.tables[i * granule_ + k]} << (8 * k);
        table = z3::store(table, resize(number(c_, i * granule_, 64), kIndexBits), number(c_, value, 8 * granule_));
      }
      return table;
    }
    default:
      return new_array("buffers", start);
  }
}

z3::expr Memory::index(const MemoryAccess& access, const std::vector<Formulas>& operands) {
  const bool base = has_base(access.storage);
  const z3::expr offset = resize(operands[base ? 1 : 0][0], kOffsetBits) + number(c_, access.offset, kOffsetBits);
  if (!base) return resize(offset, kIndexBits);
  const z3::expr whole = joined_words(operands[0]);
  if (has_address(access.storage)) {
    return z3::concat(number(c_, access.storage == StorageClass::global ? 1 : 0, 1),
                      z3::concat(number(c_, 0, kOffsetBits), resize(whole, 64) + resize(offset, 64)));
  }
  const z3::expr buffer = whole.get_sort().bv_size() == 64 ? whole : unknown("descriptor", 64, {whole});
  const z3::expr apart = z3::concat(number(c_, 0, 1), z3::concat(buffer, offset));
  // Bindings that may be the same memory are found by unknown addresses.
  z3::expr is_aliased = c_.bool_val(shares_all_);
  for (size_t i = 0; i < module_.bindings.size() && !shares_all_; ++i) {
    if (module_.bindings[i].may_be_shared()) is_aliased = is_aliased || buffer.extract(63, 32) == number(c_, i, 32);
  }
  const z3::expr address = unknown("address_of", 64, {buffer}) + resize(offset, 64);
  const z3::expr shared = z3::concat(number(c_, 1, 1), z3::concat(number(c_, 0, kOffsetBits), address));
  return z3::ite(is_aliased, shared, apart).simplify();
}

z3::expr Memory::at(const z3::expr& first, unsigned unit) {
  return first + resize(number(c_, uint64_t{unit} * granule_, 64), kIndexBits);
}

Formulas Memory::load(ir::Type type, const MemoryAccess& access, const std::vector<Formulas>& operands,
                      const State& state) {
  const bool unchanging = access.storage == StorageClass::uniform || access.storage == StorageClass::push ||
                          access.storage == StorageClass::constant || access.storage == StorageClass::table ||
                          (access.flags & ir::kReadOnly) != 0;
  const z3::expr memory = unchanging ? read_only_array(access.storage) : state.*array(access.storage);
  const z3::expr first = index(access, operands);
  const unsigned units = type.scalar_bits() / 8 / granule_;
  Formulas loaded;
  for (unsigned i = 0; i < type.components; ++i) {
    Formulas parts;
    for (unsigned k = 0; k < units; ++k) parts.push_back(z3::select(memory, at(first, i * units + k)));
    loaded.push_back(joined_words(parts));
  }
  return loaded;
}

void Memory::store(const MemoryAccess& access, const std::vector<Formulas>& operands, State& state) {
  z3::expr& memory = state.*array(access.storage);
  const z3::expr first = index(access, operands);
  const Formulas& data = operands.back();
  const unsigned bits = data[0].get_sort().bv_size(), units = bits / 8 / granule_;
  for (unsigned i = 0; i < data.size(); ++i) {
    for (unsigned k = 0; k < units; ++k) {
      const z3::expr part = data[i].extract(8 * granule_ * (k + 1) - 1, 8 * granule_ * k);
      memory = z3::store(memory, at(first, i * units + k), part);
    }
  }
}

Formulas Memory::effect(const std::string& name, ir::Type type, const Formulas& operands, State& state) {
  Formulas arguments = operands;
  arguments.insert(arguments.begin(), state.token);
  Formulas results;
  for (unsigned i = 0; i < type.components && type.scalar_bits() != 0; ++i) {
    results.push_back(unknown("result_" + name + "." + std::to_string(i), type.scalar_bits(), arguments));
  }
  state.token = unknown("after_" + name, 64, arguments);
  return results;
}

void Memory::publish(State& state) {
  z3::sort_vector sorts(c_);
  z3::expr_vector arguments(c_);
  for (const z3::expr& part : {state.token, state.buffers, state.shared}) {
    sorts.push_back(part.get_sort());
    arguments.push_back(part);
  }
  state.token = c_.function("published", sorts, c_.bv_sort(64))(arguments);
}

void Memory::acquire(State& state) {
  state.buffers = new_array("acquired_buffers", state.token);
  state.shared = new_array("acquired_shared", state.token);
}

void Memory::atomic(const MemoryAccess& access, unsigned bytes, const std::vector<Formulas>& operands, State& state) {
  z3::expr& memory = state.*array(access.storage);
  const z3::expr first = index(access, operands);
  for (unsigned k = 0; k < bytes / granule_; ++k) {
    memory = z3::store(memory, at(first, k), unknown("atomic." + std::to_string(k), 8 * granule_, {state.token}));
  }
}

unsigned find_granule(const ir::Function& function) {
  unsigned granule = 4;
  for (const ir::BlockId block : function.layout()) {
    for (const ir::Value value : insts(function, block)) {
      const ir::Inst& inst = function.inst(value);
      if (!is_memory(inst.op)) continue;
      const ir::Type type = inst.type.is_none() ? function.type(function.operands(value).back()) : inst.type;
      granule =
          std::min({granule, 1u << std::min<unsigned>(function.access(value).align_log2, 2), type.scalar_bits() / 8});
    }
  }
  return granule;
}

bool has_global_access(const ir::Function& function) {
  for (const ir::BlockId block : function.layout()) {
    for (const ir::Value value : insts(function, block)) {
      if (is_memory(function.inst(value).op) && function.access(value).storage == StorageClass::global) return true;
    }
  }
  return false;
}

}  // namespace spalt::prove
