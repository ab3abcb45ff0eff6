// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/dominance.h"
#include "amdgpu/mir/function.h"

namespace spalt::regalloc {

/// The two register files are allocated one after the other, SGPRs first: they share no registers, and each follows one
/// graph. Linear VGPRs belong to neither: they keep one register for the whole program.
constexpr mir::Graph graph_of(mir::RegFile file) {
  return file == mir::RegFile::sgpr ? mir::Graph::linear : mir::Graph::logical;
}

/// Whether the allocation of `file` places values of this class. All SGPRs are linear, and those VGPRs that nobody
/// places.
constexpr bool handles(mir::RegFile file, mir::RegClass cls) {
  return file == mir::RegFile::sgpr ? !cls.is_vgpr() : !cls.linear;
}
inline bool handles(mir::RegFile file, const mir::Operand& operand) {
  return operand.is_vreg() && handles(file, operand.cls());
}

/// A set of register files.
struct FileSet {
  bool sgpr = true, vgpr = true;
  static constexpr FileSet only(mir::RegFile file) { return {file == mir::RegFile::sgpr, file == mir::RegFile::vgpr}; }
  constexpr bool has(mir::RegFile file) const { return file == mir::RegFile::sgpr ? sgpr : vgpr; }
  /// Whether the operand is a value that the allocation of one of the files places.
  bool handles(const mir::Operand& operand) const {
    return operand.is_vreg() && (operand.file == mir::RegFile::vgpr ? vgpr && !operand.linear : sgpr);
  }
};

/// One T for each register file.
template <class T>
struct PerFile {
  T sgpr, vgpr;
  T& operator[](mir::RegFile file) { return file == mir::RegFile::sgpr ? sgpr : vgpr; }
  const T& operator[](mir::RegFile file) const { return file == mir::RegFile::sgpr ? sgpr : vgpr; }
};

/// SGPRs by index: the ordinary ones, then vcc.
constexpr unsigned kVccIndex = isa::kVcc.number, kSgprIndexEnd = kVccIndex + 2;

/// Index into block.insts of the place where copies, spills and reloads for the successors' phis stand: VGPRs while the
/// lanes still run, SGPRs before the terminator.
inline size_t end_position(const mir::Function& function, const mir::Block& block, mir::RegFile file) {
  if (block.insts.empty()) return 0;
  size_t at = block.insts.size() - 1;
  if (file == mir::RegFile::sgpr) return at;
  for (size_t i = at + 1; i-- > 0;) {
    if (function.insts[block.insts[i]].opcode == mir::Opcode::p_logical_end) return i;
  }
  return at;
}

}  // namespace spalt::regalloc
