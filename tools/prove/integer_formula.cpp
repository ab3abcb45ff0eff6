// SPDX-License-Identifier: MIT
#include "formula.h"

namespace spalt::prove {

using ir::Op;

z3::expr from_bool(const z3::expr& condition) {
  z3::context& c = condition.ctx();
  return z3::ite(condition, c.bv_val(1, 1), c.bv_val(0, 1));
}

z3::expr truth(const z3::expr& bit) {
  return bit == bit.ctx().bv_val(1, 1);
}

z3::expr number(z3::context& context, uint64_t value, unsigned width) {
  return context.bv_val(width < 64 ? value & ((uint64_t{1} << width) - 1) : value, width);
}

z3::expr resize(const z3::expr& bits, unsigned width) {
  const unsigned own = bits.get_sort().bv_size();
  if (own == width) return bits;
  return own > width ? bits.extract(width - 1, 0) : z3::zext(bits, width - own);
}

z3::expr unknown(const std::string& name, unsigned width, const Formulas& operands) {
  z3::context& c = operands.front().ctx();
  z3::sort_vector sorts(c);
  z3::expr_vector arguments(c);
  std::string full = name + "." + std::to_string(width);
  for (const z3::expr& operand : operands) {
    sorts.push_back(operand.get_sort());
    arguments.push_back(operand);
    full += "_" + (operand.is_bv() ? std::to_string(operand.get_sort().bv_size()) : std::string("x"));
  }
  return c.function(full.c_str(), sorts, c.bv_sort(width))(arguments);
}

namespace {

z3::expr sext_by(const z3::expr& a, unsigned by) {
  return z3::sext(a, by);
}

z3::expr count_bits(const z3::expr& a, unsigned width) {
  z3::expr sum = number(a.ctx(), 0, width);
  for (unsigned i = 0; i < width; ++i) sum = sum + resize(a.extract(i, i), width);
  return sum;
}

z3::expr reverse_bits(const z3::expr& a, unsigned width) {
  z3::expr reversed = a.extract(0, 0);
  for (unsigned i = 1; i < width; ++i) reversed = z3::concat(reversed, a.extract(i, i));
  return reversed;
}

/// The index of the last 1 bit in the order that `upward` says; all ones if there is none.
z3::expr find_bit(const z3::expr& a, unsigned width, bool lowest) {
  z3::expr found = number(a.ctx(), ~uint64_t{0}, width);
  for (unsigned step = 0; step < width; ++step) {
    const unsigned i = lowest ? width - 1 - step : step;
    found = z3::ite(truth(a.extract(i, i)), number(a.ctx(), i, width), found);
  }
  return found;
}

/// Where offset and count leave the value, both are cut as ir/evaluate.h says, or the result is unknown.
z3::expr bit_field(Op op, const Formulas& o, unsigned width, const Semantics& semantics) {
  z3::context& c = o[0].ctx();
  const bool inserts = op == Op::bfi;
  const z3::expr limit = number(c, width, 33);
  const z3::expr raw_offset = resize(o[inserts ? 2 : 1], 33), raw_count = resize(o[inserts ? 3 : 2], 33);
  const z3::expr fits = z3::ule(raw_offset + raw_count, limit);
  const z3::expr offset = z3::ite(z3::ult(raw_offset, limit), raw_offset, limit);
  const z3::expr rest = limit - offset;
  const z3::expr count = z3::ite(z3::ult(raw_count, rest), raw_count, rest);
  // One bit more than the value has, so that a field of the whole width has a mask.
  const unsigned wide = std::max(width + 1, 33u);
  const z3::expr one = number(c, 1, wide), by = resize(offset, wide), bits = resize(count, wide);
  const z3::expr mask = resize(z3::shl(one, bits) - one, width);
  const z3::expr base = resize(o[0], wide);
  z3::expr result = o[0];
  if (inserts) {
    const z3::expr place = resize(z3::shl(resize(mask, wide), by), width);
    result = (o[0] & ~place) | (resize(z3::shl(resize(o[1], wide), by), width) & place);
  } else {
    const z3::expr field = resize(z3::lshr(base, by), width) & mask;
    const z3::expr top = resize(z3::lshr(z3::shl(one, bits), one), width);
    result = op == Op::bfe_u ? field : (field ^ top) - top;
  }
  if (semantics.open == Open::evaluator) return result;
  return z3::ite(fits, result, unknown("open_" + std::string(ir::info(op).name), width, o));
}

z3::expr division(Op op, const Formulas& o, unsigned width, const Semantics& semantics) {
  z3::context& c = o[0].ctx();
  const z3::expr zero = number(c, 0, width), ones = number(c, ~uint64_t{0}, width);
  const z3::expr smallest = number(c, uint64_t{1} << (width - 1), width);
  const bool is_signed = op != Op::udiv && op != Op::umod;
  const bool divides = op == Op::udiv || op == Op::sdiv;
  z3::expr result = op == Op::udiv   ? z3::udiv(o[0], o[1])
                    : op == Op::umod ? z3::urem(o[0], o[1])
                    : op == Op::sdiv ? o[0] / o[1]
                    : op == Op::srem ? z3::srem(o[0], o[1])
                                     : z3::smod(o[0], o[1]);
  z3::expr is_open = o[1] == zero;
  z3::expr choice = divides ? ones : o[0];
  if (is_signed) {
    const z3::expr overflows = o[0] == smallest && o[1] == ones;
    choice = z3::ite(is_open, choice, divides ? o[0] : zero);
    is_open = is_open || overflows;
  }
  if (semantics.open == Open::unknown) choice = unknown("open_" + std::string(ir::info(op).name), width, o);
  return z3::ite(is_open, choice, result);
}

z3::expr dot4(Op op, const Formulas& o) {
  z3::expr sum = o[2];
  for (unsigned i = 0; i < 4; ++i) {
    const z3::expr a = o[0].extract(8 * i + 7, 8 * i), b = o[1].extract(8 * i + 7, 8 * i);
    const z3::expr x = op == Op::dot4_u ? z3::zext(a, 24) : z3::sext(a, 24);
    const z3::expr y = op == Op::dot4_s ? z3::sext(b, 24) : z3::zext(b, 24);
    sum = sum + x * y;
  }
  return sum;
}

}  // namespace

z3::expr integer_formula(Op op, const Formulas& o, const Semantics& semantics) {
  const z3::expr& a = o[0];
  const z3::expr& b = o.size() > 1 ? o[1] : o[0];
  const unsigned width = a.get_sort().bv_size();
  const auto amount = [&] { return resize(b, width) & number(a.ctx(), width - 1, width); };
  switch (op) {
    case Op::iadd:
      return a + b;
    case Op::isub:
      return a - b;
    case Op::uadd_carry:
      return from_bool(z3::ult(a + b, a));
    case Op::usub_borrow:
    case Op::ult:
      return from_bool(z3::ult(a, b));
    case Op::imul:
      return a * b;
    case Op::umul_hi:
      return (z3::zext(a, width) * z3::zext(b, width)).extract(2 * width - 1, width);
    case Op::smul_hi:
      return (sext_by(a, width) * sext_by(b, width)).extract(2 * width - 1, width);
    case Op::udiv:
    case Op::sdiv:
    case Op::umod:
    case Op::srem:
    case Op::smod:
      return division(op, o, width, semantics);
    case Op::iand:
      return a & b;
    case Op::ior:
      return a | b;
    case Op::ixor:
      return a ^ b;
    case Op::inot:
      return ~a;
    case Op::ishl:
      return z3::shl(a, amount());
    case Op::ushr:
      return z3::lshr(a, amount());
    case Op::sshr:
      return z3::ashr(a, amount());
    case Op::smin:
      return z3::ite(z3::slt(a, b), a, b);
    case Op::smax:
      return z3::ite(z3::sgt(a, b), a, b);
    case Op::umin:
      return z3::ite(z3::ult(a, b), a, b);
    case Op::umax:
      return z3::ite(z3::ugt(a, b), a, b);
    case Op::bit_count:
      return count_bits(a, width);
    case Op::bit_reverse:
      return reverse_bits(a, width);
    case Op::find_lsb:
      return find_bit(a, width, true);
    case Op::find_msb_u:
      return find_bit(a, width, false);
    case Op::find_msb_s:
      return find_bit(z3::ite(a < 0, ~a, a), width, false);
    case Op::bfe_u:
    case Op::bfe_s:
    case Op::bfi:
      return bit_field(op, o, width, semantics);
    case Op::dot4_s:
    case Op::dot4_u:
    case Op::dot4_su:
      return dot4(op, o);
    case Op::ieq:
      return from_bool(a == b);
    case Op::ine:
      return from_bool(a != b);
    case Op::slt:
      return from_bool(z3::slt(a, b));
    case Op::sle:
      return from_bool(z3::sle(a, b));
    case Op::ule:
      return from_bool(z3::ule(a, b));
    default:
      return unknown(std::string(ir::info(op).name), width, o);
  }
}

}  // namespace spalt::prove
