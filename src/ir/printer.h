// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "ir/function.h"
#include "ir/module.h"

namespace spalt::ir {

/// A part of a printed text, in bytes.
struct TextRange {
  uint32_t begin = 0, end = 0;
  bool valid() const { return end != 0; }
};

/// Where each entity stands in the printed text of one function; entries of entities that were not printed are invalid.
struct TextMap {
  IdMap<Value, TextRange> insts;     ///< without indentation and line end; parameters point into the signature
  IdMap<BlockId, TextRange> blocks;  ///< the header line
  /// Operand i of an instruction is at inst.operand_begin + i.
  std::vector<TextRange> operands;
};

/// The text of a module, a function or one instruction, as docs/ir.md describes it. Values and blocks are numbered
/// densely in layout order, so that printing what was parsed gives the same text again. Invalid IR prints too; what has
/// no proper name shows as `%?<id>` or `b?<id>`.
std::string print(const Module& module);
std::string print(const Function& function, TextMap* map = nullptr);
std::string print(const Function& function, Value value);

/// A scalar constant without its type; parse_constant reads it back.
std::string print_constant(Type type, uint64_t bits);

/// For use in a debugger: prints to standard error.
void dump(const Module& module);
void dump(const Function& function);
void dump(const Function& function, Value value);

/// The numbers values and blocks have in the text; kUnnumbered for those without.
struct Numbering {
  static constexpr uint32_t kUnnumbered = 0xffffffffu;
  explicit Numbering(const Function& function);
  IdMap<Value, uint32_t> values;
  IdMap<BlockId, uint32_t> blocks;
};

}  // namespace spalt::ir
