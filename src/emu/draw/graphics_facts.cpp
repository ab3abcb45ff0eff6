// SPDX-License-Identifier: MIT
#include "emu/draw/graphics_facts.h"

#include <iterator>

namespace spalt::emu {
namespace {

constexpr VertexVgprs kVertex9 = {0, 1, 3, 2}, kVertex10 = {0, 3, kNoVgpr, 2}, kNone = {};
constexpr VertexVgprs kPrimitive10 = {5, 8, kNoVgpr, 2}, kPrimitive12 = {3, 4, kNoVgpr, 1};

/// A row for each isa::Generation, in its order.
constexpr GraphicsFacts kFacts[] = {
    {kVertex9, kNone, false, false, true, 9, true, true, true, 3, false, false},           // GFX9
    {kVertex10, kPrimitive10, false, false, true, 9, true, true, false, 1, false, true},   // GFX10.1
    {kVertex10, kPrimitive10, false, false, true, 9, true, true, false, 1, false, false},  // GFX10.3
    {kNone, kPrimitive10, true, true, false, 9, false, false, false, 1, true, false},      // GFX11
    {kNone, kPrimitive10, true, true, false, 9, false, false, false, 1, true, false},      // GFX11.5
    {kNone, kPrimitive12, true, false, false, 8, false, false, false, 1, true, false},     // GFX12
};
static_assert(std::size(kFacts) == isa::kGenerationCount);

}  // namespace

const GraphicsFacts& graphics_facts(const isa::Target& target) {
  return kFacts[static_cast<size_t>(target.generation)];
}

}  // namespace spalt::emu
