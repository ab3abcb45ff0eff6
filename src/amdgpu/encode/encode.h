// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>

#include "amdgpu/isa/codec/encoder.h"
#include "amdgpu/isa/inst.h"
#include "amdgpu/mir/function.h"
#include "base/compile_context.h"

namespace spalt::encode {

/// The literal of a program that is the distance from the end of s_getpc_b64 to the constant tables. Until they are
/// placed it is what it would be were they right after the code.
struct TableReference {
  uint32_t at = 0;    ///< the word that is the literal
  uint32_t from = 0;  ///< the word that s_getpc_b64 gives the address of
};

/// From this word of the code up to that of the next one, instructions are for the SPIR-V instruction at word `origin`.
struct CodeOrigin {
  uint32_t at = 0, origin = 0;
};

/// The machine code of one program, in an arena or, without one, in the heap.
struct Program {
  explicit Program(Arena* arena = nullptr) : words(arena), origins(arena) {}

  Vector<uint32_t> words;
  /// In order; empty unless instructions have origins. An instruction without one, which waits, moves or masks, was
  /// made for the one after it.
  Vector<CodeOrigin> origins;
  uint32_t instruction_count = 0;
  std::optional<TableReference> tables;
  /// False if a branch does not reach its target and the function has no jump_pair: `words` are of no use then.
  bool branches_reach = true;
};

/// Encodes the blocks in layout order, each instruction in the smallest format that can express it, and resolves
/// branches. A branch reaches kBranchReach dwords; farther ones become jumps through mir::Function::jump_pair.
/// Requires Stage::final. An instruction that no format can express is a compiler bug.
/// `verify`: checks each instruction against the rules of its opcode and format, as tests do. `templates`: of the
/// function's target, from earlier programs; without, the program makes its own. The program is in `context.arena`.
Program encode(const mir::Function& function, CompileContext& context, bool verify = true,
               isa::EncodeTemplates* templates = nullptr);

/// A guess before register allocation whether the program will need a jump_pair.
bool may_need_jump_pair(const mir::Function& function);

}  // namespace spalt::encode
