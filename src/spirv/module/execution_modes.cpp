// SPDX-License-Identifier: MIT
// OpExecutionMode and OpExecutionModeId of the entry point. They are read after the declarations, because sizes may be
// constants; those about floats before them, because constants are computed by their rules.
#include <spirv/unified1/spirv.hpp>

#include "spirv/module/names.h"
#include "spirv/module/preamble.h"

namespace spalt::spirv {
namespace {

struct FloatModes {
  uint8_t chosen = 0;  ///< bits of FLOAT_MODE that an execution mode has chosen
};

/// Sets two bits of the FLOAT_MODE byte: bits 1:0 round f32, 5:4 f32 denormals (docs/abi/pal.md#float_mode).
/// Modes for the same two bits exclude each other.
bool set_float_mode(Reader& r, FloatModes& modes, const Instruction& in, unsigned shift, uint32_t bits) {
  if (!r.has_words(in, 4)) return false;
  if (in[3] != 32) return in[3] == 16 || in[3] == 64 || r.fail("expected a width of 16, 32 or 64");
  const auto mode = static_cast<uint8_t>((r.module.float_mode & ~(3u << shift)) | bits << shift);
  if ((modes.chosen >> shift & 3) != 0 && mode != r.module.float_mode) {
    return r.fail(execution_mode_name(in[2]) + " contradicts another execution mode of the entry point");
  }
  modes.chosen |= static_cast<uint8_t>(3u << shift);
  r.module.float_mode = mode;
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

bool read_float_mode(Reader& r, FloatModes& modes, const Instruction& in) {
  switch (in[2]) {
    case spv::ExecutionModeDenormPreserve:
      return set_float_mode(r, modes, in, 4, 3);
    case spv::ExecutionModeDenormFlushToZero:
      if (!set_float_mode(r, modes, in, 4, 0)) return false;
      r.module.must_flush_f32 |= in[3] == 32;
      return true;
    case spv::ExecutionModeRoundingModeRTE:
    case spv::ExecutionModeRoundingModeRTZ:
      if (!set_float_mode(r, modes, in, 0, in[2] == spv::ExecutionModeRoundingModeRTZ ? 3 : 0)) return false;
      r.names_half_rounding |= in[3] == 16;
      return true;
    case spv::ExecutionModeSignedZeroInfNanPreserve:
      if (!r.has_words(in, 4)) return false;
      r.module.strict_f16 |= in[3] == 16;
      r.module.strict_f32 |= in[3] == 32;
      return true;
    default:
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
  r.b.set_float_controls(r.module.float_controls());
  return true;
}

bool read_execution_modes(Reader& r, const Vector<uint32_t>& words) {
  for (const uint32_t word : words) {
    r.current = r.instruction_at(word);
    if (r.current[1] != r.entry_function_id || is_float_mode(r.current[2])) continue;
    // Lanes that part rejoin at the merge block anyway (docs/divergence.md).
    if (r.current[2] == spv::ExecutionModeSubgroupUniformControlFlowKHR) continue;
    if (!read_stage_mode(r, r.current)) return false;
  }
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
