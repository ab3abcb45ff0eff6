// SPDX-License-Identifier: MIT
// SPV_AMD_gcn_shader: where a direction meets a cube, and the time.
#include <spirv/unified1/AMD_gcn_shader.h>

#include "spirv/glsl/glsl.h"
#include "spirv/ops/instructions.h"

namespace spalt::spirv {
namespace {

using ir::Builder;
using ir::Op;
using ir::Value;

/// The number of the face, as a float, or the place on it from 0 to 1.
bool translate_cube(Reader& r, const Instruction& in) {
  Builder& b = r.b;
  const bool index = in[4] == AMD_gcn_shaderCubeFaceIndexAMD;
  uint32_t type = 0;
  Leaves direction;
  if (!r.has_words(in, 6) || !r.result_vector_type(in, ir::Scalar::f32, type)) return false;
  if (r.types[type].leaves != (index ? 1u : 2u)) return r.fail("expected a float, or two of them for a place");
  if (!r.vector_value(in[5], ir::Scalar::f32, 3, direction)) return false;
  const Value x = r.leaf(direction, 0), y = r.leaf(direction, 1), z = r.leaf(direction, 2);
  const Leaves out = r.new_leaves(type);
  if (index) {
    r.set_leaf(out, 0, b.ternary(Op::cube_id, x, y, z));
    return r.bind(in[2], out);
  }
  const Value twice = b.unary(Op::fabs, b.ternary(Op::cube_ma, x, y, z));
  const Value inverse = b.unary(Op::frcp, twice), half = b.f32(0.5F);
  const Op coordinates[] = {Op::cube_sc, Op::cube_tc};
  for (uint32_t i = 0; i < 2; ++i) {
    const Value place = b.ternary(coordinates[i], x, y, z);
    const Value centered = b.binary(Op::fmul, place, inverse);
    r.set_leaf(out, i, b.binary(Op::fadd, centered, half));
  }
  return r.bind(in[2], out);
}

}  // namespace

bool translate_amd_gcn(Reader& r, const Instruction& in) {
  switch (in[4]) {
    case AMD_gcn_shaderCubeFaceIndexAMD:
    case AMD_gcn_shaderCubeFaceCoordAMD:
      return translate_cube(r, in);
    case AMD_gcn_shaderTimeAMD:
      return r.has_words(in, 5) && bind_clock(r, in, false);
    default:
      return r.fail("an instruction that the set does not have");
  }
}

}  // namespace spalt::spirv
