// SPDX-License-Identifier: MIT
// Samples, gathers and queries of levels.
#include "amdgpu/select/selector.h"
#include "base/ice.h"

namespace spalt::select {

using ir::ImageAccess;
using ir::ImageOperands;

namespace {

/// Where a sample takes its level from.
enum Level : uint8_t {
  kImplicit,
  kClamped,
  kGradients,
  kGradientsClamped,
  kExplicit,
  kBias,
  kBiasClamped,
  kBase,
  kLevels
};

/// By offset and comparison, then by level.
constexpr M kSamples[2][2][kLevels] = {
    {{M::image_sample, M::image_sample_cl, M::image_sample_d, M::image_sample_d_cl, M::image_sample_l,
      M::image_sample_b, M::image_sample_b_cl, M::image_sample_lz},
     {M::image_sample_c, M::image_sample_c_cl, M::image_sample_c_d, M::image_sample_c_d_cl, M::image_sample_c_l,
      M::image_sample_c_b, M::image_sample_c_b_cl, M::image_sample_c_lz}},
    {{M::image_sample_o, M::image_sample_cl_o, M::image_sample_d_o, M::image_sample_d_cl_o, M::image_sample_l_o,
      M::image_sample_b_o, M::image_sample_b_cl_o, M::image_sample_lz_o},
     {M::image_sample_c_o, M::image_sample_c_cl_o, M::image_sample_c_d_o, M::image_sample_c_d_cl_o,
      M::image_sample_c_l_o, M::image_sample_c_b_o, M::image_sample_c_b_cl_o, M::image_sample_c_lz_o}}};

/// With gradients of 16 bits: by offset, comparison and whether there is a least level.
constexpr M kHalfGradientSamples[2][2][2] = {
    {{M::image_sample_d_g16, M::image_sample_d_cl_g16}, {M::image_sample_c_d_g16, M::image_sample_c_d_cl_g16}},
    {{M::image_sample_d_o_g16, M::image_sample_d_cl_o_g16}, {M::image_sample_c_d_o_g16, M::image_sample_c_d_cl_o_g16}}};

/// Gathers of the base level, which all targets have.
constexpr M kGathers[2][2] = {{M::image_gather4_lz, M::image_gather4_c_lz},
                              {M::image_gather4_lz_o, M::image_gather4_c_lz_o}};

Level level_of(const ImageAccess& access) {
  const bool clamped = access.has(ir::kImageMinLod);
  if (access.has(ir::kImageLod)) return kExplicit;
  if (access.has(ir::kImageGradients)) return clamped ? kGradientsClamped : kGradients;
  if (access.has(ir::kImageBias)) return clamped ? kBiasClamped : kBias;
  return clamped ? kClamped : kImplicit;
}

}  // namespace

/// An explicit level that is 0 needs no operand.
bool Selector::is_base_level(Value value, const ImageAccess& access, const ImageOperands& at) const {
  constexpr uint32_t kMinusZero = 0x80000000u;
  if (!access.has(ir::kImageLod) || at.lod == ImageOperands::kAbsent) return false;
  const Value level = input(value, at.lod);
  return is_constant(level, 0) || is_constant(level, kMinusZero);
}

M Selector::sample_opcode(Value value, const ImageAccess& access, bool base_level) const {
  const unsigned offset = access.has(ir::kImageOffset) ? 1 : 0, compare = access.has(ir::kImageCompare) ? 1 : 0;
  switch (inst(value).op) {
    case Op::image_sample:
      if (access.half_gradients()) return kHalfGradientSamples[offset][compare][access.has(ir::kImageMinLod) ? 1 : 0];
      return kSamples[offset][compare][base_level ? kBase : level_of(access)];
    case Op::image_gather:
      if (access.has(ir::kImageLod) || access.has(ir::kImageBias)) SPALT_ICE("selection met a gather of a level");
      return kGathers[offset][compare];
    default:
      return M::image_get_lod;
  }
}

void Selector::select_sample(Value value) {
  const Op op = inst(value).op;
  const ImageAccess access = function_.image_access(value);
  ImageOperands at = ir::image_operands(op, access);
  const bool unneeded_level = is_base_level(value, access, at);
  if (unneeded_level) --at.count;
  const bool base_level = unneeded_level || access.has(ir::kImageBaseLevel);
  ImageParts parts;
  parts.image = descriptor(input(value, 0));
  parts.sampler = descriptor(input(value, 1));
  parts.address = image_address(value, at);
  if (access.sparse()) parts.tied = sparse_start(dwords(value));
  isa::Modifiers mods = image_modifiers(access);
  if (op == Op::image_query_lod) mods.dmask = 3;
  memory_model_.set_load_bits(mods, access_kind(function_.access(value)));
  mir::Inst& sample = emit_image(sample_opcode(value, access, base_level), define(value), parts, mods);
  sample.memory = (access.flags & ir::kReadOnly) != 0 ? mir::kReadsConstant : mir::kReadsBuffer;
  complete_volatile(function_.access(value), mir::kWaitVmLoad);
}

/// Lanes 0 to 3 of each four read the lanes that the immediate names, two bits for each.
void Selector::select_quad_permute(Value value) {
  const Value a = input(value, 0);
  if (is_scalar(value)) {
    emit(M::s_mov_b32, {define(value)}, {scalar(a)});
    return;
  }
  mir::Inst& move = emit(M::v_mov_b32, {define(value)}, {vector(a)});
  isa::Modifiers mods;
  mods.dpp_ctrl = static_cast<uint32_t>(inst(value).imm);  // quad_perm: codes 0 to 255
  mods.row_mask = mods.bank_mask = 0xf;
  mods.bound_ctrl = true;  // what does not run counts as 0
  out_.set_modifiers(move, mods);
}

}  // namespace spalt::select
