// SPDX-License-Identifier: MIT
// OpExecutionMode and OpExecutionModeId of the entry point. They are read after the declarations, because sizes may be
// constants; those about floats before them, because constants are computed by their rules.
#include <spirv/unified1/spirv.hpp>

#include "spirv/module/fast_math.h"
#include "spirv/module/names.h"
#include "spirv/module/preamble.h"
#include "spirv/recent.h"

namespace spalt::spirv {
namespace {

constexpr uint32_t kWidths[] = {16, 32, 64};

/// The execution modes about floats that were seen, by width as in kWidths; 0: none.
struct FloatModes {
  uint32_t rounding[3] = {};
  uint32_t denormals[3] = {};
};

/// Sets two bits of the FLOAT_MODE byte, which has them for 32 bits and for 16 and 64 bits together: from `shift` on
/// (docs/abi/pal.md#float_mode). Modes for the same bits exclude each other.
bool set_float_mode(Reader& r, uint32_t (&seen)[3], const Instruction& in, unsigned width, unsigned shift,
                    uint32_t bits) {
  if (seen[width] != 0 && seen[width] != in[2]) {
    return r.fail(execution_mode_name(in[2]) + " contradicts another execution mode of the entry point");
  }
  seen[width] = in[2];
  const unsigned other = 2 - width;  // of 32 bits: itself
  if (seen[other] != 0 && seen[other] != in[2]) {
    return r.fail(Status::unsupported,
                  concat(execution_mode_name(in[2]), " of ", kWidths[width], " bits beside ",
                         execution_mode_name(seen[other]), " of ", kWidths[other], ": hardware has one mode for both"));
  }
  if (kWidths[width] != 32) shift += 2;
  r.module.float_mode = static_cast<uint8_t>((r.module.float_mode & ~(3u << shift)) | bits << shift);
  return true;
}

bool set_local_size(Reader& r, const Instruction& in) {
  if (!r.has_words(in, 6)) return false;
  for (uint32_t i = 0; i < 3; ++i) {
    uint32_t size = in[3 + i];
    if (in.opcode == spv::OpExecutionModeId && !r.constant_u32(in[3 + i], size)) return false;
    r.module.compute().workgroup_size[i] = size;
  }
  return true;
}

bool set_derivatives(Reader& r, ir::DerivativeGroup group) {
  ir::DerivativeGroup& derivatives = r.module.compute().derivatives;
  if (derivatives != ir::DerivativeGroup::none && derivatives != group) {
    return r.fail("two execution modes for derivatives");
  }
  derivatives = group;
  return true;
}

/// Modes of fragment shaders, and no others.
bool read_fragment_mode(Reader& r, const Instruction& in) {
  ir::FragmentFacts& facts = r.module.fragment();
  switch (in[2]) {
    case spv::ExecutionModeOriginUpperLeft:  // the only one in Vulkan
    case spv::ExecutionModeDepthReplacing:   // written depths say so
    case spv::ExecutionModeStencilRefReplacingEXT:
      return true;
    case kQuadDerivatives:   // neighbours of a quad are all that derivatives need
    case kRequireFullQuads:  // there are helpers wherever something tells
      return true;
    case spv::ExecutionModeEarlyFragmentTests:
      facts.early_tests = true;
      return true;
    case spv::ExecutionModePostDepthCoverage:
      facts.post_depth_coverage = true;
      return true;
    case spv::ExecutionModeDepthGreater:
      facts.depth_bound = ir::DepthBound::greater;
      return true;
    case spv::ExecutionModeDepthLess:
      facts.depth_bound = ir::DepthBound::less;
      return true;
    case spv::ExecutionModeDepthUnchanged:
      facts.depth_bound = ir::DepthBound::unchanged;
      return true;
    default:
      return r.unsupported("execution mode " + execution_mode_name(in[2]));
  }
}

/// Modes of compute shaders, and no others.
bool read_compute_mode(Reader& r, const Instruction& in) {
  switch (in[2]) {
    case spv::ExecutionModeLocalSize:
    case spv::ExecutionModeLocalSizeId:
      return set_local_size(r, in);
    case kQuadDerivatives:
      return true;
    case spv::ExecutionModeDerivativeGroupQuadsNV:
    case spv::ExecutionModeDerivativeGroupLinearNV:
      return set_derivatives(r, in[2] == spv::ExecutionModeDerivativeGroupQuadsNV ? ir::DerivativeGroup::quads
                                                                                  : ir::DerivativeGroup::linear);
    default:
      return r.unsupported("execution mode " + execution_mode_name(in[2]));
  }
}

bool read_stage_mode(Reader& r, const Instruction& in) {
  switch (r.options.stage) {
    case ir::ShaderStage::compute:
      return read_compute_mode(r, in);
    case ir::ShaderStage::vertex:
      return r.unsupported("execution mode " + execution_mode_name(in[2]));
    case ir::ShaderStage::fragment:
      return read_fragment_mode(r, in);
  }
  return true;
}

bool is_float_mode(uint32_t mode) {
  return mode >= spv::ExecutionModeDenormPreserve && mode <= spv::ExecutionModeRoundingModeRTZ;
}

/// The index of the mode's width in kWidths.
bool float_width(Reader& r, const Instruction& in, unsigned& width) {
  if (!r.has_words(in, 4)) return false;
  for (width = 0; width < 3; ++width) {
    if (in[3] == kWidths[width]) return true;
  }
  return r.fail("expected a width of 16, 32 or 64");
}

bool read_float_mode(Reader& r, FloatModes& modes, const Instruction& in) {
  constexpr unsigned kRounding = 0, kDenormals = 4;
  ir::Module& module = r.module;
  bool* const must_flush[] = {&module.must_flush_f16, &module.must_flush_f32, &module.must_flush_f64};
  uint16_t* const fast_math[] = {&module.fast_math_f16, &module.fast_math_f32, &module.fast_math_f64};
  unsigned width = 0;
  if (!float_width(r, in, width)) return false;
  switch (in[2]) {
    case spv::ExecutionModeDenormPreserve:
      return set_float_mode(r, modes.denormals, in, width, kDenormals, 3);
    case spv::ExecutionModeDenormFlushToZero:
      *must_flush[width] = true;
      return set_float_mode(r, modes.denormals, in, width, kDenormals, 0);
    case spv::ExecutionModeRoundingModeRTE:
      return set_float_mode(r, modes.rounding, in, width, kRounding, 0);
    case spv::ExecutionModeRoundingModeRTZ:
      return set_float_mode(r, modes.rounding, in, width, kRounding, 3);
    default:  // SignedZeroInfNanPreserve
      *fast_math[width] &= static_cast<uint16_t>(~ir::kValueFreedoms);
      return true;
  }
}

/// The workgroup must consist of whole groups.
bool check_derivatives(Reader& r) {
  const ir::ComputeFacts& facts = r.module.compute();
  const auto& size = facts.workgroup_size;
  switch (facts.derivatives) {
    case ir::DerivativeGroup::none:
      return true;
    case ir::DerivativeGroup::linear:
      return facts.invocations() % 4 == 0 || r.fail("groups of four invocations in a workgroup of another multiple");
    case ir::DerivativeGroup::quads:
      return (size[0] % 2 == 0 && size[1] % 2 == 0) || r.fail("groups of 2 x 2 invocations in a workgroup of odd size");
  }
  return true;
}

}  // namespace

bool read_float_modes(Reader& r, const Vector<uint32_t>& words) {
  const Instruction before = r.current;
  FloatModes modes;
  for (const uint32_t word : words) {
    r.current = r.instruction_at(word);
    const bool counts = r.current[1] == r.entry_function_id && is_float_mode(r.current[2]);
    if (counts && !read_float_mode(r, modes, r.current)) return false;
  }
  r.current = before;
  r.names_half_rounding = modes.rounding[0] != 0;
  r.b.set_float_controls(r.module.float_controls());
  return true;
}

bool read_execution_modes(Reader& r, const Vector<uint32_t>& words) {
  for (const uint32_t word : words) {
    r.current = r.instruction_at(word);
    if (r.current[1] != r.entry_function_id || is_float_mode(r.current[2])) continue;
    // Lanes that part rejoin as soon as these ask for (docs/divergence.md).
    if (r.current[2] == spv::ExecutionModeSubgroupUniformControlFlowKHR) continue;
    if (r.current[2] == kMaximallyReconverges) continue;
    const bool about_floats = r.current[2] == kFPFastMathDefault;
    if (!(about_floats ? read_fast_math_default(r, r.current) : read_stage_mode(r, r.current))) return false;
  }
  r.b.set_float_controls(r.module.float_controls());
  return true;
}

bool apply_workgroup_size(Reader& r) {
  if (r.workgroup_size_id != 0) {
    Leaves size;
    if (!r.vector_value(r.workgroup_size_id, ir::Scalar::i32, 3, size)) return false;
    for (uint32_t i = 0; i < 3; ++i) {
      r.module.compute().workgroup_size[i] = static_cast<uint32_t>(r.function().inst(r.leaf(size, i)).imm);
    }
  }
  const auto [x, y, z] = r.module.compute().workgroup_size;
  const uint32_t most = r.options.limits.workgroup_invocations;
  const bool ok = x != 0 && y != 0 && z != 0 && x <= most && y <= most && z <= most && uint64_t{x} * y * z <= most;
  if (ok) return check_derivatives(r);
  return r.fail(Status::limit_exceeded,
                concat("a workgroup of ", x, " x ", y, " x ", z, " invocations; at most ", most, " can run"));
}

}  // namespace spalt::spirv
