// SPDX-License-Identifier: MIT
// SPV_AMD_shader_trinary_minmax: the least, the greatest and the middle one of three numbers.
#include <spirv/unified1/AMD_shader_trinary_minmax.h>

#include "spirv/glsl/glsl.h"

namespace spalt::spirv {
namespace {

using ir::Op;
using ir::Value;

enum class Which : uint8_t { least, greatest, middle };

struct Trinary {
  Which which;
  Op min, max;
  ScalarSet scalars;
};

/// The instructions are numbered by choice, then by kind of number.
Trinary trinary_of(uint32_t instruction) {
  constexpr Which kWhich[] = {Which::least, Which::greatest, Which::middle};
  const uint32_t index = instruction - AMD_shader_trinary_minmaxFMin3AMD;
  const Which which = kWhich[index / 3];
  switch (index % 3) {
    case 0:
      return {which, Op::fmin, Op::fmax, kAnyFloat};
    case 1:
      return {which, Op::umin, Op::umax, kAnyInteger};
    default:
      return {which, Op::smin, Op::smax, kAnyInteger};
  }
}

Value choose(ir::Builder& b, const Trinary& t, Value x, Value y, Value z) {
  if (t.which != Which::middle) {
    const Op op = t.which == Which::least ? t.min : t.max;
    const Value pair = b.binary(op, x, y);
    return b.binary(op, pair, z);
  }
  const Value low = b.binary(t.min, x, y), high = b.binary(t.max, x, y);
  const Value below = b.binary(t.min, high, z);
  return b.binary(t.max, low, below);
}

}  // namespace

bool translate_trinary(Reader& r, const Instruction& in) {
  if (in[4] < AMD_shader_trinary_minmaxFMin3AMD || in[4] > AMD_shader_trinary_minmaxSMid3AMD) {
    return r.fail("an instruction that the set does not have");
  }
  const Trinary trinary = trinary_of(in[4]);
  uint32_t type = 0;
  Leaves x, y, z;
  if (!r.has_words(in, 8) || !r.result_vector_type(in, trinary.scalars, type)) return false;
  if (!r.typed_value(in[5], type, x) || !r.typed_value(in[6], type, y) || !r.typed_value(in[7], type, z)) return false;
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) {
    r.set_leaf(out, i, choose(r.b, trinary, r.leaf(x, i), r.leaf(y, i), r.leaf(z, i)));
  }
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
