// SPDX-License-Identifier: MIT
//
// Machine code of any compiler as instructions, and as basic blocks with the ways between them.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "amdgpu/isa/inst.h"
#include "amdgpu/isa/target.h"
#include "base/result.h"

namespace spalt::estimate {

/// How a block ends.
enum class Ending : uint8_t {
  falls_through,  ///< into the next block
  jumps,
  branches,  ///< or falls through
  leaves     ///< ends the program, or goes where the code does not say
};

constexpr uint32_t kNoBlock = 0xffffffffu;

struct Block {
  uint32_t first = 0, count = 0;  ///< instructions
  Ending ending = Ending::leaves;
  uint32_t next = kNoBlock;    ///< the block after this one, where control may fall into it
  uint32_t target = kNoBlock;  ///< of the branch

  /// Calls visit(block) for each way out.
  template <class Visit>
  void for_each_successor(Visit&& visit) const {
    if (next != kNoBlock) visit(next);
    if (target != kNoBlock && target != next) visit(target);
  }
};

/// A program and what it needs to be read.
struct Code {
  const isa::Target* target = nullptr;
  unsigned wave_size = 0;
  std::vector<isa::Inst> insts;
  std::vector<uint32_t> addresses;  ///< of each instruction, bytes from the start of the code
  std::vector<Block> blocks;        ///< in the order of the code; block 0 is where it starts
};

/// Reads what control may reach from the start of the code, by falling through and branches; words that nothing leads
/// to, such as padding and tables, are left alone. Fails where it may reach a word that is no instruction, or leave the
/// code.
Result<Code> read_code(std::span<const uint32_t> words, const isa::Target& target, unsigned wave_size);

}  // namespace spalt::estimate
