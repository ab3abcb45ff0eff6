// SPDX-License-Identifier: MIT
// Instructions about the invocations of a subgroup.
#include <spirv/unified1/spirv.hpp>

#include "spirv/memory/memory.h"
#include "spirv/ops/instructions.h"

namespace spalt::spirv {

using ir::Op;
using ir::Value;

/// True in the running invocation with the lowest id: the one whose id the first running lane has.
bool translate_elect(Reader& r, const Instruction& in) {
  uint32_t type = 0, scope = 0;
  if (!r.has_words(in, 4) || !r.result_vector_type(in, ir::Scalar::i1, type) || !r.constant_u32(in[3], scope)) {
    return false;
  }
  if (r.types[type].leaves != 1) return r.fail("expected a scalar result type");
  if (scope != spv::ScopeSubgroup) return r.fail("expected scope Subgroup");
  const Value id = built_in_value(r, ir::BuiltIn::subgroup_invocation_id, 0);
  const Value first = r.b.unary(Op::read_first_lane, id);
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, r.b.binary(Op::ieq, id, first));
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
