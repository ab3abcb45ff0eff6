// SPDX-License-Identifier: MIT
#include "emu/image/image_facts.h"

#include <iterator>

namespace spalt::emu {
namespace {

/// A row for each isa::Generation, in its order.
constexpr ImageFacts kFacts[] = {
    {false, true, 256, true, false, true},    // GFX9
    {true, false, 256, true, true, false},    // GFX10.1
    {true, false, 256, true, false, false},   // GFX10.3
    {true, false, 256, false, false, false},  // GFX11
    {true, false, 256, false, false, false},  // GFX11.5
    {true, false, 128, false, false, false},  // GFX12
};
static_assert(std::size(kFacts) == isa::kGenerationCount);

}  // namespace

const ImageFacts& image_facts(const isa::Target& target) {
  return kFacts[static_cast<size_t>(target.generation)];
}

}  // namespace spalt::emu
