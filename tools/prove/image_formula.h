// SPDX-License-Identifier: MIT
// Image operations as unknown functions, whose names say all that is no operand. The IR has its address in the order of
// the hardware; what is compared is which instruction was chosen, with which dimension, mask and operands in which
// order.
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "amdgpu/isa/inst.h"
#include "block_behaviour.h"
#include "ir/image.h"

namespace spalt::prove {

struct ImageFormula {
  std::string what;
  Formulas words;  ///< image, sampler, address in dwords, data
  bool loads = false, stores = false, is_atomic = false;
};

/// Of an instruction; `uses` without those that are tied to a result that may not be written. Nothing if it is none.
std::optional<ImageFormula> image_instruction(std::string_view name, const isa::Modifiers& modifiers,
                                              bool has_dimension, const Formulas& uses);
/// Of an operation of the IR, whose operands are words of dwords.
ImageFormula image_operation(ir::Op op, const ir::ImageAccess& access, bool has_dimension,
                             std::span<const Formulas> operands);

}  // namespace spalt::prove
