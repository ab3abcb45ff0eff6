// SPDX-License-Identifier: MIT
// SPV_VALVE_mixed_float_dot_product: x.x * y.x + x.y * y.y + a sum, of halves with a sum of 32 or 16 bits. The order of
// the additions and their precision are the implementation's. Two multiply-adds onto the sum are what every target
// computes well: v_fma_mix takes halves with a sum of 32 bits as they are (opt/form_halves).
#include "spirv/ops/instructions.h"
#include "spirv/recent.h"

namespace spalt::spirv {

using ir::Op;
using ir::Scalar;
using ir::Value;

bool translate_mixed_dot(Reader& r, const Instruction& in) {
  const Scalar scalar = in.opcode == kOpFDot2MixAcc16 ? Scalar::f16 : Scalar::f32;
  uint32_t type = 0;
  Leaves x, y, addend;
  if (!r.has_words(in, 6) || !r.result_vector_type(in, scalar, type)) return false;
  if (r.types[type].leaves != 1) return r.fail("expected a scalar result type");
  if (!r.vector_value(in[3], Scalar::f16, 2, x) || !r.vector_value(in[4], Scalar::f16, 2, y)) return false;
  if (!r.typed_value(in[5], type, addend)) return false;
  const ir::Type result{scalar};
  Value sum = r.leaf(addend, 0);
  for (uint32_t i = 0; i < 2; ++i) {
    Value left = r.leaf(x, i), right = r.leaf(y, i);
    if (scalar == Scalar::f32) {
      left = r.b.convert(Op::f_to_f, result, left);
      right = r.b.convert(Op::f_to_f, result, right);
    }
    sum = r.b.ffma(left, right, sum);
  }
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, sum);
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
