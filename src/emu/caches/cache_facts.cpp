// SPDX-License-Identifier: MIT
#include "emu/caches/cache_facts.h"

namespace spalt::emu {
namespace {

constexpr PassedBy kGlc{true, false, 0xff}, kDlc{false, true, 0xff}, kNever{};
// SCOPE_CU ends in the cache of the compute unit; every wider scope is forwarded
// (docs/abi/amdgpu.md#memory-model-of-gfx12).
constexpr uint8_t kScopeCu = 0;
constexpr PassedBy kWiderThanCu{false, false, kScopeCu + 1};

/// By isa::MemorySystem. Lines: Vega ISA guide and white paper, 64 bytes; RDNA white paper, 128 bytes. On GFX10 dlc
/// passes the GL1 and glc the GL0; on GFX11 glc passes both and dlc speaks of the memory-side cache (8.4). What LLVM
/// calls the L1 buffer of GFX12 holds no lines (8.5).
constexpr CacheFacts kFacts[] = {
    {64, false, kGlc, kNever},           // GFX9
    {128, true, kGlc, kDlc},             // GFX10
    {128, true, kGlc, kGlc},             // GFX11
    {128, false, kWiderThanCu, kNever},  // GFX12
};

struct InvalidationRow {
  isa::Opcode opcode;
  Invalidation caches;
  bool by_scope;  ///< empties only caches of a smaller scope than its own
};

constexpr InvalidationRow kInvalidations[] = {
    {isa::Opcode::buffer_wbinvl1, {true, false, false}, false},
    {isa::Opcode::buffer_wbinvl1_vol, {true, false, false}, false},
    {isa::Opcode::buffer_gl0_inv, {true, false, false}, false},
    {isa::Opcode::buffer_gl1_inv, {false, true, false}, false},
    {isa::Opcode::s_gl1_inv, {false, true, false}, false},
    {isa::Opcode::s_dcache_inv, {false, false, true}, false},
    {isa::Opcode::s_dcache_inv_vol, {false, false, true}, false},
    {isa::Opcode::global_inv, {true, false, false}, true},
    {isa::Opcode::global_wbinv, {true, false, false}, true},
};

}  // namespace

const CacheFacts& cache_facts(const isa::Target& target) {
  return kFacts[static_cast<unsigned>(target.memory_system)];
}

Invalidation invalidation_of(isa::Opcode opcode, const isa::Modifiers& mods) {
  for (const InvalidationRow& row : kInvalidations) {
    if (row.opcode != opcode) continue;
    return row.by_scope && mods.scope <= kScopeCu ? Invalidation{} : row.caches;
  }
  return {};
}

}  // namespace spalt::emu
