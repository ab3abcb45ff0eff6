// SPDX-License-Identifier: MIT
#include "amdgpu/lower/descriptor_bits.h"

#include <algorithm>

namespace spalt::lower {

using ir::Op;
using ir::Value;

Value descriptor_field(Inserter& insert, Value descriptor, const abi::DescriptorField& field) {
  const auto part = [&](unsigned word, unsigned shift, unsigned bits) {
    const Value whole = insert.op(Op::extract, ir::kI32, {descriptor}, word);
    if (bits == 32) return whole;
    return insert.i(Op::bfe_u, {whole, insert.constant(shift), insert.constant(bits)});
  };
  const unsigned low_bits = std::min(32u - field.shift(), unsigned{field.bits});
  const Value low = part(field.word(), field.shift(), low_bits);
  if (low_bits == field.bits) return low;
  const Value high = part(field.word() + 1, 0, field.bits - low_bits);
  // A sum of different bits: shift and addition may be one scalar instruction.
  const Value shifted = insert.i(Op::ishl, {high, insert.constant(low_bits)});
  return insert.i(Op::iadd, {shifted, low});
}

}  // namespace spalt::lower
