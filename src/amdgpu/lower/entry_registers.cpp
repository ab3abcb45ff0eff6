// SPDX-License-Identifier: MIT
#include "amdgpu/lower/entry_registers.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace spalt::lower {

using ir::MemoryAccess;
using ir::Op;
using ir::Value;

namespace {

MemoryAccess constant_access(uint32_t offset, unsigned align_log2) {
  MemoryAccess access;
  access.storage = ir::StorageClass::constant;
  access.offset = offset;
  access.align_log2 = static_cast<uint8_t>(align_log2);
  access.flags = ir::kReadOnly;
  return access;
}

ShortName user_data_name(uint32_t entry) {
  ShortName name = "user_data_";
  char digits[10];
  name.append({digits, std::to_chars(std::begin(digits), std::end(digits), entry).ptr});
  return name;
}

}  // namespace

Value EntryRegisters::whole(const ShortName& name, isa::Reg reg, ir::Type type, uint32_t max) {
  const ir::EntryArg::File file = reg.is_vgpr() ? ir::EntryArg::File::vgpr : ir::EntryArg::File::sgpr;
  const uint16_t number = reg.is_vgpr() ? reg.vgpr_index() : reg.number;
  uint64_t index = 0;
  while (index < module_.args.size() && (module_.args[index].file != file || module_.args[index].reg != number))
    ++index;
  if (index == module_.args.size()) {
    module_.args.push_back({name, file, number, static_cast<uint8_t>(type.bits() / 32), max});
  }
  for (Value made : at_entry_) {
    const ir::Inst& inst = function_.inst(made);
    if (inst.op == Op::arg && inst.imm == index && inst.type == type) return made;
  }
  at_entry_.push_back(function_.create(Op::arg, type, {}, index));
  return at_entry_.back();
}

Value EntryRegisters::field(std::string_view name, abi::EntryRole role, uint32_t max) {
  const abi::EntryField field = interface_.field(role);
  if (field.bits == 32) return whole(name, field.reg, ir::kI32, max);
  ShortName packed_name = "packed_";
  packed_name.append(name);
  const Value packed = whole(packed_name, field.reg, ir::kI32);
  const Value shifted = field.shift == 0 ? packed : insert_.i(Op::ushr, {packed, insert_.constant(field.shift)});
  // A narrower mask than the field tells later passes how large the value can be.
  const uint32_t bits = std::min<uint32_t>(field.bits, static_cast<uint32_t>(std::bit_width(max)));
  return insert_.i(Op::iand, {shifted, insert_.constant((1u << bits) - 1)});
}

Value EntryRegisters::spill_table() {
  return whole("spill_table", interface_.user_register(abi::kSpillTable), ir::kI32);
}

Value EntryRegisters::constant_load(ir::Type type, Value base, Value offset, uint32_t constant, unsigned align_log2) {
  return insert_.op(Op::load, type, {base, offset}, constant_access(constant, align_log2).pack());
}

Value EntryRegisters::user_data(uint32_t entry, ir::Type type) {
  const isa::Reg reg = interface_.user_register(entry);
  if (reg.valid()) return whole(user_data_name(entry), reg, type);
  const Value table = spill_table();
  return constant_load(type, table, insert_.constant(0), entry * 4, 2);
}

Value EntryRegisters::user_data_at_entry(uint32_t entry) {
  const isa::Reg reg = interface_.user_register(entry);
  if (reg.valid()) return whole(user_data_name(entry), reg, ir::kI32);
  for (const LoadedEntry& known : loaded_) {
    if (known.entry == entry) return known.value;
  }
  const Value operands[] = {spill_table(), insert_.constant(0)};
  at_entry_.push_back(function_.create(Op::load, ir::kI32, operands, constant_access(entry * 4, 2).pack()));
  loaded_.push_back({entry, at_entry_.back()});
  return at_entry_.back();
}

Value EntryRegisters::at_entry(Op op, ir::Type type, std::initializer_list<Value> operands, uint64_t imm) {
  for (Value made : at_entry_) {
    const ir::Inst& inst = function_.inst(made);
    if (inst.op != op || inst.imm != imm || inst.type != type) continue;
    const auto known = function_.operands(made);
    if (std::equal(known.begin(), known.end(), operands.begin(), operands.end())) return made;
  }
  at_entry_.push_back(function_.create(op, type, std::span<const Value>(operands.begin(), operands.size()), imm));
  return at_entry_.back();
}

void EntryRegisters::finish() {
  for (size_t i = at_entry_.size(); i > 0; --i) {
    function_.insert_before(function_.block(function_.entry()).first, at_entry_[i - 1]);
  }
  at_entry_.clear();
}

}  // namespace spalt::lower
