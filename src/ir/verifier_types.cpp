// SPDX-License-Identifier: MIT
// Operand and result types. Memory operations and the shader interface are in verifier_memory.cpp.
#include <algorithm>
#include <bit>

#include "ir/ballot.h"
#include "ir/packed.h"
#include "ir/verifier_context.h"

namespace spalt::ir {
namespace {

bool is_number(Type type) {
  return type.is_integer() && !type.is_bool();
}

/// Types of one instruction; one method per group of operations.
class InstTypes {
 public:
  InstTypes(VerifyContext& context, Value value) : c_(context), value_(value), inst_(context.inst(value)) {}

  bool run() {
    if (!operand_count() || !result()) return false;
    switch (group(inst_.op)) {
      case OpGroup::move:
        return move();
      case OpGroup::subgroup:
        return subgroup();
      case OpGroup::integer:
      case OpGroup::integer_compare:
        return integer();
      case OpGroup::floating:
      case OpGroup::float_compare:
        return floating();
      case OpGroup::integer_convert:
      case OpGroup::float_convert:
        return conversion();
      case OpGroup::terminate:
        return terminator();
      default:
        return true;
    }
  }

 private:
  Type operand(unsigned index) const { return c_.operand_type(value_, index); }
  bool expect(unsigned index, Type type) { return c_.expect_operand(value_, index, type); }
  bool fail(std::string what) { return c_.fail(value_, std::string(info(inst_.op).name) + " " + std::move(what)); }

  bool operand_count() {
    const uint8_t wanted = info(inst_.op).operand_count;
    if (wanted == OpInfo::kAnyOperands || wanted == inst_.operand_count) return true;
    return fail("has " + std::to_string(inst_.operand_count) + " operands, expected " + std::to_string(wanted));
  }

  bool result() {
    switch (info(inst_.op).result) {
      case ResultRule::none:
        return c_.expect_result(value_, kVoid);
      case ResultRule::same:
        return c_.expect_result(value_, operand(0));
      case ResultRule::boolean:
        return c_.expect_result(value_, kBool);
      case ResultRule::stated:
        break;
    }
    return !inst_.type.is_none() || fail("has no result type");
  }

  bool expect_like_first(unsigned end) {
    for (unsigned i = 1; i < end; ++i) {
      if (!expect(i, operand(0))) return false;
    }
    return true;
  }

  bool integer() {
    const Type type = operand(0);
    const Op op = inst_.op;
    const bool logic =
        op == Op::iand || op == Op::ior || op == Op::ixor || op == Op::inot || op == Op::ieq || op == Op::ine;
    if (works_on_pairs(op, type)) return expect_like_first(inst_.operand_count);
    if (type.is_vector() || !(is_number(type) || (logic && type.is_bool()))) {
      return fail("works on integer scalars, not on " + type_name(type));
    }
    if (op == Op::ishl || op == Op::ushr || op == Op::sshr) {
      const Type amount = operand(1);
      return (is_number(amount) && !amount.is_vector()) || fail("takes an integer as shift amount");
    }
    if (op == Op::bfe_u || op == Op::bfe_s) return expect(1, kI32) && expect(2, kI32);
    if (op == Op::bfi) return expect(1, type) && expect(2, kI32) && expect(3, kI32);
    const bool dot = op == Op::dot4_s || op == Op::dot4_u || op == Op::dot4_su;
    if (dot && type != kI32) return fail("works on bytes of i32, not of " + type_name(type));
    return expect_like_first(inst_.operand_count);
  }

  bool floating() {
    const Type type = operand(0);
    const Op op = inst_.op;
    if ((type.is_vector() && !works_on_pairs(op, type)) || !type.is_float()) {
      return fail("works on float scalars, not on " + type_name(type));
    }
    const bool cube = op == Op::cube_id || op == Op::cube_sc || op == Op::cube_tc || op == Op::cube_ma;
    if (cube && type != kF32) return fail("works on f32, not on " + type_name(type));
    if (inst_.op == Op::fldexp) return expect(1, kI32);
    if (inst_.op == Op::frexp_exponent) return c_.expect_result(value_, kI32);
    return expect_like_first(inst_.operand_count);
  }

  bool move() {
    switch (inst_.op) {
      case Op::phi:
        return phi();
      case Op::select:
        return expect(0, kBool) && expect(1, inst_.type) && expect(2, inst_.type);
      case Op::vec:
        return vector();
      case Op::extract:
        return extract();
      case Op::bitcast:
        return bitcast();
      case Op::quad_permute:
        return quad_permute();
      case Op::pack64:
        return expect(0, kI32) && expect(1, kI32) && c_.expect_result(value_, kI64);
      default:
        return true;  // read_first_lane: any type
    }
  }

  bool subgroup() {
    switch (inst_.op) {
      case Op::any_lane:
        return expect(0, kBool);
      case Op::ballot:
        return expect(0, kBool) && c_.expect_result(value_, kI32) && dword();
      case Op::bits_below:
        return expect(0, kI32) && expect(1, kI32) && dword();
      case Op::shuffle:
        return shuffle();
      case Op::scan:
        return scan();
      case Op::scan_part:
        return scan() && expect(2, kI32) && expect(3, kI32);
      default:
        return expect(1, kI32);  // read_lane: any type
    }
  }
  bool shuffle() {
    const Type type = operand(0);
    if (type != kI32 && type != kF32) return fail("works on i32 and f32, not on " + type_name(type));
    if (inst_.imm != 32 && inst_.imm != 64)
      return fail("moves within 32 or 64 lanes, not " + std::to_string(inst_.imm));
    return expect(1, kI32);
  }
  bool scan() {
    const ScanForm form = ScanForm::unpack(inst_.imm);
    const Type type = operand(0);
    if (form.combine >= Op::count || static_cast<unsigned>(form.kind) >= kScanKinds || form.pack() != inst_.imm) {
      return fail("has no known form");
    }
    if (!is_scannable(form.combine, type)) {
      return fail("cannot combine " + type_name(type) + " by " + std::string(info(form.combine).name));
    }
    const bool cluster = form.kind == ScanKind::cluster;
    if (cluster ? !std::has_single_bit(form.cluster) : form.cluster != 0) {
      return fail("has clusters of " + std::to_string(form.cluster) + ", not of a power of two");
    }
    return expect(1, kBool);
  }
  bool dword() {
    const uint64_t which = inst_.op == Op::ballot ? inst_.imm & ~kBallotOfHelpers : inst_.imm;
    return which < 4 || fail("asks for dword " + std::to_string(which) + " of four");
  }

  bool phi() {
    for (uint32_t i = 0; i < inst_.operand_count; ++i) {
      if (!expect(i, inst_.type)) return false;
    }
    return true;
  }

  bool vector() {
    if (!inst_.type.is_vector() || inst_.type.components != inst_.operand_count) {
      return fail("of " + std::to_string(inst_.operand_count) + " components cannot be " + type_name(inst_.type));
    }
    for (uint32_t i = 0; i < inst_.operand_count; ++i) {
      if (!expect(i, inst_.type.element())) return false;
    }
    return true;
  }

  bool extract() {
    const Type type = operand(0);
    if (!type.is_vector()) return fail("takes a vector, not " + type_name(type));
    if (inst_.imm >= type.components) {
      return fail("asks for component " + std::to_string(inst_.imm) + " of " + type_name(type));
    }
    return c_.expect_result(value_, type.element());
  }

  bool quad_permute() {
    const Type type = operand(0);
    if (type != kI32 && type != kF32) return fail("works on i32 and f32, not on " + type_name(type));
    return inst_.imm <= 0xff || fail("has more than two bits for each of four lanes");
  }

  bool bitcast() {
    const Type from = operand(0);
    const bool plain = from.bits() >= 8 && inst_.type.bits() >= 8 && !from.is_bool() && !inst_.type.is_bool();
    if (plain && from.bits() == inst_.type.bits()) return true;
    return fail("cannot turn " + type_name(from) + " into " + type_name(inst_.type));
  }

  /// Where a conversion must change the kind of its operand, both sides are checked here.
  bool convert(bool valid) {
    if (valid && !operand(0).is_vector() && !inst_.type.is_vector()) return true;
    return fail("cannot turn " + type_name(operand(0)) + " into " + type_name(inst_.type));
  }

  bool conversion() {
    const Type from = operand(0), to = inst_.type;
    switch (inst_.op) {
      case Op::trunc:
        return convert(from.is_integer() && to.is_integer() && from.bits() > to.bits());
      case Op::zext:
      case Op::sext:
        return convert(from.is_integer() && to.is_integer() && from.bits() < to.bits());
      case Op::f_to_s:
      case Op::f_to_u:
        return convert(from.is_float() && is_number(to));
      case Op::s_to_f:
      case Op::u_to_f:
        return convert(is_number(from) && to.is_float());
      case Op::f_to_f:
        return convert(from.is_float() && to.is_float() && from != to);
      case Op::quantize_f16:
        return expect(0, kF32);
      case Op::pack_half:
        return expect(0, kF32) && expect(1, kF32) && c_.expect_result(value_, kI32);
      default:
        return expect(0, kI32) && c_.expect_result(value_, kF32);  // unpack_half_*
    }
  }

  bool terminator() {
    if (inst_.op == Op::branch_if) return expect(0, kBool);
    if (inst_.op == Op::switch_on) return cases();
    if (inst_.op != Op::ret) return true;
    const Type wanted = c_.function.return_type;
    if (inst_.operand_count != (wanted.is_none() ? 0u : 1u)) {
      return fail(wanted.is_none() ? "has a value but the function returns none"
                                   : "needs a value of type " + type_name(wanted));
    }
    return wanted.is_none() || expect(0, wanted);
  }

  bool cases() {
    const Type type = operand(0);
    if (type.is_vector() || !is_number(type)) return fail("works on integer scalars, not on " + type_name(type));
    Vector<uint64_t> sorted = c_.function.block(inst_.block).cases;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return fail("has a case twice");
    const unsigned width = type.scalar_bits();
    if (width < 64 && !sorted.empty() && sorted.back() >> width != 0) {
      return fail("has a case that does not fit " + type_name(type));
    }
    return true;
  }

  VerifyContext& c_;
  Value value_;
  const Inst& inst_;
};

}  // namespace

bool verify_types(VerifyContext& context) {
  for (BlockId id : context.function.layout()) {
    for (Value value : insts(context.function, id)) {
      if (!InstTypes(context, value).run()) return false;
    }
  }
  return true;
}

}  // namespace spalt::ir
