// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: what a descriptor says about its image.
#pragma once
#include "amdgpu/lower/descriptor_bits.h"
#include "ir/image.h"

namespace spalt::lower {

/// Answers image_size, image_levels and image_samples by arithmetic on the descriptor (as Mesa's
/// ac_nir_lower_resinfo does): scalar instructions where image_get_resinfo would be a vector memory access. The null
/// descriptor, whose words are 0, has no size, no levels and no samples: what is added to sizes and counts that are
/// stored less one, and the least size of a level, is 0 there and 1 else.
class ImageQuery {
 public:
  /// The image operand's descriptor; `access` says what kind of image the shader believes it to be.
  ImageQuery(Inserter& insert, const isa::Target& target, ir::Value descriptor, const ir::ImageAccess& access);

  /// `level` is relative to the first level of the view; none: that one.
  ir::Value answer(ir::Op op, ir::Value level);

 private:
  ir::Value size(ir::Value level);
  ir::Value extent(const abi::DescriptorField& less_one, ir::Value level);
  ir::Value layers();
  ir::Value levels();
  ir::Value field(const abi::DescriptorField& f) { return descriptor_field(insert_, descriptor_, f); }
  ir::Value count(ir::Value last, ir::Value first);
  ir::Value present();

  Inserter& insert_;
  const isa::Target& target_;
  const abi::ImageFields& fields_;
  ir::Value descriptor_;
  ir::ImageAccess access_;
  ir::Value present_;  ///< 1, for the null descriptor 0; none: not needed yet
};

}  // namespace spalt::lower
