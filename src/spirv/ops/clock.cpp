// SPDX-License-Identifier: MIT
// SPV_KHR_shader_clock, and the clock of SPV_AMD_gcn_shader.
#include <spirv/unified1/spirv.hpp>

#include "spirv/ops/instructions.h"
#include "spirv/reader_state.h"

namespace spalt::spirv {

bool bind_clock(Reader& r, const Instruction& in, bool of_device) {
  uint32_t type = 0;
  if (!r.result_vector_type(in, ScalarSet(ir::Scalar::i32) | ir::Scalar::i64, type)) return false;
  const bool is_wide = r.types.leaf_type(type, 0) == ir::kI64;
  if (r.types[type].leaves != (is_wide ? 1u : 2u)) {
    return r.fail("expected an integer of 64 bits, or two of 32, as result type");
  }
  const ir::Value time = r.b.insert(ir::Op::read_clock, ir::Type{ir::Scalar::i32, 2}, {}, of_device ? 1 : 0, 0);
  const ir::Value low = r.b.extract(time, 0), high = r.b.extract(time, 1);
  const Leaves out = r.new_leaves(type);
  if (is_wide) {
    r.set_leaf(out, 0, r.b.emit(ir::Op::pack64, ir::kI64, {low, high}));
  } else {
    r.set_leaf(out, 0, low);
    r.set_leaf(out, 1, high);
  }
  return r.bind(in[2], out);
}

bool translate_read_clock(Reader& r, const Instruction& in) {
  uint32_t scope = 0;
  if (!r.has_words(in, 4) || !r.constant_u32(in[3], scope)) return false;
  if (scope != spv::ScopeSubgroup && scope != spv::ScopeDevice) return r.fail("expected scope Subgroup or Device");
  return bind_clock(r, in, scope == spv::ScopeDevice);
}

}  // namespace spalt::spirv
