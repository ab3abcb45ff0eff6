// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: the values that a program starts with.
#pragma once
#include <string_view>

#include "amdgpu/abi/stage_interface.h"
#include "amdgpu/lower/inserter.h"
#include "ir/module.h"

namespace spalt::lower {

/// Makes `arg` values of entry registers, and loads that follow at once, each once and at the start of the entry block:
/// from a loop that lanes leave one by one they would come out divergent. Fills Module::args.
class EntryRegisters {
 public:
  EntryRegisters(ir::Module& module, const abi::StageInterface& interface, Inserter& insert, Arena& scratch)
      : module_(module),
        function_(module.functions[0]),
        interface_(interface),
        insert_(insert),
        at_entry_(scratch),
        loaded_(scratch) {}

  const abi::StageInterface& interface() const { return interface_; }

  /// The whole register, or for a type of several dwords that many registers.
  ir::Value whole(const ShortName& name, isa::Reg reg, ir::Type type, uint32_t max = 0xffffffff);
  /// The value with that role; it is at most `max`.
  ir::Value field(std::string_view name, abi::EntryRole role, uint32_t max);
  /// One entry of the user data that every stage may read: from its register or from the spill table.
  ir::Value user_data(uint32_t entry, ir::Type type);
  /// The same, loaded once at the start.
  ir::Value user_data_at_entry(uint32_t entry);
  /// Low half of the spill table's address; entry n is at 4n.
  ir::Value spill_table();
  /// An operation on values that the program starts with, each once and among them.
  ir::Value at_entry(ir::Op op, ir::Type type, std::initializer_list<ir::Value> operands, uint64_t imm = 0);
  /// A load from memory that nobody writes, before the current instruction.
  ir::Value constant_load(ir::Type type, ir::Value base, ir::Value offset, uint32_t constant, unsigned align_log2);

  /// Links what was collected, when all else is done.
  void finish();

 private:
  ir::Module& module_;
  ir::Function& function_;
  const abi::StageInterface& interface_;
  Inserter& insert_;
  Vector<ir::Value> at_entry_;
  struct LoadedEntry {
    uint32_t entry;
    ir::Value value;
  };
  Vector<LoadedEntry> loaded_;
};

}  // namespace spalt::lower
