// SPDX-License-Identifier: MIT
// OpDPdx, OpDPdy, OpFwidth and their fine and coarse forms: differences within each four neighbours, which lie in a
// square: 0 1
//         2 3
#include <spirv/unified1/spirv.hpp>

#include "spirv/ops/instructions.h"

namespace spalt::spirv {

using ir::Op;
using ir::Value;

namespace {

/// The lane that each of the four reads.
constexpr uint64_t lanes(unsigned a, unsigned b, unsigned c, unsigned d) {
  return a | b << 2 | c << 4 | d << 6;
}

struct Difference {
  uint64_t from = 0, to = 0;
};

/// Without a word about it, derivatives are coarse: one for all four.
constexpr Difference kX = {lanes(0, 0, 0, 0), lanes(1, 1, 1, 1)}, kXFine = {lanes(0, 0, 2, 2), lanes(1, 1, 3, 3)};
constexpr Difference kY = {lanes(0, 0, 0, 0), lanes(2, 2, 2, 2)}, kYFine = {lanes(0, 1, 0, 1), lanes(2, 3, 2, 3)};

Value derivative(Reader& r, Value value, const Difference& difference) {
  const Value to = r.b.emit(Op::quad_permute, ir::kF32, {value}, difference.to);
  const Value from = r.b.emit(Op::quad_permute, ir::kF32, {value}, difference.from);
  return r.b.fsub(to, from);
}

Value width(Reader& r, Value value, const Difference& x, const Difference& y) {
  const Value dx = r.b.fabs(derivative(r, value, x));
  const Value dy = r.b.fabs(derivative(r, value, y));
  return r.b.fadd(dx, dy);
}

Value component(Reader& r, uint32_t opcode, Value value) {
  switch (opcode) {
    case spv::OpDPdx:
    case spv::OpDPdxCoarse:
      return derivative(r, value, kX);
    case spv::OpDPdxFine:
      return derivative(r, value, kXFine);
    case spv::OpDPdy:
    case spv::OpDPdyCoarse:
      return derivative(r, value, kY);
    case spv::OpDPdyFine:
      return derivative(r, value, kYFine);
    case spv::OpFwidthFine:
      return width(r, value, kXFine, kYFine);
    default:
      return width(r, value, kX, kY);
  }
}

}  // namespace

bool translate_derivative(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves operand;
  if (!r.module.has_derivatives()) {
    return r.unsupported("a derivative in a shader without groups of neighbours");
  }
  if (!r.has_words(in, 4) || !r.result_vector_type(in, ir::Scalar::f32, type) || !r.typed_value(in[3], type, operand)) {
    return false;
  }
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) r.set_leaf(out, i, component(r, in.opcode, r.leaf(operand, i)));
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
