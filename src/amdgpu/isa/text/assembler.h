// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "amdgpu/isa/inst.h"
#include "amdgpu/isa/target.h"
#include "base/result.h"

namespace spalt::isa {

/// Reads one instruction in LLVM's assembler dialect, in its canonical form: what decode makes of its encoding. The
/// encoding is the one that a suffix (_e32, _e64, _sdwa, _dpp) asks for, else the first that takes the operands and
/// modifiers, short ones first. Branch targets are numbers here.
Result<Inst> from_text(std::string_view text, const Target& target, unsigned wave_size);

struct AssembledLabel {
  std::string name;
  uint32_t offset = 0;     ///< in bytes
  bool is_global = false;  ///< named by a .globl directive
};

struct AssembledCode {
  std::vector<uint32_t> words;
  std::vector<AssembledLabel> labels;  ///< by name
};

/// Assembles a text: one instruction, labels (`name:` or `"any name":`) or a directive per line; comments start with
/// `;` or `//` or stand between `/*` and `*/`. Directives are .long, .text and .globl. Branches may name labels before
/// or after them. Lane masks are as wide as a wave of `wave_size` lanes wants them. The text is untrusted. An error
/// tells its line in Error::source_line and its column in Error::offset, both from 1.
Result<AssembledCode> assemble(std::string_view text, const Target& target, unsigned wave_size);

/// "3:14: message" of an error of the two.
std::string located_message(const Error& error);

constexpr size_t kMaxAssembledBytes = size_t{1} << 28;

}  // namespace spalt::isa
